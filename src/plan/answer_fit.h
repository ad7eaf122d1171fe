/*
 * What is believed of the largest batch that fits: a median and how far off it may be, cut to what
 * the log proves (a batch that worked, one that failed). The belief is log-normal, on either side
 * of the median with a width of its own: what a log cannot show mostly makes less fit. Pure
 * arithmetic.
 */
#ifndef OD_PLAN_ANSWER_FIT_H
#define OD_PLAN_ANSWER_FIT_H

#include <stdint.h>

struct od_fit {
    double median;       /* of the largest batch, before the cut; above 0 */
    double lower, upper; /* sigma of the logarithm below the median and above it */
    uint64_t worked;     /* this batch is known to fit; 0 = none is */
    uint64_t below;      /* this one is known not to fit; 0 = none is */
};

/* From a median and its 90 % interval; lo and hi are swapped and widened where they must be. */
struct od_fit od_fit_of(double median, double lo, double hi);

/* The probability that so many fit. */
double od_fit_probability(const struct od_fit *fit, double batch);

/* The batch that fits with that probability: whole, 0 where not even one does. */
uint64_t od_fit_batch(const struct od_fit *fit, double probability);

#endif
