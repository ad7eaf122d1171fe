/*
 * The progress of the run in each input, and its last checkpoints. Programs count steps over the
 * whole run or anew in each epoch, so steps are subtracted only if the count did not fall in
 * between.
 */
#pragma once

#include "facts/event.h"

/* Time of an event; NaN = no clock was seen. */
struct od_run_clock {
    double daytime; /* as od_daytime_head; seconds */
    double elapsed; /* seconds since the program started, as printed */
};

struct od_checkpoint_text {
    size_t n;
    char p[OD_EXCERPT];
};

struct od_checkpoint {
    bool known;
    bool done; /* it was reported as saved, or the run made progress after it */
    struct od_checkpoint_text path, stamp, said; /* excerpts; n = 0: not printed */
    struct od_count step, epoch; /* as printed on its line, otherwise derived from a number in its
                                    path */
    struct od_count step_above;  /* the latest step printed before it */
    struct od_run_clock clock;
    uint64_t falls; /* how many times the step count had fallen by then */
    struct od_prov at;
};

enum od_doing_what {
    OD_DOING_NOTHING,
    OD_DOING_TRAINING,
    OD_DOING_VALIDATION,
    OD_DOING_LOAD,
    OD_DOING_RESTORE, /* from a checkpoint */

    OD_DOING_DATA
};

/* The last action of a run by its lines. */
struct od_doing {
    enum od_doing_what what;
    bool begun; /* a running validation, not one with printed results */
    struct od_prov at;
    struct od_count done, total;    /* steps of its loop in a progress bar */
    struct od_checkpoint_text said; /* text of the line; empty for training */
};

struct od_run_state {
    uint32_t source;
    struct od_count first_step, step, epoch; /* latest ones of the training */
    bool over;                               /* the step was the last of its bar, as in "512/512" */
    uint64_t stride;                         /* difference between the last two printed steps */
    struct od_run_clock clock;               /* clock of the last event that had a time */
    uint64_t falls;                          /* how many times the step count fell */
    uint64_t falls_before;                   /* of them, before the last start of the run */
    struct od_checkpoint saved,
        saved_before;  /* the latest checkpoint, and the latest finished one before it */
    bool validated;    /* a validation was seen */
    struct od_prov at; /* the last line of progress */
    struct od_doing doing;
};

typedef OD_VEC(struct od_run_state) od_run_state_list;

struct od_case_builder;
struct od_series_key; /* series_key.h */

void od_fold_run_state(struct od_case_builder *b, const struct od_event *event,
                       const struct od_series_key *series_key);
