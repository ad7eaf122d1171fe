/* Internals of a fleet, shared by the files that build it and those that show it. */
#pragma once

#include "base/map.h"
#include "report/record.h"
#include "runs/fleet.h"

enum { OD_FLEET_EXAMPLES = 5 };

/*
 * A run is stored as a row of JSON's `members` (report/fields.def), with "" for unknown values:
 * `kind` of the incident that ended it; `tensor` of the failure with * as its batch,
 * "[*,64,224,224] float32"; `date` on which it began, "2026-05-02"; `gpu_seconds` of a failed run:
 * its length times its devices.
 */

/* Runs with the same failure; they are adjacent in the sorted fleet. */
struct od_fleet_group {
    const struct od_row_member *runs; /* its first run */
    size_t count;
    const char *signature;
    const char *fingerprint;
    const char *status;          /* since a day: new, ongoing, gone, back; NULL = unknown */
    struct od_count gpu_seconds; /* sum over the runs with a known time */
    struct od_count median;      /* of the runs' gpu_seconds; unknown if no time is known */
    const char *first, *last;
    const char *action, *action_title; /* the most frequent; "" */
};

struct od_fleet {
    struct od_arena *arena;
    const char *date;        /* day for runs whose log has none; NULL = not given */
    const char *since;       /* the day that groups are compared with; NULL = none */
    struct od_map by_digest; /* digest -> index + 1 */
    OD_VEC(struct od_row_member) runs;
    OD_VEC(struct od_fleet_group) groups; /* set by od_fleet_group */
};

/* Sorts the runs and makes the groups, most expensive first. */
void od_fleet_group(struct od_fleet *fleet);

/* Groups the runs by program, cause and device, without status. */
void od_fleet_group_by_program(struct od_fleet *fleet);

/* All outcomes, terminated by NULL. */
extern const char *const od_fleet_outcome_names[];

/* Number of runs with that outcome, and of groups with that status. */
size_t od_fleet_outcomes(const struct od_fleet *fleet, const char *outcome);
size_t od_fleet_statuses(const struct od_fleet *fleet, const char *status);

/* Sum of the groups' known times: a lower bound. */
struct od_count od_fleet_seconds(const struct od_fleet *fleet);

/* Did it run out of memory? */
bool od_fleet_is_failure(const struct od_row_member *run);

/* Does each failed run name a device? Otherwise hours are machine hours. */
bool od_fleet_has_devices(const struct od_fleet *fleet);
