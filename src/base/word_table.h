/*
 * Words and what they mean, as a sorted table: made from a file of lines "MEANING: word word ..."
 * by the rule word_table of Makefile.am.
 */
#pragma once

#include "base/base.h"

struct od_word_means {
    const char *word; /* lower case, for od_word_means */
    unsigned means;
};

/* Without regard to case; 0 where it is none of them. */
unsigned od_word_means(const struct od_word_means *table, size_t n, struct od_view word);
