/*
 * Adds many files to a fleet, using several threads. A fleet is a set, so the result does not
 * depend on the order.
 */
#pragma once

#include "lib/oomdoctor.h"
#include "runs/fleet.h"

enum { OD_MANY_JOBS_MAX = 256 };

struct od_many {
    char *const *names; /* logs, reports, fleets */
    size_t n;
    const struct od_session_options *session; /* with the tools of this thread */
    const char *date;                         /* the date of runs without one; NULL = none */
    unsigned jobs;                            /* threads; 1 = only the calling one */
};

/* False with a diagnostic if some of it could not be read. */
bool od_fleet_add_many(struct od_fleet *fleet, const struct od_many *many, struct od_diags *diags);
