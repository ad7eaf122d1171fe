#include "estimate/replay.h"

#include "base/num.h"
#include "estimate/bfc_sim.h"
#include "estimate/graph_build.h"
#include "estimate/recognise.h"
#include "estimate/resolve.h"
#include "estimate/states.h"
#include "estimate/torch_sim.h"
#include "estimate/trace.h"

#include <math.h>

/* The steps that must pass: the first leaves holes where the second wants a chunk. */
enum { STEPS = 3, PLAIN = 24, VARIANTS = 32, TORCH_VARIANTS = 2, VARIANTS_FEW = 4, SCAN = 6 };

/* A network of some thousand layers is tried in fewer orders, a larger one not at all: an answer
 * takes so many events times orders, steps and batches. */
enum { EVENTS_MANY = 12000, EVENTS_MAX = 200000 };

/* No batch beyond it is looked for. */
static const uint64_t LARGEST = UINT64_C(1) << 32;
/* TensorFlow takes no more for a convolution than the default of its
 * TF_CUDNN_WORKSPACE_LIMIT_IN_MB. */
static const uint64_t WORKSPACE_LIMIT = UINT64_C(1) << 30;

/* Nothing in a log says that gradients are clipped or gathered before the update: of programs that
 * do not scale their loss about one in seven does. */
static const double held_believed = 0.15;

/* One guess of what is not known. */
struct variant {
    struct od_step_habits habits;
    unsigned order, jitter;
    double weight; /* how much it is believed */
    struct od_graph graph;
    struct od_trace trace;
};

struct replay {
    const struct od_replay_question *question;
    struct od_workload workload; /* the question's, its model resolved */
    struct variant variants[VARIANTS];
    size_t nvariants;
    struct od_bfc *bfc;     /* of one of these */
    struct od_torch *torch; /* the framework's */
    uint32_t *handles;      /* of each buffer of the variant that runs */
    bool *taken;
};

static uint64_t slots_of(const struct od_replay_question *q)
{
    struct od_states states;
    enum { PARAMETERS = 1000 };
    enum { SLOTS_MAX = 8 };
    if (q->slots.known)
        return q->slots.n < SLOTS_MAX ? q->slots.n : SLOTS_MAX;
    if (!od_states_of(q->workload, PARAMETERS, PARAMETERS, &states))
        return 2;
    return states.optimizer.n / PARAMETERS / 4;
}

/* Do all gradients live until the update? */
static enum od_tri holds(const struct od_replay_question *q)
{
    bool scaled = q->workload->precision == OD_PREC_AMP_FP16;
    return q->gradients_held == OD_CANNOT_TELL && scaled ? OD_YES : q->gradients_held;
}

/*
 * TensorFlow: gradients of inputs come before those of weights, as the gradient functions make
 * them. Keras compiles the update into one kernel (2.11 to 2.15), has one kernel for it (before)
 * or runs it operation by operation with two or three copies (3 without XLA): where it is not
 * known, one in six does that.
 * PyTorch: all gradients live until the update, which by default runs over all of them at once.
 */
static struct od_step_habits habits_of(const struct od_replay_question *q, bool held, unsigned i)
{
    static const double reserves[] = {0, 7, 0, 6};
    bool torch = q->workload->framework == OD_FW_PYTORCH;
    bool op_by_op = q->fused == OD_NO || (q->fused == OD_CANNOT_TELL && (torch || i % 6 == 5));
    return (struct od_step_habits){.held = held,
                                   .temporary = op_by_op ? 2 + i / 2 % 2 : 0,
                                   .reserve = q->reserve > 0 ? q->reserve : reserves[i % 4],
                                   .masks_cast = i % 4 == 3,
                                   .filter_first = !torch && i % 8 == 7,
                                   .scratch = torch ? i == 0 : i % 5 != 4};
}

static void done(struct replay *r)
{
    for (size_t i = 0; i < r->nvariants; i++) {
        od_trace_done(&r->variants[i].trace);
        od_graph_done(&r->variants[i].graph);
    }
    od_bfc_free(r->bfc);
    od_torch_free(r->torch);
    od_mem_free(r->handles);
    od_mem_free(r->taken);
}

