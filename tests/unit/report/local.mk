check_PROGRAMS += tests/unit/report/test_report
TESTS += tests/unit/report/test_report
tests_unit_report_test_report_SOURCES = \
    tests/unit/report/fixture.c \
    tests/unit/report/fixture.h \
    tests/unit/report/suites.h \
    tests/unit/report/test_figures.c \
    tests/unit/report/test_github.c \
    tests/unit/report/test_json.c \
    tests/unit/report/test_pages.c \
    tests/unit/report/test_picture.c \
    tests/unit/report/test_report.c \
    tests/unit/report/test_text.c \
    tests/unit/suite.h
tests_unit_report_test_report_CFLAGS = $(UNIT_CFLAGS)
tests_unit_report_test_report_LDADD = $(unit_libs)

# Every fixture as JSON, against the schema; skipped without python3 and its jsonschema.
dist_check_SCRIPTS += tests/unit/report/check_schema.sh
TESTS += tests/unit/report/check_schema.sh
