check_PROGRAMS += tests/unit/rules/test_rules
TESTS += tests/unit/rules/test_rules
tests_unit_rules_test_rules_SOURCES = \
    tests/unit/fields.c \
    tests/unit/fields.h \
    tests/unit/rules/suites.h \
    tests/unit/rules/test_advice.c \
    tests/unit/rules/test_emit.c \
    tests/unit/rules/test_load.c \
    tests/unit/rules/test_rules.c \
    tests/unit/rules/test_software.c \
    tests/unit/rules/test_ruleset.c \
    tests/unit/rules/test_match.c \
    tests/unit/rules/test_when.c \
    tests/unit/suite.h
# The packs as the program has them.
tests_unit_rules_test_rules_CPPFLAGS = $(AM_CPPFLAGS) -DPACKS='"$(OD_PACKS)"' -DADVICE='"$(OD_ADVICE)"' -DROOT='"$(srcdir)"'
tests_unit_rules_test_rules_CFLAGS = $(UNIT_CFLAGS)
tests_unit_rules_test_rules_LDADD = $(unit_libs)
# They were told the packs' names when they were compiled.
tests/unit/rules/test_rules-test_emit.$(OBJEXT) tests/unit/rules/test_rules-test_advice.$(OBJEXT): src/rules/local.mk $(OD_PACKS) $(OD_ADVICE)
