/*
 * Compares the plan with measurements in a log of its run: the error of each peak, its shares in
 * the tensors and in the allocator, and the largest batch according to the measured samples. Pure
 * functions.
 */
#pragma once

#include "plan/plan.h"

struct od_plan_measured {
    struct od_count allocated, reserved; /* highest values of the run; unknown = not printed */
    struct od_count device;              /* use of the whole device according to a tool's table */
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
    bool split;              /* `tensors` and `waste` are valid */
    int64_t tensors, waste;  /* measured minus planned bytes of tensors and of the allocator */
    struct od_count largest; /* corrected largest batch; unknown = memory of samples not known */
};

/* Fills in the planned peak of the workload for each metric, without measurements. */
void od_plan_expect(const struct od_plan *plan, struct od_arena *arena,
                    struct od_plan_compared *ret_compared);

/* Sets the measurements and removes rows that have none. */
void od_plan_measure(struct od_plan_compared *compared, const struct od_plan_measured *measured,
                     const char *log);

/* Is every measured peak within its predicted range? */
bool od_plan_holds(const struct od_plan_compared *compared);
