/*
 * Prices remedies. Each function sets what it knows about the action (bytes saved, peak,
 * probability, batch, a sentence) and leaves the rest unknown.
 */
#include "answer/actions.h"

#include "answer/options.h"
#include "plan/changes.h"
#include "plan/device.h"

#include <math.h>

struct pricing {
    const struct od_fit_facts *facts;
    const struct od_answer_line *line;
    const struct od_answer *answer;
    const char *remedy; /* its id */
    double tried;       /* the batch; 0 = not known */
};

/* Unknown if n is negative or does not fit 64 bits. */
static struct od_bytes bytes_of(double n)
{
    return n >= 0 && n < 9e18 ? od_bytes_exact((uint64_t)n) : (struct od_bytes){0};
}

/* A probability in words. A forecast is never printed as certain. */
static const char *chance_of(const struct pricing *p, double fits)
{
    double percent = floor(fits * 100 + 0.5);
    if (percent < 1)
        return "<1 %";
    return fits > 0.99 ? ">99 %" : od_arena_printf(p->facts->arena, "%.0f %%", percent);
}

/* The peak at that batch, in bytes; the line must be known. */
static double peak_at(const struct pricing *p, double batch)
{
    return p->line->fixed + batch * p->line->sample;
}

/*
 * Shares at 5, 50 and 95 %. tests/accuracy/prices.py computes them with the planner over the public
 * models: mixed precision 1.3 1.9 2.4, with scores over a vocabulary 1.2 1.7 1.9, recomputed blocks
 * 0.06 0.15 0.59, half the side 0.25, half the length 0.31 0.50. Our values promise about the same
 * or less, except for half the length, where they promise a tenth more.
 */
/* How many times larger the batch can be in mixed precision, from simulated networks. Less where
 * scores over a vocabulary stay in float32. */
static const double mixed[] = {1.43, 1.93, 2.16};
static const double mixed_with_logits[] = {1.2, 1.35, 1.55};
/* Share of a sample's memory that remains if blocks are recomputed. */
static const double recomputed[] = {0.2, 0.4, 0.65};
/* Share of a sample's memory that remains at half the side of an image, and at half the length of a
 * sequence. */
static const double half_side[] = {0.24, 0.27, 0.35};
static const double half_length[] = {0.25, 0.45, 0.55};

static void say_worth(const struct pricing *p, struct od_answer_action *action)
{
    const char *tried =
        p->tried > 0 ? od_arena_printf(p->facts->arena, "At batch %.0f it", p->tried) : "It";
    const char *more = p->tried > 0 ? od_arena_printf(p->facts->arena, "; about %llu would fit",
                                                      (unsigned long long)action->batch.n)
                                    : "";
    action->figures = od_arena_printf(
        p->facts->arena, "%s saves about %s: the peak is then about %s, which fits with %s%s.",
        tried, od_bytes_text_u64(p->facts->arena, action->saves.n),
        od_bytes_text_u64(p->facts->arena, action->peak.n), chance_of(p, action->fits), more);
}

/* Prices a remedy that leaves this share of each sample (at 5, 50 and 95 %). */
static void price_samples(const struct pricing *p, const double left[3],
                          struct od_answer_action *action)
{
    if (!p->line->known || p->tried <= 0)
        return;
    double sigma = (log(left[2]) - log(left[0])) / 3.29;
    struct od_belief fit = od_answer_scaled(p->line, p->answer, 1 / left[1], sigma);
    double samples = p->tried * p->line->sample;
    action->saves = (struct od_bytes){.n = (uint64_t)(samples * (1 - left[1])),
                                      .lo = (uint64_t)(samples * (1 - left[2])),
                                      .hi = (uint64_t)(samples * (1 - left[0])),
                                      .known = true};
    action->peak = (struct od_bytes){.n = (uint64_t)(p->line->fixed + samples * left[1]),
                                     .lo = (uint64_t)(p->line->fixed + samples * left[0]),
                                     .hi = (uint64_t)(p->line->fixed + samples * left[2]),
                                     .known = true};
    action->fits = od_belief_probability(&fit, p->tried);
    action->batch = od_count_of(od_belief_batch(&fit, 0.5));
    say_worth(p, action);
}

