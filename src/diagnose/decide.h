/*
 * Commands that would find the cause of a failure if the log does not show it, with the ids in the
 * log. The user then analyzes their output together with the log.
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
    } list[OD_DECIDE_MOST]; /* the most useful first */
};

/* The commands for this failure; NULL if the log shows its cause. */
const struct od_decide *od_decide_of(const struct od_case *c, const struct od_diagnosis *diagnosis,
                                     struct od_arena *arena);
