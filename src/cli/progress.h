/*
 * Progress on standard error, where that is a terminal: how much was read, from the second second
 * on, a few times a second; the line is cleared in the end.
 */
#pragma once

#include "base/base.h"
#include <time.h>

struct od_progress {
    bool terminal;
    bool shown;
    struct timespec start, last;
};

struct od_progress od_progress_start(void);

/* self: a struct od_progress. */
void od_progress_tell(void *self, uint64_t bytes);
void od_progress_end(struct od_progress *progress);
