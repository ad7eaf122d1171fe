check_PROGRAMS += tests/unit/runs/test_runs
TESTS += tests/unit/runs/test_runs
tests_unit_runs_test_runs_SOURCES = \
    tests/unit/runs/suites.h \
    tests/unit/runs/test_diff.c \
    tests/unit/runs/test_fail_on.c \
    tests/unit/runs/test_figures.c \
    tests/unit/runs/test_fleet.c \
    tests/unit/runs/test_run.c \
    tests/unit/runs/test_runs.c \
    tests/unit/suite.h
tests_unit_runs_test_runs_CFLAGS = $(UNIT_CFLAGS)
tests_unit_runs_test_runs_LDADD = $(unit_libs)
