#include "cli/progress.h"

#include <stdio.h>
#include <unistd.h>

static double now_since(const struct timespec *then, struct timespec *ret_now)
{
    (void)clock_gettime(CLOCK_MONOTONIC, ret_now);
    return (double)(ret_now->tv_sec - then->tv_sec) +
           (double)(ret_now->tv_nsec - then->tv_nsec) * 1e-9;
}

struct od_progress od_progress_start(void)
{
    struct od_progress progress = {.terminal = isatty(STDERR_FILENO) != 0};
    (void)clock_gettime(CLOCK_MONOTONIC, &progress.start);
    progress.last = progress.start;
    return progress;
}

void od_progress_tell(void *self, uint64_t bytes)
{
    struct od_progress *progress = self;
    struct timespec now;
    char text[OD_BYTES_TEXT];
    if (!progress->terminal || now_since(&progress->start, &now) < 1)
        return;
    if (progress->shown && now_since(&progress->last, &now) < 0.2)
        return;
    progress->shown = true;
    progress->last = now;
    (void)fprintf(stderr, "\roomdoctor: %s read \x1b[K", od_bytes_print_u64(bytes, text));
    (void)fflush(stderr);
}

void od_progress_end(struct od_progress *progress)
{
    if (progress->shown)
        (void)fputs("\r\x1b[K", stderr);
    progress->shown = false;
}
