/*
 * What is believed of the largest batch that fits: a median and how far off it may be, of one
 * explanation or of several mixed, cut to what the log proves (a batch that worked, one that
 * failed). Each part is log-normal, on either side of its median with a width of its own: what a
 * log cannot show mostly makes less fit. Pure arithmetic.
 */
#pragma once

#include "base/base.h"

struct od_belief_part {
    double median;       /* of the largest batch, before the cut; above 0 */
    double lower, upper; /* sigma of the logarithm below the median and above it */
    double weight;       /* any, above 0 */
};

enum { OD_BELIEF_PARTS = 4 };

struct od_belief {
    struct od_belief_part parts[OD_BELIEF_PARTS];
    size_t n;        /* 0: only what is proven */
    uint64_t worked; /* this batch is known to fit; 0 = none is */
    uint64_t below;  /* this one is known not to fit; 0 = none is */
};

/* From a median and its 90 % interval; lo and hi are swapped and widened where they must be. */
struct od_belief od_belief_of(double median, double lo, double hi);

/* Adds the first part of another one with that weight; nothing where there is no room. */
void od_belief_mix(struct od_belief *belief, const struct od_belief *part, double weight);

/* So many times as much fits, with a doubt of that sigma about it; what was proven is forgotten. */
struct od_belief od_belief_scaled(const struct od_belief *belief, double times, double sigma);

/* The probability that so many fit. */
double od_belief_probability(const struct od_belief *belief, double batch);

/* The batch that fits with that probability: whole, 0 where not even one does. */
uint64_t od_belief_batch(const struct od_belief *belief, double probability);
