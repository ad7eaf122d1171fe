/*
 * Derives layers and directions of a recurrent module, never printed, from its parameters.
 */
#pragma once

#include "facts/model.h"

struct od_recurrent {
    uint64_t layers, directions;
};

/* Uses the widths of the module's input and output (of both directions). False if no number of
 * layers explains the parameters. */
bool od_recurrent_count(const struct od_layer *layer, uint64_t in, uint64_t out,
                        struct od_recurrent *ret_recurrent);

/* The input width of a module with output `out`, if it is between least and most; 0 = none. */
uint64_t od_recurrent_input(const struct od_layer *layer, uint64_t out, uint64_t least,
                            uint64_t most);
