/*
 * A plan's workload asked for its peak at other batches and precisions: what the figures of a plan
 * are drawn from. Peaks are bytes. Lives in the arena given.
 */
#pragma once

#include "plan/plan.h"

enum { OD_CURVE_POINTS = 25, OD_GRID_BATCHES = 7, OD_GRID_PRECISIONS = 4 };

/* What a batch needs; bytes. */
struct od_batch_point {
    uint64_t batch;
    double lo, peak, hi;
    double fits; /* negative: not known */
};

/* Ascending batches, from 1 to a little beyond what may fit and, where it is near, the one asked
 * for. *ret_points has OD_CURVE_POINTS at most; 0 where the batch is too large to be asked for. */
size_t od_plan_curve(const struct od_plan *plan, struct od_arena *arena,
                     struct od_batch_point **ret_points);

struct od_plan_grid {
    enum od_precision precisions[OD_GRID_PRECISIONS];
    size_t nprecisions;
    uint64_t batches[OD_GRID_BATCHES];
    size_t nbatches;
    struct od_batch_point cells[OD_GRID_PRECISIONS][OD_GRID_BATCHES];
    bool known[OD_GRID_PRECISIONS][OD_GRID_BATCHES];
    double most; /* the largest peak of all; 0 when nothing is known */
};

/* The precisions by doublings of the batch, or powers of more, from below to beyond both the batch
 * asked for and the largest that fits. */
const struct od_plan_grid *od_plan_grid(const struct od_plan *plan, struct od_arena *arena);
