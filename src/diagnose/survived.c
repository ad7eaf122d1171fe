#include "diagnose/finding.h"

/* Shown as evidence: the gravest complaints first are the first ones. */
static void add_complaints(struct od_finding *finding, const struct od_case *c)
{
    for (size_t i = 0; i < c->incidents.n && finding->nevidence < OD_FINDING_EVIDENCE; i++)
        if (c->incidents.items[i].evidence.n > 0)
            od_finding_evidence(finding, &c->incidents.items[i].evidence.items[0]);
}

static const char *times(struct od_arena *arena, uint64_t n)
{
    return n == 1 ? "once" : od_arena_printf(arena, "%llu times", (unsigned long long)n);
}

static void look(struct od_diagnosis_context *context)
{
    if (context->diagnosis->failure->run.outcome != OD_OUTCOME_SURVIVED)
        return;
    uint64_t hard = 0, soft = 0;
    bool machine = true; /* its memory has no other way of doing with less */
    OD_FOR_EACH (const struct od_incident, incident, context->c->incidents) {
        uint64_t *count = incident->kind == OD_INC_SOFT_WARNING ? &soft : &hard;
        if (ckd_add(count, *count, incident->count > 0 ? incident->count : 1))
            *count = UINT64_MAX;
        machine = machine && od_view_eq_str(incident->device, "CPU");
    }
    struct od_finding *finding =
        od_finding_add(context, hard > 0 ? OD_CLUE(SURVIVED, went_on) : OD_CLUE(SURVIVED, warned));
    od_finding_say(context, finding, "%s%s. %s",
                   hard > 0 ? od_arena_printf(context->arena, "An allocation failed %s",
                                              times(context->arena, hard))
                            : od_arena_printf(context->arena,
                                              "Memory was short %s, according to warnings only",
                                              times(context->arena, soft)),
                   hard > 0 && soft > 0
                       ? od_arena_printf(context->arena, ", with %s beside it, and the run went on",
                                         soft == 1 ? "a warning" : "warnings")
                   : hard > 0 ? ", and the run went on"
                              : "",
                   machine && hard == 0
                       ? "What goes on so is slower, and may be ended when it takes more."
                       : "Such requests have a fallback that needs less memory; it may be slower.");
    od_finding_count(finding, "complaints_count", od_count_of(hard + soft));
    od_finding_count(finding, "warnings_count", od_count_of(soft));
    add_complaints(finding, context->c);
}

const struct od_diagnoser od_diagnoser_survived = {"survived", look};
