/*
 * A prefix such as "[rank0]: " is printed once, and its line may be broken behind it: what follows
 * without one is of the same lane, where somebody waits for it.
 */
#pragma once

#include "facts/line.h"

/* The line before, where it was printed behind a prefix and stops in the middle; place NULL: it
 * does not. */
struct od_unfinished {
    const struct od_place *place;
    uint32_t source, lane;
    uint64_t next; /* the physical line behind it */
};

/* The line, in the lane that it goes on in. waits: somebody has begun what it may be the rest of.
 */
struct od_line od_unfinished_go_on(struct od_unfinished *before, const struct od_line *line,
                                   bool waits);
