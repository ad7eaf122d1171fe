#include "estimate/replay_parts.h"

/* STEPS must succeed, because the second may fail at holes that the first leaves. */
enum { STEPS = 3, SCAN = 6 };

/* The largest batch to try. */
static const uint64_t LARGEST = UINT64_C(1) << 32;
/* Limit of TensorFlow's workspace for a convolution, the default of
 * TF_CUDNN_WORKSPACE_LIMIT_IN_MB. */
static const uint64_t WORKSPACE_LIMIT = UINT64_C(1) << 30;

static void empty(struct od_replay *r)
{
    const struct od_replay_question *q = r->question;
    if (r->torch)
        od_torch_reset(r->torch, q->limit);
    else
        od_bfc_reset(r->bfc, &(struct od_bfc_options){.limit = q->limit,
                                                      .growth = q->growth,
                                                      .keeps_regions = q->workload->on_cpu,
                                                      .device_free = q->device_free});
}

static bool take(struct od_replay *r, uint64_t bytes, uint32_t *ret_handle)
{
    return r->torch ? od_torch_take(r->torch, bytes, ret_handle)
                    : od_bfc_take(r->bfc, bytes, ret_handle);
}

static void release(struct od_replay *r, uint32_t handle)
{
    if (r->torch)
        od_torch_release(r->torch, handle);
    else
        od_bfc_release(r->bfc, handle);
}

/* ---- does a batch fit? ---- */

/* Would the batch fit without any loss in the allocator? If not, it cannot fit. */
static bool could_fit(const struct od_replay *r, const struct od_variant *v, uint64_t batch)
{
    uint64_t sum = od_variant_variables(v);
    return !ckd_add(&sum, sum, r->question->held) &&
           !ckd_add(&sum, sum, od_trace_peak(&v->trace, batch)) && sum <= r->question->limit;
}

static bool set_up(struct od_replay *r, const struct od_variant *v)
{
    uint32_t handle;
    empty(r);
    for (size_t i = 0; i < v->graph.held.n; i++)
        if (!take(r, v->graph.held.items[i].fixed, &handle))
            return false;
    return r->question->held == 0 || take(r, r->question->held, &handle);
}

static bool run_step(struct od_replay *r, const struct od_variant *v, uint64_t batch)
{
    OD_FOR_EACH (const struct od_trace_event, e, v->trace.events) {
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

static bool fits(struct od_replay *r, const struct od_variant *v, uint64_t batch)
{
    if (!could_fit(r, v, batch) || !set_up(r, v))
        return false;
    for (int step = 0; step < STEPS; step++)
        if (!run_step(r, v, batch))
            return false;
    return true;
}

/* The largest batch that fits without loss in the allocator; 0 = none. */
static uint64_t ceiling(const struct od_replay *r, const struct od_variant *v)
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

static uint64_t largest_of(struct od_replay *r, const struct od_variant *v)
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

/* The largest batch of one variant. */
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

/* The smallest batch up to which variants with that share of the weight end. */
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

static double part_that_fits(struct od_replay *r, uint64_t batch)
{
    double fit = 0, all = 0;
    OD_FOR_EACH_OF (const struct od_variant, v, r->variants, r->nvariants) {
        all += v->weight;
        fit += v->weight > 0 && fits(r, v, batch) ? v->weight : 0;
    }
    return all > 0 ? fit / all : 0;
}

/* The largest power of two up to `largest` that fits in half of the variants. */
static uint64_t power_of_two(struct od_replay *r, uint64_t largest)
{
    uint64_t n = 1;
    while (n <= largest / 2)
        n *= 2;
    while (n > 0 && part_that_fits(r, n) < 0.5)
        n /= 2;
    return largest > 0 ? n : 0;
}

/* Takes the median, and a range over all variants with weight. TensorFlow's graph rewriting and
 * PyTorch's workspaces are not varied; the latter make a sample 1.02 to 1.44 times as large as its
 * tensors in public measurements (the model's scratch is a part of that). */
static void summarize(struct od_replay *r, struct guess *found, struct od_replay_answer *answer)
{
    static const double edge = 0.03; /* share of the weight at either end */
    size_t n = r->nvariants;
    sort(found, n);
    answer->largest = quantile(found, n, 0.5);
    uint64_t least = quantile(found, n, edge), most = quantile(found, n, 1 - edge);
    answer->lo = share(least, r->torch ? 0.8 : 0.95);
    answer->hi = share(most, 1.05) + (most > 0);
    answer->safe = answer->lo;
}

/* Limits the answer by a batch that failed. If the replay lets it pass, the step needs more memory
 * than the replay has. */
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

/* Computes the line of the peak around the largest batch. */
static void draw_line(const struct od_replay *r, struct od_replay_answer *answer)
{
    const struct od_variant *v = &r->variants[0];
    uint64_t at = answer->largest > 1 ? answer->largest : 2;
    uint64_t peak = od_trace_peak(&v->trace, at), half = od_trace_peak(&v->trace, at / 2);
    if (peak == UINT64_MAX)
        return;
    answer->fixed = od_variant_variables(v) + r->question->held;
    answer->each = (peak - half) / (at - at / 2);
}

bool od_replay_largest(const struct od_replay_question *question, struct od_arena *arena,
                       struct od_replay_answer *ret_answer)
{
    static const double safe_enough = 0.98;
    struct od_replay r;
    struct od_replay_answer answer = {0};
    struct guess found[OD_VARIANTS];
    bool known = od_replay_init(&r, question, arena);
    if (known)
        od_replay_weigh(&r);
    for (size_t i = 0; known && i < r.nvariants; i++) {
        const struct od_variant *v = &r.variants[i];
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
    od_replay_done(&r);
    return known;
}
