/*
 * The points of one series, thinned to a limit: some to show (minimum and maximum of equal
 * stretches, and the first and the last of all), and a quarter as many to judge (a random one of
 * each stretch, so that short spikes are as rare as in the log; the generator is deterministic).
 * All zero bytes are an empty one, whose limit has to be set first. Free with od_sampled_done.
 */
#pragma once

#include "case/series_fold.h"

/* The minimum and the maximum of a stretch, in order of the log. */
struct od_bucket {
    struct od_fold_point a, b;
};

struct od_sampled {
    size_t most;      /* limit of points to show */
    uint64_t count;   /* all points added so far */
    uint64_t stretch; /* points in a bucket; 0 = every point is stored in `all` */
    uint64_t filled;  /* points in the last bucket */
    OD_VEC(struct od_fold_point) all;
    OD_VEC(struct od_bucket) buckets;
    struct od_fold_point head, tail; /* the first and the last point of all */
    OD_VEC(struct od_fold_point) sample;
    uint64_t sample_stretch, sample_filled;
    uint64_t chance; /* state of the random generator */
};

void od_sampled_done(struct od_sampled *t);
/* Limits the points to show, also those already added, to most (8 or more). */
void od_sampled_limit(struct od_sampled *t, size_t most);
void od_sampled_add(struct od_sampled *t, const struct od_fold_point *point);

/* Multiplies all values by factor. */
void od_sampled_scale(struct od_sampled *t, double factor);

/* Writes the points to show, in order, at most t->most; valid until the next point is added.
 * Returns their number. */
size_t od_sampled_shown(const struct od_sampled *t, const struct od_fold_point **ret_points);
