#include "plan/options_estimate.h"

struct pricing {
    uint64_t usable; /* 0 = no device is known */
    struct od_arena *scratch;
    struct od_diags *unread;
};

static struct pricing start(uint64_t usable)
{
    return (struct pricing){.usable = usable, .scratch = od_arena_new(), .unread = od_diags_new()};
}

static void done(struct pricing *pricing)
{
    od_diags_free(pricing->unread);
    od_arena_free(pricing->scratch);
}

static bool price(void *self, struct od_plan_option *option)
{
    struct pricing *pricing = self;
    struct od_estimate estimate = {0};
    od_arena_reset(pricing->scratch);
    if (!od_estimate(&option->workload, pricing->scratch, pricing->unread, &estimate))
        return false;
    option->fits = pricing->usable > 0 ? od_estimate_fits(&estimate, pricing->usable) : -1;
    /* a pool with a limit must fit with its peak at the limit */
    bool limited = pricing->usable > 0 && option->workload.metric == OD_METRIC_RESERVED;
    option->peak = limited ? estimate.at_limit : od_estimate_need(&estimate, pricing->usable);
    return true;
}

static void find_largest(void *self, struct od_plan_option *option)
{
    const struct pricing *pricing = self;
    if (pricing->usable > 0)
        option->largest = od_largest_batch(&option->workload, pricing->usable);
}

/* The largest safe power of two; without a device, half of the batch. */
static uint64_t smaller_batch(void *self, const struct od_plan_option *option)
{
    const struct pricing *pricing = self;
    return pricing->usable > 0 ? option->largest.power_of_two : option->workload.batch / 2;
}

bool od_options_estimate_first(uint64_t usable_bytes, struct od_plan_option *option)
{
    struct pricing pricing = start(usable_bytes);
    bool ok = price(&pricing, option);
    if (ok)
        find_largest(&pricing, option);
    done(&pricing);
    return ok;
}

size_t od_options_estimate(uint64_t usable_bytes,
                           struct od_plan_option options[OD_PLAN_OPTIONS_MAX])
{
    struct pricing pricing = start(usable_bytes);
    struct od_option_pricer pricer = {.self = &pricing,
                                      .price = price,
                                      .find_largest = find_largest,
                                      .smaller_batch = smaller_batch};
    size_t n = od_options_build(&pricer, options);
    done(&pricing);
    return n;
}
