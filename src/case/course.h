/*
 * How far each input's run came, and its last checkpoints.
 *
 * Programs count steps over the run or anew in each epoch. So a difference of steps is only taken
 * where the count did not fall between the two.
 */
#pragma once

#include "facts/event.h"

enum { OD_CHECKPOINT_TEXT = 400 };

/* When something was said: NaN where no such clock was seen. */
struct od_course_clock {
    double daytime; /* as od_daytime_head; seconds */
    double elapsed; /* since the program began, as lines count it */
};

struct od_checkpoint_text {
    size_t n;
    char p[OD_CHECKPOINT_TEXT];
};

struct od_checkpoint {
    bool known;
    bool done; /* it was said to be saved, or the run went on after it */
    struct od_checkpoint_text path, stamp, said; /* cut to fit; n = 0: not said */
    struct od_count step,
        epoch;                  /* as its line says; else as a number of its path fits to the run */
    struct od_count step_above; /* the latest that was printed before it */
    struct od_course_clock clock;
    uint64_t falls; /* times that the count of steps had fallen by then, in all */
    struct od_prov at;
};

enum od_doing_what {
    OD_DOING_NOTHING,
    OD_DOING_TRAINING,
    OD_DOING_VALIDATION,
    OD_DOING_LOAD,
    OD_DOING_RESTORE, /* of a checkpoint */

    OD_DOING_DATA
};

/* What a run was doing last, as its lines say. */
struct od_doing {
    enum od_doing_what what;
    bool begun; /* a validation that is under way, not one whose results were told */
    struct od_prov at;
    struct od_checkpoint_text said; /* of what is no training */
};

struct od_course {
    uint32_t source;
    struct od_count first_step, step, epoch; /* of training, as printed last */
    uint64_t stride;                         /* between the last two that were printed */
    struct od_course_clock clock;            /* of the last event that had one */
    uint64_t falls;                          /* times that the count of steps fell, in all */
    uint64_t falls_before;                   /* of them, before the run's last start */
    struct od_checkpoint saved,
        saved_before;  /* the last one, and the last that was done before it */
    bool validated;    /* a validation was seen */
    struct od_prov at; /* the last line of progress */
    struct od_doing doing;
};

typedef OD_VEC(struct od_course) od_course_list;

struct od_case_builder;
struct od_route; /* route.h */

void od_fold_course(struct od_case_builder *b, const struct od_event *event,
                    const struct od_route *route);
