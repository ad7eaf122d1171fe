/* The parameters of a printed PyTorch module, from what it says about itself. */
#pragma once

#include "facts/model.h"

/* Its own, without its children's; unknown where its text does not tell. */
struct od_count od_module_parameters(const struct od_layer *layer);

/* Do rows behind it stand in that one? */
static inline bool od_module_holds(const struct od_model *m, size_t i)
{
    return i + 1 < m->layers.n && m->layers.items[i + 1].depth > m->layers.items[i].depth;
}
