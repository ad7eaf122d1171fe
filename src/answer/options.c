#include "answer/options.h"

#include "estimate/saved.h"
#include "plan/changes.h"
#include "plan/options_estimate.h"

#include <math.h>

/* Uncertainty of workspaces and of the pool, common to both estimates. */
static const double doubt = 0.15;

/* A workload's memory as a line over the batch. */
struct slope {
    double fixed, sample;
};

struct pricing {
    const struct od_answer_line *line;
    const struct od_answer *answer;
    struct slope asked;
    double batch; /* the batch that was tried */
    struct od_arena *scratch;
    struct od_diags *unread;
};

static bool slope_of(struct pricing *p, struct od_workload w, struct slope *ret_slope)
{
    struct od_estimate one, two;
    w.metric = OD_METRIC_ALLOCATED;
    w.batch = (uint64_t)p->batch;
    od_arena_reset(p->scratch);
    if (!od_estimate(&w, p->scratch, p->unread, &one) ||
        (one.saved &&
         one.saved->collapsed >
             0)) /* memory that a network inside one row keeps for the gradient is a guess */
        return false;
    double low = (double)one.peak.n;
    w.batch *= 2;
    if (!od_estimate(&w, p->scratch, p->unread, &two) || (double)two.peak.n <= low)
        return false;
    ret_slope->sample = ((double)two.peak.n - low) / p->batch;
    ret_slope->fixed = low - ret_slope->sample * p->batch;
    return true;
}

/* The answer's line after a change: memory of a sample at 5, 50 and 95 %. */
struct tilted {
    double fixed, sample[3], left[3];
};

/* A change of the model does not affect other memory. If the answer's line holds less than the
 * estimate (no optimizer states or gradients yet), the same part is left out of both estimates. */
static double fixed_with(const struct pricing *p, const struct slope *changed)
{
    double is = p->line->fixed, asked = p->asked.fixed;
    return is < asked ? is * changed->fixed / asked : is + changed->fixed - asked;
}

static bool tilt(struct pricing *p, const struct od_workload *w, struct tilted *ret_line)
{
    struct slope changed;
    if (!slope_of(p, *w, &changed))
        return false;
    double left = fmin(changed.sample / p->asked.sample, 1);
    *ret_line = (struct tilted){
        .fixed = fixed_with(p, &changed),
        .left = {left < 1 ? left * (1 - doubt) : 1, left,
                 left < 1 ? fmin(left * (1 + doubt), (1 + left) / 2) : 1},
    };
    for (size_t i = 0; i < OD_COUNT_OF(ret_line->sample); i++)
        ret_line->sample[i] = p->line->sample * ret_line->left[i];
    return true;
}

struct od_belief od_answer_scaled(const struct od_answer_line *line, const struct od_answer *answer,
                                  double times, double sigma)
{
    struct od_belief fit = {0};
    if (!answer->largest.known || line->fit.n == 0)
        return fit;
    fit = line->fit;
    fit.n = 1;
    fit = od_belief_scaled(
        &fit, ((double)answer->largest.n + 0.5) * times / line->fit.parts[0].median, sigma);
    fit.worked = times >= 1 ? line->fit.worked : 0;
    return fit;
}

static struct od_belief fit_of(const struct pricing *p, const struct tilted *t)
{
    double room = p->line->limit - p->line->fixed, then = p->line->limit - t->fixed;
    double sigma = t->left[1] < 1 ? (log(t->left[2]) - log(t->left[0])) / 3.29 : 0.02;
    return od_answer_scaled(p->line, p->answer, fmax(then, 0) / room / t->left[1], sigma);
}

static bool price(void *self, struct od_plan_option *option)
{
    struct pricing *p = self;
    struct tilted t;
    double batch = (double)option->workload.batch;
    if (!tilt(p, &option->workload, &t))
        return false;
    struct od_belief fit = fit_of(p, &t);
    option->fits = fit.n > 0 ? od_belief_probability(&fit, batch) : 0;
    option->peak = (struct od_bytes){.n = (uint64_t)(t.fixed + batch * t.sample[1]),
                                     .lo = (uint64_t)(t.fixed + batch * t.sample[0]),
                                     .hi = (uint64_t)(t.fixed + batch * t.sample[2]),
                                     .known = true};
    return true;
}

