/*
 * A reader applied to one input: the reader, a state for each lane, and shared data. What is open
 * in a lane ends after too many other lines in its lane or in the log (the reader says how many),
 * if too many lanes are open, and at the end of the source.
 */
#pragma once

#include "readers/reader.h"

struct od_lane_reading;

struct od_reading {
    const struct od_reader *reader;
    struct od_arena *arena;
    void *shared;                            /* NULL if the lanes share nothing */
    OD_VEC(struct od_lane_reading *) lanes;  /* by lane number; NULL = no line was read */
    struct od_lane_reading *oldest, *newest; /* list of open lanes */
    size_t nopen;
    uint64_t clock; /* counts lines of all lanes */
};

/* Free with od_reading_done; arena has to outlive it. */
struct od_reading od_reading_begin(const struct od_reader *reader, struct od_arena *arena);
/* hit: the line contains one of the reader's literals; other lines only go to open lanes,
 * without the memory of their shape. */
enum od_take od_reading_line(struct od_reading *reading, const struct od_line *line, bool hit,
                             const struct od_sink *sink);
bool od_reading_is_open(const struct od_reading *reading);
/* Ends a source and its lanes; another source may follow. */
void od_reading_end(struct od_reading *reading, const struct od_sink *sink);
void od_reading_done(struct od_reading *reading);
