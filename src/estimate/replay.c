#include "estimate/replay.h"

#include "base/num.h"
#include "estimate/bfc_sim.h"
#include "estimate/graph_build.h"
#include "estimate/states.h"
#include "estimate/trace.h"

/* The steps that must pass: the first leaves holes where the second wants a chunk. */
enum { STEPS = 3, VARIANTS = 6, SCAN = 6 };

/* No batch beyond it is looked for. */
static const uint64_t LARGEST = UINT64_C(1) << 32;
/* TensorFlow takes no more for a convolution than the default of its
 * TF_CUDNN_WORKSPACE_LIMIT_IN_MB. */
static const uint64_t WORKSPACE_LIMIT = UINT64_C(1) << 30;

/* One guess of what is not known. */
struct variant {
    struct od_step_habits habits;
    unsigned jitter;
    struct od_graph graph;
    struct od_trace trace;
};

struct replay {
    const struct od_replay_question *question;
    struct variant variants[VARIANTS];
    struct od_bfc *bfc;
    uint32_t *handles; /* of each buffer of the variant that runs */
    bool *taken;
};

static uint64_t slots_of(const struct od_replay_question *q)
{
    struct od_states states;
    enum { PARAMETERS = 1000 };
    if (q->slots.known)
        return q->slots.n;
    if (!od_states_of(q->workload, PARAMETERS, PARAMETERS, &states))
        return 2;
    return states.optimizer.n / PARAMETERS / 4;
}

static struct od_step_habits habits_of(const struct od_replay_question *q, unsigned i)
{
    bool torch = q->workload->framework == OD_FW_PYTORCH;
    bool scaled = q->workload->precision == OD_PREC_AMP_FP16;
    bool op_by_op = q->fused == OD_NO || (q->fused == OD_CANNOT_TELL && i % 2 == 1);
    bool held = q->gradients_held == OD_YES || (q->gradients_held == OD_CANNOT_TELL && scaled);
    return (struct od_step_habits){.held = held || torch,
                                   .temporary = op_by_op ? 2 : 0,
                                   .masks_cast = i == 2,
                                   .filter_first = !torch && i % 3 == 1,
                                   .scratch = i < 4};
}

static void done(struct replay *r)
{
    for (size_t i = 0; i < VARIANTS; i++) {
        od_trace_done(&r->variants[i].trace);
        od_graph_done(&r->variants[i].graph);
    }
    od_bfc_free(r->bfc);
    od_mem_free(r->handles);
    od_mem_free(r->taken);
}

static bool init(struct replay *r, const struct od_replay_question *q, struct od_arena *arena)
{
    size_t buffers = 0;
    bool torch = q->workload->framework == OD_FW_PYTORCH;
    *r = (struct replay){.question = q};
    for (unsigned i = 0; i < VARIANTS; i++) {
        struct variant *v = &r->variants[i];
        v->habits = habits_of(q, i);
        v->jitter = torch ? 0 : 2 + i % 3 * 2;
        if (!od_graph_of(q->workload, &v->habits, slots_of(q), arena, &v->graph))
            return false;
        od_trace_of(&v->graph, v->jitter, i + 1, &v->trace);
        if (v->trace.buffers.n > buffers)
            buffers = v->trace.buffers.n;
    }
    r->bfc = od_bfc_new(&(struct od_bfc_options){.limit = q->limit, .growth = q->growth});
    r->handles = od_mem_alloc(buffers + 1, sizeof *r->handles);
    r->taken = od_mem_alloc(buffers + 1, sizeof *r->taken);
    return true;
}

/* ---- does a batch fit? ---- */

static uint64_t variables(const struct variant *v)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < v->graph.held.n; i++)
        if (ckd_add(&sum, sum, v->graph.held.items[i].fixed))
            return UINT64_MAX;
    return sum;
}

/* Without any loss of the allocator: what does not fit here fits nowhere. */
static bool could_fit(const struct replay *r, const struct variant *v, uint64_t batch)
{
    uint64_t sum = variables(v);
    return !ckd_add(&sum, sum, r->question->held) &&
           !ckd_add(&sum, sum, od_trace_peak(&v->trace, batch)) && sum <= r->question->limit;
}

static bool set_up(struct replay *r, const struct variant *v)
{
    uint32_t handle;
    const struct od_replay_question *q = r->question;
    od_bfc_reset(r->bfc, &(struct od_bfc_options){.limit = q->limit, .growth = q->growth});
    for (size_t i = 0; i < v->graph.held.n; i++)
        if (!od_bfc_take(r->bfc, v->graph.held.items[i].fixed, &handle))
            return false;
    return q->held == 0 || od_bfc_take(r->bfc, q->held, &handle);
}

static bool run_step(struct replay *r, const struct variant *v, uint64_t batch)
{
    for (size_t i = 0; i < v->trace.events.n; i++) {
        const struct od_trace_event *e = &v->trace.events.items[i];
        if (e->what == OD_TRACE_RELEASE) {
            if (r->taken[e->buffer])
                od_bfc_release(r->bfc, r->handles[e->buffer]);
            continue;
        }
        uint64_t bytes = od_line_at(v->trace.buffers.items[e->buffer], batch);
        bool beyond = e->what == OD_TRACE_TRY && bytes > WORKSPACE_LIMIT;
        r->taken[e->buffer] = !beyond && od_bfc_take(r->bfc, bytes, &r->handles[e->buffer]);
        if (!r->taken[e->buffer] && e->what == OD_TRACE_TAKE)
            return false;
    }
    return true;
}

