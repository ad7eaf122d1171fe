/*
 * A fleet of many files, read by several threads at once. A fleet is a set: what it says does not
 * depend on who has read what.
 */
#pragma once

#include "lib/oomdoctor.h"
#include "runs/fleet.h"

enum { OD_MANY_JOBS_MAX = 256 };

struct od_many {
    char *const *names; /* logs, reports, fleets */
    size_t n;
    const struct od_session_options *session; /* with the tools of this thread */
    const char *date;                         /* the day of runs that name none; NULL = none */
    unsigned jobs;                            /* threads; 1 = this one alone */
};

/* False with a diagnostic when some of it could not be read. */
bool od_fleet_add_many(struct od_fleet *fleet, const struct od_many *many, struct od_diags *diags);
