/*
 * Two explanations of memory that has grown: it goes on growing as it did, or it fills something
 * that ends: a plateau, a cache that meets ever fewer new things. Both are fitted to the same
 * points, and the better one tells.
 */
#pragma once

#include "base/base.h"

enum od_course {
    OD_COURSE_GOES_ON, /* a line; low, or in another line, in the first quarter */
    OD_COURSE_ENDS,    /* a plateau from the half on at the latest, or an exponential to one */
    OD_COURSE_SLOWS    /* the logarithm of the steps */
};

struct od_courses {
    enum od_course best; /* of those two that do not go on */
    double gain;         /* its log-likelihood less that of what goes on; normal errors */
};

struct od_courses_input {
    const double *x, *v; /* n > 3 points, x ascending, not all equal */
    size_t n;
    double grain; /* what values are rounded to; 0 = not known */
};

struct od_courses od_courses_compare(const struct od_courses_input *input);