static bool fits(struct replay *r, const struct variant *v, uint64_t batch)
{
    if (!could_fit(r, v, batch) || !set_up(r, v))
        return false;
    for (int step = 0; step < STEPS; step++)
        if (!run_step(r, v, batch))
            return false;
    return true;
}

/* ---- the largest ---- */

/* The largest batch that could fit; 0 = none. */
static uint64_t ceiling(const struct replay *r, const struct variant *v)
{
    uint64_t lo = 0, hi = 1;
    while (hi < LARGEST && could_fit(r, v, hi)) {
        lo = hi;
        hi *= 2;
    }
    while (lo + 1 < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (could_fit(r, v, mid))
            lo = mid;
        else
            hi = mid;
    }
    return lo;
}

static uint64_t largest_of(struct replay *r, const struct variant *v)
{
    uint64_t top = ceiling(r, v), lo = 0, hi = top + 1;
    if (top > 0 && fits(r, v, top))
        return top;
    while (lo + 1 < hi) {
        uint64_t mid = lo + (hi - lo) / 2;
        if (fits(r, v, mid))
            lo = mid;
        else
            hi = mid;
    }
    uint64_t step = lo / 128 + 1, best = lo;
    for (uint64_t i = 1; i <= SCAN && lo + i * step <= top; i++)
        if (fits(r, v, lo + i * step))
            best = lo + i * step;
    return best;
}

static void sort(uint64_t *values, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && values[j] < values[j - 1]; j--) {
            uint64_t swapped = values[j];
            values[j] = values[j - 1];
            values[j - 1] = swapped;
        }
}

static uint64_t share(uint64_t n, double of)
{
    return (uint64_t)((double)n * of);
}

static bool fits_all(struct replay *r, uint64_t batch)
{
    for (size_t i = 0; i < VARIANTS; i++)
        if (!fits(r, &r->variants[i], batch))
            return false;
    return true;
}

bool od_replay_largest(const struct od_replay_question *question, struct od_arena *arena,
                       struct od_replay_answer *ret_answer)
{
    struct replay r;
    struct od_replay_answer answer = {0};
    uint64_t found[VARIANTS];
    if (!init(&r, question, arena)) {
        done(&r);
        return false;
    }
    for (size_t i = 0; i < VARIANTS; i++)
        found[i] = largest_of(&r, &r.variants[i]);
    sort(found, VARIANTS);
    answer.largest = found[(VARIANTS - 1) / 2];
    answer.lo = share(found[0], 0.95);
    answer.hi = share(found[VARIANTS - 1], 1.03) + (found[VARIANTS - 1] > 0);
    answer.safe = share(found[0], 0.95);
    while (answer.safe > 0 && !fits_all(&r, answer.safe))
        answer.safe -= answer.safe / 64 + 1;
    for (uint64_t n = 1; n > 0 && n <= answer.largest; n *= 2)
        answer.pow2 = n;
    const struct variant *v = &r.variants[0];
    answer.fixed = variables(v) + question->held;
    uint64_t at = answer.largest > 1 ? answer.largest : 2, peak = od_trace_peak(&v->trace, at);
    answer.each = (peak - od_trace_peak(&v->trace, at / 2)) / (at - at / 2);
    answer.peak_fixed = peak + answer.fixed - answer.each * at;
    done(&r);
    *ret_answer = answer;
    return true;
}

/* ---- a moment ---- */

static bool is_moment(const struct variant *v, const struct od_trace_event *event,
                      const struct od_replay_moment *moment, const struct od_model *model)
{
    const struct od_graph_op *op = &v->graph.ops.items[event->op];
    uint64_t bytes = od_line_at(v->trace.buffers.items[event->buffer], moment->batch);
    if (event->what != OD_TRACE_TAKE || (moment->request.known && moment->request.n != bytes))
        return false;
    if (moment->backward != OD_CANNOT_TELL &&
        (moment->backward == OD_YES) != (op->phase == OD_PHASE_BACKWARD))
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

bool od_replay_live(const struct od_replay_question *question,
                    const struct od_replay_moment *moment, struct od_arena *arena,
                    struct od_bytes *ret_live)
{
    struct replay r;
    struct od_bytes range = {0};
    bool known = init(&r, question, arena);
    for (size_t i = 0; known && i < VARIANTS; i++) {
        const struct variant *v = &r.variants[i];
        uint64_t live = variables(v) + question->held;
        for (size_t j = 0; j < v->trace.events.n; j++) {
            const struct od_trace_event *e = &v->trace.events.items[j];
            uint64_t bytes = od_line_at(v->trace.buffers.items[e->buffer], moment->batch);
            if (is_moment(v, e, moment, question->workload->model))
                widen(&range, live);
            if (e->what == OD_TRACE_TRY)
                j++;
            else
                live = e->what == OD_TRACE_TAKE ? live + bytes : live - bytes;
        }
    }
    done(&r);
    if (range.known)
        *ret_live = range;
    return range.known;
}