/* Prices a remedy that saves memory which does not grow with the batch. */
static void price_fixed(const struct pricing *p, double saves, struct od_answer_action *action)
{
    action->saves = bytes_of(saves);
    if (!p->line->known || p->tried <= 0)
        return;
    double room = p->line->limit - p->line->fixed;
    struct od_belief fit = od_answer_scaled(p->line, p->answer, (room + saves) / room, 0.02);
    action->peak = bytes_of(peak_at(p, p->tried) - saves);
    action->fits = od_belief_probability(&fit, p->tried);
    action->batch = od_count_of(od_belief_batch(&fit, 0.5));
}

static bool fits_none(const struct od_answer *answer)
{
    return answer->largest.known && answer->largest.n == 0;
}

static void reduce_batch(const struct pricing *p, struct od_answer_action *action)
{
    const struct od_answer *a = p->answer;
    if (fits_none(a)) {
        action->figures = "Not even batch size 1 fits as configured.";
        action->fits = 0;
        return;
    }
    if (!a->recommended.known) {
        if (a->below.known)
            action->figures =
                od_arena_printf(p->facts->arena, "%llu %s.", (unsigned long long)a->below.n,
                                p->tried > (double)a->below.n ? "cannot fit" : "failed");
        return;
    }
    unsigned long long batch = a->recommended.n;
    if (!p->line->known && p->tried > 0 && (double)batch >= p->tried)
        return; /* a batch that trained is no remedy */
    action->fits = a->recommended_fits;
    action->what = od_arena_printf(p->facts->arena, "%llu", batch);
    if (!p->line->known) {
        action->figures = a->worked.known && a->worked.n == a->recommended.n
                              ? od_arena_printf(p->facts->arena, "%llu %s.", batch,
                                                a->worked_said ? "works, according to the log"
                                                               : "trained in this log")
                              : NULL;
        return;
    }
    double needs = peak_at(p, (double)batch);
    action->peak = bytes_of(needs);
    if (p->tried >= (double)batch)
        action->saves = bytes_of((p->tried - (double)batch) * p->line->sample);
    bool smaller = p->tried <= 0 || (double)batch < p->tried;
    action->figures = od_arena_printf(
        p->facts->arena, "%llu%s needs about %s of %s and fits with %s.", batch,
        (double)batch >= p->tried && p->tried > 0 ? " as it is" : "",
        od_bytes_text_u64(p->facts->arena, (uint64_t)needs),
        od_bytes_text_u64(p->facts->arena, (uint64_t)p->line->limit), chance_of(p, action->fits));
    if (!smaller) /* nothing to reduce: no price */
        *action = (struct od_answer_action){.figures = action->figures, .fits = -1};
}

static void accumulate(const struct pricing *p, struct od_answer_action *action)
{
    const struct od_answer *a = p->answer;
    if (fits_none(a))
        action->fits = 0;
    if (!a->recommended.known || !a->accumulation.known)
        return;
    unsigned long long steps = a->accumulation.n, tried = (unsigned long long)p->tried;
    unsigned long long batch = tried / steps + (tried % steps != 0); /* batch of one step */
    double kept = p->facts->parameters.known ? (double)p->facts->parameters.n * 4 : 0;
    action->fits = a->recommended_fits;
    if (p->line->known) {
        double room = p->line->limit - p->line->fixed;
        struct od_belief fit = p->line->fit;
        double share = room > kept ? room / (room - kept) : 1e9;
        action->fits = od_belief_probability(&fit, (double)batch * share);
        action->peak = bytes_of(peak_at(p, (double)batch) + kept);
        double saves = (p->tried - (double)batch) * p->line->sample - kept;
        action->saves = bytes_of(saves > 0 ? saves : 0);
    }
    action->what = od_arena_printf(p->facts->arena, "%llu x %llu", steps, batch);
    action->figures = od_arena_printf(
        p->facts->arena, "%llu accumulation steps of %llu are equivalent to one step of %llu%s.",
        steps, batch, steps * batch,
        kept > 0 ? "; the accumulated gradients stay on the device" : "");
}

/* --- what a sample takes --- */

static bool has_logits(const struct od_fit_facts *facts)
{
    if (od_means(facts->failure->op_means, OD_OP_LANGUAGE))
        return true;
    return facts->model && facts->model->transformer.known &&
           facts->model->transformer.head == OD_HEAD_LM;
}

/* If the model is known and its options table has no row for this remedy, the remedy saves almost
 * nothing. */
static bool is_in_vain(const struct pricing *p, struct od_answer_action *action)
{
    if (p->answer->noptions == 0 || od_answer_option(p->answer, p->remedy))
        return false;
    action->figures = "It saves almost nothing for the layers of this model.";
    return action->vain = true;
}

