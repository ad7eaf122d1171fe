/*
 * Literals: all that is looked for in lines, and who wants the lines that hold it. Read-only, so
 * that threads share them; those of the shipped rules are made when the project is built
 * (lib/tablec.c).
 *
 * Some literals name nobody: they mark text that unwrapping will change (an ANSI code or an escape
 * may stand in the middle of a literal), so that such lines are looked at.
 */
#pragma once

#include "rules/ruleset.h"
#include "rules/software.h"
#include "scan/filter_index.h"

/* Looked for as it is folded (base/mask_digits.h), in folded text. */
struct od_literal {
    uint32_t at, n; /* in texts, as it is */
    bool numbered;  /* it counts only with a number close behind */
    bool exact;     /* it has digits: it counts only where they stand */
};

struct od_literals {
    const char *texts;
    const struct od_literal *list;
    size_t n;
    const uint32_t *first;  /* of each literal in owners; one more at the end */
    const uint16_t *owners; /* a rule, nrules + a reader, and behind those: what mentions memory,
                               what is in sentences of failures, and signs */
    size_t nrules, nreaders;
    const uint64_t *always;    /* rules without literals */
    const uint64_t *fallbacks; /* rules that are one */
    struct od_filter_index index;
};

/* Of the shipped packs, in their order, with od_shipped_lexicon and od_shipped_signs. */
extern const struct od_literals od_shipped_literals;

/* signs end with a text that is NULL; NULL = none. Lives as long as the arena. */
struct od_literals od_literals_new(const struct od_ruleset *rules, const struct od_sign *signs,
                                   struct od_arena *arena);

/* Words of a set of rules, a bit each. */
static inline size_t od_literals_words(const struct od_literals *literals)
{
    return literals->nrules / 64 + 1;
}

static inline struct od_view od_literal_text(const struct od_literals *literals, size_t i)
{
    return (struct od_view){.p = literals->texts + literals->list[i].at, .n = literals->list[i].n};
}
