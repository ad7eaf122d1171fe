/*
 * Whether a sentence with a number may be quoted or used. Each statement of a report
 * that comes from a person's words passes this one check: the claim of a text, its amounts, and
 * what a report quotes below "The text says".
 */
#pragma once

#include "base/base.h"

enum od_statement_fault {
    OD_STATEMENT_GOOD,
    OD_STATEMENT_PART,      /* the sentence is too long to quote */
    OD_STATEMENT_EXCEEDS,   /* the part is larger than the whole */
    OD_STATEMENT_AGAINST,   /* supposed, denied, advised, asked, or about another run */
    OD_STATEMENT_BOUND,     /* only a bound: "cards under 8 GB" */
    OD_STATEMENT_CHANGED,   /* a value before or after a change */
    OD_STATEMENT_UNOWNED,   /* nothing says whose amount it is */
    OD_STATEMENT_UNMEASURED /* nothing says what was measured */
};

/* The sentence with the number, which is a view into the line. Of a long sentence only the part
 * between commas and brackets; empty if that is long, too. */
struct od_view od_statement_around(struct od_view line, struct od_view number);

/* The part of that sentence between commas, colons and joining words. */
struct od_view od_statement_part(struct od_view line, struct od_view number);

/* May the sentence with the number be taken as a fact about this run? Without a number: is it not
 * denied that memory ran out? named: meanings of the number's own words (OD_SIZE_...). amount: it
 * is memory. */
enum od_statement_fault od_statement_check(struct od_view line, struct od_view number,
                                           uint64_t named, bool amount);
