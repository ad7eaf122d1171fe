/*
 * What the pattern of a rule made of a line. A pattern that cannot tell one digit from another
 * makes the same of all lines that differ in digits alone, at the same places: who keeps its
 * outcome for one of them, an event but for its numbers, need not ask it of the others.
 */
#pragma once

#include "base/seconds.h"
#include "facts/event.h"

/*
 * Can this PCRE2 pattern tell one digit from another? It can when a digit stands in it as itself,
 * a range of a class ends among the digits, or what was captured is compared; when in doubt, true.
 */
bool od_pattern_tells_digits(const char *pattern);

/* A place of a pattern that wants certain digits of all. */
struct od_wanted_digits {
    unsigned group;  /* captures the byte that stood there */
    uint16_t digits; /* a bit for each */
};

enum { OD_WANTED_DIGITS_MAX = 8 };

/*
 * A pattern that cannot tell digits apart and matches each line that another one does: any digit
 * may stand where that wants a certain one. Zeroed is empty; the owner calls od_buf_done on the
 * text.
 */
struct od_widened {
    struct od_buf text;
    /* Where it matches and the bytes it captures for these places are wanted, the other one matches
     * the same way; when that is not so, exact is false. */
    struct od_wanted_digits wanted[OD_WANTED_DIGITS_MAX];
    size_t n;
    bool exact;
};

/* False when no such pattern is known. */
bool od_pattern_widen(const char *pattern, struct od_widened *ret_widened);

enum { OD_RULE_LINE_MAX = UINT16_MAX - 1 };

/* Part of a line, in bytes. */
struct od_rule_part {
    uint16_t start, n;
};

/* A byte that must be one of these digits. */
struct od_rule_digit {
    uint16_t at;
    uint16_t digits; /* a bit for each */
};

/* A field of the event that is read from the line. */
struct od_rule_capture {
    struct od_rule_part text, unit;
    size_t field; /* of event.fields */
    bool formed;  /* it is a duration of that form */
    struct od_seconds_form seconds;
};

/* Of lines of OD_RULE_LINE_MAX bytes at most, those that have the digits. */
struct od_rule_made {
    bool matched;
    struct od_rule_digit digits[OD_WANTED_DIGITS_MAX];
    size_t ndigits;
    struct od_rule_part whole; /* the match */
    struct od_rule_capture *captures;
    size_t ncaptures;
    uint64_t lost; /* captures that are not of their fields' types */
    size_t rule;
    struct od_event event; /* the last one; its fields end with the last it has */
};
