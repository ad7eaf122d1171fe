/*
 * A model of which nothing is known but two counts: its parameters and its activations, as timm
 * and fvcore print them (elements of the outputs of convolutions, linear layers and products of
 * matrices, for one sample).
 */
#pragma once

#include "estimate/saved.h"

/*
 * What such a model saves for one sample. Counts that are those of a plain vision transformer of a
 * published size are told by arithmetic and its blocks counted; for all others it is a fit whose
 * range allows for every family. note says which.
 */
void od_saved_from_counts(const struct od_workload *workload, uint64_t parameters,
                          uint64_t activations, struct od_arena *arena, struct od_saved *ret_saved);
