/*
 * Adds many files to a fleet, using several threads. A fleet is a set, so the result does not
 * depend on their order.
 */
#pragma once

#include "lib/oomdoctor.h"
#include "runs/fleet.h"

enum { OD_MANY_JOBS_MAX = 256 };

struct od_many {
    char *const *names; /* names of logs, reports and fleets */
    size_t n;
    const struct od_session_options *session; /* used with the tools of each thread */
    const char *date;                         /* date of runs without a date; NULL = none */
    unsigned jobs;                            /* number of threads; 1 = only the calling thread */
};

/* Adds all files. False with a diagnostic if one could not be read completely. */
bool od_fleet_add_many(struct od_fleet *fleet, const struct od_many *many, struct od_diags *diags);
