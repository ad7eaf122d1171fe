#include "readers/lane_blocks.h"

static size_t of_lane(const struct od_lane_blocks *blocks, uint32_t lane)
{
    for (size_t i = 0; i < blocks->n; i++)
        if (blocks->items[i].lane == lane)
            return i;
    return OD_LANE_BLOCK_NONE;
}

size_t od_lane_blocks_open(struct od_lane_blocks *blocks, const struct od_line *line)
{
    size_t i = of_lane(blocks, line->lane);
    if (i == OD_LANE_BLOCK_NONE) {
        if (blocks->n == OD_LANE_BLOCKS_MAX)
            return OD_LANE_BLOCK_NONE;
        i = blocks->n++;
    }
    blocks->items[i] = (struct od_lane_block){.lane = line->lane, .lines = 1, .at = line->at};
    return i;
}

size_t od_lane_blocks_go_on(struct od_lane_blocks *blocks, const struct od_line *line)
{
    size_t i = of_lane(blocks, line->lane);
    if (i == OD_LANE_BLOCK_NONE || blocks->items[i].lines == 0)
        return OD_LANE_BLOCK_NONE;
    blocks->items[i].lines++;
    return i;
}

bool od_lane_blocks_are_open(const void *state)
{
    const struct od_lane_blocks *blocks = state;
    for (size_t i = 0; i < blocks->n; i++)
        if (blocks->items[i].lines > 0)
            return true;
    return false;
}

void od_lane_blocks_end(void *state, uint32_t source, const struct od_sink *sink)
{
    struct od_lane_blocks *blocks = state;
    (void)source;
    (void)sink;
    for (size_t i = 0; i < blocks->n; i++)
        blocks->items[i].lines = 0;
}
