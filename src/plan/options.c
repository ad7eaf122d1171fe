#include "plan/options.h"

#include <stdio.h>

/* A change gets a row if it lowers the peak to this share. */
static const double worth = 0.98;

/* Seven more rented devices get a row if they lower the peak to this share. */
static const double worth_devices = 0.75;

/* A combination must fit with at least this probability, like a recommendation. */
static const double sure_enough = 0.9;

enum {
    EFFORT_PRECISION = 1,
    EFFORT_ACCUMULATE = 2,
    EFFORT_CHECKPOINT = 4,
    EFFORT_OPTIMIZER = 8,
    EFFORT_SHARD = 16, /* using several existing devices is cheaper than a slow optimizer step */
    EFFORT_OFFLOAD = 32,
    EFFORT_ADAPTERS = 64,
    EFFORT_SMALL_ADAPTERS = 128,
    EFFORT_DEVICES = 256,
    ANY_ADAPTERS = EFFORT_ADAPTERS | EFFORT_SMALL_ADAPTERS,
    DEAR = EFFORT_OFFLOAD | ANY_ADAPTERS | EFFORT_DEVICES
};

/* A change to a workload. apply returns false if the change is not possible. */
struct change {
    const char *remedy;
    bool (*apply)(struct od_workload *w);
    unsigned effort;
    bool shrinks; /* also reduces the batch until it fits, and adds accumulation steps */
    const char *cost;
};

static bool halve_precision(struct od_workload *w)
{
    if (w->precision != OD_PREC_FLOAT32 && w->precision != OD_PREC_TF32)
        return false;
    enum od_precision mixed =
        w->framework == OD_FW_TENSORFLOW ? OD_PREC_AMP_FP16 : OD_PREC_AMP_BF16;
    w->precision = w->inference ? OD_PREC_BF16_TRUE : mixed;
    return true;
}

static bool pure_precision(struct od_workload *w)
{
    if (w->inference || od_precision_is_narrow(w->precision))
        return false;
    w->precision = OD_PREC_BF16_TRUE;
    return true;
}

/* For rows that only reduce the batch. */
static bool as_asked(struct od_workload *w)
{
    return !w->inference;
}

/* Recomputes checkpoints. A model known only by its totals has no parts to recompute. */
static bool checkpoint(struct od_workload *w)
{
    if (w->inference || w->checkpointing == OD_CKPT_FULL ||
        !(w->model->transformer.known || w->model->layers.n > 0 ||
          w->model->measured.checkpointed > 0 || w->model->pipeline.kept[0] > 0))
        return false;
    w->checkpointing = OD_CKPT_FULL;
    w->checkpoint_every = 1;
    w->checkpoints_open = false;
    return true;
}

/* Checkpoints each layer of a network. For a transformer, full checkpointing does this. */
static bool checkpoint_each(struct od_workload *w)
{
    if (w->inference || w->checkpointing != OD_CKPT_NONE || w->model->transformer.known ||
        w->model->layers.n == 0)
        return false;
    w->checkpointing = OD_CKPT_EVERY;
    w->checkpoint_every = 1;
    return true;
}

static bool checkpoint_some(struct od_workload *w)
{
    if (w->inference || w->checkpointing != OD_CKPT_NONE || !w->model->transformer.known)
        return false;
    w->checkpointing = OD_CKPT_SELECTIVE;
    w->checkpoints_open = false;
    return true;
}

static bool keeps_two_moments(const struct od_workload *w)
{
    return w->optimizer == OD_OPT_ADAM || w->optimizer == OD_OPT_ADAMW ||
           w->optimizer == OD_OPT_AMSGRAD;
}

static bool small_optimizer(struct od_workload *w)
{
    if (w->inference || !keeps_two_moments(w) || w->framework != OD_FW_PYTORCH ||
        w->no_bitsandbytes)
        return false;
    w->optimizer = OD_OPT_ADAM8BIT;
    w->optimizer_open = false;
    return true;
}

static bool factored_optimizer(struct od_workload *w)
{
    if (w->inference || !keeps_two_moments(w) ||
        (w->framework == OD_FW_PYTORCH && !w->no_bitsandbytes))
        return false;
    w->optimizer = OD_OPT_ADAFACTOR;
    return true;
}

