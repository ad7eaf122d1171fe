#include "estimate/estimate.h"

#include "base/num.h"
#include "estimate/recognise.h"
#include "estimate/states.h"
#include "estimate/transformer.h"

#include <math.h>

/* Of a normal distribution: 5th and 95th percentiles lie so many deviations from its middle. */
static const double z95 = 1.6448536269514722;

struct od_workload od_workload_defaults(const struct od_model *model)
{
    struct od_workload w = {.model = model,
                            .optimizer = OD_OPT_ADAMW,
                            .metric = OD_METRIC_DEVICE,
                            .checkpoint_every = 1,
                            .batch = 1,
                            .accumulation = 1,
                            .world_size = 1,
                            .tensor_parallel = 1,
                            .pipeline_parallel = 1,
                            .expert_parallel = 1};
    if (model)
        od_framework_find(model->framework, &w.framework);
    return w;
}

double od_estimate_fits(const struct od_estimate *estimate, uint64_t usable_bytes)
{
    struct od_bytes peak = estimate->peak;
    if (peak.n == 0 || peak.n == peak.hi || peak.lo == 0)
        return peak.hi <= usable_bytes ? 1.0 : peak.lo > usable_bytes ? 0.0 : 0.5;
    double distance = log((double)usable_bytes) - log((double)peak.n);
    double width = distance >= 0 ? log((double)peak.hi) - log((double)peak.n)
                                 : log((double)peak.n) - log((double)peak.lo);
    if (width <= 0)
        return distance >= 0 ? 1.0 : 0.0;
    return 0.5 * erfc(-distance / (width / z95) / sqrt(2.0));
}

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

/* Sets the parts that follow from the number of parameters alone. */
static bool add_states(const struct od_workload *w, struct od_estimate *e)
{
    struct od_states states;
    if (!od_states_of(w, e->parameters, e->trainable, &states))
        return false;
    e->parameter_bytes = states.weights;
    e->breakdown = (struct od_breakdown){
        .parameters = {.bytes = states.weights, .why = "parameters x bytes of a weight"},
        .gradients = {.bytes = states.gradients, .why = "trainable parameters x bytes of a weight"},
        .optimizer = {.bytes = states.optimizer, .why = "trainable parameters x optimizer state"},
        .buffers = {.bytes = od_bytes_exact(0)},
        .activations = {.bytes = od_bytes_exact(0)},
        .inputs = {.bytes = od_bytes_exact(0)},
        .workspace = {.bytes = od_bytes_exact(0)},
        .framework = {.bytes = od_bytes_exact(0)},
        .allocator_waste = {.bytes = od_bytes_exact(0)},
    };
    return true;
}

bool od_estimate(const struct od_workload *workload, struct od_arena *arena, struct od_diags *diags,
                 struct od_estimate *ret_estimate)
{
    const struct od_model *model = workload->model;
    if (model->transformer.known)
        return od_estimate_transformer(workload, arena, diags, ret_estimate);
    bool is_transformer;
    bool done = od_estimate_recognised(workload, arena, diags, ret_estimate, &is_transformer);
    if (is_transformer)
        return done;
    struct od_estimate e = {0};
    if (!model->parameters.known) {
        od_diags_say(diags, OD_ERROR, "the description does not say how many parameters it has");
        return false;
    }
    e.parameters = model->parameters.n;
    e.trainable = model->trainable.known ? model->trainable.n : e.parameters;
    if (!add_states(workload, &e) || !od_estimate_close(&e)) {
        od_diags_say(diags, OD_ERROR, "the sizes described exceed 64 bits");
        return false;
    }
    *ret_estimate = e;
    return true;
}
