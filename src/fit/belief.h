/*
 * A belief about the largest batch that fits: a median and its error, as one explanation or a
 * mixture of several, cut to what the log proves (a batch that worked, one that failed). Each part
 * is log-normal with different widths below and above its median, because what a log does not show
 * mostly takes more memory. Pure arithmetic.
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
    size_t n;        /* 0: only the bounds are known */
    uint64_t worked; /* the largest batch known to fit; 0 = none */
    uint64_t below;  /* the smallest batch known not to fit; 0 = none */
};

/* From a median and its 90 % interval; lo and hi are swapped or widened if necessary. */
struct od_belief od_belief_of(double median, double lo, double hi);

/* Adds the first part of another belief with that weight, if there is room. */
void od_belief_mix(struct od_belief *belief, const struct od_belief *part, double weight);

/* The belief if `times` as much memory is available, with an additional error sigma. Known bounds
 * are dropped. */
struct od_belief od_belief_scaled(const struct od_belief *belief, double times, double sigma);

/* The probability that this batch fits. */
double od_belief_probability(const struct od_belief *belief, double batch);

/* The whole batch that fits with that probability; 0 if not even one sample does. */
uint64_t od_belief_batch(const struct od_belief *belief, double probability);
