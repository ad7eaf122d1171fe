/* The fleet's inside, shared by the files that fill it and those that tell it. */
#pragma once

#include "base/map.h"
#include "report/record.h"
#include "runs/fleet.h"

enum { OD_FLEET_EXAMPLES = 5 };

/*
 * What is kept of a run is a row of JSON's `members` (report/fields.def), "" where it is not known:
 * `kind` is that of the incident that ended it; `tensor` that of the failure, its batch as *:
 * "[*,64,224,224] float32"; `date` the day that it began, "2026-05-02"; `gpu_seconds` of a failed
 * run its length times its devices.
 */

/* Runs that failed alike; members are neighbours in the sorted fleet. */
struct od_fleet_group {
    const struct od_row_member *runs; /* the first of them */
    size_t count;
    const char *signature;
    const char *fingerprint;
    const char *status;          /* since a day: new, ongoing, gone, back; NULL = not known */
    struct od_count gpu_seconds; /* sum over the runs whose time is known */
    struct od_count median;      /* gpu_seconds of a run; unknown where none is known */
    const char *first, *last;
    const char *action, *action_title; /* the most frequent; "" */
};

struct od_fleet {
    struct od_arena *arena;
    const char *date;        /* the day of runs whose log names none; NULL = not given */
    const char *since;       /* the day that groups are compared with; NULL = none */
    struct od_map by_digest; /* -> index + 1 */
    OD_VEC(struct od_row_member) runs;
    OD_VEC(struct od_fleet_group) groups; /* made by od_fleet_group */
};

/* Sorts the runs, makes the groups: those that cost most first. */
void od_fleet_group(struct od_fleet *fleet);

/* The same by program, cause and device, without a status. */
void od_fleet_group_by_program(struct od_fleet *fleet);

/* The contract's outcomes; NULL ends them. */
extern const char *const od_fleet_outcome_names[];

/* Runs that ended so, and groups that have that status. */
size_t od_fleet_outcomes(const struct od_fleet *fleet, const char *outcome);
size_t od_fleet_statuses(const struct od_fleet *fleet, const char *status);

/* Of the groups where it is known: at least so much. */
struct od_count od_fleet_seconds(const struct od_fleet *fleet);

/* Did it run out of memory? */
bool od_fleet_is_failure(const struct od_row_member *run);

/* Does each failed run name a device? Else hours are those of machines. */
bool od_fleet_has_devices(const struct od_fleet *fleet);
