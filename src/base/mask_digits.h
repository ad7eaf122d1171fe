/*
 * Replaces every digit with 0. Lines whose masked bytes are equal have the same shape.
 */
#pragma once

#include "base/base.h"

/* Writes n masked bytes to `to`, which must not overlap `from`. */
void od_mask_digits(char *to, const char *from, size_t n);

/* Do the texts differ only in digits: "CUDA0 buffer size" and "CUDA10 buffer size"? */
bool od_same_but_digits(struct od_view a, struct od_view b);

bool od_has_digit(struct od_view text);

/* Returns a bit mask of the first 64 bytes: bit n is set if byte n is a word character
 * (od_is_word). */
uint64_t od_word_bits(struct od_view text);
