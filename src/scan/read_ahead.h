/*
 * Reads ahead: a second thread reads the blocks of one source in advance, lists their lines and
 * filters the lines whose shape is new (scan/block_lines.h). Blocks arrive unchanged and in order.
 *
 * The second thread uses only the input's source, its own filter and its own shapes; the scanning
 * thread stores the meaning of lines at the shapes. A few blocks of the usual size are copied. A
 * larger block, or one with data besides its bytes, is lent: the second thread waits until the scan
 * has finished with it.
 */
#pragma once

#include "scan/block_lines.h"

struct od_read_ahead;

/*
 * Continues with the source of the last block. Until od_read_ahead_stop the second thread owns the
 * input, except for the records of its sources. Without shapes, blocks are filtered as they are.
 * Returns NULL if no thread can be created.
 */
struct od_read_ahead *od_read_ahead_start(struct od_input *input,
                                          const struct od_candidates *candidates, bool shapes);

/* How to list the blocks that are read from now on. */
struct od_read_ahead_wish {
    bool leave;        /* do not list: most lines belong to a streak, which needs no candidates */
    bool renew;        /* use new shapes: the old ones take too much memory */
    bool breaks_known; /* as of od_lister */
};

struct od_read_ahead_block {
    struct od_block block;
    const struct od_block_lines *listing; /* NULL: the block was neither listed nor filtered */
    bool renewed; /* its shapes are new; the shapes of earlier blocks are freed */
};

/* The next block, valid until the next call; false at the end of the source. */
bool od_read_ahead_next(struct od_read_ahead *ahead, const struct od_read_ahead_wish *wish,
                        struct od_read_ahead_block *ret_block);

/*
 * Ends the second thread and returns the processor time that it used, in nanoseconds. Blocks that
 * were read but not returned are lost, and the thread's shapes are freed. NULL is legal.
 */
uint64_t od_read_ahead_stop(struct od_read_ahead *ahead);
