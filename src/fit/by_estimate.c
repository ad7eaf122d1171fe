/*
 * Estimates the whole step of a transformer from its configuration, without layers to replay. Facts
 * that the log does not show (type of the weights, optimizer, checkpointing) are assumed in the
 * usual ways. Assumptions that contradict the failure are dropped: the memory in use included the
 * weights, and the optimizer states after a step; gradients fitted in addition; and the failed step
 * needed more than the limit. The answer covers all remaining assumptions.
 */
#include "fit/facts.h"

#include "plan/largest_batch.h"

#include <math.h>

enum { GUESSES_MOST = 6 };

/* The run as the log shows it, and alternatives for unknown facts, the most usual one first. */
struct ways {
    struct od_workload said;
    enum od_precision precision[3];
    enum od_checkpointing checkpointing[2];
    size_t nprecision, ncheckpointing;
    bool optimizer_said;
};

struct guess {
    struct od_workload workload;
    struct od_largest_batch largest;
    struct od_bytes fixed;
};

static void precisions_of(const struct od_fit_facts *facts, struct ways *ways)
{
    const struct od_plan_request *request = facts->q->request;
    enum od_precision said = ways->said.precision;
    bool stored = od_fit_type_is_half(facts->q->c);
    bool given = request && request->precision_given;
    bool tells =
        given || facts->command || od_case_setting(facts->q->c, OD_SETTING_PRECISION).n > 0;
    if (given || said == OD_PREC_BF16) { /* with a float32 copy, as is usual */
        ways->precision[ways->nprecision++] = said;
        return;
    }
    if (!stored && !ways->said.inference)
        ways->precision[ways->nprecision++] = said;
    if (!stored && !tells && !facts->sixteen_bit && !facts->serves)
        ways->precision[ways->nprecision++] = OD_PREC_AMP_BF16;
    if (facts->framework == OD_FW_PYTORCH && (stored || !tells || facts->sixteen_bit))
        ways->precision[ways->nprecision++] = OD_PREC_BF16_TRUE;
    if (ways->nprecision == 0)
        ways->precision[ways->nprecision++] = said;
}

static struct ways ways_of(const struct od_fit_facts *facts)
{
    struct ways ways = {.said = od_fit_workload(facts)};
    od_workload_size(&ways.said, facts->arena);
    bool serves = ways.said.inference;
    enum od_optimizer named;
    const struct od_plan_request *request = facts->q->request;
    precisions_of(facts, &ways);
    ways.optimizer_said =
        serves || od_fit_optimizer(facts->q->c, &named) || (request && request->optimizer_given);
    ways.checkpointing[ways.ncheckpointing++] = ways.said.checkpointing;
    /* a public network known only by name has no checkpointing unless the log sets it */
    bool named_alone = ways.said.model->measured.known && ways.said.model->layers.n == 0;
    if (!serves && !named_alone && !facts->command &&
        od_case_setting(facts->q->c, OD_SETTING_CHECKPOINTING).n == 0 &&
        !(request && od_knob_said(request, "checkpointing")))
        ways.checkpointing[ways.ncheckpointing++] = OD_CKPT_FULL;
    return ways;
}

/* --- drop assumptions that contradict the failure --- */

/* Only the numbers of the result are valid, because the memory it points to is freed. */
static bool estimate(struct od_workload w, enum od_metric metric, struct od_estimate *ret_estimate)
{
    struct od_diags *unread = od_diags_new();
    struct od_arena *scratch = od_arena_new();
    w.metric = metric;
    bool ok = od_estimate(&w, scratch, unread, ret_estimate);
    od_diags_free(unread);
    od_arena_free(scratch);
    return ok;
}

/* Memory constant from step to step. Gradients only live while they are computed and used. */
static struct od_bytes fixed_of(const struct od_estimate *estimate)
{
    const struct od_breakdown *b = &estimate->breakdown;
    struct od_bytes states = od_bytes_add(b->parameters.bytes, b->optimizer.bytes);
    return od_bytes_add(od_bytes_add(states, b->gradients.bytes),
                        od_bytes_add(b->buffers.bytes, b->framework.bytes));
}

/* Were the weights still being loaded? Also true of a server that has not served a request. */
static bool is_loading(const struct od_fit_facts *facts)
{
    const struct od_failure *failure = facts->failure;
    bool starts = facts->serves && failure->phase == OD_PHASE_UNKNOWN;
    return (failure->phase == OD_PHASE_LOAD || starts) && failure->progress == 0;
}

/* The evidence of the failure with which a guess must agree. */
enum apply_failure { EVIDENCE_ALL, EVIDENCE_IN_USE, EVIDENCE_STATES };

