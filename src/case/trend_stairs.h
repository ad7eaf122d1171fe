/*
 * Staircases: memory that is flat between jumps, at the borders that the log marks (epochs,
 * validations) or at change points; and the phase in which memory grows.
 */
#pragma once

#include "case/series_fold.h"

struct od_stairs_input {
    const struct od_fold_point *points;
    const double *x, *v; /* v without short excursions; more is worse */
    size_t n;
    double noise, grain; /* of v: its noise, what it is rounded to */
    double least;        /* growth that matters */
};

struct od_stairs {
    double gap;  /* of x between two jumps: the median */
    bool marked; /* the log marks where they are */
};

/* Three jumps or more that make the growth, the latest when one was due. */
bool od_stairs_find(const struct od_stairs_input *input, struct od_stairs *ret_stairs);

/* What each phase's intervals grew by, as far as marks tell. */
void od_stairs_growth(const struct od_fold_point *points, const double *v, size_t n,
                      double growth[OD_SERIES_PHASE_CHECKPOINT + 1]);

/* The phase in whose intervals nearly all growth lies; none where marks do not tell. */
enum od_series_phase od_stairs_growing_phase(const struct od_fold_point *points, const double *v,
                                             size_t n);
