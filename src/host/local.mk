src_libod_a_SOURCES += \
    src/host/cgroup.c src/host/cgroup.h \
    src/host/child.c src/host/child.h \
    src/host/duckdb.c src/host/duckdb.h \
    src/host/gnuplot.c src/host/gnuplot.h \
    src/host/kernel_file.c src/host/kernel_file.h \
    src/host/kernel_log.c src/host/kernel_log.h \
    src/host/lock.h \
    src/host/pass.c src/host/pass.h \
    src/host/pass_relay.c src/host/pass_relay.h \
    src/host/pass_signals.c src/host/pass_signals.h \
    src/host/pass_stream.c src/host/pass_stream.h \
    src/host/processors.c src/host/processors.h \
    src/host/system.c src/host/system.h \
    src/host/usage.c src/host/usage.h
if HAVE_SECCOMP
src_libod_a_SOURCES += src/host/lock.c src/host/foreign_calls.def
else
src_libod_a_SOURCES += src/host/lock_none.c
endif
