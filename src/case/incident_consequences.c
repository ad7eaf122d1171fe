#include "case/builder.h"

/* Several programs report one failure: the kernel that kills a process, the scheduler that records
 * it, the parent that loses its worker, the ranks whose peer has gone. The incident that shows the
 * reason is the root, and the others are its echoes. */
enum {
    CLASS_NONE,
    CLASS_UNEXPLAINED_KILL,
    CLASS_WORKER,
    CLASS_ALLOCATOR,
    CLASS_SCHEDULER,
    CLASS_KERNEL
};

static bool is_refusal_only(const struct od_incident *inc)
{
    bool alloc = inc->kind == OD_INC_DEVICE_ALLOC_FAILED || inc->kind == OD_INC_HOST_ALLOC_FAILED;
    return alloc && !inc->op_error;
}

static const struct {
    int depth, least;
} kinds[OD_INC_END] = {
#define OD_INCIDENT_KIND(of, name, scope, is, depth, least, event) {CLASS_##depth, CLASS_##least},
#include "case/incident_kinds.def"
};

static int depth_of(const struct od_incident *inc)
{
    return is_refusal_only(inc) ? CLASS_NONE : kinds[inc->kind].depth;
}

/* Can an incident with root's kind cause one with echo's kind? */
static bool explains_kind(const struct od_incident *root, const struct od_incident *echo)
{
    bool lonely =
        root->kind == (echo->kind == OD_INC_DEVICE_CONTEXT_FAILED ? OD_INC_SHM_EXHAUSTED
                                                                  : OD_INC_DEVICE_CONTEXT_FAILED);
    int least = kinds[echo->kind].least;
    return least > 0 && depth_of(root) >= least && !(lonely && echo->kind != OD_INC_WORKER_KILLED);
}

static bool agree(const struct od_count *a, const struct od_count *b)
{
    return !a->known || !b->known || a->n == b->n;
}

/* Do both report the same incident: the launcher and its summary, or the worker and its parent? Two
 * kills are the same only if both name the process. */
static bool is_repeated_report(const struct od_incident *root, const struct od_incident *echo)
{
    const struct od_count *a = &root->process.pid, *b = &echo->process.pid;
    if (root->kind != echo->kind || root->at.source != echo->at.source ||
        root->at.line >= echo->at.line || !agree(a, b) || !agree(&root->rank, &echo->rank))
        return false;
    if (echo->kind == OD_INC_SHM_EXHAUSTED)
        return true;
    bool died = echo->kind == OD_INC_UNEXPLAINED_KILL || echo->kind == OD_INC_WORKER_KILLED;
    return died && a->known && b->known;
}

/* Does it report a kill without process and amounts? */
static bool is_hearsay(const struct od_incident *inc)
{
    return !inc->process.pid.known && inc->process.name.n == 0 && !inc->in_use.known &&
           !inc->limit.known;
}

/* Is one the unit of the other's cgroup, or the job of the other's step ("81233" of
 * "StepId=81233.0")? */
static bool is_part_of(struct od_view part, struct od_view whole)
{
    return part.n > 0 && whole.n > 0 && (od_view_has(whole, part) || od_view_has(part, whole));
}

static bool is_of_kernel(const struct od_incident *inc)
{
    return depth_of(inc) == CLASS_KERNEL && od_view_eq_str(inc->producer, "linux");
}

/* Is it a second report of a kill by a program without the details: systemd about a kill by the
 * kernel, a service manager about one by its guard, Slurm's client about one by its daemon? */
static bool is_second_report(const struct od_incident *root, const struct od_incident *echo)
{
    enum { NEAR = 100 };
    bool hearsay = is_hearsay(echo) || is_part_of(echo->group, root->group);
    if (!hearsay || depth_of(root) < CLASS_SCHEDULER ||
        (root->at.source == echo->at.source && od_prov_distance(&root->at, &echo->at) > NEAR))
        return false;
    if (depth_of(echo) == CLASS_KERNEL && depth_of(root) == CLASS_KERNEL && !is_hearsay(root))
        return od_view_eq_str(echo->producer, "systemd") ||
               (is_of_kernel(root) && !is_of_kernel(echo));
    return root->kind == echo->kind && od_view_eq(root->producer, echo->producer) &&
           root->at.source == echo->at.source && root->at.line < echo->at.line &&
           (echo->group.n == 0 || is_part_of(echo->group, root->group));
}

