/*
 * Prices rows of the options table by estimates of their workloads (estimate/): for a plan, and for
 * a failed run whose model has no layers to replay.
 */
#pragma once

#include "plan/options.h"

/* Prices the unchanged workload for options[0]. False if it cannot be estimated. */
bool od_options_estimate_first(uint64_t usable_bytes, struct od_plan_option *option);

/* options[0] must be complete; the rows after it are built and priced for that many bytes (0: no
 * device is known). Returns the number of rows. */
size_t od_options_estimate(uint64_t usable_bytes,
                           struct od_plan_option options[OD_PLAN_OPTIONS_MAX]);
