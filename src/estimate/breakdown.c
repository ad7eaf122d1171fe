/* The parts of an estimate to its peak. */
#include "estimate/estimate.h"

#include <math.h>

struct sum {
    uint64_t n;
    double below, above; /* squares */
    bool known;
};

static void add_part(struct sum *sum, const struct od_part *part)
{
    double below = (double)part->bytes.n - (double)part->bytes.lo;
    double above = (double)part->bytes.hi - (double)part->bytes.n;
    sum->below += below * below;
    sum->above += above * above;
    sum->known = sum->known && part->bytes.known && !ckd_add(&sum->n, sum->n, part->bytes.n);
}

bool od_estimate_close(struct od_estimate *estimate)
{
    const struct od_breakdown *b = &estimate->breakdown;
    const struct od_part *parts[] = {&b->parameters, &b->gradients,   &b->optimizer,
                                     &b->buffers,    &b->activations, &b->inputs,
                                     &b->workspace,  &b->framework,   &b->allocator_waste};
    struct sum sum = {.known = true};
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++)
        add_part(&sum, parts[i]);
    double below = sqrt(sum.below), above = sqrt(sum.above);
    uint64_t hi;
    if (!sum.known || above >= 0x1p63 || ckd_add(&hi, sum.n, (uint64_t)above))
        return false;
    estimate->peak = (struct od_bytes){
        .n = sum.n,
        .lo = below < (double)sum.n ? sum.n - (uint64_t)below : 0,
        .hi = hi,
        .known = true,
    };
    return true;
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
    if (w->corrects_context)
        scale(&b->framework.bytes, w->correction);
    return od_estimate_close(estimate);
}
