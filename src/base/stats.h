/*
 * Robust statistics of short series: medians, the Theil-Sen line with an interval, the
 * Mann-Kendall test corrected for autocorrelation, change points. Values are finite (no NaN); the
 * caller sees to it. Nothing here allocates more than a few arrays of n, and all results are the
 * same for the same input: where pairs are sampled, by a fixed generator.
 *
 * Formulas: P. K. Sen, JASA 63 (1968) 1379 (slope and its interval); K. H. Hamed and A. R. Rao,
 * J. Hydrology 204 (1998) 182 (variance of S under autocorrelation); M. G. Kendall, Rank
 * Correlation Methods (ties); G. H. Orcutt, JRSS B 10 (1948), M. G. Kendall, Biometrika 41 (1954)
 * (bias of the first autocorrelation).
 */
#pragma once

#include "base/base.h"

/* The q-quantile (0..1), interpolated between two values; reorders the values. n > 0. */
double od_stats_quantile(double *values, size_t n, double q);

/* The median; does not reorder the values; n > 0. */
double od_stats_median(const double *values, size_t n);

/* Standard deviation of a normal sample with this median absolute deviation (1.4826 MAD); n > 0. */
double od_stats_spread(const double *values, size_t n);

/* The standard deviation of white noise on top of a slow curve: the spread of the first differences
 * divided by the square root of 2. Jumps and lines do not affect it. 0 for n < 3. */
double od_stats_noise(const double *values, size_t n);

/* Running medians over window (odd) values, shorter at the ends; out has n values. */
void od_stats_smooth(const double *values, size_t n, size_t window, double *out);

struct od_slope {
    double slope, lo, hi; /* y per x, with a 90 % interval */
    double level;         /* median of y - slope * x */
};

/*
 * Theil-Sen: the median slope of all pairs with different x (above OD_STATS_PAIRS, of a sample).
 * inflation (1 or more) widens the interval for autocorrelation. False if there are fewer than
 * three points or all x are equal.
 */
enum { OD_STATS_PAIRS = 6400 }; /* all pairs of 113 points */
bool od_stats_theil_sen(const double *x, const double *y, size_t n, double inflation,
                        struct od_slope *ret_slope);

/* od_stats_theil_sen in two steps, for callers that compute the inflation from the slope. x and y
 * must outlive the slopes. NULL where od_stats_theil_sen returns false. */
struct od_slopes;

struct od_slopes *od_slopes_new(const double *x, const double *y, size_t n);
void od_slopes_free(struct od_slopes *slopes);
double od_slopes_median(const struct od_slopes *slopes);
struct od_slope od_slopes_fit(struct od_slopes *slopes, double inflation);

/*
 * The factor by which autocorrelation of the values inflates the variance of S: the larger of Hamed
 * and Rao's sum over the ranks' positive autocorrelations (up to the first that is not significant)
 * and that of a first-order process; between 1 and n. values should have no trend.
 */
double od_stats_inflation(const double *values, size_t n);

/* The Mann-Kendall standard score of a trend with the variance multiplied by `inflation`; positive
 * for a rise. 0 for n < 3 or if all values are equal. */
double od_stats_mann_kendall(const double *values, size_t n, double inflation);

struct od_change_rules {
    double penalty; /* a split must lower the sum of squares by at least this */
    size_t min_run; /* minimum number of values on each side of a split (1 or more) */
    size_t max;     /* maximum number of splits; larger parts are split first */
};

/*
 * Finds change points of the mean by binary segmentation. Writes the first index of each new level
 * to ret_at, ascending, at most rules->max. Returns their number.
 */
size_t od_stats_change_points(const double *values, size_t n, const struct od_change_rules *rules,
                              size_t *ret_at);
