/*
 * A process that passes on what a program writes (host/pass.h) and gives us a copy of it. It does
 * not end with us: what the program had written when we were killed, and what it left running in
 * the background writes later, still reaches our standard output and error.
 */
#pragma once

#include "host/pass_stream.h"

struct od_pass_relay {
    int copies; /* to be polled; -1 = none, or no more */
    char *room;
};

/* Before the program starts. The pipes of the streams are the relay's from now on. False with
 * errno set. The caller ends it, whatever is returned. */
bool od_pass_relay_start(struct od_pass_relay *relay,
                         struct od_pass_stream streams[static OD_PASS_STREAMS]);

/* We want no more copies. */
void od_pass_relay_end(struct od_pass_relay *relay);

struct od_pass_copy {
    bool error;           /* of standard error */
    struct od_view bytes; /* about to be passed on, valid until the next call; none: they were */
    int unwritten;        /* errno's number: the stream could not be passed on, and was closed */
};

/* Waits for the next copy. At the end of all streams it closes `copies` and returns false. */
bool od_pass_relay_next(struct od_pass_relay *relay, struct od_pass_copy *ret_copy);
