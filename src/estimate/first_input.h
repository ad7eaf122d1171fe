/*
 * The model's own input, which few tables print.
 */
#pragma once

#include "estimate/walk.h"

/*
 * From the model's first layer (whose output is given) and the size of the input
 * where the text prints one. False when they do not tell.
 */
bool od_first_input(const struct od_model *model, const struct od_layer *layer,
                    const struct od_walk_tensor *out, struct od_walk_tensor *ret_input);
