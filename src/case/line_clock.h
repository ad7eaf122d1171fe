/*
 * The time at the start of a line or printed by its wrapper (base/daytime.h), parsed once for all
 * events of the line. All zero bytes are an empty one.
 */
#pragma once

#include "facts/line.h"

struct od_line_clock {
    uint32_t source;
    uint64_t offset;
    struct od_view text; /* the line parsed last; may be a dangling pointer */
    bool known;
    double seconds;
};

/* Returns false if the line has no time. */
bool od_line_clock_read(struct od_line_clock *clock, const struct od_line *line,
                        double *ret_seconds);
