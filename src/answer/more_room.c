/* What remedies give that make room: a larger device, more of this one, or of it what others hold.
 */
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

/* What a framework gets of a device, as TensorFlow takes it. */
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

/* A context and its libraries take some hundred MiB of each process' own. */
static const uint64_t context_bytes = UINT64_C(1) << 30;

/* What others hold at most, and the sentence around it that says how it is known. */
static struct od_bytes held_by_others(const struct od_pricing *p, const char *ret_words[2])
{
    const struct od_failure *failure = p->facts->failure;
    ret_words[0] = "This would free about ", ret_words[1] = ".";
    if (failure->verdict == OD_VERDICT_DEVICE_REFUSED && failure->limit.known) {
        ret_words[0] = "The limit allowed the allocator ";
        ret_words[1] = " more than it got; the log does not show how much of it other processes "
                       "hold.";
        return od_bytes_sub(od_bytes_exact(failure->limit.n), od_bytes_exact(p->facts->limit));
    }
    if (failure->account.named.known && failure->account.named.n > 0)
        return failure->account.named;
    struct od_bytes whole = failure->capacity.known ? failure->capacity : failure->rated;
    if (failure->free_at_start.known && failure->capacity.known)
        return od_bytes_sub(whole, failure->free_at_start);
    ret_words[0] = "This would free at most ";
    ret_words[1] = ": the memory that is neither free nor used by this run.";
    struct od_bytes outside = failure->account.outside;
    if (outside.known && outside.n > 0)
        return outside.n > context_bytes ? outside : (struct od_bytes){0};
    return od_bytes_sub(whole, failure->free_at_start.known
                                   ? failure->free_at_start
                                   : od_pricing_bytes((double)p->facts->limit / framework_share));
}

/* ": 7.98 GiB by PID 51967, 7.09 GiB by PID 89155", where there are several; else NULL */
static const char *each_holder(const struct od_pricing *p)
{
    enum { MOST = 4 };
    const struct od_incident *incident = p->facts->failure->incident;
    struct od_buf text = {0};
    size_t n = 0;
    for (size_t i = 0; incident && i < incident->others.n; i++) {
        const struct od_tenant *other = &incident->others.items[i];
        if (other->pid.known && other->bytes.known && n++ < MOST)
            od_buf_printf(&text, "%s %s by PID %llu", n == 1 ? ":" : ",",
                          od_bytes_text(p->facts->arena, other->bytes),
                          (unsigned long long)other->pid.n);
    }
    const char *list = NULL;
    if (n > 1 && n <= MOST)
        list = od_arena_str(p->facts->arena, od_buf_view(&text));
    od_buf_done(&text);
    return list;
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
    if (!action->peak.known) /* at least: the step goes on from there */
        action->peak = od_bytes_add(own, failure->need);
    const char *each = failure->account.named.known ? each_holder(p) : NULL;
    action->figures =
        od_arena_printf(p->facts->arena, "%s%s%s%s", words[0], od_bytes_text(p->facts->arena, held),
                        each ? each : "", words[1]);
}

/* 0 = the cause is another, or nothing shows what was loaded. */
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
