/*
 * Buffers for casting, sharding and reducing, in addition to the tensors of a layered model.
 */
#pragma once

#include "estimate/range.h"
#include "estimate/states.h"

/* DeepSpeed's buckets of 5e8 elements for reducing and gathering; stage 3 keeps up to 1e9 of the
 * held parameters live (its documented defaults). */
void od_buckets_add(struct od_range *sum, const struct od_workload *workload, double held);

/* 0 if the workload does none of this; unknown on overflow. largest: parameters of the largest
 * layer. */
struct od_bytes od_buffers_of(const struct od_workload *workload, const struct od_states *states,
                              uint64_t parameters, uint64_t largest);
