/*
 * The training objective of a language model: preferences and rewards need more sequences and more
 * models than next-token prediction.
 */
#pragma once

#include "estimate/range.h"

struct od_objective {
    const char *name;
    unsigned sequences;    /* number of sequences of a sample in one batch */
    struct od_range kept;  /* number of frozen models besides the trained one */
    unsigned with_adapter; /* the same when adapters are trained */
    unsigned trained;      /* number of further models with gradients and states */
    double answered;       /* share of a sequence that is scored, as an answer is */
    const char *why;       /* explanation; NULL = only the model itself is needed */
};

/* Finds an objective by name; NULL for an unknown name. */
const struct od_objective *od_objective_find(struct od_view name);
