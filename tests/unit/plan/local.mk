check_PROGRAMS += tests/unit/plan/test_plan
TESTS += tests/unit/plan/test_plan
tests_unit_plan_test_plan_SOURCES = \
    tests/unit/plan/suites.h \
    tests/unit/diagnose/case_maker.c tests/unit/diagnose/case_maker.h \
    tests/unit/plan/test_answer.c \
    tests/unit/plan/test_answer_estimate.c \
    tests/unit/plan/test_answer_named.c \
    tests/unit/plan/test_answer_transformer.c \
    tests/unit/plan/test_compare.c \
    tests/unit/plan/test_host.c \
    tests/unit/plan/test_knobs.c \
    tests/unit/plan/test_recipe.c \
    tests/unit/plan/test_options.c \
    tests/unit/plan/test_phases.c \
    tests/unit/plan/test_plan.c \
    tests/unit/plan/test_rebuild.c \
    tests/unit/plan/test_search.c \
    tests/unit/plan/test_tensor.c \
    tests/unit/suite.h
tests_unit_plan_test_plan_CFLAGS = $(UNIT_CFLAGS)
tests_unit_plan_test_plan_LDADD = $(unit_libs)