/* Without a line of the step, what is certain is the tensor that failed. */
static void halve_tensor(const struct pricing *p, struct od_answer_action *action)
{
    const struct od_failure *failure = p->facts->failure;
    if (action->figures || !failure->need.known || failure->incident->tensor.dtype != OD_FLOAT32 ||
        failure->hint.role != OD_TENSOR_ACTIVATION)
        return;
    action->figures = od_arena_printf(
        p->facts->arena,
        "The tensor that failed takes %s instead of %s; other activations take half, too.",
        od_bytes_text_u64(p->facts->arena, failure->need.n / 2),
        od_bytes_text(p->facts->arena, failure->need));
}

static void mixed_precision(const struct pricing *p, struct od_answer_action *action)
{
    const double *times = has_logits(p->facts) ? mixed_with_logits : mixed;
    const double left[] = {1 / times[2], 1 / times[1], 1 / times[0]};
    if (!p->facts->sixteen_bit && !is_in_vain(p, action))
        price_samples(p, left, action);
    else if (p->facts->sixteen_bit)
        *action = (struct od_answer_action){
            .figures = "It seems to be in use already: tensors of the step have two bytes per "
                       "element.",
            .fits = -1,
            .vain = true};
    halve_tensor(p, action);
}

static void checkpointing(const struct pricing *p, struct od_answer_action *action)
{
    if (!is_in_vain(p, action))
        price_samples(p, recomputed, action);
}

static void smaller_input(const struct pricing *p, struct od_answer_action *action)
{
    bool image =
        p->facts->failure->hint.image_like || (p->facts->model && p->facts->model->layers.n > 0);
    price_samples(p, image ? half_side : half_length, action);
    if (action->figures)
        action->figures = od_arena_printf(p->facts->arena, "With half the %s: %s",
                                          image ? "side" : "length", action->figures);
}

/* --- what is fixed --- */

static void sharding(const struct pricing *p, struct od_answer_action *action)
{
    if (!p->answer->fixed.known)
        return;
    price_fixed(p, (double)p->answer->fixed.n / 2, action);
    action->figures = od_arena_printf(p->facts->arena, "With two devices each keeps %s less.",
                                      od_bytes_text(p->facts->arena, action->saves));
}

static void smaller_model(const struct pricing *p, struct od_answer_action *action)
{
    if (!p->line->known || p->tried <= 0 || peak_at(p, p->tried) <= p->line->limit)
        return;
    action->figures = od_arena_printf(
        p->facts->arena, "At batch %.0f it must save about %s.", p->tried,
        od_bytes_text_u64(p->facts->arena, (uint64_t)(peak_at(p, p->tried) - p->line->limit)));
}

/* --- rows of the options table --- */

/* Prices a remedy by the model's estimate of the same change, which is more exact than a rule of
 * thumb. */
static void take_option(const struct pricing *p, struct od_answer_action *action)
{
    const struct od_plan_option *option = od_answer_option(p->answer, p->remedy);
    struct od_change changes[OD_CHANGES_MAX];
    if (!option)
        return;
    const struct od_plan_option *asked = &p->answer->options[0];
    bool line = p->line->known && p->tried > 0; /* all remedies save from the same peak */
    struct od_bytes now = line ? bytes_of(peak_at(p, p->tried)) : od_bytes_exact(asked->peak.n);
    action->option = option;
    action->peak = option->peak;
    action->saves = now.n > option->peak.n ? od_bytes_sub(now, option->peak) : od_bytes_exact(0);
    action->fits = option->fits;
    if (option->workload.batch != asked->workload.batch)
        return;
    if (option->largest.known)
        action->batch = od_count_of(option->largest.expected);
    if (od_plan_changes(&asked->workload, &option->workload, p->facts->arena, changes) == 1)
        action->what = changes[0].word;
    say_worth(p, action);
}

/* --- what prevents a remedy --- */

static void defragment(const struct pricing *p, struct od_answer_action *action)
{
    const struct od_failure *failure = p->facts->failure;
    if (!failure->in_use.known || !failure->need.known)
        return;
    action->peak = od_bytes_add(od_bytes_exact(failure->in_use.n), failure->need);
    if (p->line->known && p->tried > 0)
        action->fits = od_belief_probability(&p->line->fit, p->tried);
    if (p->facts->limit == 0 || !action->peak.known || action->peak.n > p->facts->limit)
        return;
    action->figures = od_arena_printf(
        p->facts->arena,
        "Memory in use plus the request is %s and the limit is %s: without fragmentation it fits.",
        od_bytes_text(p->facts->arena, action->peak),
        od_bytes_text_u64(p->facts->arena, p->facts->limit));
}

