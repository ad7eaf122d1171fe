check_PROGRAMS += tests/unit/lib/test_lib
TESTS += tests/unit/lib/test_lib
tests_unit_lib_test_lib_SOURCES = \
    tests/unit/diagnose/case_maker.c \
    tests/unit/diagnose/case_maker.h \
    tests/unit/lib/suites.h \
    tests/unit/lib/test_calibration.c \
    tests/unit/lib/test_keep.c \
    tests/unit/lib/test_lib.c \
    tests/unit/lib/test_models_named.c \
    tests/unit/lib/test_watched.c \
    tests/unit/suite.h
tests_unit_lib_test_lib_CFLAGS = $(UNIT_CFLAGS)
tests_unit_lib_test_lib_LDADD = $(unit_libs)

check_PROGRAMS += tests/unit/lib/test_no_memory
TESTS += tests/unit/lib/test_no_memory
tests_unit_lib_test_no_memory_SOURCES = tests/unit/lib/test_no_memory.c
tests_unit_lib_test_no_memory_LDFLAGS = -Wl,--wrap=calloc,--wrap=realloc
tests_unit_lib_test_no_memory_LDADD = liboomdoctor.a $(ARCHIVE_LIBS) $(OD_LIBS)
