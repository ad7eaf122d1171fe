#include "fit/fit.h"

#include <math.h>

/* Prior log odds of each method, from the error of its largest batch in simulated runs (printed by
 * tests/fits). */
static const struct generator {
    bool (*find)(const struct od_fit_facts *facts, struct od_hypothesis *ret_found);
    double prior;
} generators[] = {
    {od_fit_by_arena, 4},    {od_fit_by_table, 3},  {od_fit_by_estimate, 1},
    {od_fit_by_blocks, 0.5}, {od_fit_by_states, 0},
};

/* Logarithm of Student's t density with 4 degrees of freedom, because a replayed step is mostly off
 * by some percent, and occasionally by much more. */
static double log_t(double off, double scale)
{
    double x = off / scale;
    return -2.5 * log1p(x * x / 4);
}

static struct od_belief belief_of(const struct od_hypothesis *h)
{
    return od_belief_of(h->median, h->lo, h->hi);
}

/* Log likelihood of the batches that worked and failed in the log, and of the final failure. Most
 * batches fail because of their size. */
static double log_of_trials(const struct od_fit_facts *facts, const struct od_hypothesis *h)
{
    static const double least = 0.01, other_reason = 0.25;
    struct od_belief belief = belief_of(h);
    double sum = 0;
    if (facts->worked > 0)
        sum += log(fmax(od_belief_probability(&belief, (double)facts->worked), least));
    if (facts->failed > 0)
        sum += log(fmax(1 - od_belief_probability(&belief, (double)facts->failed), least));
    if (facts->batch.known && !facts->trained && !facts->moved) {
        double below = 1 - od_belief_probability(&belief, (double)facts->batch.n);
        sum += log(other_reason + (1 - other_reason) * below);
    }
    return sum;
}

static double score(const struct od_fit_facts *facts, const struct od_hypothesis *h, double prior)
{
    static const double moment = 0.1, nothing_else = 2;
    double sum = prior;
    if (h->off >= 0)
        sum += log_t(h->off, moment);
    if (h->needs_others)
        sum -= nothing_else;
    return h->median > 0 ? sum + log_of_trials(facts, h) : sum;
}

static void put(struct od_fit *fit, const struct od_hypothesis *h, double log_odds)
{
    size_t at = fit->n++;
    for (; at > 0 && fit->weight[at - 1] < log_odds; at--) {
        fit->list[at] = fit->list[at - 1];
        fit->weight[at] = fit->weight[at - 1];
    }
    fit->list[at] = *h;
    fit->weight[at] = log_odds;
}

static void weigh(struct od_fit *fit)
{
    double sum = 0, top = fit->n > 0 ? fit->weight[0] : 0;
    for (size_t i = 0; i < fit->n; i++)
        sum += fit->weight[i] = exp(fit->weight[i] - top);
    for (size_t i = 0; i < fit->n; i++)
        fit->weight[i] /= sum;
}

static void find_all(struct od_fit *fit)
{
    for (size_t i = 0; i < OD_COUNT_OF(generators); i++) {
        struct od_hypothesis found = {.off = -1};
        if (generators[i].find(&fit->facts, &found))
            put(fit, &found, score(&fit->facts, &found, generators[i].prior));
    }
    weigh(fit);
}

/* --- conclusions about the cause --- */

static double fits(const struct od_fit *fit, double batch)
{
    double p = 0, sum = 0;
    for (size_t i = 0; i < fit->n; i++) {
        if (fit->list[i].median <= 0)
            continue;
        struct od_belief belief = belief_of(&fit->list[i]);
        p += fit->weight[i] * od_belief_probability(&belief, batch);
        sum += fit->weight[i];
    }
    return sum > 0 ? p / sum : -1;
}

static void take_evidence(struct od_fit *fit)
{
    const struct od_fit_facts *facts = &fit->facts;
    struct od_bytes fixed =
        fit->n > 0 && fit->list[0].fixed.known ? fit->list[0].fixed : facts->fixed;
    if (fit->n > 0)
        fit->one_fits = fits(fit, 1);
    if (fit->n > 0 && facts->batch.known && !facts->moved)
        fit->batch_fits = fits(fit, (double)facts->batch.n);
    if (fixed.known && facts->limit_then > 0)
        fit->fixed_share = (double)fixed.lo / (double)facts->limit_then;
}

const struct od_fit *od_fit_of(const struct od_fit_question *question, struct od_arena *arena)
{
    struct od_fit *fit = OD_NEW(arena, struct od_fit);
    fit->question = *question;
    fit->question.named_count = question->named ? od_fit_count(question->named) : 0;
    fit->batch_fits = fit->one_fits = fit->fixed_share = -1;
    fit->known = od_fit_facts_of(&fit->question, arena, &fit->facts);
    if (!fit->known) {
        fit->facts.product = od_product_of(&fit->question, NULL, arena);
        return fit;
    }
    find_all(fit);
    take_evidence(fit);
    return fit;
}

/* --- the posterior --- */

/* Updates the belief with a batch that failed for its size. If that batch is within the range, the
 * range is cut. If it is below, the step needs an unknown amount more than the hypothesis says. */
static struct od_belief apply_failure(const struct od_hypothesis *h, double failed)
{
    static const double doubt = 0.5, mostly = 0.9;
    double median = h->median, lo = h->lo, hi = h->hi;
    if (h->less > 0) { /* the failure was on another device */
        median *= h->less;
        hi *= h->less;
        lo *= h->less * doubt / mostly;
    }
    if (failed > 0 && floor(lo) >= failed) {
        median = failed * mostly;
        lo = fmin(lo, failed * doubt);
    }
    return od_belief_of(median, lo, hi);
}

struct od_belief od_fit_belief(const struct od_fit *fit, bool by_size,
                               const struct od_hypothesis **ret_best)
{
    static const double least = 0.1; /* parts of lower weight are ignored */
    const struct od_fit_facts *facts = &fit->facts;
    bool here = by_size && !facts->moved && facts->batch.known;
    struct od_belief belief = {0};
    double sum = 0;
    *ret_best = NULL;
    for (size_t i = 0; i < fit->n; i++) {
        const struct od_hypothesis *h = &fit->list[i];
        if (by_size ? h->needs_others : h->of_moment)
            continue;
        if (!*ret_best)
            *ret_best = h;
        if (h->median <= 0 || fit->weight[i] < least * (sum + fit->weight[i]))
            continue;
        struct od_belief part =
            by_size ? apply_failure(h, here ? (double)facts->batch.n : 0) : belief_of(h);
        od_belief_mix(&belief, &part, fit->weight[i]);
        sum += fit->weight[i];
    }
    return belief;
}
