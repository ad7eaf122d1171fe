/*
 * The literals for the prefilter, and the rules and readers that own them. Read-only, so that
 * threads can share them. The literals of the shipped rules are generated when the project is built
 * (lib/tablec.c).
 *
 * Some literals have no owner: they mark text that unwrapping changes, so that the line is
 * examined. An ANSI code or an escape may be in the middle of a literal.
 */
#pragma once

#include "rules/ruleset.h"
#include "rules/software.h"
#include "scan/filter_index.h"

/* A literal. Masked literals (base/mask_digits.h) are searched in masked text. */
struct od_literal {
    uint32_t at, n; /* offset and length in the unmasked texts */
    bool numbered;  /* counts only if a number follows within a few bytes */
    bool exact;     /* contains digits, which the line must have unmasked */
};

struct od_literals {
    const char *texts;
    const struct od_literal *list;
    size_t n;
    const uint32_t *first; /* first owner of each literal; their number at the end */
    /* rules, readers (nrules + index), mentions of memory, sentences of failures, signs */
    const uint16_t *owners;
    size_t nrules, nreaders;
    const uint64_t *always;    /* bit set of rules without literals */
    const uint64_t *fallbacks; /* bit set of fallback rules */
    struct od_filter_index index;
};

/* Literals of the shipped packs in order, od_shipped_lexicon and od_shipped_signs. */
extern const struct od_literals od_shipped_literals;

/* Collects the literals, in arena. signs ends with a NULL text; NULL = no signs. */
struct od_literals od_literals_new(const struct od_ruleset *rules, const struct od_sign *signs,
                                   struct od_arena *arena);

/* Number of 64-bit words in a bit set of rules. */
static inline size_t od_literals_words(const struct od_literals *literals)
{
    return literals->nrules / 64 + 1;
}

static inline struct od_view od_literal_text(const struct od_literals *literals, size_t i)
{
    return (struct od_view){.p = literals->texts + literals->list[i].at, .n = literals->list[i].n};
}
