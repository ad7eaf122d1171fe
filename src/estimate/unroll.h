/*
 * A printed module tree has no sizes and no counts. Both follow from the arguments of its modules
 * and from the image size or sequence length, as long as the modules are called in the order in
 * which they are printed. Branches are recognized by numbers of channels.
 */
#pragma once

#include "estimate/estimate.h"

/* The model with sizes of outputs and parameters filled in, or the model itself if its text prints
 * them. Allocated in arena. *ret_note is an assumption to print, or NULL. */
const struct od_model *od_model_unroll(const struct od_workload *workload, struct od_arena *arena,
                                       const char **ret_note);