static void free_piled(const struct pricing *p, struct od_answer_action *action)
{
    struct od_accumulation piled = od_failure_accumulation(p->facts->failure);
    if (!piled.many)
        return;
    uint64_t saves = piled.size.total - piled.size.bytes;
    action->saves = od_bytes_exact(saves);
    action->peak = od_bytes_sub(
        od_bytes_add(od_bytes_exact(p->facts->failure->in_use.n), p->facts->failure->need),
        action->saves);
    if (p->line->known && p->tried > 0)
        action->fits = od_belief_probability(&p->line->fit, p->tried);
    action->figures = od_arena_printf(p->facts->arena, "%llu chunks of %s have accumulated: %s.",
                                      (unsigned long long)piled.size.count,
                                      od_bytes_text_u64(p->facts->arena, piled.size.bytes),
                                      od_bytes_text_u64(p->facts->arena, piled.size.total));
}

/* Adds the part of the data set that stays in memory to what the training needs, if that is
 * known. */
static void add_training(const struct pricing *p, struct od_answer_action *action)
{
    if (!p->line->known || p->tried <= 0 || !action->peak.known)
        return;
    double peak = (double)action->peak.n + p->tried * p->line->sample;
    action->peak = bytes_of(peak);
    if (peak > p->line->limit)
        action->fits = 0;
}

/* --- more room: a larger device, more of this one, or the part that others hold --- */

static void price_limit(const struct pricing *p, double limit, struct od_answer_action *action)
{
    action->limit = bytes_of(limit);
    if (!p->line->known || p->tried <= 0 || limit <= p->line->fixed)
        return;
    double room = p->line->limit - p->line->fixed;
    struct od_belief fit =
        od_answer_scaled(p->line, p->answer, (limit - p->line->fixed) / room, 0.02);
    action->peak = bytes_of(peak_at(p, p->tried));
    action->fits = od_belief_probability(&fit, p->tried);
    action->batch = od_count_of(od_belief_batch(&fit, 0.5));
}

/* The share of a device that a framework can use; TensorFlow's is this. */
static const double framework_share = 0.93;

static void price_larger_device(const struct pricing *p, struct od_answer_action *action)
{
    struct od_plan_device device;
    for (size_t i = 0; p->line->known && p->tried > 0 && od_plan_device_at(i, &device); i++) {
        double limit = framework_share * (double)device.usable_bytes;
        price_limit(p, limit, action);
        if (action->fits < 0.9 || device.part)
            continue;
        action->what = device.name;
        action->figures = od_arena_printf(
            p->facts->arena,
            "Batch size %.0f needs about %s: it fits %s (%s) and larger devices, with %s.",
            p->tried, od_bytes_text(p->facts->arena, action->peak), device.name,
            od_bytes_text_u64(p->facts->arena, device.bytes), chance_of(p, action->fits));
        return;
    }
    action->batch = (struct od_count){0};
    action->fits = -1;
}

static void price_raised_limit(const struct pricing *p, struct od_answer_action *action)
{
    const struct od_failure *failure = p->facts->failure;
    struct od_bytes whole = failure->free_at_start.known ? failure->free_at_start
                            : failure->capacity.known    ? failure->capacity
                                                         : failure->rated;
    if (!whole.known || whole.n <= p->facts->limit)
        return;
    price_limit(p, framework_share * (double)whole.n, action);
    action->figures = od_arena_printf(p->facts->arena, "The limit is %s; the device has %s%s.",
                                      od_bytes_text_u64(p->facts->arena, p->facts->limit),
                                      od_bytes_text(p->facts->arena, whole),
                                      failure->free_at_start.known ? " free" : "");
}

