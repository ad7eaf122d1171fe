/*
 * A table of layers for images of another size than it was printed for: maps grow in proportion,
 * pools to a fixed size do not, a dense layer over a flattened map gets other parameters.
 */
#pragma once

#include "estimate/estimate.h"

/*
 * The model for the workload's image size; the model itself where none is given or the table has
 * no maps. Lives in arena. *ret_note is to be told, or NULL: that the size printed is not known,
 * that parameters differ from the printed ones.
 */
const struct od_model *od_model_resize(const struct od_workload *workload, struct od_arena *arena,
                                       const char **ret_note);
