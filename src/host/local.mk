src_libod_a_SOURCES += \
    src/host/child.c src/host/child.h \
    src/host/gnuplot.c src/host/gnuplot.h \
    src/host/lock.c src/host/lock.h
