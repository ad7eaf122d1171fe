/*
 * Failures of a fleet over its days. The days from the first to the last failure are divided into
 * at most OD_FLEET_STRETCHES equal stretches.
 */
#pragma once

#include "runs/fleet_parts.h"

enum { OD_FLEET_STRETCHES = 14 };

struct od_fleet_days {
    const char *first, *last; /* first and last day with a failure; "" = no failure has a date */
    int64_t start;            /* first day of the first stretch, counted from a fixed day */
    size_t each;              /* number of days in a stretch */
    size_t n;                 /* number of stretches; below 2 nothing is shown over time */
};

struct od_fleet_days od_fleet_days_of(const struct od_fleet *fleet);

/* Adds the number of a group's failures in each stretch. */
void od_fleet_days_count(const struct od_fleet_days *days, const struct od_fleet_group *group,
                         double ret_counts[OD_FLEET_STRETCHES]);
