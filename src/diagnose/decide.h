/*
 * What would decide a failure that the log leaves open: commands, with the ids that the log names.
 * What they print is to be analyzed beside the log.
 */
#pragma once

#include "case/case.h"
#include "diagnose/diagnose.h"

enum { OD_DECIDE_MOST = 4 };

struct od_decide {
    size_t n;
    struct {
        const char *command; /* in arena */
        const char *why;
    } list[OD_DECIDE_MOST]; /* the one that decides best first */
};

/* NULL where nothing is open. */
const struct od_decide *od_decide_of(const struct od_case *c, const struct od_diagnosis *diagnosis,
                                     struct od_arena *arena);
