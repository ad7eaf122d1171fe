/*
 * A series under construction: points are added line by line, and at the end it becomes the series
 * that is shown and judged. Its size does not depend on the length of the log
 * (case/series_sampling.h).
 */
#pragma once

#include "case/series.h"
#include "case/series_sampling.h"
#include "facts/event.h"

struct od_series_builder {
    struct od_series series; /* texts belong to the folder */
    struct od_sampled points;
    double step_offset, step_stride, last_step, last_epoch, first_axis;
    bool started_anew; /* a start was printed after its last point */
    bool broke_down;   /* an error of any kind was printed after its last point */
    size_t last_said_n;
    char last_said[OD_EXCERPT];
    double share_sum; /* sum of whole = value / share, over the points with a share */
    uint64_t share_n;
};

/* Copies the identifying members of s. Free with od_series_builder_free. */
struct od_series_builder *od_series_builder_new(const struct od_series *s);
void od_series_builder_free(struct od_series_builder *builder);

/* Does the point belong to another attempt of the run? Its axis starts again after a start, or goes
 * back by whole epochs; or after an error, or the start of some process, it does not continue and
 * most of the growth is gone. */
bool od_series_builder_begins_anew(const struct od_series_builder *builder,
                                   const struct od_fold_point *point);

/* said: text of the point's line. */
void od_series_builder_add(struct od_series_builder *builder, const struct od_fold_point *point,
                           struct od_prov at, struct od_view said);

/* Applies the limit and the share printed beside the value. */
void od_series_builder_take_limit(struct od_series_builder *builder, const struct od_event *event,
                                  double value);

/* The finished series with its samples and its trend, allocated in arena. */
struct od_series od_series_builder_end(struct od_series_builder *builder, struct od_arena *arena);
