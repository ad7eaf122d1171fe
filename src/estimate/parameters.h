/*
 * The number of parameters of a described model.
 */
#pragma once

#include "facts/model.h"

struct od_parameters {
    uint64_t all, trainable;
    const char *why; /* an assumption to print, or NULL */
};

/* Takes the printed totals, otherwise the sum of the rows without shared layers. A tied head that
 * torchinfo counts twice is subtracted. False if neither is known. */
bool od_parameters_of(const struct od_model *model, struct od_parameters *ret_parameters);
