/*
 * Computes the effects of remedies. Each function sets what it can compute about the action (bytes
 * saved, peak, probability, batch, a sentence); the rest stays unknown.
 */
#include "answer/actions.h"

#include "answer/options.h"
#include "answer/words.h"
#include "plan/changes.h"
#include "plan/device.h"

#include <math.h>

/* Converts to bytes. Unknown if n is negative or does not fit 64 bits. */
static struct od_bytes bytes_of(double n)
{
    return n >= 0 && n < 9e18 ? od_bytes_exact((uint64_t)n) : (struct od_bytes){0};
}

/* The peak at that batch, in bytes. The line must be known. */
static double peak_at(const struct od_priced *p, double batch)
{
    return p->line->fixed + batch * p->line->sample;
}

/*
 * Shares at 5, 50 and 95 %. tests/accuracy/prices.py computes them with the planner over the public
 * models: mixed precision 1.3 1.9 2.4, with scores over a vocabulary 1.2 1.7 1.9, recomputed blocks
 * 0.06 0.15 0.59, half the side 0.25, half the length 0.31 0.50. Our values claim about the same
 * effect or less, except for half the length, where they claim a tenth more.
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

/* Computes the effect of a remedy that leaves these shares of the memory of each sample (at 5, 50
 * and 95 %). */
static void price_samples(struct od_priced *p, const double left[3],
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
    p->text = "priced";
}

/* Computes the effect of a remedy that saves memory which does not grow with the batch. */
static void price_fixed(struct od_priced *p, double saves, struct od_answer_action *action)
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

static void reduce_batch(struct od_priced *p, struct od_answer_action *action)
{
    const struct od_answer *a = p->answer;
    if (fits_none(a)) {
        action->fits = 0;
        return;
    }
    uint64_t batch = a->recommended.n;
    if (!a->recommended.known || (!p->line->known && p->tried > 0 && (double)batch >= p->tried))
        return; /* a batch that trained needs no remedy */
    action->fits = a->recommended_fits;
    action->what = od_arena_printf(p->facts->arena, "%" PRIu64, batch);
    if (!p->line->known)
        return;
    action->peak = bytes_of(peak_at(p, (double)batch));
    if (p->tried >= (double)batch)
        action->saves = bytes_of((p->tried - (double)batch) * p->line->sample);
    if (p->tried > 0 && (double)batch >= p->tried) /* nothing to reduce: the effect is unknown */
        *action = (struct od_answer_action){.figures = od_answer_words(p, action), .fits = -1};
}

static void accumulate(struct od_priced *p, struct od_answer_action *action)
{
    const struct od_answer *a = p->answer;
    if (fits_none(a))
        action->fits = 0;
    if (!a->recommended.known || !a->accumulation.known)
        return;
    uint64_t steps = a->accumulation.n, batch = od_answer_part(p->tried, steps);
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
    action->what = od_arena_printf(p->facts->arena, "%" PRIu64 " x %" PRIu64, steps, batch);
}

/* --- what a sample takes --- */

static bool has_logits(const struct od_fit_facts *facts)
{
    if (od_means(facts->failure->op_means, OD_OP_LANGUAGE))
        return true;
    return facts->model && facts->model->transformer.known &&
           facts->model->transformer.head == OD_HEAD_LM;
}

/* Does the remedy save almost nothing? It does if the model is known and its options table has no
 * row for it. */
static bool saves_nothing(struct od_priced *p, struct od_answer_action *action)
{
    if (p->answer->noptions == 0 || od_answer_option(p->answer, p->remedy))
        return false;
    p->text = "no_gain";
    return action->does_not_help = true;
}

static void mixed_precision(struct od_priced *p, struct od_answer_action *action)
{
    const double *times = has_logits(p->facts) ? mixed_with_logits : mixed;
    const double left[] = {1 / times[2], 1 / times[1], 1 / times[0]};
    if (!p->facts->sixteen_bit && !saves_nothing(p, action))
        price_samples(p, left, action);
    else if (p->facts->sixteen_bit) {
        *action = (struct od_answer_action){.fits = -1, .does_not_help = true};
        p->text = "two_bytes";
    }
}

static void checkpointing(struct od_priced *p, struct od_answer_action *action)
{
    if (!saves_nothing(p, action))
        price_samples(p, recomputed, action);
}

static void smaller_input(struct od_priced *p, struct od_answer_action *action)
{
    bool image =
        p->facts->failure->hint.image_like || (p->facts->model && p->facts->model->layers.n > 0);
    price_samples(p, image ? half_side : half_length, action);
    p->halved = image ? "side" : "length";
}

/* --- what is fixed --- */

static void sharding(struct od_priced *p, struct od_answer_action *action)
{
    if (!p->answer->fixed.known)
        return;
    price_fixed(p, (double)p->answer->fixed.n / 2, action);
}

/* --- rows of the options table --- */

/* Uses the model's estimate of the same change, which is more exact than a rule of thumb. */
static void take_option(struct od_priced *p, struct od_answer_action *action)
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
    p->text = "priced";
    p->halved = NULL;
}

