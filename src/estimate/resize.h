/*
 * Adapts a table of layers to another image size: maps grow in proportion, pools to a fixed size do
 * not, and a dense layer over a flattened map gets other parameters.
 */
#pragma once

#include "estimate/estimate.h"

/* Returns the model for the workload's image size, or the model itself if no size is given or the
 * table has no maps. Allocated in arena. *ret_note is a note to print, or NULL: the printed size is
 * not known, or parameters differ from the printed ones. */
const struct od_model *od_model_resize(const struct od_workload *workload, struct od_arena *arena,
                                       const char **ret_note);
