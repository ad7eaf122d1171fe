#include "diagnose/finding.h"
#include "diagnose/scene.h"

/* The line that decided the outcome, where a moment tells it. */
static void add_deciding_line(struct od_finding *finding,
                              const struct od_diagnosis_context *context)
{
    const struct od_prov *at = &context->diagnosis->outcome_at;
    for (size_t i = 0; i < context->c->moments.n; i++) {
        const struct od_moment *moment = &context->c->moments.items[i];
        if (moment->kind != OD_EV_EXCEPTION && moment->kind != OD_EV_CRASH &&
            moment->kind != OD_EV_RUN_ENDED)
            continue;
        if (moment->said.at.source == at->source && moment->last.line == at->line)
            od_finding_evidence(finding, &moment->said);
    }
}

/* Killed, and nobody says why. */
static void look_at_kill(struct od_diagnosis_context *context)
{
    const struct od_incident *kill = od_scene_find(context->c, OD_INC_UNEXPLAINED_KILL);
    if (!kill)
        kill = od_scene_find(context->c, OD_INC_WORKER_KILLED);
    if (context->diagnosis->outcome != OD_OUTCOME_UNKNOWN || !kill || kill->echo_of != 0)
        return;
    bool denied = od_view_eq_str(od_case_setting(context->c, "oom_killed"), "false");
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_NOT_MEMORY, OD_POSSIBLE, denied ? 0.5 : 0.3);
    finding->summary = denied ? "It was killed, and the container's state denies that its memory "
                                "limit did it."
                              : "A kill is all the log shows. Schedulers, time limits, preemption "
                                "and people send the same signal.";
    if (kill->evidence.n > 0)
        od_finding_evidence(finding, &kill->evidence.items[0]);
}

static void look(struct od_diagnosis_context *context)
{
    look_at_kill(context);
    if (context->diagnosis->outcome != OD_OUTCOME_OTHER_FAILURE)
        return;
    bool complained = false;
    for (size_t i = 0; i < context->c->incidents.n; i++)
        complained |= context->c->incidents.items[i].kind != OD_INC_SOFT_WARNING;
    struct od_finding *finding =
        od_finding_add(context, OD_CAUSE_NOT_MEMORY, complained ? OD_POSSIBLE : OD_LIKELY,
                       complained ? 0.5 : 0.85);
    od_finding_say(context, finding,
                   complained ? "An allocator complained earlier, but the error that ended the run "
                                "does not name memory; whether memory is behind it is not in the "
                                "log."
                              : "The run failed with an error that has nothing to do with memory "
                                "as far as the log tells.");
    add_deciding_line(finding, context);
}

const struct od_diagnoser od_diagnoser_not_memory = {"not_memory", look};
