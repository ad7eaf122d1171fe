check_PROGRAMS += tests/unit/host/test_host
TESTS += tests/unit/host/test_host
tests_unit_host_test_host_SOURCES = \
    tests/unit/host/suites.h \
    tests/unit/host/test_host.c \
    tests/unit/host/test_lock.c \
    tests/unit/suite.h
tests_unit_host_test_host_CFLAGS = $(UNIT_CFLAGS)
tests_unit_host_test_host_LDADD = $(unit_libs)
