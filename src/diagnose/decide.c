#include "diagnose/decide.h"

#include "failure/failure.h"
#include "failure/found.h"

/* The id becomes part of a command that a person runs. Characters with a meaning to a shell are not
 * allowed. */
static bool is_plain(struct od_view id)
{
    for (size_t i = 0; i < id.n; i++)
        if (!od_is_alnum(id.p[i]) && !strchr("-_.[]/", id.p[i]))
            return false;
    return id.n > 0 && id.n < 100 && id.p[0] != '-';
}

static void add(struct od_decide *decide, const char *command, const char *why)
{
    if (decide->n == OD_DECIDE_MOST)
        return;
    decide->list[decide->n].command = command;
    decide->list[decide->n].why = why;
    decide->n++;
}

/* Adds a command that reads how the process died, on the system where the id in the log is
 * valid. */
static void ask_records(struct od_decide *decide, const struct od_case *c, struct od_arena *arena)
{
    for (const struct od_enforcer *e = od_enforcers; e->id; e++) {
        const char *at = e->record == OD_SETTING_NONE ? NULL : strchr(e->ask, '@');
        struct od_view id = od_case_setting(c, e->record);
        if (at && is_plain(id))
            add(decide,
                od_arena_printf(arena, "%.*s%.*s%s", (int)(at - e->ask), e->ask, (int)id.n, id.p,
                                at + 1),
                e->tells);
    }
}

/* Is it a kill that no line of the log explains? */
static bool is_open_kill(const struct od_incident *incident, const struct od_diagnosis *diagnosis)
{
    bool kill = incident->kind == OD_INC_UNEXPLAINED_KILL || incident->kind == OD_INC_WORKER_KILLED;
    bool certain =
        diagnosis->findings.n > 0 && diagnosis->findings.items[0].certainty == OD_CERTAIN;
    return kill && !certain;
}

static bool is_cause(const struct od_diagnosis *diagnosis, enum od_cause cause)
{
    return diagnosis->findings.n > 0 && diagnosis->findings.items[0].cause == cause &&
           diagnosis->findings.items[0].certainty != OD_CERTAIN;
}

/* The command that lists the processes on a device, for each vendor; "" = none. */
static const struct {
    const char *platform, *command;
} listers[] = {
    {"rocm", "rocm-smi --showpids"},
    {"intel-xpu", "xpu-smi ps"},
    {"ascend-npu", "npu-smi info"},
    {"apple-mps", ""},
    {"tpu", ""},
};

static const char *process_list_command(const struct od_failure *failure)
{
    if (od_incident_says(failure->incident, OD_SAID_AMD))
        return listers[0].command;
    for (size_t i = 0; i < OD_COUNT_OF(listers); i++)
        if (od_software_used_has_named(&failure->stack, listers[i].platform))
            return listers[i].command;
    return "nvidia-smi";
}

/* Does the log lack some or all of the processes that hold the device? */
static bool asks_for_holders(const struct od_case *c, const struct od_incident *incident,
                             const struct od_diagnosis *diagnosis)
{
    return !od_found_holder(diagnosis->failure).known && !od_found_room_then(c, incident) &&
           (is_cause(diagnosis, OD_CAUSE_DRIVER_REFUSED) ||
            is_cause(diagnosis, OD_CAUSE_OTHER_TENANT));
}

const struct od_decide *od_decide_of(const struct od_case *c, const struct od_diagnosis *diagnosis,
                                     struct od_arena *arena)
{
    const struct od_incident *incident = diagnosis->failure->incident;
    bool quiet = diagnosis->failure->run.outcome == OD_OUTCOME_NO_FAILURE ||
                 diagnosis->failure->run.outcome == OD_OUTCOME_SURVIVED ||
                 diagnosis->failure->run.outcome == OD_OUTCOME_OTHER_FAILURE;
    if (!incident || quiet)
        return NULL;
    struct od_decide *decide = OD_NEW(arena, struct od_decide);
    if (is_open_kill(incident, diagnosis)) {
        ask_records(decide, c, arena);
        add(decide, "dmesg -T | grep -i -A20 'oom-kill\\|out of memory'",
            "the kernel names the process and the limit where it ran out of memory");
    } else if (asks_for_holders(c, incident, diagnosis)) {
        const char *command = process_list_command(diagnosis->failure);
        if (*command)
            add(decide, command, "names the processes that hold the device");
    }
    return decide->n > 0 ? decide : NULL;
}
