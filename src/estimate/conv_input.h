/*
 * The tensor that a convolution reads if no table shows it: its parameters determine the number of
 * channels.
 */
#pragma once

#include "estimate/walk.h"

/* A tensor of the walk, or a new hidden one for a concatenation. OD_NO_TENSOR if there is none. */
uint32_t od_conv_input(struct od_walk *walk, const struct od_layer *layer,
                       const struct od_walk_tensor *out);

/* Does a convolution or linear layer that reads `in` have a bias? As printed, otherwise
 * computed. */
bool od_has_bias(const struct od_layer *layer, const struct od_walk_tensor *in,
                 const struct od_walk_tensor *out);
