/*
 * Adapts a table of layers to another image size: maps grow in proportion, pools to a fixed size do
 * not, and a dense layer over a flattened map gets other parameters.
 */
#pragma once

#include "estimate/estimate.h"

/* The model for the workload's image size; the model itself if no size is given or the table has no
 * maps. Allocated in arena. *ret_note is a note to print, or NULL: that the printed size is not
 * known, or that parameters differ from the printed ones. */
const struct od_model *od_model_resize(const struct od_workload *workload, struct od_arena *arena,
                                       const char **ret_note);