static bool small_state(struct od_workload *w)
{
    return small_optimizer(w) || factored_optimizer(w);
}

static bool offload(struct od_workload *w)
{
    if (w->inference || w->offload_optimizer || w->framework != OD_FW_PYTORCH)
        return false;
    w->offload_optimizer = true;
    return true;
}

/* Keeps the parts of a pipeline in RAM until they compute. */
static bool offload_parts(struct od_workload *w)
{
    if (!w->inference || w->offload_params || !w->model->pipeline.known)
        return false;
    w->offload_params = true;
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

/* Shards over the devices of one machine when one device is requested. */
static bool shard_over_node(struct od_workload *w)
{
    enum { NODE = 8 };
    if (w->world_size > 1 || w->offload_optimizer || w->quantize_bits > 0)
        return false;
    w->world_size = NODE;
    return shard(w);
}

static bool adapters(struct od_workload *w)
{
    bool known = w->model->transformer.known || w->model->pipeline.adapters > 0;
    if (w->inference || w->lora_rank > 0 || !known)
        return false;
    w->lora_rank = 16;
    return true;
}

static bool small_adapters(struct od_workload *w)
{
    bool known = w->model->transformer.known || w->model->pipeline.adapters > 0;
    if (w->inference || w->quantize_bits > 0 || !known || w->no_bitsandbytes)
        return false;
    w->lora_rank = w->lora_rank > 0 ? w->lora_rank : 16;
    w->quantize_bits = 4;
    return true;
}

static bool small_weights(struct od_workload *w)
{
    const struct od_transformer *t = &w->model->transformer;
    if (!w->inference || w->quantize_bits == 4 || !(t->known || w->model->pipeline.known) ||
        (t->stored_bits.known && t->stored_bits.n <= 4))
        return false;
    w->quantize_bits = 4;
    return true;
}

static const struct change changes[] = {
    {"mixed_precision", halve_precision, EFFORT_PRECISION, false, "none; faster with tensor cores"},
    {"accumulate", as_asked, EFFORT_ACCUMULATE + 1, true, "about the same speed per sample"},
    {"checkpointing", checkpoint_some, EFFORT_CHECKPOINT, false,
     "attention computed twice: a few % slower"},
    {"checkpointing", checkpoint, EFFORT_CHECKPOINT + 1, false,
     "a second forward pass: about a third slower"},
    {"checkpointing", checkpoint_each, EFFORT_CHECKPOINT + 1, false,
     "a second forward pass, layer by layer"},
    {"smaller_optimizer", small_optimizer, EFFORT_OPTIMIZER, false, "needs bitsandbytes"},
    {"smaller_optimizer", factored_optimizer, EFFORT_OPTIMIZER + 1, false,
     "needs a new learning rate"},
    {NULL, pure_precision, EFFORT_OPTIMIZER + 4, false,
     "small updates are rounded to zero: watch the loss"},
    {"sharding", shard, EFFORT_SHARD, false, "weights are sent between devices in each step"},
    {"offload", offload, EFFORT_OFFLOAD, false, "much slower: the optimizer runs on the CPU"},
    {"offload", offload_parts, EFFORT_OFFLOAD, false, "slower: parts are kept in RAM"},
    {"quantize", small_weights, EFFORT_PRECISION, false, "slightly lower quality"},
    {"adapters", adapters, EFFORT_ADAPTERS, false, "trains adapters, not the whole model"},
    {NULL, small_adapters, EFFORT_SMALL_ADAPTERS, false, "adapters over 4-bit weights"},
    {"sharding", shard_over_node, EFFORT_DEVICES, false, "needs eight of these devices"},
};

/* The parts of combinations, each at the bit of its effort: counting up goes from the cheapest to
 * the most expensive combination. */
static const struct part {
    bool (*apply)(struct od_workload *w);
    const char *cost; /* NULL = no cost */
} parts[] = {
    {halve_precision, NULL},
    {as_asked, "about the same speed per sample"}, /* find_combination adds the steps */
    {checkpoint, "a second forward pass"},
    {small_state, "another optimizer"},
    {shard, "weights are sent between devices in each step"},
    {offload, "much slower: the optimizer runs on the CPU"},
    {adapters, "trains adapters, not the whole model"},
    {small_adapters, "adapters over 4-bit weights"},
    {shard_over_node, "needs eight of these devices"},
};

/* Reduces the batch and adds steps that keep the global batch. False if it need not shrink. */
static bool shrink_batch(const struct od_option_pricer *pricer, struct od_plan_option *option)
{
    struct od_workload *w = &option->workload;
    uint64_t batch = pricer->smaller_batch(pricer->self, option), steps;
    if (batch == 0 || batch >= w->batch)
        return false;
    steps = w->batch / batch + (w->batch % batch != 0);
    w->accumulation *= steps;
    w->batch = batch;
    return true;
}

/* Sorts options that fit first, cheapest first; then the others, smallest peak first. */
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

static bool is_listed(const struct od_plan_option *options, size_t n,
                      const struct od_plan_option *option)
{
    OD_FOR_EACH_OF (const struct od_plan_option, other, options, n)
        if (other->peak.n == option->peak.n && other->workload.batch == option->workload.batch &&
            other->workload.precision == option->workload.precision)
            return true;
    return false;
}

/* Are all changes of `part` also changes of `whole`? */
static bool is_part(const struct od_workload *asked, const struct od_workload *part,
                    const struct od_workload *whole)
{
#define AS_IN_WHOLE(knob) (part->knob == asked->knob || part->knob == whole->knob)
    return AS_IN_WHOLE(precision) && AS_IN_WHOLE(optimizer) && AS_IN_WHOLE(checkpointing) &&
           AS_IN_WHOLE(offload_optimizer) && AS_IN_WHOLE(fsdp) && AS_IN_WHOLE(world_size) &&
           AS_IN_WHOLE(lora_rank) && AS_IN_WHOLE(quantize_bits) && AS_IN_WHOLE(batch);
#undef AS_IN_WHOLE
}

/* Is the part alone sufficient? No if only the whole fits. */
static bool is_enough(const struct od_plan_option *part, const struct od_plan_option *whole)
{
    bool cures = whole->fits >= sure_enough && part->fits < sure_enough;
    return worth * (double)part->peak.n <= (double)whole->peak.n && !cures;
}

/* Drops combinations of which a part saves as much. */
static size_t drop_wholes(struct od_plan_option *options, size_t n)
{
    size_t kept = 1;
    for (size_t i = 1; i < n; i++) {
        size_t k = 1;
        while (k < n &&
               (k == i || !is_enough(&options[k], &options[i]) ||
                !is_part(&options[0].workload, &options[k].workload, &options[i].workload)))
            k++;
        if (k == n)
            options[kept++] = options[i];
    }
    return kept;
}

static bool is_worth(const struct od_plan_option *option, const struct od_plan_option *asked)
{
    bool more = option->workload.world_size > asked->workload.world_size;
    return (double)option->peak.n <= (more ? worth_devices : worth) * (double)asked->peak.n;
}

static bool make_option(const struct od_option_pricer *pricer, const struct change *change,
                        const struct od_plan_option *asked, struct od_plan_option *ret_option)
{
    struct od_plan_option option = {
        .remedy = change->remedy, .workload = asked->workload, .effort = change->effort};
    (void)snprintf(option.cost, sizeof option.cost, "%s", change->cost);
    if (!change->apply(&option.workload))
        return false;
    if (change->shrinks) {
        pricer->find_largest(pricer->self, &option);
        if (!shrink_batch(pricer, &option))
            return false;
    }
    if (!pricer->price(pricer->self, &option) || !is_worth(&option, asked))
        return false;
    if (!change->shrinks)
        pricer->find_largest(pricer->self, &option);
    *ret_option = option;
    return true;
}

/* Applies the parts of a combination; false if one of them is not possible. */
static bool combine(unsigned combination, struct od_plan_option *option)
{
    size_t n = 0;
    option->effort = combination;
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++) {
        if (!(combination & 1u << i))
            continue;
        if (!parts[i].apply(&option->workload))
            return false;
        if (parts[i].cost)
            n += (size_t)snprintf(option->cost + n, sizeof option->cost - n, "%s%s",
                                  n > 0 ? "; " : "", parts[i].cost);
    }
    return true;
}

