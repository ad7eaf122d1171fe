/*
 * For a dump without a layer table that is not a public network: derives the layers from kernel
 * sizes (rebuild.h). Most of the memory in use must be their maps.
 */
#include "fit/facts.h"

#include "fit/rebuild.h"

#include <math.h>

/* share of the memory in use that is not variables */
static const double maps_least = 0.65;

static double variables_of(const struct od_chain *chain)
{
    double numbers = 0;
    OD_FOR_EACH_OF (const struct od_kernel, kernel, chain->list, chain->n) {
        double area = kernel->side > 0 ? (double)(kernel->side * kernel->side) : 1;
        numbers += (area * (double)kernel->in + 1) * (double)kernel->out;
    }
    return numbers * 4 * (double)chain->copies;
}

/* Do only optimizer states or the step's tensors follow the variables? A branching network has
 * further kernels that the chain does not explain. */
static bool is_whole(const struct od_sequence *sequence, const struct od_chain *chain,
                     const struct od_fit_facts *facts)
{
    enum { KERNEL_LEAST = 4096 };
    static const double near = 0.03;
    double variables = variables_of(chain);
    if (facts->fixed.known)
        return fabs(variables - (double)facts->fixed.n) < near * variables;
    size_t at = chain->end;
    while (at < sequence->n && sequence->items[at].bytes < KERNEL_LEAST)
        at++;
    for (size_t i = 0; i < at && at < sequence->n; i++)
        if (sequence->items[i].bytes == sequence->items[at].bytes)
            return chain->copies > 1;
    return at == sequence->n;
}

/* Tries recurrent layers. Their variables must be the memory that is known not to grow. */
static bool rebuild_recurrent(struct od_fit_facts *facts)
{
    static const double near = 0.05;
    const struct od_allocator *dump = facts->failure->dump;
    struct od_recurrents *r = OD_NEW(facts->arena, struct od_recurrents);
    uint64_t asked = facts->failure->need.known ? facts->failure->need.n : 0;
    if (!od_means(facts->failure->op_means, OD_OP_RECURRENT) || !od_recurrents_read(dump, r) ||
        !od_recurrents_batch(r, dump, asked, facts->batch))
        return false;
    double variables = (double)r->numbers * 4 * (double)r->copies;
    if (facts->fixed.known && fabs(variables - (double)facts->fixed.n) > near * variables)
        return false;
    if (!facts->batch.known) {
        facts->batch = od_count_of(r->batch);
        facts->batch_certainty = OD_LIKELY;
    }
    facts->model = od_rebuild_recurrent(r, facts->arena);
    facts->rebuilt = true;
    facts->slots = od_count_of(r->copies - 1);
    facts->parameters = facts->model->parameters;
    return true;
}

/* Adds the other tables with the same kernels and maps. The memory in use decides among them. */
static void add_styles(struct od_fit_facts *facts, const struct od_chain *chain,
                       const struct od_maps *maps)
{
    bool halves = false;
    double rest = (double)facts->failure->dump->in_use_bytes - variables_of(chain);
    for (size_t i = 0; i < chain->n; i++) {
        halves = halves || chain->list[i].side == 2;
    }
    for (int turned = 0; turned <= (int)halves && maps->matched >= maps_least * rest; turned++)
        if (facts->nguesses < OD_COUNT_OF(facts->guesses))
            facts->guesses[facts->nguesses++] =
                od_rebuild_model(chain, maps, turned == 1, facts->arena);
}

void od_fit_rebuild(struct od_fit_facts *facts)
{
    static const uint64_t batch_most = 65536;
    static const double alike = 0.995;
    const struct od_allocator *dump = facts->failure->dump;
    struct od_chain *chain = OD_NEW(facts->arena, struct od_chain);
    /* one table with pools, one with strides */
    struct od_maps *maps = OD_NEW_N(facts->arena, 2, struct od_maps);
    /* input pipelines also allocate from a pool in RAM, but in an order that shows no layers */
    if (facts->model || !dump || !dump->chunks_complete || dump->dump.family != OD_FAMILY_BFC ||
        !dump->has_chunks || od_view_eq_str(dump->device, "CPU"))
        return;
    struct od_sequence sequence = od_sequence_of(dump, facts->arena);
    if (rebuild_recurrent(facts))
        return;
    if (!facts->batch.known || facts->batch.n == 0 || facts->batch.n > batch_most ||
        !od_chain_read(&sequence, dump, chain) || !is_whole(&sequence, chain, facts))
        return;
    /* the width must be known: twice the channels at half the width have the same size */
    for (int strided = 0; strided < 2; strided++) {
        struct od_maps_question question = {
            .chain = chain,
            .dump = dump,
            .asked = facts->failure->need.known ? facts->failure->need.n : 0,
            .batch = facts->batch.n,
            .width = facts->sixteen_bit ? 2 : 4,
            .strided = strided == 1,
        };
        if (!od_maps_find(&question, &maps[strided]))
            maps[strided].matched = 0;
    }
    for (int strided = 0; strided < 2; strided++)
        if (maps[strided].matched > 0 && maps[strided].matched >= alike * maps[!strided].matched)
            add_styles(facts, chain, &maps[strided]);
    if (facts->nguesses == 0)
        return;
    facts->model = facts->guesses[0];
    facts->rebuilt = true;
    facts->slots = od_count_of(chain->copies - 1);
    facts->parameters = facts->model->parameters;
}
