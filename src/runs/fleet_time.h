/*
 * Computes the status of a fleet's groups since a day: new, gone, or back.
 */
#pragma once

#include "runs/fleet_parts.h"

/* The day of a time stamp, "2026-05-02"; "" if it has no day. In arena. */
const char *od_fleet_day(const char *stamp, struct od_arena *arena);

/* Number of days since a fixed day. */
int64_t od_fleet_day_number(const char *day);

/* Is the text an existing day in the format of od_fleet_day? */
bool od_fleet_is_day(const char *text);

/* Identifies a failure independent of this program's version and the cause it finds, by producer,
 * kind, tensor and device. In arena. */
const char *od_fleet_fingerprint(const struct od_row_member *run, struct od_arena *arena);

/* Sets the status of all groups. */
void od_fleet_compare(struct od_fleet *fleet);
