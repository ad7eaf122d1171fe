/*
 * The plan compared with measurements in a log of its run: how far off each peak was, how much of
 * the difference is in the tensors and how much in the allocator, and the largest batch if samples
 * take what was measured. Pure functions.
 */
#pragma once

#include "plan/plan.h"

struct od_plan_measured {
    struct od_count allocated, reserved; /* highest of the run; unknown = not printed */
    struct od_count device;              /* total use of the device according to a tool's table */
};

struct od_plan_compared_row {
    enum od_metric metric;
    struct od_bytes planned;
    uint64_t measured;
    struct od_count still; /* part of planned: weights, gradients, optimizer states, buffers */
};

struct od_plan_compared {
    const char *log;
    struct od_count expected; /* planned largest batch; unknown if it is not limited */
    struct od_plan_compared_row rows[OD_METRIC_DEVICE + 1];
    size_t nrows;
    bool split;              /* both allocated and reserved are known */
    int64_t tensors, waste;  /* measured minus planned, if split */
    struct od_count largest; /* corrected largest batch; unknown if the samples' part is not
                                known */
};

/* Fills in the planned peak of the workload for each metric, without measurements. */
void od_plan_foretell(const struct od_plan *plan, struct od_arena *arena,
                      struct od_plan_compared *ret_compared);

/* Sets the measurements and removes rows without any. */
void od_plan_measure(struct od_plan_compared *compared, const struct od_plan_measured *measured,
                     const char *log);

/* Is every measured peak within its predicted range? */
bool od_plan_holds(const struct od_plan_compared *compared);
