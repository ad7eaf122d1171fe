/*
 * A public vision model whose saved bytes were measured at one image size.
 */
#pragma once

#include "estimate/saved.h"

/* Does the workload request checkpointing of segments, and does the model's library support it? */
bool od_measured_checkpoints(const struct od_workload *workload);

/* The bytes saved for one sample at the workload's precision and image size. Current libraries
 * compute attention with a kernel that keeps no scores, older ones in separate steps; the range
 * covers both. note names the measured version. */
void od_saved_from_measured(const struct od_workload *workload, struct od_arena *arena,
                            struct od_saved *ret_saved);
