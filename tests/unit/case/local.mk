check_PROGRAMS += tests/unit/case/test_case
TESTS += tests/unit/case/test_case
tests_unit_case_test_case_SOURCES = \
    tests/unit/case/courses.c tests/unit/case/courses.h \
    tests/unit/case/make.c tests/unit/case/make.h \
    tests/unit/case/script.c tests/unit/case/script.h \
    tests/unit/case/suites.h \
    tests/unit/case/test_builder.c \
    tests/unit/case/test_case.c \
    tests/unit/case/test_checks.c \
    tests/unit/case/test_conflicts.c \
    tests/unit/case/test_echoes.c \
    tests/unit/case/test_folding.c \
    tests/unit/case/test_links.c \
    tests/unit/case/test_series.c \
    tests/unit/case/test_states.c \
    tests/unit/case/test_tables.c \
    tests/unit/case/test_trend.c \
    tests/unit/case/test_verdict.c \
    tests/unit/suite.h
tests_unit_case_test_case_CFLAGS = $(UNIT_CFLAGS)
tests_unit_case_test_case_LDADD = $(unit_libs)
