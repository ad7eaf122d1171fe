/*
 * Gives lines to the BFC reader and keeps copies of the dumps it emits; compares them with what
 * was written.
 */
#ifndef OD_TESTS_UNIT_READERS_FEED_H
#define OD_TESTS_UNIT_READERS_FEED_H

#include "readers/reading.h"
#include "tests/unit/readers/dump_writer.h"

struct feed {
    struct od_arena *arena;
    struct od_reading reading;
    uint64_t line;
    enum od_take taken; /* of the last line */
    OD_VEC(struct od_dump) dumps;
};

void feed_begin(struct feed *feed);
void feed_text(struct feed *feed, struct od_view text); /* line by line */
void feed_end(struct feed *feed);                       /* the source ended */
void feed_done(struct feed *feed);

/* What differs between a dump and what was written; NULL when nothing does. */
const char *feed_compare(const struct od_dump *dump, const struct written_dump *written);

#endif
