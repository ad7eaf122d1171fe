/*
 * Which tensor a convolution reads, where no table tells: its parameters give the channels.
 */
#pragma once

#include "estimate/walk.h"

/* A tensor of the walk; a new, hidden one for a concatenation. OD_NO_TENSOR when there is none. */
uint32_t od_conv_input(struct od_walk *walk, const struct od_layer *layer,
                       const struct od_walk_tensor *out);

/* Does a convolution or linear layer that reads `in` have a bias? As printed, else by arithmetic.
 */
bool od_has_bias(const struct od_layer *layer, const struct od_walk_tensor *in,
                 const struct od_walk_tensor *out);
