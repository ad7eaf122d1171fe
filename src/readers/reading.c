#include "readers/reading.h"

#include "base/mem.h"

#include <string.h>

struct od_reading od_reading_begin(const struct od_reader *reader, struct od_arena *arena)
{
    struct od_reading reading = {.reader = reader};
    if (reader->state_size > 0)
        reading.state = od_mem_alloc(1, reader->state_size);
    if (reader->begin)
        reader->begin(reader, reading.state, arena);
    return reading;
}

enum od_take od_reading_line(const struct od_reading *reading, const struct od_line *line,
                             const struct od_sink *sink)
{
    return reading->reader->line(reading->state, line, sink);
}

struct od_streak_taken od_reading_streak(const struct od_reading *reading,
                                         const struct od_streak *streak, const struct od_sink *sink)
{
    if (!reading->reader->streak)
        return (struct od_streak_taken){0};
    return reading->reader->streak(reading->state, streak, sink);
}

bool od_reading_is_open(const struct od_reading *reading)
{
    return reading->reader->is_open && reading->reader->is_open(reading->state);
}

void od_reading_end(const struct od_reading *reading, uint32_t source, const struct od_sink *sink)
{
    if (reading->reader->end)
        reading->reader->end(reading->state, source, sink);
    else if (reading->state)
        memset(reading->state, 0, reading->reader->state_size);
}

void od_reading_done(struct od_reading *reading)
{
    if (reading->reader->release)
        reading->reader->release(reading->state);
    od_mem_free(reading->state);
    reading->state = NULL;
}
