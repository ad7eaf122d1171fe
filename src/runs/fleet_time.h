/*
 * What a fleet's groups are like since a day: failures that are new, gone, or came back.
 */
#pragma once

#include "runs/fleet_parts.h"

/* The day of a time stamp, "2026-05-02"; "" where it names none. In arena. */
const char *od_fleet_day(const char *stamp, struct od_arena *arena);

/* Days since a fixed one. */
int64_t od_fleet_day_number(const char *day);

/* Is it a day as od_fleet_day gives it, which there is? */
bool od_fleet_is_day(const char *text);

/* What stays the same of a failure, whatever version of this program finds what cause: who
 * printed it, its kind, its tensor and its device. In arena. */
const char *od_fleet_fingerprint(const struct od_row_member *run, struct od_arena *arena);

/* Sets the status of all groups. */
void od_fleet_compare(struct od_fleet *fleet);
