check_PROGRAMS += tests/unit/facts/test_facts
TESTS += tests/unit/facts/test_facts
tests_unit_facts_test_facts_SOURCES = \
    tests/unit/facts/suites.h \
    tests/unit/facts/test_around.c \
    tests/unit/facts/test_bounds.c \
    tests/unit/facts/test_excerpt.c \
    tests/unit/facts/test_claim.c \
    tests/unit/facts/test_mention.c \
    tests/unit/facts/test_segment.c \
    tests/unit/facts/test_facts.c \
    tests/unit/suite.h
tests_unit_facts_test_facts_CFLAGS = $(UNIT_CFLAGS)
tests_unit_facts_test_facts_LDADD = $(unit_libs)
