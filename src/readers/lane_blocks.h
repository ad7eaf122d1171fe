/*
 * Blocks of lines that begin and end in so many words, at most one open a lane: which are open,
 * since where, and how long. What a reader keeps of them it keeps by their numbers.
 */
#ifndef OD_READERS_LANE_BLOCKS_H
#define OD_READERS_LANE_BLOCKS_H

#include "facts/event.h"
#include "facts/line.h"

#include <stdbool.h>
#include <stddef.h>

/* Lanes beyond these have no blocks. */
enum { OD_LANE_BLOCKS_MAX = 16 };
#define OD_LANE_BLOCK_NONE ((size_t)-1)

struct od_lane_block {
    uint32_t lane;
    unsigned lines; /* so far; 0 = closed */
    struct od_prov at;
};

/* Zeroed to begin with; nothing to free. */
struct od_lane_blocks {
    struct od_lane_block items[OD_LANE_BLOCKS_MAX];
    size_t n;
};

/* A block begins with the line; one that is open there begins again. OD_LANE_BLOCK_NONE: too many
 * lanes. */
size_t od_lane_blocks_open(struct od_lane_blocks *blocks, const struct od_line *line);

/* The one that the line goes on with, a line longer now; OD_LANE_BLOCK_NONE where none is open. */
size_t od_lane_blocks_go_on(struct od_lane_blocks *blocks, const struct od_line *line);

/* What a reader's is_open and end are (reader.h) where its state begins with such blocks and one
 * that is cut is none. */
bool od_lane_blocks_are_open(const void *state);
void od_lane_blocks_end(void *state, uint32_t source, const struct od_sink *sink);

#endif
