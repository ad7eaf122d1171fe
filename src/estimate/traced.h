/*
 * A traced run on a GPU: its requests and releases, whatever device they were made on, go through
 * the simulated caching allocator.
 */
#pragma once

#include "estimate/estimate.h"

/* As od_estimate, of a model with `traced`. The batch is the trace's, whatever the workload says.
 */
bool od_estimate_traced(const struct od_workload *workload, struct od_arena *arena,
                        struct od_diags *diags, struct od_estimate *ret_estimate);
