/*
 * Reading ahead: a second thread reads the blocks of one source before they are asked for, and
 * filters those that wait. The blocks come in their order, and what is in them is the same.
 *
 * The other thread touches nothing but the input's source and a filter of its own. A few blocks of
 * the usual size are kept; a larger one, and one with more beside it than its bytes, is lent: the
 * other thread waits until it is done with.
 */
#pragma once

#include "input/input.h"
#include "scan/candidates.h"

struct od_ahead;

/*
 * From the source that gave the last block; until od_ahead_stop the input is the other thread's,
 * but for the records of its sources. NULL when there is no thread to be had.
 */
struct od_ahead *od_ahead_start(struct od_input *input, const struct od_candidates *candidates);

/*
 * The next block, valid until the next call; false at the end of the source. *ret_hits is NULL when
 * nobody has filtered it yet. filter: is it worth while to filter what waits?
 */
bool od_ahead_next(struct od_ahead *ahead, bool filter, struct od_block *ret_block,
                   const struct od_hits **ret_hits);

/*
 * Ends the other thread; returns the nanoseconds of processor that it took. What it has read and
 * not given is lost. NULL is nothing to stop.
 */
uint64_t od_ahead_stop(struct od_ahead *ahead);
