/* Internals of a fleet, shared by the files that build it and those that show it. */
#pragma once

#include "base/map.h"
#include "report/record.h"
#include "runs/fleet.h"

enum { OD_FLEET_EXAMPLES = 5 };

/*
 * A run is stored as a row of JSON's `members` (report/fields.def), with "" for unknown values.
 * kind: the incident that ended the run. tensor: the failed tensor with * as its batch,
 * "[*,64,224,224] float32". date: day on which the run began, "2026-05-02". gpu_seconds of a failed
 * run: its length times its devices.
 */

/* Runs with the same failure, which are adjacent in the sorted fleet. */
struct od_fleet_group {
    const struct od_row_member *runs; /* first of the group's runs */
    size_t count;
    const char *signature;
    const char *fingerprint;
    const char *status; /* since the day `since`: new, ongoing, gone, back; NULL = unknown */
    struct od_count gpu_seconds; /* sum over the runs with known time */
    struct od_count median;      /* median of the runs' gpu_seconds; unknown if no time is known */
    const char *first, *last;
    const char *action, *action_title; /* the most frequent action; "" = none */
};

struct od_fleet {
    struct od_arena *arena;
    const char *date;        /* day for runs without a date; NULL = not given */
    const char *since;       /* day with which groups are compared; NULL = none */
    struct od_map by_digest; /* maps a digest to the index of its run + 1 */
    OD_VEC(struct od_row_member) runs;
    OD_VEC(struct od_fleet_group) groups; /* set by od_fleet_group */
};

/* Sorts the runs and groups them, most expensive group first. */
void od_fleet_group(struct od_fleet *fleet);

/* Groups the runs by program, cause and device, without status. */
void od_fleet_group_by_program(struct od_fleet *fleet);

/* All outcomes; the list ends with NULL. */
extern const char *const od_fleet_outcome_names[];

/* Number of runs with that outcome, or of groups with that status. */
size_t od_fleet_outcomes(const struct od_fleet *fleet, const char *outcome);
size_t od_fleet_statuses(const struct od_fleet *fleet, const char *status);

/* Sum of the groups' known times, a lower bound. */
struct od_count od_fleet_seconds(const struct od_fleet *fleet);

/* Did the run fail for lack of memory? */
bool od_fleet_is_failure(const struct od_row_member *run);

/* Does each failed run name a device? If not, hours are machine hours. */
bool od_fleet_has_devices(const struct od_fleet *fleet);