/* Is it systemd's message about a unit whose process systemd-oomd killed? The message of
 * systemd-oomd has the reason, and the kernel killed nothing. */
static bool is_of_guard(const struct od_incident *root, const struct od_incident *echo)
{
    enum { NEAR = 100 };
    static const char *const systemd = "systemd";
    return root->kind == OD_INC_PRESSURE_KILL && depth_of(echo) == CLASS_KERNEL &&
           is_hearsay(echo) && od_view_eq_str(root->producer, systemd) &&
           od_view_eq_str(echo->producer, systemd) && root->at.source == echo->at.source &&
           root->at.line < echo->at.line && echo->at.line - root->at.line <= NEAR;
}

/* Do the places allow it? A kernel's kill has to name the same process. Other failures may be on
 * any device and rank. */
static bool places_agree(const struct od_incident *root, const struct od_incident *echo)
{
    return depth_of(root) != CLASS_KERNEL || agree(&root->process.pid, &echo->process.pid);
}

/* Do the times allow it? Kernels and schedulers may log a kill after its effects. A refused
 * allocation is logged before them. */
static bool times_agree(const struct od_incident *root, const struct od_incident *echo)
{
    if (root->at.source != echo->at.source)
        return true;
    if (root->attempt != echo->attempt)
        return false;
    return depth_of(root) >= CLASS_SCHEDULER || root->at.line < echo->at.line;
}

static bool is_better(const struct od_incident *a, const struct od_incident *b,
                      const struct od_incident *echo)
{
    if (depth_of(a) != depth_of(b))
        return depth_of(a) > depth_of(b);
    return od_prov_distance(&a->at, &echo->at) < od_prov_distance(&b->at, &echo->at);
}

/* Can the incident be an echo? A program's report about its own memory never is. */
static bool may_be_echo(const struct od_incident *inc)
{
    int depth = depth_of(inc);
    return (depth != CLASS_NONE && depth != CLASS_ALLOCATOR) || inc->kind == OD_INC_SHM_EXHAUSTED;
}

static const struct od_incident *find_root(const struct od_case *c, const struct od_incident *echo,
                                           const struct od_incident *record)
{
    const struct od_incident *best = NULL;
    if (!may_be_echo(echo))
        return NULL;
    OD_FOR_EACH (const struct od_incident, root, c->incidents) {
        bool guarded = is_of_guard(echo, root); /* otherwise each could be an echo of the other */
        /* people paste a kernel's log below other posts, and a container counts its processes from
         * 1 */
        bool only = root == record, counts = only && root->kind == OD_INC_CGROUP_OOM_KILL;
        bool told = is_repeated_report(root, echo) || is_second_report(root, echo) ||
                    is_of_guard(root, echo) ||
                    (!guarded && explains_kind(root, echo) && (counts || places_agree(root, echo)));
        if (root != echo && told && (only || times_agree(root, echo)) &&
            (!best || is_better(root, best, echo)))
            best = root;
    }
    return best;
}

/* The root for a worker whose kill is not shown: the kernel prints few of many kills, and people
 * cut its log. It died like workers of the same program whose kills are shown. */
static uint32_t root_of_kin(const struct od_case *c, const struct od_incident *inc)
{
    OD_FOR_EACH (const struct od_incident, kin, c->incidents)
        if (inc->kind == OD_INC_WORKER_KILLED && inc->echo_of == 0 && kin->kind == inc->kind &&
            kin->echo_of != 0 && kin->at.source == inc->at.source && kin->attempt == inc->attempt &&
            od_view_eq(kin->producer, inc->producer) &&
            depth_of(&c->incidents.items[kin->echo_of - 1]) == CLASS_KERNEL)
            return kin->echo_of;
    return inc->echo_of;
}

