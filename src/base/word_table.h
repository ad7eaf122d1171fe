/*
 * A sorted table from words to meanings, generated from a file of lines "MEANING: word word ..." by
 * the rule word_table of Makefile.am.
 */
#pragma once

#include "base/base.h"

struct od_word_means {
    const char *word; /* in lower case for od_word_means */
    unsigned means;
};

/* The meaning of the word, ignoring case; 0 if the table does not have it. */
unsigned od_word_means(const struct od_word_means *table, size_t n, struct od_view word);
