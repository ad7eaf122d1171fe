#include "plan/options.h"

#include <stdlib.h>

/* A change worth a row must take that much off the peak. */
static const double worth = 0.98;

enum {
    EFFORT_PRECISION = 1,
    EFFORT_ACCUMULATE = 2,
    EFFORT_CHECKPOINT = 4,
    EFFORT_OPTIMIZER = 8,
    EFFORT_OFFLOAD = 16,
    EFFORT_SHARD = 32,
    EFFORT_ADAPTERS = 64
};

/* A change to a workload: false when it does not apply to this one. */
struct change {
    bool (*apply)(struct od_workload *w);
    unsigned effort;
    bool shrinks; /* the batch, too, to what fits, in more steps */
    const char *cost;
};

static bool halve_precision(struct od_workload *w)
{
    if (w->precision != OD_PREC_FLOAT32 && w->precision != OD_PREC_TF32)
        return false;
    w->precision = w->inference ? OD_PREC_BF16_TRUE : OD_PREC_AMP_BF16;
    return true;
}

static bool pure_precision(struct od_workload *w)
{
    if (w->inference || w->precision == OD_PREC_BF16_TRUE || w->precision == OD_PREC_FP16_TRUE)
        return false;
    w->precision = OD_PREC_BF16_TRUE;
    return true;
}

/* For rows that only fit the batch to the device. */
static bool as_asked(struct od_workload *w)
{
    return !w->inference;
}

static bool checkpoint(struct od_workload *w)
{
    if (w->inference || w->checkpointing == OD_CKPT_FULL)
        return false;
    w->checkpointing = OD_CKPT_FULL;
    w->checkpoint_every = 1;
    return true;
}

static bool checkpoint_some(struct od_workload *w)
{
    if (w->inference || w->checkpointing != OD_CKPT_NONE || !w->model->transformer.known)
        return false;
    w->checkpointing = OD_CKPT_SELECTIVE;
    return true;
}

static bool keeps_two_moments(const struct od_workload *w)
{
    return w->optimizer == OD_OPT_ADAM || w->optimizer == OD_OPT_ADAMW ||
           w->optimizer == OD_OPT_AMSGRAD;
}

static bool small_optimizer(struct od_workload *w)
{
    if (w->inference || !keeps_two_moments(w) || w->framework != OD_FW_PYTORCH)
        return false;
    w->optimizer = OD_OPT_ADAM8BIT;
    return true;
}

static bool factored_optimizer(struct od_workload *w)
{
    if (w->inference || !keeps_two_moments(w) || w->framework == OD_FW_PYTORCH)
        return false;
    w->optimizer = OD_OPT_ADAFACTOR;
    return true;
}

static bool offload(struct od_workload *w)
{
    if (w->inference || w->offload_optimizer || w->framework != OD_FW_PYTORCH)
        return false;
    w->offload_optimizer = true;
    return true;
}

static bool shard(struct od_workload *w)
{
    if (w->inference || w->fsdp || w->zero_stage == 3 || w->world_size < 2 ||
        w->framework != OD_FW_PYTORCH)
        return false;
    w->fsdp = true;
    return true;
}

static bool adapters(struct od_workload *w)
{
    if (w->inference || w->lora_rank > 0 || !w->model->transformer.known)
        return false;
    w->lora_rank = 16;
    return true;
}

static bool small_adapters(struct od_workload *w)
{
    if (w->inference || w->quantize_bits > 0 || !w->model->transformer.known)
        return false;
    w->lora_rank = w->lora_rank > 0 ? w->lora_rank : 16;
    w->quantize_bits = 4;
    return true;
}

static bool small_weights(struct od_workload *w)
{
    if (!w->inference || w->quantize_bits == 4 || !w->model->transformer.known)
        return false;
    w->quantize_bits = 4;
    return true;
}

static bool precision_and_checkpoint(struct od_workload *w)
{
    return halve_precision(w) && checkpoint(w);
}

static bool all_that_keeps_the_result(struct od_workload *w)
{
    bool any = halve_precision(w);
    any = checkpoint(w) || any;
    any = small_optimizer(w) || factored_optimizer(w) || any;
    if (w->batch > 1 && !w->inference) {
        w->accumulation *= w->batch;
        w->batch = 1;
        any = true;
    }
    return any;
}

