/* A number that is summed with what it may be at least and at most. */
#pragma once

#include "base/base.h"

struct od_range {
    double n, lo, hi;
};

static inline void od_range_add(struct od_range *sum, double n, double lo, double hi)
{
    sum->n += n;
    sum->lo += lo;
    sum->hi += hi;
}

/* A prediction n with its 90 % interval; unknown where it is no number of bytes. */
struct od_bytes od_bytes_about(double n, double lo, double hi);
