#include "diagnose/finding.h"
#include "diagnose/host.h"

/*
 * Proof: what the group (or the process) used has reached the limit, and the limit is printed; a
 * machine that is no larger than the limit would be exhausted itself. The kernel counts in pages,
 * and a group is killed when the next one does not fit.
 */
static const double reached_share = 0.98;

static bool proves(const struct od_incident *inc)
{
    struct od_bytes used = inc->in_use.known ? inc->in_use : inc->process.rss;
    return inc->limit.known && inc->limit.n > 0 && used.known &&
           (double)used.lo >= reached_share * (double)inc->limit.hi &&
           (!inc->capacity.known || inc->capacity.lo > inc->limit.hi);
}

/* YARN's own words: it counts the addresses that a container has reserved, too. */
static bool counts_virtual(const struct od_case *c, const struct od_incident *inc)
{
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        if (od_view_eq_str(setting->name, "limit_of_virtual") &&
            (od_view_eq_str(setting->value, "virtual memory used") ||
             od_view_eq_str(setting->value, "virtual memory limits")) &&
            od_prov_distance(&setting->said.at, &inc->at) == 0)
            return true;
    return false;
}

static void say_virtual(struct od_diagnosis_context *context, struct od_finding *finding,
                        const struct od_incident *inc)
{
    char used[OD_BYTES_TEXT], limit[OD_BYTES_TEXT];
    od_finding_say(context, finding,
                   "It had reserved %s of virtual memory%s%s: addresses, not memory in use.",
                   inc->in_use.known ? od_bytes_print(inc->in_use, used) : "too much",
                   inc->limit.known ? " and may have " : "",
                   inc->limit.known ? od_bytes_print(inc->limit, limit) : "");
    finding->clause = "a limit of virtual memory counted what was reserved, not what was used";
    finding->first = "raise_virtual_limit";
    finding->proven = false;
}

static enum od_clue sign_of(const struct od_incident *inc, bool denied)
{
    bool container =
        od_view_eq_str(inc->producer, "kubernetes") || od_view_eq_str(inc->producer, "docker");
    if (inc->kind == OD_INC_CGROUP_OOM_KILL)
        return OD_CLUE(GROUP_LIMIT, group_kill);
    if (inc->kind == OD_INC_JOB_LIMIT_KILL)
        return OD_CLUE(GROUP_LIMIT, job_kill);
    if (inc->kind == OD_INC_PRESSURE_KILL) /* a budget of one worker, or of all on the machine */
        return od_view_eq_str(inc->producer, "dask") ? OD_CLUE(GROUP_LIMIT, budget_of_worker)
               : inc->limit.known                    ? OD_CLUE(GROUP_LIMIT, budget)
                                                     : OD_CLUE_NONE;
    if (inc->kind != OD_INC_UNEXPLAINED_KILL || !container)
        return OD_CLUE_NONE;
    return denied ? OD_CLUE_NONE : OD_CLUE(GROUP_LIMIT, container_killed);
}

static void look(struct od_diagnosis_context *context)
{
    struct od_host_failure host;
    if (!od_host_failure_of(context, &host))
        return;
    const struct od_incident *inc = host.failure->incident;
    bool denied = od_view_eq_str(od_case_setting(context->c, OD_SETTING_OOM_KILLED), "false");
    enum od_clue sign = sign_of(inc, denied);
    bool named = inc->kind == OD_INC_CGROUP_OOM_KILL || inc->kind == OD_INC_JOB_LIMIT_KILL;
    bool proven = named && proves(inc);
    if (sign == OD_CLUE_NONE)
        return;
    struct od_finding *finding = od_finding_add(context, sign);
    finding->proven = proven;
    if (inc->limit.known)
        od_finding_say(context, finding, "The job or container reached its memory limit of %s.",
                       od_bytes_text(context->arena, inc->limit));
    else if (inc->kind == OD_INC_UNEXPLAINED_KILL)
        od_finding_say(context, finding,
                       "The container was killed, as happens when it exceeds its memory limit; the "
                       "log does not state the reason.");
    else
        od_finding_say(
            context, finding,
            "The job or container exceeded its own limit; the machine did not run out of memory.");
    finding->first = od_host_first(context);
    if (counts_virtual(context->c, inc))
        say_virtual(context, finding, inc);
    od_finding_host(finding, &host);
}

const struct od_diagnoser od_diagnoser_group_limit = {"group_limit", look};
