/*
 * "Did you mean": finds the word of a list that is closest to a misspelt one.
 */
#pragma once

#include "base/base.h"

/* The closest of n words (NULL entries are skipped); NULL if none is close enough. */
const char *od_suggest(const char *word, const char *const *words, size_t n);

/* Writes "did you mean 'request'?" or "one of: a, b, c" in arena; NULL for an empty list. */
const char *od_suggest_help(const char *word, const char *const *words, size_t n,
                            struct od_arena *arena);
