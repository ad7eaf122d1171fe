/*
 * Estimates from a recorded training step. Only the sizes for other precisions are estimated.
 */
#pragma once

#include "estimate/saved.h"
#include "estimate/states.h"

/* The activations that the step saves for one sample: exact for the recorded precision. */
void od_saved_from_recorded(const struct od_workload *workload, struct od_arena *arena,
                            struct od_saved *ret_saved);

/* The recorded step in the workload's precision. */
const struct od_recorded *od_recorded_of(const struct od_workload *workload);

/* The largest moment of the step at the workload's batch, like od_peak_dynamic. */
struct od_bytes od_recorded_dynamic(const struct od_workload *workload,
                                    const struct od_states *states);
