/*
 * Commands that would settle a failure whose cause the log leaves open, with the ids that the log
 * names. Their output is to be analyzed together with the log.
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
    } list[OD_DECIDE_MOST]; /* most decisive first */
};

/* Commands that would decide what the log leaves open; NULL if it leaves nothing open. */
const struct od_decide *od_decide_of(const struct od_case *c, const struct od_diagnosis *diagnosis,
                                     struct od_arena *arena);
