/*
 * The shape of a series: flat, a leak, a staircase, a warm-up, spikes, or unclear; its slope, and
 * the phase that grows. Pure.
 *
 * Memory that grows to a plateau is no leak, so a leak has to grow to the end and not slow down
 * (case/trend_courses.h); a staircase has to have had its latest step when one was due. What cannot
 * be told apart from slow noise is unclear, or flat where it is small.
 */
#pragma once

#include "case/series_fold.h"

struct od_trend_input {
    const struct od_fold_point *points; /* n, in order of the log */
    const double *x;                    /* of each, ascending */
    size_t n;
    double grain; /* what values are rounded to; 0 = not known */
};

/* Fills trend, slope, phase, end_level and end_slack; metric, min and max of it are read. */
void od_trend_judge(const struct od_trend_input *input, struct od_series *series);