/* Its attention has no rows: they tell too little. */
static bool is_transformer(const struct od_model *model)
{
    struct od_transformer transformer;
    uint64_t sequence;
    const char *guesses[OD_GUESSES];
    return model->transformer.known ||
           od_transformer_recognise(model, &transformer, &sequence, guesses);
}

/* Where activations have rows of their own, a layer with weights that none follows mostly has none:
 * three in four are believed to. */
static bool functions_have_rows(const struct od_model *model)
{
    size_t functions = 0, products = 0;
    for (size_t i = 0; i < model->layers.n; i++) {
        enum od_layer_kind kind = model->layers.items[i].kind;
        functions +=
            kind >= OD_LAYER_RELU && kind <= OD_LAYER_ACTIVATION && kind != OD_LAYER_SOFTMAX;
        products += kind == OD_LAYER_CONV || kind == OD_LAYER_LINEAR;
    }
    return functions * 3 >= products && functions > 1;
}

/* Some of the variants hold all gradients where nothing tells; in the orders of others. */
static void choose(struct replay *r, const struct od_replay_question *q)
{
    bool rows = functions_have_rows(r->workload.model);
    bool torch = q->workload->framework == OD_FW_PYTORCH;
    bool all = torch || holds(q) == OD_YES;
    bool some = !all && holds(q) == OD_CANNOT_TELL && !q->workload->inference;
    unsigned plain = 0, held = 0;
    r->nvariants = torch ? TORCH_VARIANTS : some ? VARIANTS : PLAIN;
    for (unsigned n = 0; n < r->nvariants; n++) {
        struct variant *v = &r->variants[n];
        bool here = some && n % 4 == 3;
        v->order = here ? held++ * 5 % PLAIN : plain++;
        v->habits = habits_of(q, all || here, v->order);
        v->habits.bare = rows && !torch && v->order % 4 != 1;
        v->jitter = torch ? 0 : 2 + v->order % 3 * 2;
        v->weight = !some  ? 1
                    : here ? held_believed * PLAIN / (VARIANTS - PLAIN)
                           : 1 - held_believed;
    }
}

static bool init(struct replay *r, const struct od_replay_question *q, struct od_arena *arena)
{
    size_t buffers = 0;
    *r = (struct replay){.question = q, .workload = *q->workload};
    r->workload.model = od_model_resolve(q->workload->model, arena);
    if (is_transformer(r->workload.model))
        return false;
    choose(r, q);
    size_t wanted = r->nvariants;
    for (r->nvariants = 0; r->nvariants < wanted;) {
        struct variant *v = &r->variants[r->nvariants++];
        if (!od_graph_of(&r->workload, &v->habits, slots_of(q), arena, &v->graph))
            return false;
        od_trace_of(&v->graph, v->jitter, v->order + 1, &v->trace);
        if (v->trace.events.n > EVENTS_MAX)
            return false;
        if (v->trace.events.n > EVENTS_MANY && wanted > VARIANTS_FEW)
            wanted = VARIANTS_FEW;
        if (v->trace.buffers.n > buffers)
            buffers = v->trace.buffers.n;
    }
    if (q->workload->framework == OD_FW_PYTORCH)
        r->torch = od_torch_new(&(struct od_torch_options){.limit = q->limit});
    else
        r->bfc = od_bfc_new(&(struct od_bfc_options){.limit = q->limit});
    r->handles = od_mem_alloc(buffers + 1, sizeof *r->handles);
    r->taken = od_mem_alloc(buffers + 1, sizeof *r->taken);
    return true;
}

/* ---- the allocator ---- */

static void empty(struct replay *r)
{
    const struct od_replay_question *q = r->question;
    if (r->torch)
        od_torch_reset(r->torch,
                       &(struct od_torch_options){.limit = q->limit, .expandable = q->expandable});
    else
        od_bfc_reset(r->bfc, &(struct od_bfc_options){.limit = q->limit,
                                                      .growth = q->growth,
                                                      .device_free = q->device_free});
}

