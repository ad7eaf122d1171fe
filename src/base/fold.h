/*
 * Folding: 0 for every digit. Texts that fold to the same bytes have one shape.
 */
#pragma once

#include "base/base.h"

/* Writes n folded bytes; to lies apart from from. */
void od_fold(char *to, const char *from, size_t n);

/* Has it a digit? */
bool od_has_digit(struct od_view text);

/* Which of its first 64 bytes are characters of a word (od_is_word): a bit each, the first one
 * lowest. */
uint64_t od_word_bits(struct od_view text);
