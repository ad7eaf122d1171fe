/* What casting, sharding and reducing take beside the tensors of a layered model. */
#pragma once

#include "estimate/states.h"

/* Zero where the workload does none of that; unknown on overflow. largest: parameters of the
 * largest layer. */
struct od_bytes od_buffers_of(const struct od_workload *workload, const struct od_states *states,
                              uint64_t parameters, uint64_t largest);
