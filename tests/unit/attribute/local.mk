check_PROGRAMS += tests/unit/attribute/test_attribute
TESTS += tests/unit/attribute/test_attribute
tests_unit_attribute_test_attribute_SOURCES = \
    tests/unit/attribute/make.c tests/unit/attribute/make.h \
    tests/unit/attribute/suites.h \
    tests/unit/attribute/test_attribute.c \
    tests/unit/attribute/test_batch.c \
    tests/unit/attribute/test_holding.c \
    tests/unit/attribute/test_known.c \
    tests/unit/attribute/test_near.c \
    tests/unit/attribute/test_sequence.c \
    tests/unit/attribute/test_setup.c \
    tests/unit/attribute/test_weights.c \
    tests/unit/suite.h
tests_unit_attribute_test_attribute_CFLAGS = $(UNIT_CFLAGS)
tests_unit_attribute_test_attribute_LDADD = $(unit_libs)
