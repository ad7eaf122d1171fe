/*
 * Reading ahead: a second thread reads the blocks of one source before they are asked for, lists
 * their lines and filters those that are new (scan/listing.h). The blocks come in their order, and
 * what is in them is the same.
 *
 * The other thread touches nothing but the input's source, a filter and shapes of its own; what
 * their lines mean is noted at the shapes by who scans. A few blocks of the usual size are kept; a
 * larger one, and one with more beside it than its bytes, is lent: the other thread waits until it
 * is done with.
 */
#pragma once

#include "scan/listing.h"

struct od_ahead;

/*
 * From the source that gave the last block; until od_ahead_stop the input is the other thread's,
 * but for the records of its sources. Without shapes blocks are filtered as they are. NULL when
 * there is no thread to be had.
 */
struct od_ahead *od_ahead_start(struct od_input *input, const struct od_candidates *candidates,
                                bool shapes);

/* How blocks that are read from now on are to be listed. */
struct od_ahead_wish {
    bool leave;        /* not at all: most lines are of a streak, which nobody looks for */
    bool renew;        /* with new shapes: what is kept of the old ones takes too much room */
    bool breaks_known; /* as of od_lister */
};

struct od_ahead_block {
    struct od_block block;
    const struct od_listing *listing; /* NULL: it was neither listed nor filtered */
    bool renewed;                     /* its shapes are new; those of blocks before it are gone */
};

/* The next block, valid until the next call; false at the end of the source. */
bool od_ahead_next(struct od_ahead *ahead, const struct od_ahead_wish *wish,
                   struct od_ahead_block *ret_block);

/*
 * Ends the other thread; returns the nanoseconds of processor that it took. What it has read and
 * not given is lost, and its shapes are gone. NULL is nothing to stop.
 */
uint64_t od_ahead_stop(struct od_ahead *ahead);
