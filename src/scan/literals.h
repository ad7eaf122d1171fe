/*
 * The literals that the prefilter looks for, and the rules and readers that own them. Read-only, so
 * that threads can share them. The literals of the shipped rules are generated when the project is
 * built (lib/tablec.c).
 *
 * Some literals have no owner: they mark text that unwrapping will change, so that the line is
 * examined. An ANSI code or an escape may be in the middle of a literal.
 */
#pragma once

#include "rules/ruleset.h"
#include "rules/software.h"
#include "scan/filter_index.h"

/* The masked literal (base/mask_digits.h) is looked for in masked text. */
struct od_literal {
    uint32_t at, n; /* offset and length in texts, unmasked */
    bool numbered;  /* counts only if a number follows closely */
    bool exact;     /* has digits: counts only if the same digits are in the line */
};

struct od_literals {
    const char *texts;
    const struct od_literal *list;
    size_t n;
    const uint32_t *first;  /* first owner of each literal; one more at the end */
    const uint16_t *owners; /* a rule, nrules + a reader, then the owners of mentions of memory,
                               of sentences of failures, and of signs */
    size_t nrules, nreaders;
    const uint64_t *always;    /* rules without literals */
    const uint64_t *fallbacks; /* fallback rules */
    struct od_filter_index index;
};

/* The literals of the shipped packs, in order, with od_shipped_lexicon and od_shipped_signs. */
extern const struct od_literals od_shipped_literals;

/* signs ends with a NULL text; NULL = no signs. The result lives as long as the arena. */
struct od_literals od_literals_new(const struct od_ruleset *rules, const struct od_sign *signs,
                                   struct od_arena *arena);

/* Number of 64-bit words of a set of rules, one bit each. */
static inline size_t od_literals_words(const struct od_literals *literals)
{
    return literals->nrules / 64 + 1;
}

static inline struct od_view od_literal_text(const struct od_literals *literals, size_t i)
{
    return (struct od_view){.p = literals->texts + literals->list[i].at, .n = literals->list[i].n};
}
