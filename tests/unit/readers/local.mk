check_PROGRAMS += tests/unit/readers/test_readers
TESTS += tests/unit/readers/test_readers
tests_unit_readers_test_readers_SOURCES = \
    tests/unit/readers/dump_writer.c \
    tests/unit/readers/dump_writer.h \
    tests/unit/readers/events.c \
    tests/unit/readers/events.h \
    tests/unit/readers/feed.c \
    tests/unit/readers/feed.h \
    tests/unit/readers/listen.c \
    tests/unit/readers/listen.h \
    tests/unit/readers/suites.h \
    tests/unit/readers/test_bfc_dump.c \
    tests/unit/readers/test_bfc_line.c \
    tests/unit/readers/test_bfc_mixed.c \
    tests/unit/readers/test_earlyoom.c \
    tests/unit/readers/test_kernel_oom.c \
    tests/unit/readers/test_readers.c \
    tests/unit/readers/test_sequel.c \
    tests/unit/readers/test_torch_oom.c \
    tests/unit/readers/test_torch_summary.c \
    tests/unit/readers/test_xla_buffers.c \
    tests/unit/suite.h
tests_unit_readers_test_readers_CFLAGS = $(UNIT_CFLAGS)
tests_unit_readers_test_readers_LDADD = $(unit_libs)
