/*
 * The precision to run in: what the log shows is on, what 16 bit would save of activations and
 * weights, and the batch it allows. Follows the remedies: where none of them lowers the precision,
 * the recommendation is unknown, or what is on already.
 */
#pragma once

#include "advise/remedies.h"

struct od_precision_advice {
    struct od_view current;  /* as the log says it, or the type of the failed tensor; empty = not
                                known */
    const char *recommended; /* the contract's word; the current one where 16 bit is on; NULL = not
                                known */
    struct od_bytes saves;
    struct od_count batch; /* the largest that fits then */
    const char *why;       /* a sentence; NULL = none */
};

/* remedies may be NULL. */
struct od_precision_advice od_precision_advise(const struct od_advise_question *question,
                                               const struct od_remedies *remedies,
                                               struct od_arena *arena);
