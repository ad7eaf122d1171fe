/*
 * The points of one series, as many as fit: some to be shown (the lowest and the highest of equal
 * stretches, the first and the last of all), and a quarter as many to be judged (one of each
 * stretch, by a fixed generator, so that short spikes are as rare among them as they are in the
 * log). Zeroed is empty, and first needs its limit; the owner calls od_thinned_done.
 */
#pragma once

#include "case/series_fold.h"

/* The lowest and the highest point of a stretch, in their order. */
struct od_bucket {
    struct od_fold_point a, b;
};

struct od_thinned {
    size_t most;      /* points to be shown */
    uint64_t count;   /* points in all */
    uint64_t stretch; /* points in a bucket; 0 = every point is kept in `all` */
    uint64_t filled;  /* points in the last bucket */
    OD_VEC(struct od_fold_point) all;
    OD_VEC(struct od_bucket) buckets;
    struct od_fold_point head, tail; /* the first and the last of all */
    OD_VEC(struct od_fold_point) sample;
    uint64_t sample_stretch, sample_filled;
    uint64_t chance; /* state of the generator */
};

void od_thinned_done(struct od_thinned *t);
/* At most so many are shown from now on, and of those that came: 8 or more. */
void od_thinned_limit(struct od_thinned *t, size_t most);
void od_thinned_add(struct od_thinned *t, const struct od_fold_point *point);

/* All values times that. */
void od_thinned_scale(struct od_thinned *t, double factor);

/* The points to be shown, in their order; at most t->most. Valid until the next one is added.
 * Returns how many. */
size_t od_thinned_shown(const struct od_thinned *t, const struct od_fold_point **ret_points);
