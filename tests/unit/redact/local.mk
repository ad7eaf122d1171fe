check_PROGRAMS += tests/unit/redact/test_forms tests/unit/redact/test_redact
TESTS += tests/unit/redact/test_forms tests/unit/redact/test_redact
tests_unit_redact_test_forms_SOURCES = \
    tests/unit/redact/test_forms.c \
    tests/unit/suite.h
tests_unit_redact_test_forms_CFLAGS = $(UNIT_CFLAGS)
tests_unit_redact_test_forms_LDADD = $(unit_libs)
tests_unit_redact_test_redact_SOURCES = \
    tests/unit/redact/test_redact.c \
    tests/unit/suite.h
tests_unit_redact_test_redact_CFLAGS = $(UNIT_CFLAGS)
tests_unit_redact_test_redact_LDADD = $(unit_libs)