/* --- what prevents a remedy --- */

static void defragment(struct od_priced *p, struct od_answer_action *action)
{
    const struct od_failure *failure = p->facts->failure;
    if (!failure->in_use.known || !failure->need.known)
        return;
    action->peak = od_bytes_add(od_bytes_exact(failure->in_use.n), failure->need);
    if (p->line->known && p->tried > 0)
        action->fits = od_belief_probability(&p->line->fit, p->tried);
}

static void free_piled(struct od_priced *p, struct od_answer_action *action)
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
    p->text = "piled";
}

/* Adds the part of the data set that stays in memory to the need of the training, if known. */
static void add_training(struct od_priced *p, struct od_answer_action *action)
{
    if (!p->line->known || p->tried <= 0 || !action->peak.known)
        return;
    double peak = (double)action->peak.n + p->tried * p->line->sample;
    action->peak = bytes_of(peak);
    if (peak > p->line->limit)
        action->fits = 0;
}

/* --- more room: a larger device, more of this one, or the memory that others hold --- */

static void price_limit(struct od_priced *p, double limit, struct od_answer_action *action)
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

/* The share of a device that a framework can use: the default of TensorFlow. */
static const double framework_share = 0.93;

static void price_larger_device(struct od_priced *p, struct od_answer_action *action)
{
    struct od_plan_device device;
    for (size_t i = 0; p->line->known && p->tried > 0 && od_plan_device_at(i, &device); i++) {
        double limit = framework_share * (double)device.usable_bytes;
        price_limit(p, limit, action);
        if (action->fits < 0.9 || device.part)
            continue;
        action->what = device.name;
        p->room = od_bytes_exact(device.bytes);
        return;
    }
    action->batch = (struct od_count){0};
    action->fits = -1;
}

static void price_raised_limit(struct od_priced *p, struct od_answer_action *action)
{
    const struct od_failure *failure = p->facts->failure;
    struct od_bytes whole = failure->free_at_start.known ? failure->free_at_start
                            : failure->capacity.known    ? failure->capacity
                                                         : failure->rated;
    if (!whole.known || whole.n <= p->facts->limit)
        return;
    price_limit(p, framework_share * (double)whole.n, action);
    p->room = whole;
}

/* An upper bound of the memory that other processes hold. */
static struct od_bytes held_by_others(struct od_priced *p)
{
    /* each process has a context and libraries of some hundred MiB */
    static const uint64_t context = UINT64_C(1) << 30;
    const struct od_failure *failure = p->facts->failure;
    p->refused = failure->verdict == OD_VERDICT_DEVICE_REFUSED && failure->limit.known;
    if (p->refused)
        return od_bytes_sub(od_bytes_exact(failure->limit.n), od_bytes_exact(p->facts->limit));
    struct od_bytes held = od_failure_held_by_others(failure, &p->at_most);
    return p->at_most && held.n <= context ? (struct od_bytes){0} : held;
}

static void price_other_tenant(struct od_priced *p, struct od_answer_action *action)
{
    const struct od_failure *failure = p->facts->failure;
    struct od_bytes held = held_by_others(p);
    if (!held.known || held.n == 0)
        return;
    price_limit(p, (double)p->facts->limit + (double)held.n, action);
    struct od_bytes own = failure->account.own;
    if (!action->peak.known) /* a lower bound: the step allocates more after the failed request */
        action->peak = od_bytes_add(own, failure->need);
    p->room = held;
}

/* Bytes of a second copy; 0 if the cause is another one, or if no line shows the size of the
 * load. */
static double second_copy(const struct od_priced *p)
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

static void price_second_copy(struct od_priced *p, struct od_answer_action *action)
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

/* --- all remedies --- */

static const struct {
    const char *id;
    void (*price)(struct od_priced *p, struct od_answer_action *action);
} prices[] = {
    {"reduce_batch", reduce_batch},
    {"accumulate", accumulate},
    {"mixed_precision", mixed_precision},
    {"checkpointing", checkpointing},
    {"smaller_input", smaller_input},
    {"smaller_samples", smaller_input},
    {"sharding", sharding},
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
    struct od_priced p = {.facts = facts,
                          .line = answer->line,
                          .answer = answer,
                          .remedy = remedy,
                          .text = remedy,
                          .tried = facts->batch.known ? (double)facts->batch.n : 0};
    if (od_first_cause(answer->line->diagnosis) == OD_CAUSE_DATASET_ON_DEVICE &&
        od_answer_price_dataset(&p, &action)) {
        add_training(&p, &action);
        return action;
    }
    for (size_t k = 0; k < OD_COUNT_OF(prices); k++)
        if (strcmp(prices[k].id, remedy) == 0)
            prices[k].price(&p, &action);
    take_option(&p, &action);
    if (!action.figures)
        action.figures = od_answer_words(&p, &action);
    return action;
}

bool od_answer_action_hardly_fits(const struct od_answer_action *action)
{
    /* with this probability, seven of ten runs with this batch fail again */
    static const double hardly = 0.3;
    return action->fits >= 0 && action->fits < hardly;
}
