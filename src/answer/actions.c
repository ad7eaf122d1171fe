#include "answer/actions.h"

#include "answer/options.h"
#include "answer/pricing.h"
#include "plan/changes.h"

#include <math.h>

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

static void say_worth(const struct od_pricing *p, struct od_answer_action *action)
{
    const char *tried =
        p->tried > 0 ? od_arena_printf(p->facts->arena, "At batch %.0f it", p->tried) : "It";
    const char *more = p->tried > 0 ? od_arena_printf(p->facts->arena, "; about %llu would fit",
                                                      (unsigned long long)action->batch.n)
                                    : "";
    action->figures = od_arena_printf(
        p->facts->arena, "%s saves about %s: the peak is then about %s, which fits with %s%s.",
        tried, od_bytes_text_u64(p->facts->arena, action->saves.n),
        od_bytes_text_u64(p->facts->arena, action->peak.n), od_pricing_chance(p, action->fits),
        more);
}

/* Prices a remedy that leaves this share of each sample (at 5, 50 and 95 %). */
static void price_samples(const struct od_pricing *p, const double left[3],
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
static void price_fixed(const struct od_pricing *p, double saves, struct od_answer_action *action)
{
    action->saves = od_pricing_bytes(saves);
    if (!p->line->known || p->tried <= 0)
        return;
    double room = p->line->limit - p->line->fixed;
    struct od_belief fit = od_answer_scaled(p->line, p->answer, (room + saves) / room, 0.02);
    action->peak = od_pricing_bytes(od_pricing_peak(p, p->tried) - saves);
    action->fits = od_belief_probability(&fit, p->tried);
    action->batch = od_count_of(od_belief_batch(&fit, 0.5));
}

static bool fits_none(const struct od_answer *answer)
{
    return answer->largest.known && answer->largest.n == 0;
}

static void reduce_batch(const struct od_pricing *p, struct od_answer_action *action)
{
    const struct od_answer *a = p->answer;
    if (fits_none(a)) {
        action->figures = "Not even batch size 1 fits as configured.";
        action->fits = 0;
        return;
    }
    if (!a->recommended.known) {
        if (a->below.known)
            action->figures = od_arena_printf(
                p->facts->arena, "%llu %s; the log does not show which batch size fits.",
                (unsigned long long)a->below.n,
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
    double needs = od_pricing_peak(p, (double)batch);
    action->peak = od_pricing_bytes(needs);
    if (p->tried >= (double)batch)
        action->saves = od_pricing_bytes((p->tried - (double)batch) * p->line->sample);
    bool smaller = p->tried <= 0 || (double)batch < p->tried;
    action->figures =
        od_arena_printf(p->facts->arena, "%llu%s needs about %s of %s and fits with %s.", batch,
                        (double)batch >= p->tried && p->tried > 0 ? " as it is" : "",
                        od_bytes_text_u64(p->facts->arena, (uint64_t)needs),
                        od_bytes_text_u64(p->facts->arena, (uint64_t)p->line->limit),
                        od_pricing_chance(p, action->fits));
    if (!smaller) /* nothing to reduce: no price */
        *action = (struct od_answer_action){.figures = action->figures, .fits = -1};
}

static void accumulate(const struct od_pricing *p, struct od_answer_action *action)
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
        action->peak = od_pricing_bytes(od_pricing_peak(p, (double)batch) + kept);
        double saves = (p->tried - (double)batch) * p->line->sample - kept;
        action->saves = od_pricing_bytes(saves > 0 ? saves : 0);
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
static bool is_in_vain(const struct od_pricing *p, struct od_answer_action *action)
{
    if (p->answer->noptions == 0 || od_answer_option(p->answer, p->remedy))
        return false;
    action->figures = "It saves almost nothing for the layers of this model.";
    return action->vain = true;
}

/* Without a line of the step, what is certain is the tensor that failed. */
static void halve_tensor(const struct od_pricing *p, struct od_answer_action *action)
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

static void mixed_precision(const struct od_pricing *p, struct od_answer_action *action)
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

static void checkpointing(const struct od_pricing *p, struct od_answer_action *action)
{
    if (!is_in_vain(p, action))
        price_samples(p, recomputed, action);
}

static void smaller_input(const struct od_pricing *p, struct od_answer_action *action)
{
    bool image =
        p->facts->failure->hint.image_like || (p->facts->model && p->facts->model->layers.n > 0);
    price_samples(p, image ? half_side : half_length, action);
    if (action->figures)
        action->figures = od_arena_printf(p->facts->arena, "With half the %s: %s",
                                          image ? "side" : "length", action->figures);
}

/* --- what is fixed --- */

static void sharding(const struct od_pricing *p, struct od_answer_action *action)
{
    if (!p->answer->fixed.known)
        return;
    price_fixed(p, (double)p->answer->fixed.n / 2, action);
    action->figures = od_arena_printf(p->facts->arena, "With two devices each keeps %s less.",
                                      od_bytes_text(p->facts->arena, action->saves));
}

static void smaller_model(const struct od_pricing *p, struct od_answer_action *action)
{
    if (!p->line->known || p->tried <= 0 || od_pricing_peak(p, p->tried) <= p->line->limit)
        return;
    action->figures =
        od_arena_printf(p->facts->arena, "At batch %.0f it must save about %s.", p->tried,
                        od_bytes_text_u64(p->facts->arena, (uint64_t)(od_pricing_peak(p, p->tried) -
                                                                      p->line->limit)));
}

/* --- rows of the options table --- */

/* Prices a remedy by the model's estimate of the same change, which is more exact than a rule of
 * thumb. */
static void take_option(const struct od_pricing *p, struct od_answer_action *action)
{
    const struct od_plan_option *option = od_answer_option(p->answer, p->remedy);
    struct od_change changes[OD_CHANGES_MAX];
    if (!option)
        return;
    const struct od_plan_option *asked = &p->answer->options[0];
    bool line = p->line->known && p->tried > 0; /* all remedies save from the same peak */
    struct od_bytes now =
        line ? od_pricing_bytes(od_pricing_peak(p, p->tried)) : od_bytes_exact(asked->peak.n);
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

static void defragment(const struct od_pricing *p, struct od_answer_action *action)
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

static void free_piled(const struct od_pricing *p, struct od_answer_action *action)
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
static void add_training(const struct od_pricing *p, struct od_answer_action *action)
{
    if (!p->line->known || p->tried <= 0 || !action->peak.known)
        return;
    double peak = (double)action->peak.n + p->tried * p->line->sample;
    action->peak = od_pricing_bytes(peak);
    if (peak > p->line->limit)
        action->fits = 0;
}

/* --- all of them --- */

static const struct {
    const char *id;
    void (*price)(const struct od_pricing *p, struct od_answer_action *action);
} prices[] = {
    {"reduce_batch", reduce_batch},
    {"accumulate", accumulate},
    {"mixed_precision", mixed_precision},
    {"checkpointing", checkpointing},
    {"smaller_input", smaller_input},
    {"smaller_samples", smaller_input},
    {"sharding", sharding},
    {"smaller_model", smaller_model},
    {"larger_device", od_price_larger_device},
    {"raise_limit", od_price_raised_limit},
    {"stop_other_tenant", od_price_other_tenant},
    {"defragment", defragment},
    {"fix_leak", free_piled},
    {"clear_session", free_piled},
    {"process_each", free_piled},
    {"load_into", od_price_second_copy},
    {"clear_session", od_price_second_copy},
    {"process_each", od_price_second_copy},
};

struct od_answer_action od_answer_action_of(const struct od_answer *answer, const char *remedy)
{
    struct od_answer_action action = {.fits = -1};
    if (!answer || !answer->facts)
        return action;
    const struct od_fit_facts *facts = answer->facts;
    struct od_pricing p = {.facts = facts,
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
