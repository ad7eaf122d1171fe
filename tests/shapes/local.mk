# Scans by shapes beside scans without them.
check_PROGRAMS += tests/shapes/check
TESTS += tests/shapes/check
tests_shapes_check_SOURCES = tests/shapes/check.c tests/shapes/written.c tests/shapes/written.h
tests_shapes_check_CFLAGS = $(AM_CFLAGS)
tests_shapes_check_LDADD = src/libod.a $(OD_LIBS) -lm
