/*
 * A process that passes on a program's output (host/pass.h) and gives us a copy. It outlives us:
 * output that the program writes when we are killed, and output of its background processes, still
 * reaches our standard output and error.
 */
#pragma once

#include "host/pass_stream.h"

struct od_pass_relay {
    int copies; /* descriptor to poll; -1 = none, or ended */
    char *room;
};

/* Starts the relay; call this before the program starts. The relay takes over the pipes of the
 * streams. False with errno on failure. The caller must call od_pass_relay_end in any case. */
bool od_pass_relay_start(struct od_pass_relay *relay,
                         struct od_pass_stream streams[static OD_PASS_STREAMS]);

/* Ends copying. */
void od_pass_relay_end(struct od_pass_relay *relay);

struct od_pass_copy {
    bool error; /* the bytes are from standard error */
    /* bytes about to be passed on, valid until the next call; empty = they were passed on */
    struct od_view bytes;
    int unwritten; /* errno if the stream could not be passed on and was closed */
};

/* Waits for the next copy. At the end of all streams it closes `copies` and returns false. */
bool od_pass_relay_next(struct od_pass_relay *relay, struct od_pass_copy *ret_copy);
