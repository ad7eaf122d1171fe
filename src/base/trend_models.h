/*
 * Compares two explanations of a number that has grown: it continues to grow, or it approaches a
 * limit, like a cache that meets fewer and fewer new keys. Models of both are fitted to the same
 * points.
 */
#pragma once

#include "base/base.h"

enum od_trend_course {
    OD_TREND_GOES_ON, /* a line, possibly with a lower level or another slope in the first
                          quarter */
    OD_TREND_ENDS,    /* a plateau from the middle at the latest, or an exponential approach to
                          one */
    OD_TREND_SLOWS    /* the logarithm of the steps */
};

struct od_trend_models {
    enum od_trend_course best; /* the best model that does not continue to grow */
    double gain; /* log-likelihood of `best` minus that of continued growth, for normal errors */
};

struct od_trend_models_input {
    const double *x, *v; /* n > 3 points, x ascending, not all equal */
    size_t n;
    double grain; /* rounding step of the values; 0 = not known */
};

struct od_trend_models od_trend_models_compare(const struct od_trend_models_input *input);
