#include "diagnose/finding.h"
#include "diagnose/host.h"
#include "failure/failure.h"

/* The line that decided the outcome, where a moment tells it. */
static void add_deciding_line(struct od_finding *finding,
                              const struct od_diagnosis_context *context)
{
    const struct od_prov *at = &context->diagnosis->failure->run.at;
    OD_FOR_EACH (const struct od_moment, moment, context->c->moments) {
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
    const struct od_incident *kill = od_failure_find(context->c, OD_INC_UNEXPLAINED_KILL);
    if (!kill)
        kill = od_failure_find(context->c, OD_INC_WORKER_KILLED);
    if (context->diagnosis->failure->run.outcome != OD_OUTCOME_UNKNOWN || !kill ||
        kill->echo_of != 0)
        return;
    bool denied = od_view_eq_str(od_case_setting(context->c, OD_SETTING_OOM_KILLED), "false");
    struct od_host_level level = od_host_level_near(context->c, &kill->at);
    bool room = !level.later && level.share >= 0 && level.share <= OD_HOST_HALF_FREE;
    struct od_finding *finding =
        od_finding_add(context, denied ? OD_CLUE(NOT_MEMORY, kill_denied)
                                : room ? OD_CLUE(NOT_MEMORY, kill_with_room)
                                       : OD_CLUE(NOT_MEMORY, kill_alone));
    const char *free = "more than half of the machine's memory";
    if (level.free.known)
        free = od_bytes_text(context->arena, level.free);
    finding->summary =
        denied ? "The run was killed, and not by its own memory limit, as the log shows: a "
                 "time limit, a person, or the kernel for the whole machine sends the same signal."
        : room ? od_arena_printf(context->arena,
                                 "The run was killed while %s was free, by the last printed value. "
                                 "Time limits, preemption and users send the same signal.",
                                 free)
               : "The log shows only the kill. Schedulers, time limits, preemption and users send "
                 "the same signal.";
    if (room)
        od_finding_evidence(finding, &level.said);
    for (size_t i = 0; denied && i < context->c->settings.n; i++)
        if (context->c->settings.items[i].id == OD_SETTING_OOM_KILLED)
            od_finding_evidence(finding, &context->c->settings.items[i].said);
    if (kill->evidence.n > 0)
        od_finding_evidence(finding, &kill->evidence.items[0]);
}

/* What spoke of memory before, or might have. */
static const char *why_other(const struct od_case *c, bool *ret_complained)
{
    bool killed = false, lacked = false;
    for (size_t i = 0; i < c->incidents.n; i++) {
        enum od_incident_kind kind = c->incidents.items[i].kind;
        bool kill = kind == OD_INC_UNEXPLAINED_KILL || kind == OD_INC_WORKER_KILLED;
        killed |= kill;
        lacked |= !kill && kind != OD_INC_SOFT_WARNING;
    }
    *ret_complained = killed || lacked;
    if (lacked)
        return "An allocation problem was logged earlier, but the error that ended the run does "
               "not mention memory; the log does not show whether memory caused it.";
    if (killed)
        return "A process was killed, which can also be caused by memory, but the log shows "
               "another reason why the run ended.";
    return "The run failed with an error that is not about memory, as far as the log shows.";
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->diagnosis->failure;
    look_at_kill(context);
    if (failure->run.outcome != OD_OUTCOME_OTHER_FAILURE)
        return;
    if (failure->run.asked_for_nothing) {
        struct od_finding *finding = od_finding_add(context, OD_CLUE(NOT_MEMORY, other_error));
        finding->summary = "A request of 0 bytes failed: an empty input, not a lack of memory.";
        od_finding_failure(finding, failure);
        return;
    }
    bool complained;
    const char *why = why_other(context->c, &complained);
    struct od_finding *finding =
        od_finding_add(context, complained ? OD_CLUE(NOT_MEMORY, complained_before)
                                           : OD_CLUE(NOT_MEMORY, other_error));
    finding->summary = why;
    add_deciding_line(finding, context);
}

const struct od_diagnoser od_diagnoser_not_memory = {"not_memory", look};
