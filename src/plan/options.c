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

/* Same global batch in twice as many steps, until half of it is a single sample. */
static bool halve_batch(struct od_workload *w)
{
    if (w->batch < 2 || w->inference)
        return false;
    w->accumulation *= w->batch / (w->batch / 2);
    w->batch /= 2;
    return true;
}

static bool quarter_batch(struct od_workload *w)
{
    return w->batch >= 4 && halve_batch(w) && halve_batch(w);
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

static bool precision_and_batch(struct od_workload *w)
{
    return halve_precision(w) && halve_batch(w);
}

static bool checkpoint_and_batch(struct od_workload *w)
{
    return checkpoint(w) && quarter_batch(w);
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
    {halve_precision, EFFORT_PRECISION, "none on devices with tensor cores, where it is faster"},
    {halve_batch, EFFORT_ACCUMULATE,
     "twice the steps, little time; batch norm sees half the batch"},
    {precision_and_batch, EFFORT_PRECISION + EFFORT_ACCUMULATE,
     "little time; batch norm sees half the batch"},
    {quarter_batch, EFFORT_ACCUMULATE + 1,
     "four times the steps; batch norm sees a quarter of the batch"},
    {checkpoint_some, EFFORT_CHECKPOINT, "attention is computed twice: a few per cent of the time"},
    {checkpoint, EFFORT_CHECKPOINT + 1, "a second forward pass: about a third more time"},
    {precision_and_checkpoint, EFFORT_CHECKPOINT + 2, "a second forward pass, at 16 bit"},
    {small_optimizer, EFFORT_OPTIMIZER, "another library (bitsandbytes); results nearly the same"},
    {factored_optimizer, EFFORT_OPTIMIZER + 1, "other learning-rate settings; results may differ"},
    {checkpoint_and_batch, EFFORT_CHECKPOINT + 3, "a third more time, and many small steps"},
    {offload, EFFORT_OFFLOAD, "optimizer steps on the CPU, over the bus: much slower steps"},
    {shard, EFFORT_SHARD, "weights travel between devices in every layer"},
    {pure_precision, EFFORT_OPTIMIZER + 4, "small updates may round away: watch the loss"},
    {adapters, EFFORT_ADAPTERS, "trains adapters of rank 16, not the whole model"},
    {small_adapters, EFFORT_ADAPTERS + 1, "adapters over 4-bit weights; a little slower"},
    {small_weights, EFFORT_PRECISION, "4-bit weights: a little less exact"},
    {all_that_keeps_the_result, EFFORT_OFFLOAD + 1,
     "slow: all of these together, one sample a step"},
};

static bool price(struct od_plan_option *option, const struct od_plan *plan,
                  struct od_arena *scratch, struct od_diags *unread)
{
    struct od_estimate estimate = {0};
    od_arena_reset(scratch);
    if (!od_estimate(&option->workload, scratch, unread, &estimate))
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

void od_plan_add_options(struct od_plan *plan, struct od_arena *arena)
{
    (void)arena;
    struct od_arena *scratch = od_arena_new();
    struct od_diags *unread = od_diags_new();
    plan->options[0] = (struct od_plan_option){.workload = plan->request.workload,
                                               .peak = plan->estimate.peak,
                                               .largest = plan->largest,
                                               .fits = plan->fits};
    plan->noptions = 1;
    for (size_t i = 0; i < OD_COUNT_OF(changes) && plan->noptions < OD_PLAN_OPTIONS_MAX; i++) {
        struct od_plan_option option = {.workload = plan->request.workload,
                                        .cost = changes[i].cost,
                                        .effort = changes[i].effort};
        if (!changes[i].apply(&option.workload) || !price(&option, plan, scratch, unread) ||
            (double)option.peak.n > worth * (double)plan->estimate.peak.n ||
            is_listed(plan, &option))
            continue;
        if (plan->request.device.name)
            option.largest = od_largest_batch(&option.workload, plan->request.device.usable_bytes);
        plan->options[plan->noptions++] = option;
    }
    qsort(plan->options + 1, plan->noptions - 1, sizeof *plan->options, by_worth);
    od_diags_free(unread);
    od_arena_free(scratch);
}
