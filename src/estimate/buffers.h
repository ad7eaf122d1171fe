/*
 * Buffers for casting, sharding and reducing, in addition to the tensors of a layered model.
 */
#pragma once

#include "estimate/range.h"
#include "estimate/states.h"

/* In the step of ZeRO, gradients of a partition are made flat (stages 1 and 2) and float32, and
 * PyTorch's own Adam takes the root of the second moments: of the partition, or of a group of 1e9
 * parameters (sub_group_size) in stage 3. A pool has no room for them where activations were. */
double od_buffers_of_step(const struct od_workload *workload, double stepped);

/* DeepSpeed's buckets of 5e8 elements for reducing and gathering; stage 3 keeps up to 1e9 of the
 * held parameters live (its documented defaults). stepped: parameters that a rank's optimizer has.
 */
void od_buckets_add(struct od_range *sum, const struct od_workload *workload, double held,
                    double stepped);

/* 0 if the workload does none of this; unknown on overflow. largest: parameters of the largest
 * layer. */
struct od_bytes od_buffers_of(const struct od_workload *workload, const struct od_states *states,
                              uint64_t parameters, uint64_t largest);
