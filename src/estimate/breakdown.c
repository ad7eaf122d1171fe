/*
 * Adds up the parts of an estimate to its peak.
 */
#include "estimate/estimate.h"

#include <math.h>

struct sum {
    uint64_t n;
    double below, above; /* sums of squared errors below and above */
    bool known;
};

static void add_part(struct sum *sum, struct od_bytes part)
{
    double below = (double)part.n - (double)part.lo;
    double above = (double)part.hi - (double)part.n;
    sum->below += below * below;
    sum->above += above * above;
    sum->known = sum->known && part.known && !ckd_add(&sum->n, sum->n, part.n);
}

static bool close(const struct sum *sum, struct od_bytes *ret_bytes)
{
    double below = sqrt(sum->below), above = sqrt(sum->above);
    uint64_t hi;
    if (!sum->known || above >= 0x1p63 || ckd_add(&hi, sum->n, (uint64_t)above))
        return false;
    *ret_bytes = (struct od_bytes){
        .n = sum->n,
        .lo = below < (double)sum->n ? sum->n - (uint64_t)below : 0,
        .hi = hi,
        .known = true,
    };
    return true;
}

bool od_estimate_close(struct od_estimate *estimate)
{
    const struct od_breakdown *b = &estimate->breakdown;
    const struct od_bytes parts[] = {b->parameters.bytes, b->gradients.bytes,   b->optimizer.bytes,
                                     b->buffers.bytes,    b->activations.bytes, b->inputs.bytes,
                                     b->framework.bytes};
    double unsaid = estimate->unsaid * estimate->unsaid;
    struct sum sum = {.below = unsaid, .above = unsaid, .known = true}, full;
    struct od_bytes waste = b->allocator_waste.bytes;
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++)
        add_part(&sum, parts[i]);
    full = sum;
    add_part(&sum, b->workspace.bytes);
    add_part(&sum, waste);
    /* these two errors depend on each other: (x + y)^2 is 2xy more than the sum of squares */
    if (b->lengths_vary)
        sum.below += 2 * (double)(waste.n - waste.lo) *
                     (double)(b->activations.bytes.n - b->activations.bytes.lo);
    add_part(&full, b->at_limit);
    return close(&sum, &estimate->peak) &&
           close(b->at_limit.known ? &full : &sum, &estimate->at_limit);
}

enum description {
#define OD_ODDS(description, peak, below, above) description,
#include "estimate/odds.def"
#undef OD_ODDS
    OTHER
};

static enum description description_of(const struct od_model *m)
{
    if (m->transformer.known)
        return CONFIG;
    return m->recorded.known ? GRAPH : m->measured.known && m->layers.n == 0 ? NAMED : OTHER;
}

static void widen(struct od_bytes *bytes, double below, double above)
{
    if (bytes->n == 0 || bytes->lo == 0)
        return;
    double n = (double)bytes->n;
    bytes->lo = (uint64_t)(n * pow((double)bytes->lo / n, below));
    bytes->hi = (uint64_t)ceil(n * pow((double)bytes->hi / n, above));
}

/* Widens the interval to the errors of first estimates for published peaks of the same family.
 * Weights are a lower bound. */
static void reach(struct od_bytes *bytes, double weights, double below, double above)
{
    double n = (double)bytes->n;
    bytes->lo = (uint64_t)fmin((double)bytes->lo, fmax(n * exp(-below), weights));
    bytes->hi = (uint64_t)ceil(fmax((double)bytes->hi, n * exp(above)));
}

static void widen_published(const struct od_workload *w, struct od_estimate *estimate)
{
    const struct od_model *m = w->model;
    bool pipeline = m->pipeline.known;
    double weights = (double)estimate->breakdown.parameters.bytes.lo;
    bool met = pipeline || (m->transformer.known && m->format == OD_MODEL_HF_CONFIG);
    const struct {
        bool holds;
        double below, above;
    } rows[] = {
#define OD_WIDTH(family, when, below, above) {when, below, above},
#include "estimate/widths.def"
#undef OD_WIDTH
    };
    if (!met || !w->planned || w->correction > 0 || w->framework != OD_FW_PYTORCH)
        return;
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++)
        if (rows[i].holds) {
            reach(&estimate->peak, weights, rows[i].below, rows[i].above);
            reach(&estimate->at_limit, weights, rows[i].below, rows[i].above);
            return;
        }
}

void od_estimate_earn(const struct od_workload *w, struct od_estimate *estimate)
{
    static const struct {
        double peak, below, above;
    } factors[] = {
#define OD_ODDS(description, peak, below, above) [description] = {peak, below, above},
#include "estimate/odds.def"
#undef OD_ODDS
    };
    enum description d = description_of(w->model);
    if (d == OTHER || !w->hopper || w->metric == OD_METRIC_ALLOCATED || w->inference) {
        widen_published(w, estimate);
        return;
    }
    if (w->metric == OD_METRIC_DEVICE)
        widen(&estimate->peak, factors[d].peak, factors[d].peak);
    if (estimate->breakdown.at_limit.known)
        widen(&estimate->at_limit, factors[d].below, factors[d].above);
    else
        estimate->at_limit = estimate->peak;
}

static void scale(struct od_bytes *bytes, double factor)
{
    bytes->n = (uint64_t)((double)bytes->n * factor);
    bytes->lo = (uint64_t)((double)bytes->lo * factor);
    bytes->hi = (uint64_t)((double)bytes->hi * factor);
}

bool od_estimate_correct(const struct od_workload *w, struct od_estimate *estimate)
{
    struct od_breakdown *b = &estimate->breakdown;
    if (w->correction <= 0)
        return true;
    scale(&b->activations.bytes, w->correction);
    scale(&b->inputs.bytes, w->correction);
    scale(&b->workspace.bytes, w->correction);
    scale(&b->allocator_waste.bytes, w->correction);
    scale(&b->at_limit, w->correction);
    if (w->corrects_context)
        scale(&b->framework.bytes, w->correction);
    return od_estimate_close(estimate);
}