static bool take(struct replay *r, uint64_t bytes, uint32_t *ret_handle)
{
    return r->torch ? od_torch_take(r->torch, bytes, ret_handle)
                    : od_bfc_take(r->bfc, bytes, ret_handle);
}

static void release(struct replay *r, uint32_t handle)
{
    if (r->torch)
        od_torch_release(r->torch, handle);
    else
        od_bfc_release(r->bfc, handle);
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
    empty(r);
    for (size_t i = 0; i < v->graph.held.n; i++)
        if (!take(r, v->graph.held.items[i].fixed, &handle))
            return false;
    return r->question->held == 0 || take(r, r->question->held, &handle);
}

static bool run_step(struct replay *r, const struct variant *v, uint64_t batch)
{
    for (size_t i = 0; i < v->trace.events.n; i++) {
        const struct od_trace_event *e = &v->trace.events.items[i];
        if (e->what == OD_TRACE_RELEASE) {
            if (r->taken[e->buffer])
                release(r, r->handles[e->buffer]);
            continue;
        }
        uint64_t bytes = od_linear_at(v->trace.buffers.items[e->buffer], batch);
        bool beyond = e->what == OD_TRACE_TRY && bytes > WORKSPACE_LIMIT;
        r->taken[e->buffer] = !beyond && take(r, bytes, &r->handles[e->buffer]);
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

/* The largest batch of a variant. */
struct guess {
    uint64_t batch;
    double weight;
};

static void sort(struct guess *values, size_t n)
{
    for (size_t i = 1; i < n; i++)
        for (size_t j = i; j > 0 && values[j].batch < values[j - 1].batch; j--) {
            struct guess swapped = values[j];
            values[j] = values[j - 1];
            values[j - 1] = swapped;
        }
}

static uint64_t share(uint64_t n, double of)
{
    return (uint64_t)((double)n * of);
}

/* The least of them up to which that part of the weight lies. */
static uint64_t quantile(const struct guess *sorted, size_t n, double part)
{
    static const double nothing = 1e-9;
    double all = 0, sum = 0;
    for (size_t i = 0; i < n; i++)
        all += sorted[i].weight;
    for (size_t i = 0; i < n; i++) {
        sum += sorted[i].weight;
        if (sum >= (part - nothing) * all)
            return sorted[i].batch;
    }
    return n > 0 ? sorted[n - 1].batch : 0;
}

/* By weight, the part of the variants in which a batch fits. */
static double part_that_fits(struct replay *r, uint64_t batch)
{
    double fit = 0, all = 0;
    for (size_t i = 0; i < r->nvariants; i++) {
        const struct variant *v = &r->variants[i];
        all += v->weight;
        fit += v->weight > 0 && fits(r, v, batch) ? v->weight : 0;
    }
    return all > 0 ? fit / all : 0;
}

/* The largest power of two up to `largest` that fits in half of the variants. */
static uint64_t power_of_two(struct replay *r, uint64_t largest)
{
    uint64_t n = 1;
    while (n <= largest / 2)
        n *= 2;
    while (n > 0 && part_that_fits(r, n) < 0.5)
        n /= 2;
    return largest > 0 ? n : 0;
}

/*
 * The median and a range around all variants that are believed. What the variants do not vary:
 * TensorFlow's own graph rewriting; PyTorch's workspaces, which make a sample 1.02 to 1.44 times as
 * large as its tensors on public measurements (the model's scratch is a part of that).
 */
static void summarize(struct replay *r, struct guess *found, struct od_replay_answer *answer)
{
    static const double edge = 0.03; /* of the weight, at either end */
    size_t n = r->nvariants;
    sort(found, n);
    answer->largest = quantile(found, n, 0.5);
    uint64_t least = quantile(found, n, edge), most = quantile(found, n, 1 - edge);
    answer->lo = share(least, r->torch ? 0.8 : 0.95);
    answer->hi = share(most, 1.05) + (most > 0);
    answer->safe = answer->lo;
}

/* A batch that failed caps everything. Where the replay would let it pass, the step holds more
 * than the replay knows. */
static void heed_failure(uint64_t failed, struct od_replay_answer *answer)
{
    if (answer->largest >= failed) {
        uint64_t doubt = share(failed, 0.5);
        answer->largest = share(failed, 0.9);
        answer->lo = answer->lo < doubt ? answer->lo : doubt;
    }
    if (answer->hi >= failed)
        answer->hi = failed > 0 ? failed - 1 : 0;
    if (answer->largest > answer->hi)
        answer->largest = answer->hi;
    if (answer->safe > answer->lo)
        answer->safe = answer->lo;
}

/* The line of the peak around the largest batch. */
static void draw_line(const struct replay *r, struct od_replay_answer *answer)
{
    const struct variant *v = &r->variants[0];
    uint64_t at = answer->largest > 1 ? answer->largest : 2;
    uint64_t peak = od_trace_peak(&v->trace, at), half = od_trace_peak(&v->trace, at / 2);
    if (peak == UINT64_MAX)
        return;
    answer->fixed = variables(v) + r->question->held;
    answer->each = (peak - half) / (at - at / 2);
    answer->peak_fixed = answer->fixed + peak - answer->each * at;
}

/* ---- a moment ---- */

static bool is_moment(const struct variant *v, const struct od_trace_event *event,
                      const struct od_replay_moment *moment, const struct od_model *model)
{
    const struct od_graph_op *op = &v->graph.ops.items[event->op];
    uint64_t bytes = od_linear_at(v->trace.buffers.items[event->buffer], moment->batch);
    if (event->what != OD_TRACE_TAKE)
        return false;
    /* a dump's header may print it rounded */
    if (moment->request.known && moment->request.n != bytes &&
        (bytes > moment->request.n || moment->request.n - bytes >= 256))
        return false;
    if (moment->backward != OD_CANNOT_TELL &&
        op->phase != (moment->backward == OD_YES ? OD_PHASE_BACKWARD : OD_PHASE_FORWARD))
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

/* What lives when a variant comes to the moment; *ret_live is widened. */
static void live_of(const struct replay *r, const struct variant *v,
                    const struct od_replay_moment *moment, struct od_bytes *ret_live)
{
    uint64_t live = variables(v) + r->question->held;
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

/* Part by which what lived differs from what was seen; NO_MOMENT = the variant has none. */
static double differs(const struct replay *r, const struct variant *v)
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
    struct replay r;
    double best = NO_MOMENT;
    bool known = init(&r, question, arena);
    for (size_t i = 0; known && i < r.nvariants; i++)
        best = fmin(best, differs(&r, &r.variants[i]));
    done(&r);
    return best < NO_MOMENT ? best : -1;
}

/* Variants are believed as far as what lived at the failure is what the dump has in use. Others'
 * orders are not ours: half a percent tells nothing, and where none comes near, nothing does. */
static void weigh(struct replay *r)
{
    static const double noise = 0.004, strays = 0.1, least = 0.002;
    double off[VARIANTS], best = NO_MOMENT, all = 0;
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

/* ---- all of it ---- */

bool od_replay_largest(const struct od_replay_question *question, struct od_arena *arena,
                       struct od_replay_answer *ret_answer)
{
    static const double safe_enough = 0.98;
    struct replay r;
    struct od_replay_answer answer = {0};
    struct guess found[VARIANTS];
    bool known = init(&r, question, arena);
    if (known)
        weigh(&r);
    for (size_t i = 0; known && i < r.nvariants; i++) {
        const struct variant *v = &r.variants[i];
        found[i] = (struct guess){v->weight > 0 ? largest_of(&r, v) : 0, v->weight};
    }
    if (known) {
        summarize(&r, found, &answer);
        if (question->failed.known)
            heed_failure(question->failed.n, &answer);
        while (answer.safe > 0 && part_that_fits(&r, answer.safe) < safe_enough)
            answer.safe -= answer.safe / 64 + 1;
        answer.pow2 = power_of_two(&r, answer.largest);
        draw_line(&r, &answer);
        *ret_answer = answer;
    }
    done(&r);
    return known;
}
