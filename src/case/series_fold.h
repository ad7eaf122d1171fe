/*
 * Collects events into series. The size of a series does not depend on the length of the log
 * (case/series_sampling.h).
 */
#pragma once

#include "case/line_clock.h"
#include "case/series.h"
#include "facts/event.h"

enum { OD_SERIES_SAMPLE = 1024 };

/* Marks that may be between two points. They are counted, so that points can be dropped. */
enum od_series_mark {
    OD_MARKED_EPOCH,
    OD_MARKED_VALIDATION,
    OD_MARKED_CHECKPOINT,
    OD_MARKED_LOAD,
    OD_MARKED_END
};

/* A point with its value on every possible axis (NaN = not printed). */
struct od_fold_point {
    double value, step, epoch, seconds;
    double step_above; /* step of an earlier line, if its own line prints none */
    uint64_t line;
    uint32_t marks[OD_MARKED_END]; /* number of each kind of mark up to this point */
    enum od_series_phase phase;    /* phase of the line */
};

struct od_series_folder;
struct od_series_key; /* series_key.h */

struct od_series_folder *od_series_folder_new(void);
void od_series_folder_free(struct od_series_folder *folder);

/* Takes the event's phases, borders and measurements; series_key is its series_key (NULL = none).
 * Rank and PID are the event's or its lane's. Returns false if a new series would exceed the limit.
 */
bool od_series_fold(struct od_series_folder *folder, const struct od_event *event,
                    struct od_series_key *series_key, struct od_line_clock *clock);

/* All series, in order of their first points, with their trends. Texts and samples are allocated in
 * arena. */
void od_series_folded(struct od_series_folder *folder, struct od_arena *arena,
                      od_series_list *ret_series);
