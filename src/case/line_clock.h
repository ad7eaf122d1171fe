/*
 * The time at the start of a line or from its wrapper (base/daytime.h), parsed once for all events
 * of the line. Zeroed memory is an empty one.
 */
#pragma once

#include "facts/line.h"

struct od_line_clock {
    uint32_t source;
    uint64_t offset;
    struct od_view text; /* the line parsed last; may point to freed memory */
    bool known;
    double seconds;
};

/* False if the line has no time. */
bool od_line_clock_read(struct od_line_clock *clock, const struct od_line *line,
                        double *ret_seconds);
