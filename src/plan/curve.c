#include "plan/curve.h"

#include <math.h>

enum { STEPS = OD_CURVE_POINTS - 1 };

struct asking {
    const struct od_plan *plan;
    struct od_arena *scratch;
    struct od_diags *unread;
};

static struct asking start(const struct od_plan *plan)
{
    return (struct asking){.plan = plan, .scratch = od_arena_new(), .unread = od_diags_new()};
}

static void end(struct asking *a)
{
    od_diags_free(a->unread);
    od_arena_free(a->scratch);
}

static bool ask(struct asking *a, const struct od_workload *workload,
                struct od_batch_point *ret_point)
{
    struct od_estimate estimate = {0};
    const struct od_plan_device *device = &a->plan->request.device;
    od_arena_reset(a->scratch);
    if (!od_estimate(workload, a->scratch, a->unread, &estimate) || !estimate.peak.known)
        return false;
    *ret_point = (struct od_batch_point){
        .batch = workload->batch,
        .lo = (double)estimate.peak.lo,
        .peak = (double)estimate.peak.n,
        .hi = (double)estimate.peak.hi,
        .fits = device->name ? od_estimate_fits(&estimate, device->usable_bytes) : -1};
    return true;
}

/* The last batch to show: slightly above what may fit, or above the requested one if near. */
static uint64_t last_batch(const struct od_plan *plan)
{
    uint64_t most = plan->request.workload.batch;
    bool bounded = plan->largest.known && !plan->largest.open;
    if (bounded && plan->largest.hi > most)
        most = plan->largest.hi;
    /* the point of the largest batch would not be visible */
    else if (bounded && plan->largest.hi < most / 5)
        most = plan->largest.hi * 3;
    else if (!plan->largest.known)
        most *= 2;
    return most < 4 ? 4 : most + most / 6;
}

size_t od_plan_curve(const struct od_plan *plan, struct od_arena *arena,
                     struct od_batch_point **ret_points)
{
    uint64_t most = last_batch(plan);
    if (most > OD_BATCH_MOST)
        return 0;
    struct od_batch_point *points = OD_NEW_N(arena, OD_CURVE_POINTS, struct od_batch_point);
    struct od_workload workload = plan->request.workload;
    struct asking a = start(plan);
    size_t n = 0;
    for (uint64_t i = 0; i <= STEPS; i++) {
        workload.batch = i == 0 ? 1 : most * i / STEPS;
        bool further = workload.batch > 0 && (n == 0 || workload.batch > points[n - 1].batch);
        if (further && ask(&a, &workload, &points[n]))
            n++;
    }
    end(&a);
    *ret_points = points;
    return n;
}

/* Cannot overflow, because the batch is limited by OD_BATCH_MOST. */
static uint64_t power(uint64_t base, unsigned exponent)
{
    uint64_t product = 1;
    while (exponent-- > 0)
        product *= base;
    return product;
}

static void choose_cells(const struct od_plan *plan, struct od_plan_grid *grid)
{
    static const enum od_precision training[] = {OD_PREC_FLOAT32, OD_PREC_AMP_BF16, OD_PREC_BF16,
                                                 OD_PREC_BF16_TRUE};
    static const enum od_precision serving[] = {OD_PREC_FLOAT32, OD_PREC_BF16_TRUE};
    bool serves = plan->request.workload.inference;
    grid->nprecisions = serves ? OD_COUNT_OF(serving) : OD_COUNT_OF(training);
    for (size_t i = 0; i < grid->nprecisions; i++)
        grid->precisions[i] = serves ? serving[i] : training[i];
    /* The batches go from below to above both the requested batch and the largest that fits, by
     * factors of two or a power of two. */
    uint64_t least = plan->request.workload.batch, most = least;
    if (plan->largest.known && !plan->largest.open && plan->largest.expected > 0) {
        least = plan->largest.expected < least ? plan->largest.expected : least;
        most = plan->largest.expected > most ? plan->largest.expected : most;
        if (most / least > 32) /* the point of the largest batch would not be visible */
            most = least * 32;
    }
    uint64_t batch = od_batch_power_of_two(least), step = 2;
    while (batch * power(step, OD_GRID_BATCHES - 1) < most)
        step *= 2;
    while (batch >= step && batch / step * power(step, OD_GRID_BATCHES - 1) >= 2 * most)
        batch /= step;
    for (; grid->nbatches < OD_GRID_BATCHES; batch *= step)
        grid->batches[grid->nbatches++] = batch;
}

static void fill_cells(struct asking *a, struct od_plan_grid *grid)
{
    for (size_t p = 0; p < grid->nprecisions; p++) {
        for (size_t b = 0; b < grid->nbatches; b++) {
            struct od_workload workload = a->plan->request.workload;
            workload.precision = grid->precisions[p];
            workload.batch = grid->batches[b];
            grid->known[p][b] = ask(a, &workload, &grid->cells[p][b]);
            if (grid->known[p][b])
                grid->most = fmax(grid->most, grid->cells[p][b].peak);
        }
    }
}

const struct od_plan_grid *od_plan_grid(const struct od_plan *plan, struct od_arena *arena)
{
    struct od_plan_grid *grid = OD_NEW(arena, struct od_plan_grid);
    uint64_t batch = plan->request.workload.batch;
    if (batch == 0 || batch > OD_BATCH_MOST)
        return grid;
    struct asking a = start(plan);
    choose_cells(plan, grid);
    fill_cells(&a, grid);
    end(&a);
    return grid;
}
