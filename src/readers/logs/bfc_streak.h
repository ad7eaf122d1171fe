/*
 * A fast path for chunk lines: thousands of them follow each other with the same prefix except for
 * its time. After one was parsed by the grammar, the others are recognized by that prefix, which
 * costs a tenth. Stateless.
 */
#pragma once

#include "readers/logs/bfc_line.h"

enum { OD_BFC_FRONT = 256 };

/* The bytes before a line's own words. */
struct od_bfc_front {
    size_t n;
    size_t padded; /* n rounded up; the added positions match any byte */
    unsigned char text[OD_BFC_FRONT];
    unsigned char same[OD_BFC_FRONT]; /* bits that must equal those in text: all, or the upper half
                                         for digits */
    unsigned char figure[OD_BFC_FRONT]; /* bits that must form a digit up to 9 */
};

/* Stores the prefix of a line with the allocator's file name; only digits of dates and times may
 * differ in other lines. False if there is no prefix or if it is too long. */
bool od_bfc_front_init(struct od_bfc_front *front, struct od_view sample);

/* Reads the line at the start of rest if it has that prefix and is a chunk or summary row with
 * nothing after it. Returns its length with its line end; 0 = another line. */
size_t od_bfc_front_next(const struct od_bfc_front *front, struct od_view rest,
                         struct od_bfc_record *ret_record);
