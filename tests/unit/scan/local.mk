check_PROGRAMS += tests/unit/scan/test_scan
TESTS += tests/unit/scan/test_scan
tests_unit_scan_test_scan_SOURCES = \
    tests/unit/scan/suites.h \
    tests/unit/scan/test_filter.c \
    tests/unit/scan/test_prove.c \
    tests/unit/scan/test_scan.c \
    tests/unit/scan/test_shapes.c \
    tests/unit/scan/test_mentions.c \
    tests/unit/suite.h
tests_unit_scan_test_scan_CFLAGS = $(UNIT_CFLAGS)
tests_unit_scan_test_scan_LDADD = $(unit_libs)
