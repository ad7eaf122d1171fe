#include "advise/vain.h"

#include "advise/knob.h"
#include "advise/score.h"
#include "advise/slots.h"
#include "failure/phase.h"

/* A smaller batch, where a loader of data failed over one sample, before any were put together, or
 * the steps to be remembered got no room. */
static bool is_vain_for_what_is_kept(const struct od_advise_question *q,
                                     const struct od_advice_remedy *advice)
{
    const struct od_failure *failure = q->diagnosis->failure;
    return failure->run.ended && od_remedy_is_for_host(q) && od_remedy_is_about(advice, "batch") &&
           (failure->phase == OD_PHASE_REPLAY || od_phase_reads_one_sample(failure->run.ended));
}

/* One sample does not come in smaller batches; and where the machine's memory is full, a request
 * failed that had room, or the batch is least suspect, the log must say that there is one. */
bool od_remedy_is_vain_for_batch(const struct od_advise_question *q,
                                 const struct od_advice_remedy *advice)
{
    const struct od_answer *answer = q->answer;
    const struct od_failure *failure = q->diagnosis->failure;
    bool one = answer && answer->batch.known && answer->batch.n == 1;
    bool refused = od_first_cause(q->diagnosis) == OD_CAUSE_DRIVER_REFUSED;
    bool vain = one || ((od_remedy_is_for_host(q) || refused) && !failure->batch.known);
    return vain && od_remedy_is_about(advice, "batch");
}

/* Fewer at once where one process alone held the memory; a tidier heap that is next to empty. */
static bool is_vain_for_held(const struct od_advise_question *q,
                             const struct od_advice_remedy *advice)
{
    static const uint64_t little = 4; /* parts of the request */
    const struct od_incident *failure = q->diagnosis->failure->run.ended;
    if (!failure)
        return false;
    bool empty = failure->in_use.known && failure->requested.known &&
                 failure->in_use.hi < failure->requested.lo / little;
    return (od_remedy_is_about(advice, "several") &&
            od_account_is_one_process(&q->diagnosis->failure->account)) ||
           (od_remedy_is_about(advice, "heap") && empty);
}

/* A sample of half the size, where the number asked for is no size at all. */
static bool is_vain_for_garbage(const struct od_advise_question *q,
                                const struct od_advice_remedy *advice)
{
    return od_first_cause(q->diagnosis) == OD_CAUSE_ACCIDENTAL_SHAPE &&
           od_failure_is_garbage(q->diagnosis->failure) && advice->knobs &&
           strcmp(advice->knobs[0], "image_size") == 0;
}

/* A program at a limit of its own has room beside it, and more of what it may not take. */
static bool is_vain_for_limit(const struct od_advise_question *q,
                              const struct od_advice_remedy *advice)
{
    return od_first_cause(q->diagnosis) == OD_CAUSE_RUNTIME_LIMIT &&
           strcmp(advice->id, "swap") == 0;
}

/* Weights of four bits that are asked for in four. */
static bool is_vain_for_packed(const struct od_advise_question *q,
                               const struct od_advice_remedy *advice)
{
    return advice->knobs && strcmp(advice->knobs[0], "quantization") == 0 &&
           od_case_setting(q->c, OD_SETTING_WEIGHTS_FORMAT).n > 0;
}

/* A trainer that runs a server of its own beside it: that one holds the memory, and is set by it.
 */
static bool is_of_its_own(const struct od_advise_question *q, const struct od_advice_remedy *advice)
{
    const struct od_software *driver = q->diagnosis->failure->stack.driver;
    if (!driver || driver->sort != OD_SORT_TRAINER || strcmp(advice->id, "stop_other_tenant") != 0)
        return false;
    for (size_t i = 0; od_shipped_software[i]; i++)
        if (od_shipped_software[i]->sort == OD_SORT_SERVER &&
            od_software_stands_on(driver, od_shipped_software[i]))
            return true;
    return false;
}

/* Smaller work, where several times the request was free: its size is not why it was refused. */
static bool is_vain_with_room(const struct od_advise_question *q,
                              const struct od_advice_remedy *advice)
{
    static const char *const sizes[] = {"image_size", "sequence_length", "frames", "points",
                                        "tile",       "quantization",    "batch",  NULL};
    return q->diagnosis->failure->account.had_room &&
           (od_remedy_is_about(advice, "batch") || od_remedy_is_about(advice, "network") ||
            od_remedy_is_about(advice, "gradients") ||
            (advice->knobs && od_is_among(advice->knobs[0], sizes)));
}

/* What concerns other processes, where no number and no line shows that there are any. */
static bool is_vain_without_others(const struct od_advise_question *q,
                                   const struct od_advice_remedy *advice)
{
    bool others =
        od_first_cause(q->diagnosis) != OD_CAUSE_DRIVER_REFUSED ||
        (strcmp(advice->id, "stop_other_tenant") != 0 && strcmp(advice->id, "leave_room") != 0);
    OD_FOR_EACH (const struct od_finding, finding, q->diagnosis->findings)
        others = others || finding->cause == OD_CAUSE_OTHER_TENANT;
    return !others;
}

/* Settings of what the program counts, where what fills its limit is outside of that count. */
static bool is_vain_for_uncounted(const struct od_advise_question *q,
                                  const struct od_advice_remedy *advice)
{
    return od_account_is_beside_count(&q->diagnosis->failure->account) && advice->knobs;
}

bool od_remedy_is_vain(const struct od_advise_question *question,
                       const struct od_advice_remedy *advice)
{
    return is_vain_with_room(question, advice) || is_vain_without_others(question, advice) ||
           is_vain_for_uncounted(question, advice) || is_vain_for_held(question, advice) ||
           is_vain_for_garbage(question, advice) || is_vain_for_limit(question, advice) ||
           is_vain_for_packed(question, advice) || is_vain_for_what_is_kept(question, advice) ||
           is_of_its_own(question, advice);
}

const char *od_remedy_falls_short(const struct od_advise_question *question,
                                  const struct od_remedy *remedy, struct od_arena *arena)
{
    double missing = od_slots_bytes(remedy->finding, "missing_bytes"), share;
    double size = od_slots_bytes(remedy->finding, "capacity_bytes");
    const struct od_advice_remedy *advice = remedy->advice;
    struct od_view said = od_case_setting(question->c, OD_SETTING_GPU_MEMORY_UTILIZATION);
    bool raises = advice->more && advice->knobs && strcmp(advice->knobs[0], "memory_fraction") == 0;
    if (!raises || !od_num_parse_double(said, &share) || share <= 0 || share > OD_MOST_SHARE)
        return NULL;
    double gain = (OD_MOST_SHARE - share) * size;
    if (size <= 0 || gain >= missing)
        return NULL;
    return od_arena_printf(
        arena, "A share of %.2f instead of %.*s gives %s more, and %s is missing.", OD_MOST_SHARE,
        (int)said.n, said.p, od_bytes_text_u64(arena, (uint64_t)gain),
        od_bytes_text_u64(arena, (uint64_t)missing));
}
