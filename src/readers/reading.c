#include "readers/reading.h"

#include <stdalign.h>

enum {
    /* lanes open at a time; beyond that, the one that has waited longest is ended */
    OPEN_MAX = 256,
    AGE_MAX = 4096 /* default number of lines after which what is open ends */
};

/* The state of one lane. Open lanes form a list, ordered by the time when they last took a line. */
struct od_lane_reading {
    struct od_lane_reading *previous, *next;
    uint64_t touched; /* clock when it last took a line */
    unsigned foreign; /* lines of the lane since then */
    bool open;
    alignas(max_align_t) unsigned char state[];
};

struct od_reading od_reading_begin(const struct od_reader *reader, struct od_arena *arena)
{
    struct od_reading reading = {.reader = reader, .arena = arena};
    if (reader->shared_size > 0)
        reading.shared = od_mem_alloc(1, reader->shared_size);
    return reading;
}

static void state_begin(struct od_reading *reading, struct od_lane_reading *lane)
{
    if (reading->reader->begin)
        reading->reader->begin(reading->reader, lane->state, reading->shared, reading->arena);
}

static struct od_lane_reading *lane_find(const struct od_reading *reading, uint32_t number)
{
    return number < reading->lanes.n ? reading->lanes.items[number] : NULL;
}

static struct od_lane_reading *lane_at(struct od_reading *reading, uint32_t number)
{
    while (reading->lanes.n <= number)
        od_vec_push(&reading->lanes, NULL);
    struct od_lane_reading **lane = &reading->lanes.items[number];
    if (!*lane) {
        *lane = od_mem_alloc(1, sizeof **lane + reading->reader->state_size);
        state_begin(reading, *lane);
    }
    return *lane;
}

static void unlink_open(struct od_reading *reading, struct od_lane_reading *lane)
{
    *(lane->previous ? &lane->previous->next : &reading->oldest) = lane->next;
    *(lane->next ? &lane->next->previous : &reading->newest) = lane->previous;
    lane->previous = lane->next = NULL;
    lane->open = false;
    reading->nopen--;
}

static void link_open(struct od_reading *reading, struct od_lane_reading *lane)
{
    lane->previous = reading->newest;
    *(reading->newest ? &reading->newest->next : &reading->oldest) = lane;
    reading->newest = lane;
    lane->open = true;
    reading->nopen++;
}

static void state_release(const struct od_reading *reading, struct od_lane_reading *lane)
{
    if (reading->reader->release)
        reading->reader->release(lane->state);
}

/* Ends what is open in the lane. */
static void end_lane(struct od_reading *reading, struct od_lane_reading *lane,
                     const struct od_sink *sink)
{
    if (lane->open)
        unlink_open(reading, lane);
    if (reading->reader->end) {
        reading->reader->end(lane->state, sink);
        return;
    }
    state_release(reading, lane);
    memset(lane->state, 0, reading->reader->state_size);
    state_begin(reading, lane);
}

/* Counts a line and ends lanes that have waited too long. */
static void grow_old(struct od_reading *reading, const struct od_sink *sink)
{
    unsigned most = reading->reader->age_max > 0 ? reading->reader->age_max : AGE_MAX;
    reading->clock++;
    while (reading->oldest && reading->clock - reading->oldest->touched > most)
        end_lane(reading, reading->oldest, sink);
}

/* Updates the lane after a line or several lines, taken or not. */
static void settle(struct od_reading *reading, struct od_lane_reading *lane, bool taken,
                   const struct od_sink *sink)
{
    const struct od_reader *reader = reading->reader;
    bool open = reader->is_open && reader->is_open(lane->state);
    lane->foreign = taken ? 0 : lane->foreign + 1;
    if (lane->open && (taken || !open))
        unlink_open(reading, lane);
    if (open && !lane->open) {
        lane->touched = reading->clock;
        link_open(reading, lane);
    }
    if (open && reader->foreign_max > 0 && lane->foreign > reader->foreign_max)
        end_lane(reading, lane, sink);
    if (reading->nopen > OPEN_MAX)
        end_lane(reading, reading->oldest, sink);
}

enum od_take od_reading_line(struct od_reading *reading, const struct od_line *line, bool hit,
                             const struct od_sink *sink)
{
    grow_old(reading, sink);
    struct od_lane_reading *lane = lane_find(reading, line->lane);
    if (!hit && (!lane || !lane->open))
        return OD_TAKE_NONE;
    lane = lane_at(reading, line->lane);
    /* a reader that is only open, or silent, has not examined the shape */
    struct od_line unseen;
    if (!hit && line->memory) {
        unseen = *line;
        unseen.memory = NULL;
        line = &unseen;
    }
    enum od_take take = reading->reader->line(lane->state, line, sink);
    settle(reading, lane, take != OD_TAKE_NONE, sink);
    return take;
}

bool od_reader_state_is_open(const void *state)
{
    return *(const bool *)state;
}

bool od_reading_is_open(const struct od_reading *reading)
{
    return reading->nopen > 0;
}

static void free_lanes(struct od_reading *reading)
{
    for (size_t i = 0; i < reading->lanes.n; i++) {
        if (reading->lanes.items[i])
            state_release(reading, reading->lanes.items[i]);
        od_mem_free(reading->lanes.items[i]);
    }
    od_vec_done(&reading->lanes);
    reading->oldest = reading->newest = NULL;
    reading->nopen = 0;
}

void od_reading_end(struct od_reading *reading, const struct od_sink *sink)
{
    for (size_t i = 0; i < reading->lanes.n; i++)
        if (reading->lanes.items[i])
            end_lane(reading, reading->lanes.items[i], sink);
    free_lanes(reading);
}

void od_reading_done(struct od_reading *reading)
{
    free_lanes(reading);
    if (reading->shared && reading->reader->release_shared)
        reading->reader->release_shared(reading->shared);
    od_mem_free(reading->shared);
    reading->shared = NULL;
}
