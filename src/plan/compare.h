/*
 * The plan beside what a log of its run measured: how far off each peak was, which part of the
 * difference lies in the tensors and which in the allocator, and the largest batch if samples take
 * what they took. Pure.
 */
#pragma once

#include "plan/plan.h"

struct od_plan_measured {
    struct od_count allocated, reserved; /* most of the run; unknown = not printed */
    struct od_count device;              /* all that the device held, by a tool's table */
};

struct od_plan_compared_row {
    enum od_metric metric;
    struct od_bytes planned;
    uint64_t measured;
    struct od_count still; /* of planned: weights, gradients, states, buffers */
};

struct od_plan_compared {
    const char *log;
    struct od_count expected; /* largest batch, as planned; unknown where it has no end */
    struct od_plan_compared_row rows[OD_METRIC_DEVICE + 1];
    size_t nrows;
    bool split;              /* allocated and reserved are both known */
    int64_t tensors, waste;  /* measured less planned, where split */
    struct od_count largest; /* corrected; unknown where the samples' part cannot be told */
};

/* The peak of the same workload by each metric; nothing is measured yet. */
void od_plan_foretell(const struct od_plan *plan, struct od_arena *arena,
                      struct od_plan_compared *ret_compared);

/* Sets what was measured; rows of which nothing was go. */
void od_plan_measure(struct od_plan_compared *compared, const struct od_plan_measured *measured,
                     const char *log);

/* Does every peak lie within the range that was foretold? */
bool od_plan_holds(const struct od_plan_compared *compared);
