/*
 * A number to be summed, with its lower and upper end.
 */
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

/* Widens `one` to include the ends of `other`. */
static inline void od_bytes_hold(struct od_bytes *one, struct od_bytes other)
{
    one->lo = other.lo < one->lo ? other.lo : one->lo;
    one->hi = other.hi > one->hi ? other.hi : one->hi;
}

/* A prediction n with its 90 % interval; unknown if it is not a valid number of bytes. */
struct od_bytes od_bytes_about(double n, double lo, double hi);
