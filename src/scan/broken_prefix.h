/*
 * Joins lines that were broken after a prefix such as "[rank0]: ", which is printed only once. The
 * next line without a prefix continues the same lane if a reader waits for more lines.
 */
#pragma once

#include "facts/line.h"

/* The previous line, if it had a prefix and is incomplete; place NULL: it is complete. */
struct od_broken_prefix {
    const struct od_place *place;
    uint32_t source, lane;
    uint64_t next; /* number of the next physical line */
};

/* Returns the line in the lane that it continues. waits: a reader or a sentence waits for more
 * lines. */
struct od_line od_broken_prefix_continue(struct od_broken_prefix *before,
                                         const struct od_line *line, bool waits);
