check_PROGRAMS += tests/unit/input/test_input
TESTS += tests/unit/input/test_input
tests_unit_input_test_input_SOURCES = \
    tests/unit/input/helper.c \
    tests/unit/input/helper.h \
    tests/unit/input/suites.h \
    tests/unit/input/test_clock.c \
    tests/unit/input/test_input.c \
    tests/unit/input/test_lines.c \
    tests/unit/input/test_packed.c \
    tests/unit/input/test_unwrap.c \
    tests/unit/input/test_whole.c \
    tests/unit/input/test_wrap.c \
    tests/unit/suite.h
tests_unit_input_test_input_CFLAGS = $(UNIT_CFLAGS)
tests_unit_input_test_input_LDADD = $(unit_libs)
