/*
 * Number of parameters of a printed PyTorch module, from its printed arguments.
 */
#pragma once

#include "facts/model.h"

/* Parameters of the module itself without its children; unknown if its text does not show them. */
struct od_count od_module_parameters(const struct od_layer *layer);

/* Does the module have children (following rows)? */
static inline bool od_module_holds(const struct od_model *m, size_t i)
{
    return i + 1 < m->layers.n && m->layers.items[i + 1].depth > m->layers.items[i].depth;
}
