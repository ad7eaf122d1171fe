/*
 * The precision to use: the one that the log shows, what 16 bit would save of activations and
 * weights, and the batch size it allows. Computed after the remedies: if none of them lowers the
 * precision, the recommendation is unknown or the current precision.
 */
#pragma once

#include "advise/remedies.h"

struct od_precision_advice {
    struct od_view current;  /* as printed, or the type of the failed tensor; empty = not known */
    const char *recommended; /* name in the JSON contract; the current one if it already has 16
                                bit; NULL = not known */
    struct od_bytes saves;
    struct od_count batch; /* the largest batch that fits with it */
    const char *why;       /* a sentence; NULL = none */
};

/* remedies may be NULL. */
struct od_precision_advice od_precision_advise(const struct od_advise_question *question,
                                               const struct od_remedies *remedies,
                                               struct od_arena *arena);
