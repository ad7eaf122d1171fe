/* The layers and directions of a recurrent module, which no table prints, from its parameters. */
#pragma once

#include "facts/model.h"

struct od_recurrent {
    uint64_t layers, directions;
};

/* From the widths that it reads and gives (of both directions). False when no number of layers
 * explains the parameters. */
bool od_recurrent_count(const struct od_layer *layer, uint64_t in, uint64_t out,
                        struct od_recurrent *ret_recurrent);

/* The width that a module giving `out` reads, where it lies between least and most; 0 = none. */
uint64_t od_recurrent_input(const struct od_layer *layer, uint64_t out, uint64_t least,
                            uint64_t most);
