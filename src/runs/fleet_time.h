/*
 * The status of a fleet's groups since a day: failures that are new, gone, or came back.
 */
#pragma once

#include "runs/fleet_parts.h"

/* The day of a time stamp, "2026-05-02"; "" if it has none. In arena. */
const char *od_fleet_day(const char *stamp, struct od_arena *arena);

/* Number of days since a fixed day. */
int64_t od_fleet_day_number(const char *day);

/* Is it an existing day in the format of od_fleet_day? */
bool od_fleet_is_day(const char *text);

/* What identifies a failure independent of this program's version and the cause it finds: producer,
 * kind, tensor and device. In arena. */
const char *od_fleet_fingerprint(const struct od_row_member *run, struct od_arena *arena);

/* Sets the status of all groups. */
void od_fleet_compare(struct od_fleet *fleet);
