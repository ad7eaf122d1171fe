/*
 * A course as a line of small bars, one character each: for a look, not for a number.
 */
#pragma once

#include "base/base.h"

/* The values of the lowest and the highest bar, so that two courses can share one scale. */
struct od_spark_frame {
    double lo, hi;
    size_t cells; /* at most so many bars */
    bool unicode; /* else ASCII */
};

/* The highest of each stretch of n values; in arena. */
const char *od_spark(struct od_arena *arena, const double *values, size_t n,
                     const struct od_spark_frame *frame);
