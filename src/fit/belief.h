/*
 * A belief about the largest batch that fits: one or several medians with errors, cut by what the
 * log proves (a batch that worked, one that failed). Each part is log-normal with different widths
 * below and above its median, because memory that a log does not show mostly adds to the need. Pure
 * arithmetic.
 */
#pragma once

#include "base/base.h"

struct od_belief_part {
    double median;       /* median of the largest batch, ignoring the known bounds; above 0 */
    double lower, upper; /* sigma of the logarithm, below and above the median */
    double weight;       /* relative weight, above 0 */
};

enum { OD_BELIEF_PARTS = 4 };

struct od_belief {
    struct od_belief_part parts[OD_BELIEF_PARTS];
    size_t n;        /* number of parts; 0 = only the bounds are known */
    uint64_t worked; /* the largest batch known to fit; 0 = none */
    uint64_t below;  /* the smallest batch known not to fit; 0 = none */
};

/* Makes a belief from a median and its 90 % interval. Swaps or widens lo and hi if necessary. */
struct od_belief od_belief_of(double median, double lo, double hi);

/* Adds the first part of another belief with this weight, if there is space. */
void od_belief_mix(struct od_belief *belief, const struct od_belief *part, double weight);

/* The belief for `times` as much memory, with an additional error sigma. Drops the known bounds. */
struct od_belief od_belief_scaled(const struct od_belief *belief, double times, double sigma);

double od_belief_probability(const struct od_belief *belief, double batch);

/* The largest whole batch that fits with that probability; 0 if not even one sample does. */
uint64_t od_belief_batch(const struct od_belief *belief, double probability);
