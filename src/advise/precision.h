/*
 * The precision to use: that of the first remedy whose row gives one (rules/advice.h), with the
 * memory it saves and the batch size that then fits; otherwise the one in the log.
 */
#pragma once

#include "advise/remedies.h"

struct od_precision_advice {
    struct od_view current;  /* as printed, or the type of the failed tensor; empty = not known */
    const char *recommended; /* name in the JSON contract, or as printed; NULL = not known */
    struct od_bytes saves;
    struct od_count batch; /* largest batch that fits with this precision */
    const char *why;       /* a sentence; NULL = none */
};

/* remedies may be NULL. */
struct od_precision_advice od_precision_advise(const struct od_advise_question *question,
                                               const struct od_remedies *remedies,
                                               struct od_arena *arena);
