# Wordings of failures by mutation, and lines that are none (generate.py, innocent.py).
check_PROGRAMS += tests/sentences/check
TESTS += tests/sentences/check
tests_sentences_check_SOURCES = tests/sentences/check.c
tests_sentences_check_CFLAGS = $(AM_CFLAGS)
tests_sentences_check_LDADD = src/libod.a $(OD_LIBS) -lm
EXTRA_DIST += tests/sentences/generate.py tests/sentences/innocent.py \
    tests/sentences/innocent.txt tests/sentences/wordings.tsv \
    tests/sentences/generate_more.py tests/sentences/wordings_more.tsv tests/sentences/wordings_known.tsv