static const struct change changes[] = {
    {halve_precision, EFFORT_PRECISION, false, "none with tensor cores: faster there"},
    {halve_precision, EFFORT_ACCUMULATE, true, "smaller steps; fast with tensor cores"},
    {as_asked, EFFORT_ACCUMULATE + 1, true, "smaller steps, little time"},
    {checkpoint_some, EFFORT_CHECKPOINT, false, "attention twice: a few % of the time"},
    {checkpoint, EFFORT_CHECKPOINT + 1, false, "a second forward pass: a third more time"},
    {precision_and_checkpoint, EFFORT_CHECKPOINT + 2, false, "a second forward pass"},
    {precision_and_checkpoint, EFFORT_CHECKPOINT + 3, true, "smaller steps, a third more time"},
    {small_optimizer, EFFORT_OPTIMIZER, false, "needs bitsandbytes"},
    {factored_optimizer, EFFORT_OPTIMIZER + 1, false, "other learning-rate settings"},
    {pure_precision, EFFORT_OPTIMIZER + 4, false, "small updates round away: watch the loss"},
    {offload, EFFORT_OFFLOAD, false, "steps on the CPU: much slower"},
    {all_that_keeps_the_result, EFFORT_OFFLOAD + 1, false, "slow: one sample a step"},
    {shard, EFFORT_SHARD, false, "weights travel between devices"},
    {small_weights, EFFORT_PRECISION, false, "4-bit weights: a little less exact"},
    {adapters, EFFORT_ADAPTERS, false, "trains adapters, not the whole model"},
    {small_adapters, EFFORT_ADAPTERS + 1, false, "adapters over 4-bit weights"},
};

/* The largest safe power of two, in as many steps as keep the global batch. Without a device: half.
 * False where nothing has to shrink. */
static bool shrink_batch(struct od_plan_option *option, bool device)
{
    struct od_workload *w = &option->workload;
    uint64_t batch = device ? option->largest.power_of_two : w->batch / 2, steps;
    if (batch == 0 || batch >= w->batch)
        return false;
    steps = w->batch / batch + (w->batch % batch != 0);
    w->accumulation *= steps;
    w->batch = batch;
    return true;
}

struct pricing {
    struct od_arena *scratch;
    struct od_diags *unread;
};

static bool price(struct od_plan_option *option, const struct od_plan *plan,
                  struct pricing *pricing)
{
    struct od_estimate estimate = {0};
    od_arena_reset(pricing->scratch);
    if (!od_estimate(&option->workload, pricing->scratch, pricing->unread, &estimate))
        return false;
    const struct od_plan_device *device = &plan->request.device;
    option->peak = estimate.peak;
    option->fits = device->name ? od_estimate_fits(&estimate, device->usable_bytes) : -1;
    return true;
}

/* Those that fit, cheapest first; the others, smallest first. */
static int by_worth(const void *a, const void *b)
{
    const struct od_plan_option *x = a, *y = b;
    bool x_fits = x->fits >= 0.5, y_fits = y->fits >= 0.5;
    if (x_fits != y_fits)
        return x_fits ? -1 : 1;
    if (x_fits && x->effort != y->effort)
        return x->effort < y->effort ? -1 : 1;
    if (x->peak.n != y->peak.n)
        return x->peak.n < y->peak.n ? -1 : 1;
    return (x->effort > y->effort) - (x->effort < y->effort);
}

static bool is_listed(const struct od_plan *plan, const struct od_plan_option *option)
{
    for (size_t i = 0; i < plan->noptions; i++) {
        const struct od_plan_option *other = &plan->options[i];
        if (other->peak.n == option->peak.n && other->workload.batch == option->workload.batch &&
            other->workload.precision == option->workload.precision)
            return true;
    }
    return false;
}

static bool make_option(const struct od_plan *plan, const struct change *change,
                        struct pricing *pricing, struct od_plan_option *ret_option)
{
    const struct od_plan_device *device = &plan->request.device;
    struct od_plan_option option = {
        .workload = plan->request.workload, .cost = change->cost, .effort = change->effort};
    if (!change->apply(&option.workload))
        return false;
    if (change->shrinks) {
        if (device->name)
            option.largest = od_largest_batch(&option.workload, device->usable_bytes);
        if (!shrink_batch(&option, device->name != NULL))
            return false;
    }
    if (!price(&option, plan, pricing) ||
        (double)option.peak.n > worth * (double)plan->estimate.peak.n || is_listed(plan, &option))
        return false;
    if (device->name && !change->shrinks)
        option.largest = od_largest_batch(&option.workload, device->usable_bytes);
    *ret_option = option;
    return true;
}

void od_plan_add_options(struct od_plan *plan)
{
    struct pricing pricing = {.scratch = od_arena_new(), .unread = od_diags_new()};
    plan->options[0] = (struct od_plan_option){.workload = plan->request.workload,
                                               .peak = plan->estimate.peak,
                                               .largest = plan->largest,
                                               .fits = plan->fits};
    plan->noptions = 1;
    for (size_t i = 0; i < OD_COUNT_OF(changes) && plan->noptions < OD_PLAN_OPTIONS_MAX; i++) {
        /* What already fits needs no smaller steps. */
        if (changes[i].shrinks && plan->fits >= 0.9)
            continue;
        if (make_option(plan, &changes[i], &pricing, &plan->options[plan->noptions]))
            plan->noptions++;
    }
    qsort(plan->options + 1, plan->noptions - 1, sizeof *plan->options, by_worth);
    od_diags_free(pricing.unread);
    od_arena_free(pricing.scratch);
}
