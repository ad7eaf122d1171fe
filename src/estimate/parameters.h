/* The parameters of a described model. */
#pragma once

#include "facts/model.h"

struct od_parameters {
    uint64_t all, trainable;
    const char *why; /* an assumption to be printed, or NULL */
};

/*
 * The printed totals where there are any, else the sum of the rows that are no shared layer. A
 * tied head that torchinfo counted a second time is taken off. False when nothing tells.
 */
bool od_parameters_of(const struct od_model *model, struct od_parameters *ret_parameters);
