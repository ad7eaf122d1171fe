/* What differs between two workloads, in the words of a plan's config. */
#pragma once

#include "estimate/estimate.h"

enum { OD_CHANGES_MAX = 12 };

struct od_change {
    const char *field; /* "batch_size", "precision" */
    const char *word;  /* its new value, where it is a word; NULL = the number */
    uint64_t number;
};

/* Up to OD_CHANGES_MAX; how many. Texts live in arena. */
size_t od_plan_changes(const struct od_workload *from, const struct od_workload *to,
                       struct od_arena *arena, struct od_change ret_changes[OD_CHANGES_MAX]);
