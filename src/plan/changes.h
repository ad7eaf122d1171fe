/*
 * Differences between two workloads, named as in a plan's configuration.
 */
#pragma once

#include "estimate/estimate.h"

enum { OD_CHANGES_MAX = 12 };

struct od_change {
    const char *field; /* "batch_size", "precision" */
    const char *word;  /* new value as a word; NULL = the value is a number */
    uint64_t number;
};

/* Returns the number of changes, up to OD_CHANGES_MAX. Texts are allocated in arena. */
size_t od_plan_changes(const struct od_workload *from, const struct od_workload *to,
                       struct od_arena *arena, struct od_change ret_changes[OD_CHANGES_MAX]);
