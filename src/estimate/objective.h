/*
 * The training objective of a language model: preferences and rewards need more sequences and more
 * models than next-token prediction.
 */
#pragma once

#include "estimate/range.h"

struct od_objective {
    const char *name;
    unsigned sequences;    /* of a sample at once */
    struct od_range kept;  /* frozen models beside the trained one */
    unsigned with_adapter; /* frozen models besides it where adapters are trained */
    unsigned trained;      /* further models with gradients and states */
    double answered;       /* share of a sequence whose words are scored: an answer's */
    const char *why;       /* NULL: nothing beside the model */
};

/* NULL for an unknown name. */
const struct od_objective *od_objective_find(struct od_view name);
