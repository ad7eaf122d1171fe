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

/* Can the limit have ended the run, by the most host memory that the log prints? */
static bool can_be_reached(const struct od_case *c, const struct od_incident *inc,
                           struct od_bytes limit)
{
    static const double reached = 0.9; /* the last growth before a kill is often not printed */
    static const double beyond = 1.02; /* then it limits something else, one slot or process */
    struct od_bytes used = inc->in_use.known ? inc->in_use : inc->process.rss;
    double most = used.known ? (double)used.n : 0;
    OD_FOR_EACH (const struct od_series, series, c->series)
        if (od_series_metric_is_host(series->metric) && od_series_metric_is_bytes(series->metric) &&
            !od_series_metric_is_free(series->metric) && series->max > most)
            most = series->max;
    return most <= 0 || (most >= reached * (double)limit.lo && most <= beyond * (double)limit.hi);
}

/* The limit that the run's own command or configuration gave it, as "docker run -m 512m" does;
 * unknown if it cannot be what ended the run. */
static struct od_bytes stated_limit(const struct od_case *c, const struct od_incident *inc)
{
    struct od_bytes limit = {0};
    struct od_view said = od_case_setting_at(c, OD_SETTING_MEMORY_LIMIT, &inc->at);
    if (!od_bytes_parse_option(said, OD_VIEW(""), &limit) || !can_be_reached(c, inc, limit))
        return (struct od_bytes){0};
    return limit;
}

static enum od_clue sign_of(const struct od_incident *inc, bool stated, bool denied)
{
    bool container = od_view_eq_str(inc->producer, "kubernetes") ||
                     od_view_eq_str(inc->producer, "docker") || stated;
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

/* The heap alone may take all of it: threads, code and buffers come on top, and a heap that is not
 * full yet is not cleaned up. */
static void say_heap(struct od_diagnosis_context *context, struct od_finding *finding,
                     const struct od_incident *inc)
{
    static const double leaves_none = 0.85; /* a runtime takes a quarter of its heap beside it */
    struct od_bytes heap;
    struct od_view said = od_case_setting_at(context->c, OD_SETTING_HEAP_LIMIT, &inc->at);
    if (!od_bytes_parse_option(said, OD_VIEW("MiB"), &heap) || !inc->limit.known ||
        (double)heap.lo < leaves_none * (double)inc->limit.hi)
        return;
    od_finding_say(context, finding,
                   "The job or container reached its memory limit of %s. The heap alone may take "
                   "%s, so nothing of it is left for what the program needs beside its heap.",
                   od_bytes_text(context->arena, inc->limit), od_bytes_text(context->arena, heap));
    finding->first = "room_beside_heap";
}

/* Files in /dev/shm or another tmpfs count for the group, and are no process's. */
static void say_files(struct od_diagnosis_context *context, struct od_finding *finding)
{
    const struct od_account *account = &context->failure->account;
    const struct od_held *part = od_account_largest_part(account);
    if (!od_account_is_of_group(account) || !part || part->kind != OD_HELD_FILES)
        return;
    od_finding_say(context, finding,
                   "Files in memory (/dev/shm, tmpfs) take %s of the limit of %s, and count like "
                   "memory of the processes; the killed process itself held %s.",
                   od_bytes_text(context->arena, part->bytes),
                   od_bytes_text(context->arena, account->limit.bytes),
                   od_bytes_text(context->arena, account->victim.bytes));
    finding->clause = "files in memory (/dev/shm, tmpfs) fill the limit";
    finding->first = "files_on_disk";
}

/* "The pod" */
static const char *limited_first(struct od_arena *arena, const struct od_enforcer *enforcer)
{
    const char *limited = enforcer ? enforcer->limited : "the job or container";
    return od_arena_printf(arena, "%c%s", od_upper(limited[0]), limited + 1);
}

/* A limit of an app is the system's, and that of several pods is none of theirs. */
static void say_enforcer(struct od_diagnosis_context *context, struct od_finding *finding,
                         const char *limited)
{
    const struct od_account *account = &context->failure->account;
    const struct od_enforcer *enforcer = account->enforcer;
    if (!enforcer)
        return;
    if (enforcer->shared) {
        od_finding_say(
            context, finding,
            "%s reached its limit%s%s; it is not the limit of the pod or container that "
            "was killed.",
            limited, account->limit.bytes.known ? " of " : "",
            account->limit.bytes.known ? od_bytes_text(context->arena, account->limit.bytes) : "");
        finding->clause = "all pods of the node together need more than it allots to them";
        finding->first = "smaller_pods";
        finding->vain = "raise_limit";
    } else if (account->scope == OD_SCOPE_APP) {
        finding->clause = "the app needs more than the system lets it have";
        finding->first = "smaller_app";
        finding->vain = "raise_limit";
    }
}

static void say_unexplained(struct od_diagnosis_context *context, struct od_finding *finding,
                            struct od_bytes stated)
{
    if (!stated.known) {
        od_finding_say(context, finding,
                       "The container was killed, as happens when it exceeds its memory limit; the "
                       "log does not state the reason.");
        return;
    }
    const char *limit = od_bytes_text(context->arena, stated);
    od_finding_say(context, finding,
                   "The run may use %s, and it was killed, as happens at that limit; the log does "
                   "not state the reason.",
                   limit);
    finding->clause = od_arena_printf(context->arena, "it reached its limit of %s", limit);
    finding->first = "raise_limit";
    od_finding_bytes(finding, "limit_bytes", stated);
}

static void look(struct od_diagnosis_context *context)
{
    struct od_host_failure host;
    if (!od_host_failure_of(context, &host))
        return;
    const struct od_incident *inc = host.failure->incident;
    bool denied = od_view_eq_str(od_case_setting(context->c, OD_SETTING_OOM_KILLED), "false");
    struct od_bytes stated = stated_limit(context->c, inc);
    enum od_clue sign = sign_of(inc, stated.known, denied);
    bool named = inc->kind == OD_INC_CGROUP_OOM_KILL || inc->kind == OD_INC_JOB_LIMIT_KILL;
    bool proven = named && proves(inc);
    if (sign == OD_CLUE_NONE)
        return;
    struct od_finding *finding = od_finding_add(context, sign);
    finding->proven = proven;
    const struct od_enforcer *enforcer = host.failure->account.enforcer;
    const char *limited = limited_first(context->arena, enforcer);
    if (inc->limit.known)
        od_finding_say(context, finding, "%s reached its memory limit of %s.", limited,
                       od_bytes_text(context->arena, inc->limit));
    else if (inc->kind == OD_INC_UNEXPLAINED_KILL)
        say_unexplained(context, finding, stated);
    else
        od_finding_say(context, finding,
                       "%s exceeded its own limit; the machine did not run out of memory.",
                       limited);
    finding->first = finding->first ? finding->first : od_host_first(context);
    say_heap(context, finding, inc);
    od_host_say_workers(context, finding, &host, inc->limit);
    say_files(context, finding);
    say_enforcer(context, finding, limited);
    if (counts_virtual(context->c, inc))
        say_virtual(context, finding, inc);
    od_finding_host(context, finding, &host);
}

const struct od_diagnoser od_diagnoser_group_limit = {"group_limit", look};
