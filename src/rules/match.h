/*
 * The result of matching a rule's pattern against a line. If a pattern does not distinguish digits,
 * it gives the same result at the same positions for all lines that differ only in digits, so the
 * result for one line (an event without its numbers) can be reused for the others.
 */
#pragma once

#include "base/seconds.h"
#include "facts/event.h"

/* Can this PCRE2 pattern give different results for different digits? It can if it has a digit, a
 * class range with only some digits, or a back reference. Returns true when in doubt. */
bool od_pattern_tells_digits(const char *pattern);

enum { OD_RULE_LINE_MAX = UINT16_MAX - 1 };

/* A part of a line; offsets in bytes. */
struct od_rule_part {
    uint16_t start, n;
};

/* A field of the event that must be read from each line. */
struct od_rule_capture {
    struct od_rule_part text, unit;
    size_t field; /* index into event.fields */
    bool formed;  /* a duration in the stored format */
    struct od_seconds_form seconds;
};

/* A result that is valid for all lines of one shape with at most OD_RULE_LINE_MAX bytes. */
struct od_rule_made {
    bool matched;
    struct od_rule_part whole; /* the whole match */
    struct od_rule_capture *captures;
    size_t ncaptures;
    uint64_t lost; /* number of captures that do not have their fields' types */
    size_t rule;
    struct od_event event; /* must be the last member: only its used fields are allocated */
};
