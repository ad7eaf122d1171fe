/* The effect of remedies that make room: a larger device, more of this one, or the part that other
 * processes hold. */
#include "answer/pricing.h"

#include "answer/options.h"
#include "plan/device.h"

static void price_limit(const struct od_pricing *p, double limit, struct od_answer_action *action)
{
    action->limit = od_pricing_bytes(limit);
    if (!p->line->known || p->tried <= 0 || limit <= p->line->fixed)
        return;
    double room = p->line->limit - p->line->fixed;
    struct od_belief fit =
        od_answer_scaled(p->line, p->answer, (limit - p->line->fixed) / room, 0.02);
    action->peak = od_pricing_bytes(od_pricing_peak(p, p->tried));
    action->fits = od_belief_probability(&fit, p->tried);
    action->batch = od_count_of(od_belief_batch(&fit, 0.5));
}

/* The share of a device that a framework can use; TensorFlow's is this. */
static const double framework_share = 0.93;

void od_price_larger_device(const struct od_pricing *p, struct od_answer_action *action)
{
    struct od_plan_device device;
    for (size_t i = 0; p->line->known && p->tried > 0 && od_plan_device_at(i, &device); i++) {
        double limit = framework_share * (double)device.usable_bytes;
        price_limit(p, limit, action);
        if (action->fits < 0.9 || device.part)
            continue;
        action->what = device.name;
        action->figures = od_arena_printf(
            p->facts->arena,
            "Batch size %.0f needs about %s: it fits %s (%s) and larger devices, with %s.",
            p->tried, od_bytes_text(p->facts->arena, action->peak), device.name,
            od_bytes_text_u64(p->facts->arena, device.bytes), od_pricing_chance(p, action->fits));
        return;
    }
    action->batch = (struct od_count){0};
    action->fits = -1;
}

void od_price_raised_limit(const struct od_pricing *p, struct od_answer_action *action)
{
    const struct od_failure *failure = p->facts->failure;
    struct od_bytes whole = failure->free_at_start.known ? failure->free_at_start
                            : failure->capacity.known    ? failure->capacity
                                                         : failure->rated;
    if (!whole.known || whole.n <= p->facts->limit)
        return;
    price_limit(p, framework_share * (double)whole.n, action);
    action->figures = od_arena_printf(p->facts->arena, "The limit is %s; the device has %s%s.",
                                      od_bytes_text_u64(p->facts->arena, p->facts->limit),
                                      od_bytes_text(p->facts->arena, whole),
                                      failure->free_at_start.known ? " free" : "");
}

/* An upper bound of what other processes hold, and the sentence that says how it is known. */
static struct od_bytes held_by_others(const struct od_pricing *p, const char *ret_words[2])
{
    /* a context and its libraries take some hundred MiB in each process */
    static const uint64_t context = UINT64_C(1) << 30;
    const struct od_failure *failure = p->facts->failure;
    bool most;
    if (failure->verdict == OD_VERDICT_DEVICE_REFUSED && failure->limit.known) {
        ret_words[0] = "The limit allowed the allocator ";
        ret_words[1] = " more than it got; the log does not show how much of it other processes "
                       "hold.";
        return od_bytes_sub(od_bytes_exact(failure->limit.n), od_bytes_exact(p->facts->limit));
    }
    struct od_bytes held = od_failure_held_by_others(failure, &most);
    ret_words[0] = most ? "This would free at most " : "This would free about ";
    ret_words[1] = most ? ": the memory that is neither free nor used by this run." : ".";
    return most && held.n <= context ? (struct od_bytes){0} : held;
}

void od_price_other_tenant(const struct od_pricing *p, struct od_answer_action *action)
{
    const struct od_failure *failure = p->facts->failure;
    const char *words[2];
    struct od_bytes held = held_by_others(p, words);
    if (!held.known || held.n == 0)
        return;
    price_limit(p, (double)p->facts->limit + (double)held.n, action);
    struct od_bytes own = failure->account.own;
    if (!own.known && failure->in_use.known)
        own = od_bytes_exact(failure->in_use.n);
    if (!action->peak.known) /* a lower bound: the step allocates more after this */
        action->peak = od_bytes_add(own, failure->need);
    action->figures = od_arena_printf(p->facts->arena, "%s%s%s", words[0],
                                      od_bytes_text(p->facts->arena, held), words[1]);
}

/* 0 if the cause is another one, or if nothing shows what was loaded. */
static double second_copy(const struct od_pricing *p)
{
    const struct od_diagnosis *diagnosis = p->line->diagnosis;
    if (od_first_cause(diagnosis) != OD_CAUSE_MODEL_RELOAD)
        return 0;
    const struct od_finding *best = diagnosis->findings.items;
    for (size_t i = 0; i < best->nnumbers; i++)
        if (strcmp(best->numbers[i].name, "loaded_bytes") == 0)
            return best->numbers[i].value;
    return 0;
}

void od_price_second_copy(const struct od_pricing *p, struct od_answer_action *action)
{
    static const double plenty = 0.97, sure = 0.95;
    const struct od_failure *failure = p->facts->failure;
    double copy = second_copy(p);
    if (copy <= 0)
        return;
    action->saves = od_pricing_bytes(copy);
    if (!failure->in_use.known || !failure->need.known || p->facts->limit == 0)
        return;
    double peak = (double)failure->in_use.n + (double)failure->need.n - copy;
    action->peak = od_pricing_bytes(peak);
    if (peak <= plenty * (double)p->facts->limit)
        action->fits = sure;
}
