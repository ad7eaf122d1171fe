/*
 * Joins lines that were broken after a prefix such as "[rank0]: ", which only the first part has.
 * The next line without a prefix continues the same lane if a reader waits for more lines.
 */
#pragma once

#include "facts/line.h"

/* The previous line, if it is incomplete and had a prefix; place NULL = none. */
struct od_broken_prefix {
    const struct od_place *place;
    uint32_t source, lane;
    uint64_t next; /* number of the next physical line */
};

/* Returns the line in its lane. waits: a reader or a sentence expects more lines. */
struct od_line od_broken_prefix_continue(struct od_broken_prefix *before,
                                         const struct od_line *line, bool waits);
