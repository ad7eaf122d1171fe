/*
 * A reader at work on one input: the reader, a state for each lane, and what the lanes share. What
 * is open in a lane ends when its lane goes on with too many other lines, when the log does, when
 * too many lanes are open, and with the source; the reader says after how many lines.
 */
#pragma once

#include "readers/reader.h"

struct od_lane_reading;

struct od_reading {
    const struct od_reader *reader;
    struct od_arena *arena;
    void *shared;                            /* NULL when the lanes share nothing */
    OD_VEC(struct od_lane_reading *) lanes;  /* by their numbers; NULL = no line of it was read */
    struct od_lane_reading *oldest, *newest; /* of those that are open */
    size_t nopen;
    uint64_t clock; /* lines of all lanes */
};

/* To be freed with od_reading_done; arena has to outlive it. */
struct od_reading od_reading_begin(const struct od_reader *reader, struct od_arena *arena);
/* hit: the line holds one of the reader's literals; others go to lanes that are open. */
enum od_take od_reading_line(struct od_reading *reading, const struct od_line *line, bool hit,
                             const struct od_sink *sink);
struct od_streak_taken od_reading_streak(struct od_reading *reading, const struct od_streak *streak,
                                         const struct od_sink *sink);
bool od_reading_is_open(const struct od_reading *reading);
/* A source ended, and with it its lanes; another may follow. */
void od_reading_end(struct od_reading *reading, const struct od_sink *sink);
void od_reading_done(struct od_reading *reading);
