/*
 * The memory of a pipeline that generates images: the weights of all its parts, and the larger need
 * of the denoiser and the decoder of images.
 */
#pragma once

#include "estimate/estimate.h"

/* Estimates a workload. Its model must be a known pipeline. */
bool od_estimate_pipeline(const struct od_workload *workload, struct od_arena *arena,
                          struct od_diags *diags, struct od_estimate *ret_estimate);
