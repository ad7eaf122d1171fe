/*
 * Finds the tensor that a convolution reads if no table shows it. The layer's parameters determine
 * the number of its channels.
 */
#pragma once

#include "estimate/walk.h"

/* Returns a tensor of the walk, or a new hidden one for a concatenation; OD_NO_TENSOR = none. */
uint32_t od_conv_input(struct od_walk *walk, const struct od_layer *layer,
                       const struct od_walk_tensor *out);

/* Does a convolution or linear layer that reads `in` have a bias? Printed, or from its
 * parameters. */
bool od_has_bias(const struct od_layer *layer, const struct od_walk_tensor *in,
                 const struct od_walk_tensor *out);
