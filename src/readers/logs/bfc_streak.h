/*
 * Chunk lines follow one another by the thousand, each with the same text in front but for its
 * time. Once one has been found by its grammar, the others are told by that text alone, which
 * costs a tenth. Stateless.
 */
#pragma once

#include "readers/logs/bfc_line.h"

enum { OD_BFC_FRONT = 256 };

/* What stands in front of a line's own words, byte by byte. */
struct od_bfc_front {
    size_t n;
    size_t padded; /* n rounded up; what is added allows any byte */
    unsigned char text[OD_BFC_FRONT];
    unsigned char
        same[OD_BFC_FRONT]; /* bits that must be as in text: all, the figures' upper half */
    unsigned char figure[OD_BFC_FRONT]; /* bits that must make no more than 9 */
};

/*
 * The front of a line that the allocator signed: only the figures of dates and times may differ in
 * others. False when it is none, or too long.
 */
bool od_bfc_front_init(struct od_bfc_front *front, struct od_view sample);

/*
 * The line at the beginning of rest, if it has that front and is a chunk or a row of the summary
 * with nothing behind it. Returns its bytes with its line end; 0 = it is none, or may be none.
 */
size_t od_bfc_front_next(const struct od_bfc_front *front, struct od_view rest,
                         struct od_bfc_record *ret_record);