/* The root for "out of memory" in a title or a list without a size or place: the failure of the
 * device whose sizes the same text shows. */
static uint32_t root_of_bare(const struct od_case *c, const struct od_incident *inc)
{
    bool sized = inc->requested.known || inc->in_use.known || inc->limit.known || inc->free.known;
    bool bare = inc->kind == OD_INC_HOST_ALLOC_FAILED && inc->echo_of == 0 && inc->nframes == 0 &&
                !sized && od_view_eq_str(inc->producer, "other");
    for (size_t i = 0; bare && i < c->incidents.n; i++) {
        const struct od_incident *root = &c->incidents.items[i];
        if (root->kind == OD_INC_DEVICE_ALLOC_FAILED && root->requested.known &&
            root->at.source == inc->at.source)
            return root->id;
    }
    return inc->echo_of;
}

/* Makes an echo of an echo point to the first root. Each step leads to a greater depth, an earlier
 * line, or an incident that names the victim, so the loop ends. */
static void resolve(struct od_case *c, struct od_incident *inc)
{
    while (inc->echo_of != 0) {
        uint32_t next = c->incidents.items[inc->echo_of - 1].echo_of;
        if (next == 0)
            return;
        inc->echo_of = next;
    }
}

/* Can the exception be uncaught? A logged one looks the same. */
static bool may_be_uncaught(const struct od_incident *inc)
{
    for (size_t i = 0; i < inc->evidence.n; i++)
        if (od_view_has(inc->evidence.items[i].text, OD_VIEW("Error: ")))
            return true;
    return inc->nframes > 0;
}

/* A failure ends the run unless the run makes progress later. Then it was caught, or another
 * process in the log makes the progress. */
static enum od_tri is_fatal(const struct od_case *c, const struct od_incident *inc)
{
    if (inc->kind == OD_INC_SOFT_WARNING)
        return OD_NO;
    bool moved = od_run_events_went_on(c, &inc->last);
    if (is_refusal_only(inc) || od_incident_is_handled(inc))
        return moved ? OD_NO : OD_CANNOT_TELL;
    if (!moved)
        return OD_YES;
    return may_be_uncaught(inc) ? OD_CANNOT_TELL : OD_NO;
}

/* Adds numbers that only the other report of the event has. */
static void complete(struct od_incident *inc, const struct od_incident *echo)
{
    od_fill_bytes(&inc->limit, echo->limit);
    od_fill_bytes(&inc->in_use, echo->in_use);
    od_fill_bytes(&inc->peak, echo->peak);
}

/* Adds the unit from systemd's report, because the kernel names only a process. */
static void name_unit(const struct od_case *c, const struct od_incident *echo)
{
    struct od_incident *root = echo->echo_of != 0 ? &c->incidents.items[echo->echo_of - 1] : NULL;
    if (root && root->kind == OD_INC_HOST_OOM_KILL && root->group.n == 0)
        root->group = echo->group;
}

/* The highest peak of the whole job that its scheduler prints, on any line (0) or on that line. */
static struct od_bytes peak_at(const struct od_case *c, const struct od_incident *inc,
                               uint64_t line)
{
    struct od_bytes peak = {0};
    OD_FOR_EACH (const struct od_series, s, c->series)
        if (s->metric == OD_SERIES_HOST_PEAK && s->nsamples > 0 && s->process.n == 0 &&
            s->at.source == inc->at.source && s->max > (double)peak.n &&
            (line == 0 || s->samples[s->nsamples - 1].line == line))
            peak = od_bytes_exact((uint64_t)s->max);
    return peak;
}

/* Takes the limit of the job or container from elsewhere in the log, if the message of the kill has
 * none and the limit was reached. */