/* Does the combination fit with one sample per step? Tested before the search. */
static bool fits_in_steps(const struct od_option_pricer *pricer, struct od_plan_option *option)
{
    struct od_plan_option smallest = *option;
    smallest.workload.accumulation *= smallest.workload.batch;
    smallest.workload.batch = 1;
    if (!pricer->price(pricer->self, &smallest) || smallest.fits < sure_enough)
        return false;
    pricer->find_largest(pricer->self, option);
    if (!shrink_batch(pricer, option))
        option->workload = smallest.workload;
    return true;
}

/* Finds the cheapest combination that fits, below an effort and without some parts. */
static bool find_combination(const struct od_option_pricer *pricer,
                             const struct od_plan_option *asked, unsigned effort, unsigned without,
                             struct od_plan_option *ret_option)
{
    for (unsigned c = 1; c < effort; c++) {
        struct od_plan_option option = {.workload = asked->workload};
        bool alone = (c & (c - 1)) == 0; /* a single change already has a row */
        if (alone || (c & without) || !combine(c, &option) ||
            ((c & EFFORT_ACCUMULATE) && !fits_in_steps(pricer, &option)) ||
            !pricer->price(pricer->self, &option) || option.fits < sure_enough)
            continue;
        if (!(c & EFFORT_ACCUMULATE))
            pricer->find_largest(pricer->self, &option);
        *ret_option = option;
        return true;
    }
    return false;
}

