/*
 * Prices rows of the options table by estimates (estimate/): for a plan, and for a failed run whose
 * model has no layers to replay.
 */
#pragma once

#include "plan/options.h"

/* Prices the unchanged workload for options[0]. False if it cannot be estimated. */
bool od_options_estimate_first(uint64_t usable_bytes, struct od_plan_option *option);

/* Builds and prices the other rows for a device with usable_bytes (0 = no device). options[0] must
 * be complete. Returns the number of rows. */
size_t od_options_estimate(uint64_t usable_bytes,
                           struct od_plan_option options[OD_PLAN_OPTIONS_MAX]);
