/*
 * The memory in use when a replayed step reaches the moment of the failure. Shows which variants of
 * the step resemble the run.
 */
#include "estimate/replay_parts.h"

#include <math.h>

static bool is_moment(const struct od_variant *v, const struct od_trace_event *event,
                      const struct od_replay_moment *moment, const struct od_model *model)
{
    const struct od_graph_op *op = &v->graph.ops.items[event->op];
    uint64_t bytes = od_linear_at(v->trace.buffers.items[event->buffer], moment->batch);
    if (event->what != OD_TRACE_TAKE)
        return false;
    /* a dump's header may print the request rounded */
    if (moment->request.known && moment->request.n != bytes &&
        (bytes > moment->request.n || moment->request.n - bytes >= 256))
        return false;
    if (moment->backward != OD_CANNOT_TELL &&
        op->pass != (moment->backward == OD_YES ? OD_GRAPH_BACKWARD : OD_GRAPH_FORWARD))
        return false;
    return moment->layer.n == 0 || (op->layer < model->layers.n &&
                                    od_view_eq(model->layers.items[op->layer].name, moment->layer));
}

static void widen(struct od_bytes *range, uint64_t live)
{
    if (!range->known || live < range->lo)
        range->lo = live;
    if (!range->known || live > range->hi)
        range->hi = live;
    range->known = true;
    range->n = range->lo / 2 + range->hi / 2;
}

/* Widens *ret_live to include the memory in use when a variant reaches the moment. */
static void live_of(const struct od_replay *r, const struct od_variant *v,
                    const struct od_replay_moment *moment, struct od_bytes *ret_live)
{
    uint64_t live = od_variant_variables(v) + r->question->held;
    for (size_t j = 0; j < v->trace.events.n; j++) {
        const struct od_trace_event *e = &v->trace.events.items[j];
        uint64_t bytes = od_linear_at(v->trace.buffers.items[e->buffer], moment->batch);
        if (is_moment(v, e, moment, r->workload.model))
            widen(ret_live, live);
        if (e->what == OD_TRACE_TRY)
            j++;
        else
            live = e->what == OD_TRACE_TAKE ? live + bytes : live - bytes;
    }
}

static const double NO_MOMENT = 1e9;

/* Relative difference between the memory in use in the replay and in the dump; NO_MOMENT = the
 * variant does not reach it. */
static double differs(const struct od_replay *r, const struct od_variant *v)
{
    const struct od_replay_question *q = r->question;
    struct od_bytes live = {0};
    live_of(r, v, &q->seen, &live);
    if (!live.known)
        return NO_MOMENT;
    double lo = (double)live.lo, hi = (double)live.hi;
    double least = (double)q->lived.lo, most = (double)q->lived.hi;
    return most < lo ? lo / most - 1 : least > hi ? 1 - hi / least : 0;
}

double od_replay_differs(const struct od_replay_question *question, struct od_arena *arena)
{
    struct od_replay r;
    double best = NO_MOMENT;
    bool known = od_replay_init(&r, question, arena);
    for (size_t i = 0; known && i < r.nvariants; i++)
        best = fmin(best, differs(&r, &r.variants[i]));
    od_replay_done(&r);
    return best < NO_MOMENT ? best : -1;
}

void od_replay_weigh(struct od_replay *r)
{
    static const double noise = 0.004, strays = 0.1, least = 0.002;
    double off[OD_VARIANTS], best = NO_MOMENT, all = 0;
    if (!r->question->lived.known)
        return;
    for (size_t i = 0; i < r->nvariants; i++) {
        off[i] = differs(r, &r->variants[i]);
        best = off[i] < best ? off[i] : best;
    }
    if (best > strays)
        return;
    double scale = best / 2 > noise ? best / 2 : noise;
    for (size_t i = 0; i < r->nvariants; i++) {
        double far = off[i] / scale, near = best / scale;
        r->variants[i].weight *= exp((near * near - far * far) / 2);
        all += r->variants[i].weight;
    }
    for (size_t i = 0; i < r->nvariants; i++)
        if (r->variants[i].weight < least * all)
            r->variants[i].weight = 0;
}