static void take_stated_limit(const struct od_case *c, struct od_incident *inc)
{
    /* below 1, because the peak does not include the refused request */
    static const double full = 0.95;
    struct od_bytes limit;
    const struct od_setting *said = od_case_limit_at(c, &inc->at);
    if (inc->kind == OD_INC_JOB_LIMIT_KILL)
        od_fill_bytes(&inc->peak, peak_at(c, inc, 0));
    if (!said || !od_setting_size(said, &limit))
        return;
    if (inc->kind == OD_INC_UNEXPLAINED_KILL &&
        (double)peak_at(c, inc, said->said.at.line).n >= full * (double)limit.n)
        inc->kind = OD_INC_JOB_LIMIT_KILL;
    bool limited = inc->kind == OD_INC_JOB_LIMIT_KILL || inc->kind == OD_INC_CGROUP_OOM_KILL;
    if (limited && !inc->limit.known && !od_incident_is_far_below(inc, limit))
        inc->limit = limit;
}

/* Takes the limit from a guard's warning, because its message about the kill has none. */
static void take_warned_limit(const struct od_case *c, struct od_incident *inc)
{
    OD_FOR_EACH (const struct od_incident, warning, c->incidents)
        if (inc->kind == OD_INC_PRESSURE_KILL && !inc->limit.known &&
            warning->kind == OD_INC_SOFT_WARNING && warning->at.line < inc->at.line &&
            od_view_eq(warning->producer, inc->producer))
            inc->limit = warning->limit;
}

static bool is_of_job(const struct od_incident *inc)
{
    return inc->kind == OD_INC_JOB_LIMIT_KILL || inc->kind == OD_INC_CGROUP_OOM_KILL ||
           inc->kind == OD_INC_UNEXPLAINED_KILL;
}

/* "Number of failed examples: 1": skipped work is lost, so the warning is a failure. */
static void fail_what_was_lost(struct od_case *c)
{
    for (size_t m = 0; m < c->run_events.n; m++) {
        const struct od_run_event *moment = &c->run_events.items[m];
        bool lost = moment->kind == OD_EV_REMARK && od_view_eq_str(moment->name, "lost_work");
        for (size_t i = c->incidents.n; lost && i-- > 0;) {
            struct od_incident *inc = &c->incidents.items[i];
            if (inc->kind != OD_INC_SOFT_WARNING || inc->last.source != moment->last.source ||
                inc->last.line > moment->last.line)
                continue;
            bool host = od_view_eq_str(inc->device, "CPU");
            inc->kind = host ? OD_INC_HOST_ALLOC_FAILED : OD_INC_DEVICE_ALLOC_FAILED;
            inc->op_error = true;
            inc->last = moment->last;
            od_vec_push(&inc->evidence, moment->said);
            break;
        }
    }
}

void od_consequences_find(struct od_case *c)
{
    fail_what_was_lost(c);
    const struct od_incident *record = NULL; /* the only kill in the kernel's log */
    uint64_t kills = 0;
    OD_FOR_EACH (const struct od_incident, inc, c->incidents)
        if (is_of_kernel(inc))
            record = (kills += inc->count) == 1 ? inc : NULL;
    OD_FOR_EACH (struct od_incident, inc, c->incidents) {
        const struct od_incident *root = find_root(c, inc, record);
        inc->echo_of = root ? root->id : 0;
        inc->fatal = is_fatal(c, inc);
    }
    OD_FOR_EACH (struct od_incident, inc, c->incidents) {
        inc->echo_of = root_of_kin(c, inc);
        inc->echo_of = root_of_bare(c, inc);
        resolve(c, inc);
        name_unit(c, inc);
        if (inc->echo_of != 0 && is_of_job(inc) && is_of_job(&c->incidents.items[inc->echo_of - 1]))
            complete(&c->incidents.items[inc->echo_of - 1], inc);
    }
    OD_FOR_EACH (struct od_incident, inc, c->incidents) {
        take_stated_limit(c, inc);
        take_warned_limit(c, inc);
    }
}
