/*
 * Estimates a traced run on a GPU: runs its requests and releases, recorded on any device, through
 * the simulated caching allocator.
 */
#pragma once

#include "estimate/estimate.h"

/* Like od_estimate, for a model with `traced`. The batch is always that of the trace. */
bool od_estimate_traced(const struct od_workload *workload, struct od_arena *arena,
                        struct od_diags *diags, struct od_estimate *ret_estimate);