static bool contradicts(const struct od_fit_facts *facts, const struct od_estimate *live,
                        enum apply_failure apply_failure)
{
    static const double slack = 1.03;
    const struct od_failure *failure = facts->failure;
    double held = (double)live->breakdown.parameters.bytes.lo;
    if (failure->progress > 0)
        held += (double)live->breakdown.optimizer.bytes.lo;
    double updated = held + (double)live->breakdown.gradients.bytes.lo;
    if (failure->progress > 0 && updated > slack * (double)facts->limit_then)
        return true;
    if (!failure->in_use.known || is_loading(facts))
        return false;
    double needed = (double)failure->in_use.n + (double)failure->need.lo;
    return held > slack * (double)failure->in_use.n ||
           (apply_failure < EVIDENCE_STATES && facts->batch.known && !live->lower_limit &&
            (double)live->peak.hi < needed);
}

/* Does the estimate let the failed batch fit? */
static bool should_have_fitted(const struct od_fit_facts *facts, const struct od_estimate *whole)
{
    return facts->batch.known && facts->limit_then > 0 && !whole->lower_limit &&
           whole->at_limit.hi < facts->limit_then;
}

/* --- answer by the remaining assumptions --- */

/* The limit is that of a pool, unless it is the device's whole memory and includes the context. */
static enum od_metric metric_of(const struct od_fit_facts *facts)
{
    const struct od_failure *failure = facts->failure;
    bool pool =
        failure->limit.known || (failure->account.own.known && failure->incident->free.known);
    return !pool || facts->moved ? OD_METRIC_DEVICE : OD_METRIC_RESERVED;
}

static bool try_guess(const struct od_fit_facts *facts, enum apply_failure apply_failure,
                      struct guess *guess)
{
    struct od_estimate live, whole;
    struct od_workload *w = &guess->workload;
    w->batch = facts->batch.known && facts->batch.n > 0 ? facts->batch.n : 1;
    w->metric = metric_of(facts);
    if (!estimate(*w, OD_METRIC_ALLOCATED, &live) || contradicts(facts, &live, apply_failure) ||
        !estimate(*w, w->metric, &whole) ||
        (apply_failure == EVIDENCE_ALL && should_have_fitted(facts, &whole)))
        return false;
    guess->fixed = fixed_of(&whole);
    guess->largest = od_largest_batch(w, facts->limit);
    return guess->fixed.known && guess->largest.known;
}

static size_t guess_with(const struct od_fit_facts *facts, const struct ways *ways,
                         enum apply_failure apply_failure, enum od_optimizer optimizer,
                         struct guess guesses[GUESSES_MOST])
{
    size_t n = 0, all = ways->nprecision * ways->ncheckpointing;
    for (size_t i = 0; i < all; i++) {
        guesses[n].workload = ways->said;
        guesses[n].workload.optimizer = optimizer;
        guesses[n].workload.precision = ways->precision[i % ways->nprecision];
        guesses[n].workload.checkpointing = ways->checkpointing[i / ways->nprecision];
        n += try_guess(facts, apply_failure, &guesses[n]);
    }
    return n;
}

/* Assumes AdamW if no optimizer is printed, and others if AdamW is impossible. */
static size_t guess_all(const struct od_fit_facts *facts, const struct ways *ways,
                        enum apply_failure apply_failure, struct guess guesses[GUESSES_MOST])
{
    static const enum od_optimizer others[] = {OD_OPT_ADAM8BIT, OD_OPT_SGD};
    size_t n = guess_with(facts, ways, apply_failure, ways->said.optimizer, guesses);
    for (size_t i = 0; n == 0 && !ways->optimizer_said && i < OD_COUNT_OF(others); i++)
        n = guess_with(facts, ways, apply_failure, others[i], guesses);
    return n;
}

/* The most important fact that all remaining guesses assume. */
static const char *unsaid(const struct guess *guesses, size_t n)
{
    const struct od_workload *first = &guesses[0].workload;
    for (size_t i = 1; i < n; i++) {
        const struct od_workload *other = &guesses[i].workload;
        if (other->precision != first->precision)
            return "the type of the weights: --precision WORD";
        if (other->checkpointing != first->checkpointing)
            return "whether activations are recomputed: --checkpointing HOW";
    }
    return NULL;
}

static struct od_bytes fixed_of_all(const struct guess *guesses, size_t n)
{
    struct od_bytes fixed = guesses[0].fixed;
    for (size_t i = 1; i < n; i++) {
        fixed.lo = guesses[i].fixed.lo < fixed.lo ? guesses[i].fixed.lo : fixed.lo;
        fixed.hi = guesses[i].fixed.hi > fixed.hi ? guesses[i].fixed.hi : fixed.hi;
    }
    return fixed;
}

/* The lower end that makes the belief as sure of the safe batch as the estimate is. Only needed if
 * few samples of many GiB fit. */
