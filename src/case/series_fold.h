/*
 * Events -> series. Whatever the length of a log, a series costs the same (case/series_thin.h).
 */
#pragma once

#include "case/line_clock.h"
#include "case/series.h"
#include "facts/event.h"

enum { OD_SERIES_SAMPLE = 1024 };

/* What a log says that may lie between two points; counted, so that points can be left out. */
enum od_series_mark {
    OD_MARKED_EPOCH,
    OD_MARKED_VALIDATION,
    OD_MARKED_CHECKPOINT,
    OD_MARKED_LOAD,
    OD_MARKED_END
};

/* A point with every axis it may stand on (NaN = not said). */
struct od_fold_point {
    double value, step, epoch, seconds;
    double step_above; /* that a line above it counted, where its own counts none */
    uint64_t line;
    uint32_t marks[OD_MARKED_END]; /* how many there were up to it */
    enum od_series_phase phase;    /* it was printed in */
};

struct od_series_folder;
struct od_route; /* route.h */

struct od_series_folder *od_series_folder_new(void);
void od_series_folder_free(struct od_series_folder *folder);

/* Takes what the event says of phases and borders, and its measurements, which go its route (NULL =
 * it has none). rank and pid are those of the event or its lane. False where a new series would
 * have been one too many. */
bool od_series_fold(struct od_series_folder *folder, const struct od_event *event,
                    struct od_route *route, struct od_line_clock *clock);

/* All series, in order of their first points, with their trends; texts and samples in arena. */
void od_series_folded(struct od_series_folder *folder, struct od_arena *arena,
                      od_series_list *ret_series);
