/*
 * Explains chunks for which the dump names an allocating operation (MEM_DEBUG builds of TensorFlow,
 * its memory dump files), or a function and line of the program (snapshots of PyTorch).
 */
#pragma once

#include "attribute/weights.h"
#include "base/map.h"
#include "facts/dump.h"

/* Names seen so far; zeroed is empty. */
struct od_placed {
    struct od_map index; /* maps a name to its index in items + 1 */
    OD_VEC(const struct od_named *) items;
};

void od_placed_done(struct od_placed *placed);

/* The tensor that the chunk's name shows; NULL without a name that has a role. In arena. */
const struct od_named *od_placed_of(struct od_placed *placed, const struct od_dump *dump,
                                    const struct od_chunk *chunk, struct od_arena *arena);
