/*
 * Failures of a fleet over its days: equal stretches of days from the first failure of any kind to
 * the last one, at most OD_FLEET_STRETCHES of them.
 */
#pragma once

#include "runs/fleet_parts.h"

enum { OD_FLEET_STRETCHES = 14 };

struct od_fleet_days {
    const char *first, *last; /* first and last day; "" = no failure has a date */
    int64_t start;            /* first day of the first stretch, counted from a fixed day */
    size_t each;              /* days of a stretch */
    size_t n; /* number of stretches; with fewer than 2 there is nothing to show over time */
};

struct od_fleet_days od_fleet_days_of(const struct od_fleet *fleet);

/* Adds the number of a group's failures in each stretch. */
void od_fleet_days_count(const struct od_fleet_days *days, const struct od_fleet_group *group,
                         double ret_counts[OD_FLEET_STRETCHES]);
