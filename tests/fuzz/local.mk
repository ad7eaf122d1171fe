# One word a harness: a file here defines od_fuzz_<word>, and corpus/<word>/ holds its inputs.
OD_FUZZES = advice analyze bfc codec files form input measures pack plan readers redact reports sentence shapes terms values

fuzz_sources = \
    tests/fuzz/feed.c tests/fuzz/feed.h \
    tests/fuzz/fuzz.h \
    tests/fuzz/fuzz_analyze.c \
    tests/fuzz/fuzz_bfc.c \
    tests/fuzz/fuzz_codec.c \
    tests/fuzz/fuzz_files.c \
    tests/fuzz/fuzz_form.c \
    tests/fuzz/fuzz_input.c \
    tests/fuzz/fuzz_measures.c \
    tests/fuzz/fuzz_pack.c \
    tests/fuzz/fuzz_plan.c \
    tests/fuzz/fuzz_readers.c \
    tests/fuzz/fuzz_redact.c \
    tests/fuzz/fuzz_reports.c \
    tests/fuzz/fuzz_sentence.c \
    tests/fuzz/fuzz_shapes.c \
    tests/shapes/written.c tests/shapes/written.h \
    tests/fuzz/fuzz_terms.c \
    tests/fuzz/fuzz_values.c \
    tests/fuzz/registry.c
fuzz_made = tests/fuzz/registry.inc

BUILT_SOURCES += tests/fuzz/registry.inc
tests/fuzz/registry.inc: $(top_srcdir)/tests/fuzz/local.mk
	$(registry) $(OD_FUZZES) $(registry_end)
tests/fuzz/registry.$(OBJEXT): tests/fuzz/registry.inc

check_PROGRAMS += tests/fuzz/replay
TESTS += tests/fuzz/replay
tests_fuzz_replay_SOURCES = $(fuzz_sources) tests/fuzz/replay.c
nodist_tests_fuzz_replay_SOURCES = $(fuzz_made)
tests_fuzz_replay_LDADD = src/libcgi.a src/libod.a $(OD_LIBS) $(ZLIB_LIBS)

# Built by tests/fuzz/run alone, in a tree of its own whose compiler knows -fsanitize=fuzzer.
EXTRA_PROGRAMS = tests/fuzz/libfuzzer
tests_fuzz_libfuzzer_SOURCES = $(fuzz_sources) tests/fuzz/libfuzzer.c
nodist_tests_fuzz_libfuzzer_SOURCES = $(fuzz_made)
tests_fuzz_libfuzzer_LDADD = src/libcgi.a src/libod.a $(OD_LIBS) $(ZLIB_LIBS)
FUZZ_ENGINE = -fsanitize=fuzzer
tests_fuzz_libfuzzer_LDFLAGS = $(AM_LDFLAGS) $(FUZZ_ENGINE)

EXTRA_DIST += tests/fuzz/run tests/fuzz/corpus oss-fuzz/Dockerfile oss-fuzz/build.sh oss-fuzz/project.yaml

# make fuzz [FUZZ_SECONDS=60] [FUZZ='bfc input']: fuzzes each harness for that long.
.PHONY: fuzz fuzz-build
fuzz-build: $(BUILT_SOURCES)
	$(MAKE) tests/fuzz/libfuzzer$(EXEEXT) tests/fuzz/replay$(EXEEXT)

fuzz:
	env TOP_SRCDIR='$(abs_top_srcdir)' TOP_BUILDDIR='$(abs_top_builddir)' \
	    $(SHELL) $(srcdir)/tests/fuzz/run $(FUZZ)
