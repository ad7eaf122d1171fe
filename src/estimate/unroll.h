/*
 * A printed module tree has no sizes and no counts: both follow from what each module prints about
 * itself and from the size of an image or the length of a sequence, as long as the modules are
 * called in the order in which they are printed. Branches are told by numbers of channels.
 */
#pragma once

#include "estimate/estimate.h"

/*
 * The model with sizes of outputs and parameters filled in, or the model itself where its text
 * prints them. Lives in arena. *ret_note is an assumption to be told, or NULL.
 */
const struct od_model *od_model_unroll(const struct od_workload *workload, struct od_arena *arena,
                                       const char **ret_note);