static double least_of(const struct od_largest_batch *largest, double median)
{
    static const double z95 = 1.645, z98 = 2.054, whole = 0.05;
    double lo = log(median) - log((double)largest->lo + whole);
    double safe = log(median) - log((double)largest->safe + whole);
    return median * exp(-fmin(lo, safe * z95 / z98));
}

/* Bytes per sample with which the largest batch has the estimated peak. */
static double sample_of(const struct guess *guess)
{
    struct od_workload w = guess->workload;
    struct od_estimate at_batch;
    w.batch = guess->largest.expected > 0 ? guess->largest.expected : 1;
    if (!estimate(w, w.metric, &at_batch) || at_batch.at_limit.n <= guess->fixed.n)
        return 0;
    return (double)(at_batch.at_limit.n - guess->fixed.n) / (double)w.batch;
}

static void take_batches(const struct guess *guesses, size_t n, struct od_hypothesis *found)
{
    static const double widest = 3; /* a wider range is not useful */
    struct od_largest_batch all = guesses[0].largest;
    for (size_t i = 1; i < n; i++) {
        const struct od_largest_batch *other = &guesses[i].largest;
        all.lo = other->lo < all.lo ? other->lo : all.lo;
        all.hi = other->hi > all.hi ? other->hi : all.hi;
        all.safe = other->safe < all.safe ? other->safe : all.safe;
    }
    if ((double)(all.hi + 1) > widest * (double)(all.lo + 1))
        return;
    found->median = (double)all.expected + 0.5;
    found->lo = least_of(&all, found->median);
    found->hi = (double)(all.hi + 1);
    found->safe = all.safe;
    found->safe_known = all.safe > 0;
    found->sample = sample_of(&guesses[0]);
    found->workload = &guesses[0].workload;
}

static const char *what_is_estimated(const struct od_fit_facts *facts)
{
    struct od_view names = facts->model->measured.recognised, first;
    if (facts->network)
        return facts->network;
    if (od_view_cut(&names, ' ', &first))
        return od_arena_str(facts->arena, first);
    return facts->model->layers.n > 0        ? "the printed layers"
           : facts->model->transformer.known ? "the transformer"
                                             : od_arena_str(facts->arena, facts->model->name);
}

/* Does the model have a configuration, or layers that PyTorch runs as printed? Then the pool at the
 * limit is as estimated. */
static bool has_numbers(const struct od_fit_facts *facts)
{
    const struct od_model *model = facts->model;
    return model->transformer.known || model->measured.known ||
           (model->layers.n > 0 && facts->framework == OD_FW_PYTORCH && !facts->failure->dump);
}

/* Are weights and states divided among an unknown number of devices? */
static bool is_shared_by_unknown(const struct od_workload *w)
{
    return (w->fsdp || w->zero_stage > 0) && w->world_size <= 1;
}

bool od_fit_by_estimate(const struct od_fit_facts *facts, struct od_hypothesis *ret_found)
{
    if (!facts->model || facts->limit == 0 || !has_numbers(facts))
        return false;
    struct ways ways = ways_of(facts);
    if (is_shared_by_unknown(&ways.said))
        return false;
    struct guess *guesses = OD_NEW_N(facts->arena, GUESSES_MOST, struct guess);
    size_t n = 0;
    /* if all guesses should have fitted or used less, other memory was in use: use less evidence */
    for (enum apply_failure apply_failure = EVIDENCE_ALL;
         n == 0 && apply_failure <= EVIDENCE_STATES; apply_failure++)
        n = guess_all(facts, &ways, apply_failure, guesses);
    if (n == 0)
        return false;
    const char *length = "";
    if (facts->length > 0)
        length = od_arena_printf(
            facts->arena, ", at the %" PRIu64 " tokens per sequence, from the failed request",
            facts->length);
    *ret_found = (struct od_hypothesis){
        .off = -1,
        .fixed = fixed_of_all(guesses, n),
        .basis = od_arena_printf(facts->arena,
                                 "the numbers of %s: the memory of a step%s, for all settings that "
                                 "the failure does not contradict",
                                 what_is_estimated(facts), length),
        .memory_basis =
            "weights, gradients and optimizer states; the rest of the limit is for samples",
        .missing_fact = unsaid(guesses, n),
    };
    if (facts->serves)
        ret_found->missing_fact = NULL;
    else if (guesses[0].workload.sequence > 0 || facts->model->transformer.image.known ||
             facts->model->measured.known || facts->model->layers.n > 0)
        take_batches(guesses, n, ret_found);
    else
        ret_found->missing_fact = "the sequence length (--seq N)";
    if (facts->model->layers.n > 0 && ret_found->median <= 0)
        return false;
    if (guesses[0].workload.inference) /* weights take nearly all memory at any length */
        ret_found->workload = &guesses[0].workload;
    return true;
}
