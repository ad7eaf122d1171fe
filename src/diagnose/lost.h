/*
 * The progress that a failed run lost: its last step, and the last checkpoint in its log. Borrows
 * from the case.
 */
#pragma once

#include "case/case.h"
#include "diagnose/diagnose.h"

struct od_lost {
    struct od_count died_at_step;      /* the last printed step */
    struct od_count died_in_epoch;     /* the epoch; set if each epoch counts its steps from 0 */
    const struct od_checkpoint *saved; /* NULL = the log has none */
    struct od_count saved_step;
    struct od_count steps;   /* steps from the checkpoint to the failure; unknown if their counts
                              * differ in   kind */
    struct od_count seconds; /* seconds from the checkpoint to the failure */
    bool seconds_estimated;  /* computed from the duration of a step, not read from timestamps */
    struct od_prov at;       /* the last line that shows progress */
};

/* NULL if nothing failed, or if the log shows neither progress nor a checkpoint. */
const struct od_lost *od_lost_of(const struct od_case *c, const struct od_diagnosis *diagnosis,
                                 struct od_arena *arena);
