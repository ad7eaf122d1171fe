/*
 * Buffers for casting, sharding and reducing, in addition to the tensors of a layered model.
 */
#pragma once

#include "estimate/states.h"

/* 0 if the workload does none of this; unknown on overflow. largest: parameters of the largest
 * layer. */
struct od_bytes od_buffers_of(const struct od_workload *workload, const struct od_states *states,
                              uint64_t parameters, uint64_t largest);
