/*
 * Numbers in a line that anybody wrote: "1_000", "3.5 GB", "512k", "-Xmx6g". A number in a name, a
 * time, a date or a version is none.
 */
#pragma once

#include "base/base.h"

struct od_number {
    size_t start, digits_end, end; /* its first digit; after its last digit; after its unit */
    struct od_bytes bytes;         /* unknown where no unit of bytes follows */
    bool glued;                    /* the unit follows without a blank */
};

/* May a number begin at that byte? */
bool od_number_begins(struct od_view text, size_t at);

/* Where the digits that begin there end, with the points and commas between them. */
size_t od_number_digits_end(struct od_view text, size_t at);

/* The number whose first digit is at that byte. False where the digits are part of a name, a time,
 * a date or a percentage. */
bool od_number_take(struct od_view text, size_t at, struct od_number *ret_number);

/* May that byte be part of a name: "max_batch-size.2"? */
static inline bool od_is_name(char c)
{
    return od_is_alnum(c) || c == '_' || c == '-' || c == '.';
}

/* The name that ends right before `end`, and where it begins; empty where there is none. */
struct od_view od_joined_before(struct od_view text, size_t end, size_t *ret_start);

/* The letters and hyphens from `start` on. */
struct od_view od_word_at(struct od_view text, size_t start);
