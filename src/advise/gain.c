#include "advise/gain.h"

#include "advise/knob.h"
#include "advise/slots.h"
#include "answer/options.h"

bool od_gain_is_delay(const struct od_advise_question *question,
                      const struct od_advice_remedy *advice)
{
    enum od_cause cause = od_first_cause(question->diagnosis);
    return advice->more && (cause == OD_CAUSE_HOST_LEAK || cause == OD_CAUSE_DEVICE_LEAK);
}

/* The share that is set, otherwise the program's default. */
static struct od_view share_in_force(const struct od_advise_question *question)
{
    struct od_view said = od_case_setting(question->c, OD_SETTING_GPU_MEMORY_UTILIZATION);
    const struct od_software *driver = question->diagnosis->failure->stack.driver;
    const struct od_knob *knob = driver ? od_software_knob(driver, "memory_fraction") : NULL;
    return said.n == 0 && knob && knob->preset ? od_view_of(knob->preset) : said;
}

/* Bytes of the device; 0 = not known. */
static double device_size(const struct od_advise_question *question,
                          const struct od_finding *finding)
{
    double size = od_slots_bytes(finding, "capacity_bytes");
    OD_FOR_EACH (const struct od_series, s, question->c->series)
        if (size <= 0 && s->metric == OD_SERIES_DEVICE_USED && s->limit_known)
            size = s->limit;
    return size;
}

const char *od_gain_share_is_short(const struct od_advise_question *question,
                                   const struct od_remedy *remedy, struct od_arena *arena)
{
    double missing = od_slots_bytes(remedy->finding, "missing_bytes"), share;
    double size = device_size(question, remedy->finding);
    const struct od_advice_remedy *advice = remedy->advice;
    struct od_view said = share_in_force(question);
    bool raises = advice->more && advice->knobs && strcmp(advice->knobs[0], "memory_fraction") == 0;
    if (!raises || !od_num_parse_double(said, &share) || share >= OD_MOST_SHARE)
        return NULL;
    double more = OD_MOST_SHARE - share, needs = missing / more;
    if (needs <= size || (size <= 0 && !od_beyond_devices(od_bytes_exact((uint64_t)needs))))
        return NULL;
    const char *gives = size > 0 ? od_bytes_text_u64(arena, (uint64_t)(more * size))
                                 : od_arena_printf(arena, "%.0f %% of the device", 100 * more);
    return od_arena_printf(
        arena, "A share of %.2f instead of %.*s gives %s more, and %s is missing.", OD_MOST_SHARE,
        (int)said.n, said.p, gives, od_bytes_text_u64(arena, (uint64_t)missing));
}

/* Is it one of several changes that only fit together? Its own price does not show that. */
static bool is_one_of_several(const struct od_answer *answer, const struct od_remedy *remedy)
{
    const struct od_plan_option *together = od_answer_together(answer);
    bool none_fits = answer && answer->largest.known && answer->largest.n == 0;
    return none_fits && together && remedy->action.option &&
           od_answer_includes(answer, together, remedy->action.option);
}

const char *od_gain_of(const struct od_advise_question *question, const struct od_remedy *remedy)
{
    if (od_gain_is_delay(question, remedy->advice))
        return "delays";
    if (is_one_of_several(question->answer, remedy))
        return "together";
    if (od_answer_action_hardly_fits(&remedy->action))
        return "short";
    if (remedy->action.fits >= 0.5)
        return "fits";
    bool computed = remedy->limit_needed;
    for (size_t i = 0; i < remedy->nhow; i++)
        computed |= remedy->how[i].computed;
    return computed ? "computed" : NULL;
}
