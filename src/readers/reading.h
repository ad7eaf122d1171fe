/*
 * A reader at work on one input: the reader and its state. What a reader leaves out of its struct
 * is made up for here.
 */
#ifndef OD_READERS_READING_H
#define OD_READERS_READING_H

#include "readers/reader.h"

struct od_reading {
    const struct od_reader *reader;
    void *state; /* NULL when the reader has none */
};

/* To be freed with od_reading_done; arena has to outlive it. */
struct od_reading od_reading_begin(const struct od_reader *reader, struct od_arena *arena);
enum od_take od_reading_line(const struct od_reading *reading, const struct od_line *line,
                             const struct od_sink *sink);
struct od_streak_taken od_reading_streak(const struct od_reading *reading,
                                         const struct od_streak *streak,
                                         const struct od_sink *sink);
bool od_reading_is_open(const struct od_reading *reading);
/* A source ended; another may follow. */
void od_reading_end(const struct od_reading *reading, uint32_t source, const struct od_sink *sink);
void od_reading_done(struct od_reading *reading);

#endif
