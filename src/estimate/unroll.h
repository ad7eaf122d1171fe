/*
 * Derives sizes and counts of a printed module tree, which has neither, from the arguments of its
 * modules and from the image size or sequence length. Assumes that the modules are called in the
 * order in which they are printed. Branches are recognized by numbers of channels.
 */
#pragma once

#include "estimate/estimate.h"

/* Returns the model with sizes of outputs and parameters filled in, or the model itself if its text
 * prints them. Allocated in arena. *ret_note is an assumption to print, or NULL. */
const struct od_model *od_model_unroll(const struct od_workload *workload, struct od_arena *arena,
                                       const char **ret_note);
