/*
 * Shows on standard error, if it is a terminal, how much was read: after the first second, a few
 * times a second. The line is cleared at the end.
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

/* Callback; self is a struct od_progress. */
void od_progress_tell(void *self, uint64_t bytes);
void od_progress_end(struct od_progress *progress);
