/*
 * Rows of the options table priced by estimates of their workloads (estimate/): of a plan, and of a
 * failed run whose model has no layers to replay.
 */
#pragma once

#include "plan/options.h"

/* Prices the workload as it is asked, for options[0]. False where it cannot be estimated. */
bool od_options_estimate_first(uint64_t usable_bytes, struct od_plan_option *option);

/* options[0] is complete; the rows behind it are built and priced for so many bytes (0: no device
 * is known). Returns how many rows there are. */
size_t od_options_estimate(uint64_t usable_bytes,
                           struct od_plan_option options[OD_PLAN_OPTIONS_MAX]);
