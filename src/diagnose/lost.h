/*
 * The progress that a failed run lost: how far it had come, and the last checkpoint that its log
 * names. Borrows from the case.
 */
#pragma once

#include "case/case.h"
#include "diagnose/diagnose.h"

struct od_lost {
    struct od_count died_at_step;      /* the last that was printed */
    struct od_count died_in_epoch;     /* set if steps are counted anew in each epoch */
    const struct od_checkpoint *saved; /* NULL = the log names none */
    struct od_count saved_step;
    struct od_count
        steps; /* from the checkpoint to the failure; unknown if their counts differ in kind */
    struct od_count seconds; /* likewise */
    bool seconds_estimated;  /* computed from the time of a step, not read from a clock */
    struct od_prov at;       /* the last line of progress */
};

/* NULL if nothing failed, or if the log shows neither progress nor a checkpoint. */
const struct od_lost *od_lost_of(const struct od_case *c, const struct od_diagnosis *diagnosis,
                                 struct od_arena *arena);
