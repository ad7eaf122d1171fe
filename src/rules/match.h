/*
 * What the pattern of a rule made of a line. A pattern that cannot tell one digit from another
 * makes the same of all lines that differ in digits alone, at the same places: who keeps its
 * outcome for one of them need not ask it of the others.
 */
#ifndef OD_RULES_MATCH_H
#define OD_RULES_MATCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Can this PCRE2 pattern tell one digit from another? It can when a digit stands in it as itself,
 * a range of a class ends among the digits, or what was captured is compared; when in doubt, true.
 */
bool od_pattern_tells_digits(const char *pattern);

enum { OD_RULE_PARTS_MAX = 16, OD_RULE_PART_NONE = UINT16_MAX, OD_RULE_LINE_MAX = UINT16_MAX - 1 };

/* Part of a line, in bytes; start is OD_RULE_PART_NONE when the group took no part in the match.
 */
struct od_rule_part {
    uint16_t start, n;
};

/* Of lines of OD_RULE_LINE_MAX bytes at most. */
struct od_rule_match {
    uint16_t matched; /* 0 or 1 */
    uint16_t nparts;
    struct od_rule_part parts[OD_RULE_PARTS_MAX]; /* the whole match, then captures as the rule
                                           set numbers them; only nparts of them need be kept */
};

#endif
