/*
 * Memory of each part of a step, from values printed at named moments ("after forward: 5.1 GB",
 * "before backward", "post_forward"): what each moment added to the one before it, up to the
 * highest moment, or to the last one before the device failed. The rows sum to the value printed
 * there.
 *
 * A backward pass releases the activations and leaves gradients; zeroing releases gradients. Other
 * decreases release the last gain first. Gains that recur with each step are growth.
 */
#pragma once

#include "answer/phases.h"

/* Adds the rows, and the total if the log states it; texts in arena. Returns false and changes
 * nothing if the log names fewer than two moments of one measurement. host: memory of the process,
 * otherwise of a device. */
bool od_phases_draw_moments(const struct od_phases_question *question, bool host,
                            struct od_phases *phases, struct od_arena *arena);
