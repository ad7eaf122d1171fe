#include "plan/plan.h"

#include "plan/host.h"
#include "plan/recommend.h"

/* Without a batch: the largest safe one that is a power of two, else one sample. */
static void choose_batch(struct od_plan *plan)
{
    struct od_workload *w = &plan->request.workload;
    if (w->batch > 0)
        return;
    w->batch = plan->largest.power_of_two > 0 ? plan->largest.power_of_two : 1;
    plan->batch_chosen = true;
}

/* A server's sequences all at their longest. */
static void add_whole(struct od_plan *plan)
{
    struct od_workload w = plan->request.workload;
    const struct od_plan_device *device = &plan->request.device;
    if (!device->name || !plan->estimate.cache.paged)
        return;
    w.mean_sequence = 0;
    plan->largest_whole = od_largest_batch(&w, device->usable_bytes);
}

/* ---- the options, priced by estimates ---- */

struct pricing {
    const struct od_plan_device *device;
    struct od_arena *scratch;
    struct od_diags *unread;
};

static bool price(void *self, struct od_plan_option *option)
{
    struct pricing *pricing = self;
    struct od_estimate estimate = {0};
    od_arena_reset(pricing->scratch);
    if (!od_estimate(&option->workload, pricing->scratch, pricing->unread, &estimate))
        return false;
    const struct od_plan_device *device = pricing->device;
    option->peak = estimate.peak;
    option->fits = device->name ? od_estimate_fits(&estimate, device->usable_bytes) : -1;
    return true;
}

static void find_largest(void *self, struct od_plan_option *option)
{
    const struct pricing *pricing = self;
    if (pricing->device->name)
        option->largest = od_largest_batch(&option->workload, pricing->device->usable_bytes);
}

/* The largest safe power of two; without a device, half. */
static uint64_t smaller_batch(void *self, const struct od_plan_option *option)
{
    const struct pricing *pricing = self;
    return pricing->device->name ? option->largest.power_of_two : option->workload.batch / 2;
}

static void add_options(struct od_plan *plan)
{
    struct pricing pricing = {
        .device = &plan->request.device, .scratch = od_arena_new(), .unread = od_diags_new()};
    struct od_option_pricer pricer = {.self = &pricing,
                                      .price = price,
                                      .find_largest = find_largest,
                                      .smaller_batch = smaller_batch};
    plan->options[0] = (struct od_plan_option){.workload = plan->request.workload,
                                               .peak = plan->estimate.peak,
                                               .largest = plan->largest,
                                               .fits = plan->fits};
    plan->noptions = od_options_build(&pricer, plan->options);
    od_diags_free(pricing.unread);
    od_arena_free(pricing.scratch);
}

struct od_plan *od_plan_make(const struct od_plan_request *request, struct od_arena *arena,
                             struct od_diags *diags)
{
    struct od_plan *plan = OD_NEW(arena, struct od_plan);
    plan->request = *request;
    const struct od_plan_device *device = &plan->request.device;
    plan->fits = -1;
    if (device->name)
        plan->largest = od_largest_batch(&plan->request.workload, device->usable_bytes);
    choose_batch(plan);
    if (!od_estimate(&plan->request.workload, arena, diags, &plan->estimate))
        return NULL;
    add_whole(plan);
    if (device->name)
        plan->fits = od_estimate_fits(&plan->estimate, device->usable_bytes);
    add_options(plan);
    od_plan_add_host(plan, arena);
    od_plan_recommend(plan, arena);
    return plan;
}
