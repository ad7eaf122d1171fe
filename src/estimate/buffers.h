/*
 * Buffers for casting, sharding and reducing, in addition to the tensors of a layered model.
 */
#pragma once

#include "estimate/range.h"
#include "estimate/states.h"

/* Buffers in the optimizer's step under ZeRO: gradients of a partition are copied to a flat float32
 * tensor (stages 1 and 2), and PyTorch's own Adam takes the root of the second moments of the
 * partition, or in stage 3 of a group of 1e9 parameters (sub_group_size). These do not fit into the
 * memory that activations left in the pool. */
double od_buffers_of_step(const struct od_workload *workload, double stepped);

/* Adds DeepSpeed's buckets of 5e8 elements for reducing and gathering. Stage 3 keeps up to 1e9 of
 * the held parameters live (its documented defaults). stepped: number of parameters that a rank's
 * optimizer updates. */
void od_buckets_add(struct od_range *sum, const struct od_workload *workload, double held,
                    double stepped);

/* Bytes of the buffers; 0 if the workload needs none, unknown on overflow. largest: parameters of
 * the largest layer. */
struct od_bytes od_buffers_of(const struct od_workload *workload, const struct od_states *states,
                              uint64_t parameters, uint64_t largest);