/* An upper bound of what other processes hold, and the sentence that says how it is known. */
static struct od_bytes held_by_others(const struct pricing *p, const char *ret_words[2])
{
    /* a context and its libraries take some hundred MiB in each process */
    static const uint64_t context = UINT64_C(1) << 30;
    const struct od_failure *failure = p->facts->failure;
    bool most;
    if (failure->verdict == OD_VERDICT_DEVICE_REFUSED && failure->limit.known) {
        ret_words[0] = "The limit allowed the allocator ";
        ret_words[1] = " more than it got; the log does not show how much of it other processes "
                       "hold.";
        return od_bytes_sub(od_bytes_exact(failure->limit.n), od_bytes_exact(p->facts->limit));
    }
    struct od_bytes held = od_failure_held_by_others(failure, &most);
    ret_words[0] = most ? "This would free at most " : "This would free about ";
    ret_words[1] = most ? ": the memory that is neither free nor used by this run." : ".";
    return most && held.n <= context ? (struct od_bytes){0} : held;
}

static void price_other_tenant(const struct pricing *p, struct od_answer_action *action)
{
    const struct od_failure *failure = p->facts->failure;
    const char *words[2];
    struct od_bytes held = held_by_others(p, words);
    if (!held.known || held.n == 0)
        return;
    price_limit(p, (double)p->facts->limit + (double)held.n, action);
    struct od_bytes own = failure->account.own;
    if (!action->peak.known) /* a lower bound: the step allocates more after this */
        action->peak = od_bytes_add(own, failure->need);
    action->figures = od_arena_printf(p->facts->arena, "%s%s%s", words[0],
                                      od_bytes_text(p->facts->arena, held), words[1]);
}

/* 0 if the cause is another one, or if nothing shows what was loaded. */
static double second_copy(const struct pricing *p)
{
    const struct od_diagnosis *diagnosis = p->line->diagnosis;
    if (od_first_cause(diagnosis) != OD_CAUSE_MODEL_RELOAD)
        return 0;
    const struct od_finding *best = diagnosis->findings.items;
    for (size_t i = 0; i < best->nnumbers; i++)
        if (strcmp(best->numbers[i].name, "loaded_bytes") == 0)
            return best->numbers[i].value;
    return 0;
}

static void price_second_copy(const struct pricing *p, struct od_answer_action *action)
{
    static const double plenty = 0.97, sure = 0.95;
    const struct od_failure *failure = p->facts->failure;
    double copy = second_copy(p);
    if (copy <= 0)
        return;
    action->saves = bytes_of(copy);
    if (!failure->in_use.known || !failure->need.known || p->facts->limit == 0)
        return;
    double peak = (double)failure->in_use.n + (double)failure->need.n - copy;
    action->peak = bytes_of(peak);
    if (peak <= plenty * (double)p->facts->limit)
        action->fits = sure;
}

/* --- all of them --- */

static const struct {
    const char *id;
    void (*price)(const struct pricing *p, struct od_answer_action *action);
} prices[] = {
    {"reduce_batch", reduce_batch},
    {"accumulate", accumulate},
    {"mixed_precision", mixed_precision},
    {"checkpointing", checkpointing},
    {"smaller_input", smaller_input},
    {"smaller_samples", smaller_input},
    {"sharding", sharding},
    {"smaller_model", smaller_model},
    {"larger_device", price_larger_device},
    {"raise_limit", price_raised_limit},
    {"stop_other_tenant", price_other_tenant},
    {"defragment", defragment},
    {"fix_leak", free_piled},
    {"clear_session", free_piled},
    {"process_each", free_piled},
    {"load_into", price_second_copy},
    {"clear_session", price_second_copy},
    {"process_each", price_second_copy},
};

struct od_answer_action od_answer_action_of(const struct od_answer *answer, const char *remedy)
{
    struct od_answer_action action = {.fits = -1};
    if (!answer || !answer->facts)
        return action;
    const struct od_fit_facts *facts = answer->facts;
    struct pricing p = {.facts = facts,
                        .line = answer->line,
                        .answer = answer,
                        .remedy = remedy,
                        .tried = facts->batch.known ? (double)facts->batch.n : 0};
    if (od_first_cause(answer->line->diagnosis) == OD_CAUSE_DATASET_ON_DEVICE &&
        od_answer_price_dataset(facts, remedy, &action)) {
        add_training(&p, &action);
        return action;
    }
    for (size_t k = 0; k < OD_COUNT_OF(prices); k++)
        if (strcmp(prices[k].id, remedy) == 0)
            prices[k].price(&p, &action);
    take_option(&p, &action);
    return action;
}

bool od_answer_action_hardly_fits(const struct od_answer_action *action)
{
    static const double hardly = 0.3; /* seven of ten runs with this batch fail again */
    return action->fits >= 0 && action->fits < hardly;
}
