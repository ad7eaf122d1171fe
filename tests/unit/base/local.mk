check_PROGRAMS += tests/unit/base/test_base
TESTS += tests/unit/base/test_base
tests_unit_base_test_base_SOURCES = \
    tests/unit/base/test_hypothetical.c \
    tests/unit/base/test_base.c \
    tests/unit/base/test_bytes.c \
    tests/unit/base/test_code_line.c \
    tests/unit/base/test_daytime.c \
    tests/unit/base/test_log_prefix.c \
    tests/unit/base/test_phrases.c \
    tests/unit/base/test_seconds.c \
    tests/unit/base/test_stats.c \
    tests/unit/suite.h
tests_unit_base_test_base_CFLAGS = $(UNIT_CFLAGS)
tests_unit_base_test_base_LDADD = $(unit_libs)
