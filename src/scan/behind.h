/*
 * Events that another thread takes: the scan goes on to the next line while the case takes what was
 * said before. They are taken in their order, and nothing of them is the scan's any more: events,
 * lines and texts are copies, and what is kept of a line's shape (od_shape_memory.other) is of that
 * thread alone. A few of them wait; what is large, and a dump or a model, whose arrays may be
 * taken, is given out by the scan itself when all before it were taken.
 */
#pragma once

#include "facts/event.h"

struct od_behind;

/* NULL when there is no thread to be had. sink and what it leads to are the other thread's until
 * all was taken (od_behind_wait). */
struct od_behind *od_behind_start(const struct od_sink *sink);

/* Valid as long as what it is of. */
const struct od_sink *od_behind_sink(struct od_behind *behind);

/* What comes now is of another line, be it at the same place of memory. NULL: nobody minds. */
void od_behind_next_line(struct od_behind *behind);

/* Returns when the sink has taken all events. NULL: there are none. */
void od_behind_wait(struct od_behind *behind);

/* The same, and ends the other thread; returns the nanoseconds of processor that it took. */
uint64_t od_behind_stop(struct od_behind *behind);
