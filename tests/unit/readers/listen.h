/*
 * Feeds text to any reader and writes down the events it gives, a line each:
 * "memory_state@3 in_use=1024 name=temp". Sizes are their nearest integers; producer and space
 * are left out.
 */
#ifndef OD_TESTS_UNIT_READERS_LISTEN_H
#define OD_TESTS_UNIT_READERS_LISTEN_H

#include "base/buf.h"
#include "readers/reading.h"

struct listener {
    struct od_arena *arena;
    struct od_reading reading;
    uint64_t line;
    struct od_buf heard;
};

void listen_begin(struct listener *l, const struct od_reader *reader);
/* Line by line; of that lane. A line that ends with a CR is overprinted. */
void listen_text(struct listener *l, uint32_t lane, const char *text);
/* The source ended. Returns the captured events, valid until listen_done. */
const char *listen_end(struct listener *l);
void listen_done(struct listener *l);

#endif
