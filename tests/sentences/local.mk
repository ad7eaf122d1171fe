# Wordings of failures by mutation, and lines that are none (generate.py, innocent.py).
check_PROGRAMS += tests/sentences/check
TESTS += tests/sentences/check
tests_sentences_check_SOURCES = tests/sentences/check.c
tests_sentences_check_CFLAGS = $(AM_CFLAGS)
tests_sentences_check_LDADD = src/libod.a $(OD_LIBS) -lm
# Of a line what speaks for its stating a failure; weigh.py fits the weights.
check_PROGRAMS += tests/sentences/signs
tests_sentences_signs_SOURCES = tests/sentences/signs.c
tests_sentences_signs_CFLAGS = $(AM_CFLAGS)
tests_sentences_signs_LDADD = src/libod.a $(OD_LIBS) -lm
EXTRA_DIST += tests/sentences/weigh.py tests/sentences/generate.py tests/sentences/innocent.py \
    tests/sentences/innocent.txt tests/sentences/wordings.tsv \
    tests/sentences/generate_more.py tests/sentences/wordings_more.tsv tests/sentences/wordings_known.tsv
