/*
 * What a run was for. A run that only uses a model keeps nothing for gradients, and has neither
 * steps nor an optimizer: advice for training is not for it. Of many runs neither is seen.
 */
#pragma once

#include "failure/software.h"

struct od_use {
    bool trains;    /* by its calls, settings, steps or its command */
    bool infers;    /* it only uses a model; false where anything speaks for training */
    bool guarded;   /* by a library that keeps nothing for gradients as it is */
    bool batchless; /* the user drives a program that is known to have no batch to set, or to fail
                       by large inputs first */
};

/* Do the settings hold one that only a training has? */
bool od_use_says_training(const struct od_case *c);

/* By the calls of the failure's traceback, its settings and steps, or by a server that it drives;
 * failure may be NULL. */
struct od_use od_use_of(const struct od_case *c, const struct od_incident *failure,
                        const struct od_stack *stack);
