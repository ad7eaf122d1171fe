/*
 * The shape of a series: flat, a leak, a staircase, a warm-up, spikes, or unclear; its slope and
 * the phase that grows. Pure functions.
 * Memory that grows to a plateau is no leak, so a leak has to grow to the end without slowing down
 * (base/trend_models.h), and a staircase has to have had its latest step when it was due. A series
 * that cannot be distinguished from slow noise is unclear, or flat if the change is small.
 */
#pragma once

#include "base/trend_models.h"
#include "case/series_fold.h"

struct od_trend_input {
    const struct od_fold_point *points; /* n points, in order of the log */
    const double *x;                    /* x of each point, ascending */
    size_t n;
    double grain; /* rounding of the values; 0 = not known */
};

/* Sets trend, slope, phase, end_level and end_slack of series; reads its metric, min and max. */
void od_trend_judge(const struct od_trend_input *input, struct od_series *series);

/*
 * Staircases: memory that is flat between jumps at the borders marked in the log (epochs,
 * validations) or at change points; and the phase in which memory grows.
 */
struct od_stairs_input {
    const struct od_fold_point *points;
    const double *x, *v; /* v: without short spikes, higher is worse */
    size_t n;
    double noise, grain; /* noise and rounding of v */
    double least;        /* smallest growth that matters */
};

struct od_stairs {
    double gap;  /* median distance of two jumps, in units of x */
    bool marked; /* the jumps are at marks in the log */
};

/* At least three jumps that make up the growth, the latest one when it was due. */
bool od_stairs_find(const struct od_stairs_input *input, struct od_stairs *ret_stairs);

/* Growth within the intervals of each phase, as far as the log marks phases. */
void od_stairs_growth(const struct od_fold_point *points, const double *v, size_t n,
                      double growth[OD_SERIES_PHASE_CHECKPOINT + 1]);

/* The phase whose intervals have nearly all the growth; none if the marks do not show it. */
enum od_series_phase od_stairs_growing_phase(const struct od_fold_point *points, const double *v,
                                             size_t n);
