/*
 * A model known only by two counts: its parameters, and its activations as printed by timm and
 * fvcore (elements of the outputs of convolutions, linear layers and matrix products, for one
 * sample).
 */
#pragma once

#include "estimate/saved.h"

/* Estimates the activations saved for one sample by a fit whose range covers every family. */
void od_saved_from_counts(const struct od_workload *workload, uint64_t parameters,
                          uint64_t activations, struct od_saved *ret_saved);