static void find_largest(void *self, struct od_plan_option *option)
{
    struct pricing *p = self;
    struct tilted t;
    struct od_largest_batch *largest = &option->largest;
    if (!tilt(p, &option->workload, &t))
        return;
    struct od_belief fit = fit_of(p, &t);
    if (fit.n == 0)
        return;
    *largest = (struct od_largest_batch){.known = true,
                                         .expected = od_belief_batch(&fit, 0.5),
                                         .safe = od_belief_batch(&fit, 0.98),
                                         .lo = od_belief_batch(&fit, 0.95),
                                         .hi = od_belief_batch(&fit, 0.05)};
    largest->power_of_two = od_batch_power_of_two(largest->safe);
    largest->multiple_of_8 = od_batch_multiple_of_8(largest->safe);
}

/* Splits the batch into equal steps, each at most the safe batch. */
static uint64_t smaller_batch(void *self, const struct od_plan_option *option)
{
    const struct pricing *p = self;
    const struct od_answer *answer = p->answer;
    bool as_recommended = option->workload.precision == answer->options[0].workload.precision &&
                          option->workload.checkpointing == OD_CKPT_NONE;
    uint64_t safe = as_recommended && answer->recommended.known ? answer->recommended.n
                                                                : option->largest.multiple_of_8;
    uint64_t batch = option->workload.batch;
    if (safe == 0 || safe >= batch)
        return 0;
    uint64_t steps = batch / safe + (batch % safe != 0);
    return batch / steps + (batch % steps != 0);
}

static bool can_price(const struct od_fit_facts *facts, const struct od_answer_line *line)
{
    const struct od_model *model = facts->model;
    return line->known && model && (model->layers.n > 0 || model->transformer.known) &&
           facts->batch.known && facts->batch.n > 0 && facts->batch.n <= UINT32_MAX &&
           !facts->evaluates;
}

/* Derives the optimizer from the number of its states in the dump for each weight, if the log does
 * not name it. */
static void take_states(const struct od_fit_facts *facts, struct od_workload *workload)
{
    static const enum od_optimizer with[] = {OD_OPT_SGD, OD_OPT_MOMENTUM};
    struct od_count slots = facts->slots;
    enum od_optimizer said;
    bool given = facts->q->request && facts->q->request->optimizer_given;
    if (!slots.known && facts->holding)
        slots = facts->holding->optimizer_copies;
    if (slots.known && slots.n < OD_COUNT_OF(with) && !given &&
        !od_fit_optimizer(facts->q->c, &said))
        workload->optimizer = with[slots.n];
}

static void fill(struct pricing *p, const struct od_fit_facts *facts, struct od_answer *answer)
{
    struct od_option_pricer pricer = {
        .self = p, .price = price, .find_largest = find_largest, .smaller_batch = smaller_batch};
    struct od_plan_option *options =
        OD_NEW_N(facts->arena, OD_PLAN_OPTIONS_MAX, struct od_plan_option);
    options[0].workload = od_fit_workload(facts);
    options[0].workload.batch = facts->batch.n;
    od_workload_size(&options[0].workload, facts->arena);
    take_states(facts, &options[0].workload);
    if (!slope_of(p, options[0].workload, &p->asked) || !price(p, &options[0]))
        return;
    find_largest(p, &options[0]);
    options[0].largest.expected = answer->largest.n;
    options[0].fits = od_belief_probability(&p->line->fit, p->batch);
    answer->options = options;
    answer->noptions = od_options_build(&pricer, options);
}

/* The limit at which the estimate gives the answer's largest batch. The log's proofs and other
 * explanations change that batch, and all rows have to follow. */
static uint64_t calibrated(const struct od_fit_facts *facts, const struct od_answer *answer,
                           const struct od_largest_batch *largest)
{
    double limit = (double)facts->limit, fixed = (double)answer->fixed.n;
    bool ours = answer->largest.known && answer->largest.n > 0 && largest->known && limit > fixed;
    double times = ours ? ((double)answer->largest.n + 0.5) / ((double)largest->expected + 0.5) : 1;
    return (uint64_t)(limit + (times - 1) * (limit - fixed));
}

