#include "plan/compare.h"

static const struct od_plan_compared_row *find(const struct od_plan_compared *c,
                                               enum od_metric metric)
{
    for (size_t i = 0; i < c->nrows; i++)
        if (c->rows[i].metric == metric)
            return &c->rows[i];
    return NULL;
}

static struct od_count still_of(const struct od_estimate *estimate)
{
    const struct od_breakdown *b = &estimate->breakdown;
    return od_count_of(b->parameters.bytes.n + b->gradients.bytes.n + b->optimizer.bytes.n +
                       b->buffers.bytes.n);
}

static void expect(struct od_plan_compared *c, const struct od_plan *plan, enum od_metric metric,
                   struct od_arena *arena)
{
    struct od_workload workload = plan->request.workload;
    struct od_diags *unread = od_diags_new();
    struct od_estimate e;
    workload.metric = metric;
    if (od_estimate(&workload, arena, unread, &e) && e.peak.known)
        c->rows[c->nrows++] = (struct od_plan_compared_row){metric, e.peak, .still = still_of(&e)};
    od_diags_free(unread);
}

void od_plan_expect(const struct od_plan *plan, struct od_arena *arena,
                    struct od_plan_compared *ret_compared)
{
    struct od_plan_compared c = {0};
    for (int metric = OD_METRIC_ALLOCATED; metric <= OD_METRIC_DEVICE; metric++)
        expect(&c, plan, (enum od_metric)metric, arena);
    if (plan->largest.known && !plan->largest.open)
        c.expected = od_count_of(plan->largest.expected);
    *ret_compared = c;
}

/* Corrects the largest batch for samples that took more or less memory than planned. */
static void correct(struct od_plan_compared *c)
{
    const struct od_plan_compared_row *row = &c->rows[0];
    double fixed = (double)row->still.n;
    double planned = (double)row->planned.n - fixed, measured = (double)row->measured - fixed;
    if (!c->expected.known || !row->still.known || planned <= 0 || measured <= 0)
        return;
    double largest = (double)c->expected.n * planned / measured;
    if (largest < OD_BATCH_MOST)
        c->largest = od_count_of((uint64_t)largest);
}

void od_plan_measure(struct od_plan_compared *c, const struct od_plan_measured *measured,
                     const char *log)
{
    const struct od_count by_metric[] = {measured->allocated, measured->reserved, measured->device};
    size_t expected = c->nrows;
    c->log = log;
    c->nrows = 0;
    for (size_t i = 0; i < expected; i++) {
        struct od_plan_compared_row row = c->rows[i];
        row.measured = by_metric[row.metric].n;
        if (by_metric[row.metric].known && row.measured > 0)
            c->rows[c->nrows++] = row;
    }
    const struct od_plan_compared_row *tensors = find(c, OD_METRIC_ALLOCATED);
    const struct od_plan_compared_row *pool = find(c, OD_METRIC_RESERVED);
    c->split = tensors && pool;
    if (c->split) {
        c->tensors = (int64_t)(tensors->measured - tensors->planned.n);
        c->waste = (int64_t)(pool->measured - pool->planned.n) - c->tensors;
    }
    if (c->nrows > 0)
        correct(c);
}

bool od_plan_holds(const struct od_plan_compared *c)
{
    bool holds = true;
    for (size_t i = 0; i < c->nrows; i++)
        holds = holds && c->rows[i].planned.lo <= c->rows[i].measured &&
                c->rows[i].measured <= c->rows[i].planned.hi;
    return holds;
}
