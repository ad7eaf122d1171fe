/*
 * Activation checkpointing of a layered model, and activations in host memory: which bytes are live
 * between forward and backward, and which are recomputed (or fetched), one segment at a time.
 */
#pragma once

#include "estimate/saved.h"

/* Changes the layers' saved bytes as the workload requests. every:K starts a segment at each K-th
 * layer with parameters, `full` uses the square root of their number as the number of segments (as
 * recommended for torch's checkpoint_sequential); a segment only keeps its input. Selective
 * checkpointing only affects attention and changes nothing here. Returns an assumption to print, or
 * NULL. */
const char *od_saved_checkpoint(const struct od_workload *workload, struct od_arena *arena,
                                struct od_saved *saved);
