/*
 * Checkpointing of a layered model, and saved activations kept in host memory: what then lives
 * between forward and backward, and what is computed (or fetched) again, a segment at a time.
 */
#pragma once

#include "estimate/saved.h"

/*
 * Changes the layers' saved bytes as the workload asks: every:K begins a segment at each K-th layer
 * with parameters, full as many segments as the root of their number (torch's checkpoint_sequential
 * advises it); a segment keeps its input alone. Selective checkpointing is attention's and changes
 * nothing here. Returns an assumption to be printed, or NULL.
 */
const char *od_saved_checkpoint(const struct od_workload *workload, struct od_arena *arena,
                                struct od_saved *saved);
