check_PROGRAMS += tests/unit/diagnose/test_diagnose
TESTS += tests/unit/diagnose/test_diagnose
tests_unit_diagnose_test_diagnose_SOURCES = \
    tests/unit/diagnose/case_maker.c \
    tests/unit/diagnose/case_maker.h \
    tests/unit/diagnose/cause_row.h \
    tests/unit/diagnose/suites.h \
    tests/unit/diagnose/test_assertions.c \
    tests/unit/diagnose/test_causes.c \
    tests/unit/diagnose/test_certainty.c \
    tests/unit/diagnose/test_diagnose.c \
    tests/unit/diagnose/test_findings.c \
    tests/unit/diagnose/test_host_causes.c \
    tests/unit/diagnose/test_outcome.c \
    tests/unit/diagnose/test_rows.c \
    tests/unit/diagnose/test_shape_hint.c \
    tests/unit/diagnose/test_told.c \
    tests/unit/suite.h
tests_unit_diagnose_test_diagnose_CFLAGS = $(UNIT_CFLAGS)
tests_unit_diagnose_test_diagnose_LDADD = $(unit_libs)
