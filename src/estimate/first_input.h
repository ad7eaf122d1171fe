/*
 * The model's own input, which few tables print.
 */
#pragma once

#include "estimate/walk.h"

/* Derives the input from the model's first layer (whose output is given) and the printed size of
 * the input. False if these are not sufficient. */
bool od_first_input(const struct od_model *model, const struct od_layer *layer,
                    const struct od_walk_tensor *out, struct od_walk_tensor *ret_input);
