/*
 * What each part of a step takes, from prints of memory at named moments ("after forward: 5.1 GB",
 * "before backward", "post_forward"): what every moment added to the one before it, at the highest
 * of them, or at the last one before the device failed. The rows sum to what was printed there.
 *
 * A backward pass gives the activations back and leaves gradients; zeroing gives gradients back.
 * Elsewhere what was gained last goes first. Gains that come again with each step are growth.
 */
#pragma once

#include "answer/phases.h"

/* Adds the rows, and the total where the log says it; texts in arena. False, and nothing is done,
 * where the log names fewer than two moments of one measurement. host: of the process' memory, else
 * of a device's. */
bool od_phases_draw_moments(const struct od_phases_question *question, bool host,
                            struct od_phases *phases, struct od_arena *arena);
