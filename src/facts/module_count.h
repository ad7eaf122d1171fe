/* The parameters of a printed PyTorch module, from what it says about itself. */
#pragma once

#include "facts/model.h"

/* Its own, without its children's; unknown where its text does not tell. */
struct od_count od_module_parameters(const struct od_layer *layer);
