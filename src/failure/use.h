/*
 * Whether a run trains or only uses a model. Inference keeps nothing for gradients and has no steps
 * or optimizer, so advice for training does not apply. Many logs do not show which.
 */
#pragma once

#include "failure/software.h"

struct od_use {
    bool trains;    /* shown by its calls, settings, steps or command */
    bool infers;    /* only uses a model; false if anything suggests training */
    bool guarded;   /* uses a library that keeps nothing for gradients by default */
    bool batchless; /* the program has no batch size, or usually fails because of large inputs */
};

/* Does the run have a setting that only training has? */
bool od_use_says_training(const struct od_case *c);

/* Judges by the calls of the traceback, settings, steps and the server that the user runs. failure
 * may be NULL. */
struct od_use od_use_of(const struct od_case *c, const struct od_incident *failure,
                        const struct od_software_used *stack);
