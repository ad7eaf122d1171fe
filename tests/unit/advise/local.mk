check_PROGRAMS += tests/unit/advise/test_advise
TESTS += tests/unit/advise/test_advise
tests_unit_advise_test_advise_SOURCES = \
    tests/unit/advise/suites.h \
    tests/unit/advise/test_advise.c \
    tests/unit/advise/test_remedies.c \
    tests/unit/diagnose/case_maker.c \
    tests/unit/diagnose/case_maker.h \
    tests/unit/suite.h
tests_unit_advise_test_advise_CFLAGS = $(UNIT_CFLAGS)
tests_unit_advise_test_advise_LDADD = $(unit_libs)
