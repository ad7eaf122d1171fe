/*
 * A series while it grows: points are added as lines come, and at the end it becomes what is shown
 * and judged. Whatever the length of a log, it costs the same (case/series_thin.h).
 */
#pragma once

#include "case/series.h"
#include "case/series_thin.h"
#include "facts/event.h"

enum { OD_SERIES_SAID_MAX = 400 };

struct od_series_draft {
    struct od_series series; /* texts of the folder's */
    struct od_thinned points;
    double step_offset, step_stride, last_step, last_epoch, first_axis;
    bool started_anew; /* a start stood in the log since its last point */
    bool broke_down;   /* an error did, of memory or any */
    double grain;      /* of the prints: the coarsest */
    size_t last_said_n;
    char last_said[OD_SERIES_SAID_MAX];
    double share_sum; /* of whole = value / share, over the points that say a share */
    uint64_t share_n;
};

/* Of what s says it is of; to be freed. */
struct od_series_draft *od_series_draft_new(const struct od_series *s);
void od_series_draft_free(struct od_series_draft *draft);

/* Does the point belong to another attempt of the run? Its axis begins anew after a start, or goes
 * back by whole epochs; or, after an error, it does not go on and most of what had grown is gone.
 */
bool od_series_draft_begins_anew(const struct od_series_draft *draft,
                                 const struct od_fold_point *point);

/* said: the words of the point's line. */
void od_series_draft_add(struct od_series_draft *draft, const struct od_fold_point *point,
                         struct od_prov at, struct od_view said);

/* Limit and share that stand beside the value. */
void od_series_draft_take_limit(struct od_series_draft *draft, const struct od_event *event,
                                double value);

/* The series with its samples and its trend; texts and samples in arena. */
struct od_series od_series_draft_end(struct od_series_draft *draft, struct od_arena *arena);
