/*
 * The time that a line begins with, or that its wrapper printed (base/daytime.h), read once for all
 * events of the line. Zeroed is empty.
 */
#pragma once

#include "facts/line.h"

struct od_line_clock {
    uint32_t source;
    uint64_t offset;
    struct od_view text; /* the line's, read last; it may be gone */
    bool known;
    double seconds;
};

/* False when the line says no time. */
bool od_line_clock_read(struct od_line_clock *clock, const struct od_line *line,
                        double *ret_seconds);
