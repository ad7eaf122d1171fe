/*
 * The shape of a series: flat, a leak, a staircase, a warm-up, spikes, or unclear; its slope and
 * the phase that grows. Pure functions.
 * Memory that grows to a plateau is no leak, so a leak has to grow to the end without slowing down
 * (case/trend_models.h), and a staircase has to have had its latest step when it was due. A series
 * that cannot be distinguished from slow noise is unclear, or flat if the change is small.
 */
#pragma once

#include "case/series_fold.h"

struct od_trend_input {
    const struct od_fold_point *points; /* n points, in order of the log */
    const double *x;                    /* x of each point, ascending */
    size_t n;
    double grain; /* rounding of the values; 0 = not known */
};

/* Sets trend, slope, phase, end_level and end_slack of series; reads its metric, min and max. */
void od_trend_judge(const struct od_trend_input *input, struct od_series *series);
