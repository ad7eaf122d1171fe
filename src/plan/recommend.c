#include "plan/recommend.h"

/* Least probability to fit of a recommended option. */
static const double sure_enough = 0.9;

static void add_why(struct od_plan_recommendation *r, const char *why)
{
    if (r->nwhy < OD_PLAN_WHY_MAX)
        r->why[r->nwhy++] = why;
}

/* Takes the requested workload if it fits, otherwise the cheapest option that does. */
static bool take_whole(const struct od_plan *plan, struct od_plan_recommendation *r)
{
    for (size_t i = 0; i < plan->noptions; i++) {
        const struct od_plan_option *option = &plan->options[i];
        if (option->fits < sure_enough)
            continue;
        r->known = true;
        r->option = i;
        r->batch = option->workload.batch;
        r->accumulation = option->workload.accumulation;
        return true;
    }
    return false;
}

/* Takes the cheapest option that fits with a smaller batch and more steps. */
static bool take_part(const struct od_plan *plan, struct od_plan_recommendation *r)
{
    const struct od_plan_option *best = NULL;
    OD_FOR_EACH_OF (const struct od_plan_option, option, plan->options, plan->noptions)
        if (option->largest.power_of_two > 0 && (!best || option->effort < best->effort))
            best = option;
    if (!best)
        return false;
    const struct od_workload *w = &best->workload;
    uint64_t batch = best->largest.power_of_two;
    batch = batch < w->batch ? batch : w->batch;
    uint64_t steps = w->batch / batch + (w->batch % batch != 0);
    r->known = true;
    r->option = (size_t)(best - plan->options);
    r->batch = batch;
    r->accumulation = w->accumulation * steps;
    return true;
}

static void explain(const struct od_plan *plan, struct od_plan_recommendation *r,
                    struct od_arena *arena)
{
    const struct od_plan_option *option = &plan->options[r->option];
    const struct od_workload *asked = &plan->request.workload;
    if (plan->batch_chosen)
        add_why(r, od_arena_printf(arena,
                                   "no batch size was given: %llu is the largest power of two that "
                                   "fits with probability 0.98",
                                   (unsigned long long)r->batch));
    else if (r->option == 0 && r->batch == asked->batch && option->largest.safe > 0 &&
             option->largest.safe < asked->batch)
        add_why(r, od_arena_printf(arena,
                                   "it fits as requested with probability %.2f; with %llu it would "
                                   "be 0.98",
                                   option->fits, (unsigned long long)option->largest.safe));
    else if (r->option == 0 && r->batch == asked->batch)
        add_why(r, "it fits as requested");
    else
        add_why(r, plan->fits < 0.01
                       ? "as requested it fits with probability <0.01 only"
                       : od_arena_printf(arena, "as requested it fits with probability %.2f only",
                                         plan->fits));
    if (r->option > 0)
        add_why(r, od_arena_printf(arena, "the cheapest change that fits (%s)", option->cost));
    if (r->accumulation > asked->accumulation)
        add_why(r, od_arena_printf(
                       arena, "%llu steps of %llu keep the global batch size at %llu or more",
                       (unsigned long long)r->accumulation, (unsigned long long)r->batch,
                       (unsigned long long)(asked->batch * asked->accumulation)));
    if (r->batch % 8 != 0 && r->batch > 8)
        add_why(r, "tensor cores are faster with multiples of 8: see largest_batch");
}

static void add_devices(struct od_plan *plan)
{
    const struct od_workload *w = &plan->request.workload;
    bool needs_kernels = w->quantize_bits > 0 || w->optimizer == OD_OPT_ADAM8BIT;
    struct od_plan_device device;
    uint64_t last = 0;
    for (size_t i = 0; od_plan_device_at(i, &device); i++) {
        double fits = od_estimate_fits(&plan->estimate, device.usable_bytes);
        if (!device.usual || fits < sure_enough || device.usable_bytes == last ||
            (needs_kernels && device.no_bitsandbytes) || plan->ndevices == OD_PLAN_DEVICES_MAX)
            continue;
        last = device.usable_bytes;
        plan->devices[plan->ndevices++] = (struct od_plan_fit){.device = device, .fits = fits};
    }
}

/* Recommends workers and pinned memory. Pinning helps if workers load and memory is sufficient. */
static void add_loading(struct od_plan *plan, struct od_arena *arena)
{
    struct od_plan_recommendation *r = &plan->recommendation;
    const struct od_plan_host *host = &plan->host;
    r->pin_memory = OD_CANNOT_TELL;
    if (!host->recommended.known)
        return;
    r->workers = host->recommended;
    r->prefetch = plan->request.prefetch.known ? plan->request.prefetch : od_count_of(2);
    r->pin_memory = host->recommended.n > 0 ? OD_YES : OD_NO;
    const struct od_count *asked = &plan->request.workers;
    uint64_t workers = asked->known ? asked->n : r->workers.n;
    if (workers == 0)
        return; /* without workers no batch waits in a queue */
    add_why(r, od_arena_printf(arena, "%llu workers with %llu batches each take %s of /dev/shm",
                               (unsigned long long)workers, (unsigned long long)r->prefetch.n,
                               od_bytes_text(arena, host->shm_needed)));
    if (workers > r->workers.n && r->workers.n > 0)
        add_why(r, od_arena_printf(arena, "%llu workers fit and leave a tenth of /dev/shm free",
                                   (unsigned long long)r->workers.n));
    else if (workers > r->workers.n)
        add_why(r,
                "not even one worker fits; without workers the training itself loads the batches");
}

void od_plan_recommend(struct od_plan *plan, struct od_arena *arena)
{
    struct od_plan_recommendation *r = &plan->recommendation;
    add_devices(plan);
    add_loading(plan, arena);
    if (!plan->request.device.name)
        return;
    if (take_whole(plan, r) || take_part(plan, r))
        explain(plan, r, arena);
    else if (plan->estimate.lower_limit && plan->fits < 0)
        add_why(r, "whether it fits depends on activations, which are not described: give a "
                   "summary with sizes, or --activations");
    else
        add_why(r, "no option that oomdoctor knows makes it fit this device");
}
