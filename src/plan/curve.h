/*
 * The peak of a plan's workload at other batch sizes and precisions, for the plan's figures. Peaks
 * are bytes. Results are allocated in the given arena.
 */
#pragma once

#include "plan/plan.h"

enum { OD_CURVE_POINTS = 25, OD_GRID_BATCHES = 7, OD_GRID_PRECISIONS = 4 };

/* The memory of one batch size, in bytes. */
struct od_batch_point {
    uint64_t batch;
    double lo, peak, hi;
    double fits; /* probability that the batch fits; negative: not known */
};

/* Ascending batch sizes from 1 to slightly above what may fit, or above the requested one if near.
 * *ret_points has at most OD_CURVE_POINTS elements. Returns 0 if the batch is too large. */
size_t od_plan_curve(const struct od_plan *plan, struct od_arena *arena,
                     struct od_batch_point **ret_points);

struct od_plan_grid {
    enum od_precision precisions[OD_GRID_PRECISIONS];
    size_t nprecisions;
    uint64_t batches[OD_GRID_BATCHES];
    size_t nbatches;
    struct od_batch_point cells[OD_GRID_PRECISIONS][OD_GRID_BATCHES];
    bool known[OD_GRID_PRECISIONS][OD_GRID_BATCHES];
    double most; /* largest peak of the grid; 0 = none is known */
};

/* All precisions at doublings (or higher powers) of the batch, from below to above both the
 * requested and the largest batch that fits. */
const struct od_plan_grid *od_plan_grid(const struct od_plan *plan, struct od_arena *arena);
