/*
 * The memory of a pipeline that makes images: the weights of all its parts, and what the denoiser
 * or the decoder of images needs beside them, whichever is more.
 */
#pragma once

#include "estimate/estimate.h"

/* The workload's model is a known pipeline. */
bool od_estimate_pipeline(const struct od_workload *workload, struct od_arena *arena,
                          struct od_diags *diags, struct od_estimate *ret_estimate);
