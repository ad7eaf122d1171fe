check_PROGRAMS += tests/unit/estimate/test_estimate
TESTS += tests/unit/estimate/test_estimate
tests_unit_estimate_test_estimate_SOURCES = \
    tests/unit/estimate/suites.h \
    tests/unit/estimate/test_estimate.c \
    tests/unit/estimate/test_states.c \
    tests/unit/suite.h
tests_unit_estimate_test_estimate_CFLAGS = $(UNIT_CFLAGS)
tests_unit_estimate_test_estimate_LDADD = $(unit_libs)