/* For a plan without a device: combines all changes that do not affect the result of training. */
static bool combine_harmless(const struct od_option_pricer *pricer,
                             const struct od_plan_option *asked, struct od_plan_option *ret_option)
{
    for (unsigned c = EFFORT_PRECISION | EFFORT_CHECKPOINT | EFFORT_OPTIMIZER; c > 0; c--) {
        *ret_option = (struct od_plan_option){.workload = asked->workload};
        if (!(c & EFFORT_ACCUMULATE) && combine(c, ret_option))
            return pricer->price(pricer->self, ret_option) && is_worth(ret_option, asked);
    }
    return false;
}

static size_t add_combinations(const struct od_option_pricer *pricer,
                               struct od_plan_option *options, size_t n)
{
    struct od_plan_option option;
    unsigned effort = 1u << OD_COUNT_OF(parts), without = 0, avoid = DEAR;
    if (options[0].fits < 0 && combine_harmless(pricer, &options[0], &option) &&
        !is_listed(options, n, &option))
        options[n++] = option;
    for (size_t i = 0; i < n; i++) {
        if ((options[i].fits < 0 || options[i].fits >= sure_enough) && options[i].effort < effort)
            effort = options[i].effort;
    }
    while (avoid != 0 && n < OD_PLAN_OPTIONS_MAX &&
           find_combination(pricer, &options[0], effort, without, &option)) {
        options[n++] = option;
        /* the next combination must keep the batch, or avoid the expensive parts of this one */
        avoid = option.effort & (without == 0 ? DEAR | EFFORT_ACCUMULATE : DEAR);
        without |= avoid & ANY_ADAPTERS ? avoid | ANY_ADAPTERS : avoid;
    }
    return n;
}

size_t od_options_build(const struct od_option_pricer *pricer,
                        struct od_plan_option options[OD_PLAN_OPTIONS_MAX])
{
    struct od_plan_option option;
    size_t n = 1;
    for (size_t i = 0; i < OD_COUNT_OF(changes) && n < OD_PLAN_OPTIONS_MAX; i++) {
        /* a workload that fits does not need smaller steps */
        if (changes[i].shrinks && options[0].fits >= 0.9)
            continue;
        if (make_option(pricer, &changes[i], &options[0], &option) &&
            !is_listed(options, n, &option))
            options[n++] = option;
    }
    n = drop_wholes(options, add_combinations(pricer, options, n));
    qsort(options + 1, n - 1, sizeof *options, by_worth);
    return n;
}
