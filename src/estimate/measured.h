/* A public vision model: what it keeps was measured beforehand, at one size of images. */
#pragma once

#include "estimate/saved.h"

/* Can its library compute segments again, and is asked to? */
bool od_measured_checkpoints(const struct od_workload *workload);

/*
 * What it saves for one sample at the workload's precision and size of images. Libraries of
 * today compute attention with a kernel that keeps no scores, older ones write it out: the range
 * spans both. note says which version was measured.
 */
void od_saved_from_measured(const struct od_workload *workload, struct od_arena *arena,
                            struct od_saved *ret_saved);
