/*
 * Whether a sentence with a number may be quoted or used. Each statement of a report
 * that comes from a person's words passes this one check: the claim of a text, its amounts, and
 * what a report quotes below "The text says".
 */
#pragma once

#include "base/base.h"

enum od_statement_fault {
    OD_STATEMENT_GOOD,
    OD_STATEMENT_PART,      /* its sentence is too long to be quoted */
    OD_STATEMENT_EXCEEDS,   /* its part is larger than its whole */
    OD_STATEMENT_AGAINST,   /* it is supposed, denied, advised, asked or of another run */
    OD_STATEMENT_BOUND,     /* the number is a bound: "cards under 8 GB" */
    OD_STATEMENT_CHANGED,   /* it is a value before or after a change */
    OD_STATEMENT_UNOWNED,   /* nothing says whose amount it is */
    OD_STATEMENT_UNMEASURED /* nothing says what was measured */
};

/* The sentence around the number, which is a part of the line; of a long one the part between
 * commas and brackets. Empty = that is long, too. */
struct od_view od_statement_around(struct od_view line, struct od_view number);

/* The part of that sentence between commas, colons and joining words. */
struct od_view od_statement_part(struct od_view line, struct od_view number);

/* May the sentence with that number be taken as said of this run? Without a number: does the line
 * not deny that memory ran out? named: meanings of the number's
 * own words (OD_SIZE_...); amount: it is one of memory. */
enum od_statement_fault od_statement_check(struct od_view line, struct od_view number,
                                           uint64_t named, bool amount);
