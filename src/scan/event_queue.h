/*
 * A queue of events to another thread: the scan continues with the next line while the case
 * processes earlier events, in order. The queue holds copies of events, lines and texts; the memory
 * of a line's shape that the case uses (od_shape_memory.other) belongs to the other thread. Large
 * events, and dumps and models, whose arrays the sink may keep, are not queued: the scan waits for
 * the queue to drain and delivers them itself.
 */
#pragma once

#include "facts/event.h"

struct od_event_queue;

/* Returns NULL if no thread can be created. The other thread owns the sink and everything it
 * reaches until the queue is empty (od_event_queue_wait). */
struct od_event_queue *od_event_queue_start(const struct od_sink *sink);

/* The sink that queues events; valid as long as the queue. */
const struct od_sink *od_event_queue_sink(struct od_event_queue *behind);

/* The following events belong to another line, even if its memory has the same address. NULL is
 * legal. */
void od_event_queue_next_line(struct od_event_queue *behind);

/* Returns when the sink has processed all events. NULL is legal. */
void od_event_queue_wait(struct od_event_queue *behind);

/* Waits for the queue to drain, ends the other thread and returns the processor time that it used,
 * in nanoseconds. */
uint64_t od_event_queue_stop(struct od_event_queue *behind);