/* Fills the rows with estimates, as a plan does, if no line came from replaying the layers. */
static void fill_by_estimate(const struct od_fit_facts *facts, struct od_answer *answer)
{
    struct od_plan_option *options =
        OD_NEW_N(facts->arena, OD_PLAN_OPTIONS_MAX, struct od_plan_option);
    bool known = facts->batch.known && facts->batch.n > 0;
    if ((!known && !facts->supposed->inference) || facts->limit == 0)
        return;
    options[0].workload = *facts->supposed;
    options[0].workload.batch = known ? facts->batch.n : 1;
    if (!od_options_estimate_first(facts->limit, &options[0]))
        return;
    uint64_t limit = calibrated(facts, answer, &options[0].largest);
    if (!od_options_estimate_first(limit, &options[0]))
        return;
    if (!facts->moved && answer->batch_is_cause) /* the first row, the run as it was, failed */
        options[0].fits = 0;
    answer->options = options;
    answer->noptions = od_options_estimate(limit, options);
    if (answer->largest.known)
        options[0].largest.expected = answer->largest.n;
    for (size_t i = 0; i < answer->noptions; i++)
        options[i].peak.n =
            (uint64_t)((double)options[i].peak.n / (double)limit * (double)facts->limit);
}

void od_answer_add_options(const struct od_fit_facts *facts, const struct od_answer_line *line,
                           struct od_answer *answer)
{
    if (facts->supposed)
        fill_by_estimate(facts, answer);
    if (facts->supposed || !can_price(facts, line))
        return;
    struct pricing p = {.line = line,
                        .answer = answer,
                        .batch = (double)facts->batch.n,
                        .scratch = od_arena_new(),
                        .unread = od_diags_new()};
    fill(&p, facts, answer);
    od_diags_free(p.unread);
    od_arena_free(p.scratch);
}

const struct od_plan_option *od_answer_option(const struct od_answer *answer, const char *remedy)
{
    const struct od_plan_option *best = NULL;
    for (size_t i = 1; i < answer->noptions; i++) {
        const struct od_plan_option *option = &answer->options[i];
        uint64_t asked = answer->options[0].workload.accumulation;
        uint64_t steps = asked > 0 ? option->workload.accumulation / asked : 0;
        /* a row with other accumulation steps than the answer has another batch */
        bool other = steps > 1 && answer->accumulation.known && steps != answer->accumulation.n;
        bool is_one = option->remedy && strcmp(option->remedy, remedy) == 0 && !other;
        if (is_one && (!best || option->peak.n < best->peak.n))
            best = option;
    }
    return best;
}

/* Number of changes in a row. Accumulation with its smaller batch counts as one. */
static size_t changes_of(const struct od_answer *answer, const struct od_plan_option *option,
                         struct od_change changes[OD_CHANGES_MAX])
{
    const struct od_workload *asked = &answer->options[0].workload;
    return od_plan_changes(asked, &option->workload, answer->facts->arena, changes);
}

const struct od_plan_option *od_answer_together(const struct od_answer *answer)
{
    static const double probable = 0.5;
    const struct od_plan_option *first = NULL;
    for (size_t i = 1; answer && answer->facts && i < answer->noptions; i++) {
        const struct od_plan_option *option = &answer->options[i];
        struct od_change changes[OD_CHANGES_MAX];
        size_t n = changes_of(answer, option, changes);
        bool accumulates =
            option->workload.accumulation != answer->options[0].workload.accumulation;
        if (option->fits < probable)
            continue;
        if (n <= 1U + accumulates || option->remedy)
            return NULL;
        first = first ? first : option;
    }
    return first;
}

bool od_answer_includes(const struct od_answer *answer, const struct od_plan_option *all,
                        const struct od_plan_option *one)
{
    struct od_change of_all[OD_CHANGES_MAX], of_one[OD_CHANGES_MAX];
    size_t nall = changes_of(answer, all, of_all), none = changes_of(answer, one, of_one), same = 0;
    for (size_t i = 0; i < none; i++)
        for (size_t k = 0; k < nall; k++)
            same +=
                strcmp(of_one[i].field, of_all[k].field) == 0 &&
                of_one[i].number == of_all[k].number &&
                (!of_one[i].word || !of_all[k].word || strcmp(of_one[i].word, of_all[k].word) == 0);
    return none > 0 && same == none;
}
