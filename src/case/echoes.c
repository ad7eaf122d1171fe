#include "case/builder.h"

/*
 * One failure is said by many: the kernel that kills a process, the scheduler that counts the
 * kill, the parent that misses its worker, the ranks whose peer is gone. What tells why is the
 * root; what only tells that, is its echo.
 */
enum { DEPTH_NONE, DEPTH_WITNESS, DEPTH_VICTIM, DEPTH_REFUSAL, DEPTH_WARDEN, DEPTH_KERNEL };

static int depth_of(const struct od_incident *inc)
{
    switch (inc->kind) {
    case OD_INC_HOST_OOM_KILL:
    case OD_INC_CGROUP_OOM_KILL:
        return DEPTH_KERNEL;
    case OD_INC_JOB_LIMIT_KILL:
    case OD_INC_PRESSURE_KILL:
        return DEPTH_WARDEN;
    case OD_INC_DEVICE_ALLOC_FAILED:
    case OD_INC_HOST_ALLOC_FAILED:
        return inc->op_error ? DEPTH_REFUSAL : DEPTH_NONE;
    case OD_INC_DEVICE_COMPILE_OOM:
    case OD_INC_KV_CACHE_TOO_SMALL:
    case OD_INC_SHM_EXHAUSTED:
        return DEPTH_REFUSAL;
    case OD_INC_WORKER_KILLED:
    case OD_INC_DEVICE_CONTEXT_FAILED:
        return DEPTH_VICTIM;
    case OD_INC_UNEXPLAINED_KILL:
        return DEPTH_WITNESS;
    case OD_INC_SOFT_WARNING:
    case OD_INC_END:
        break;
    }
    return DEPTH_NONE;
}

/* Does what the first says explain that the second happens? */
static bool explains_kind(const struct od_incident *root, const struct od_incident *echo)
{
    int depth = depth_of(root);
    switch (echo->kind) {
    case OD_INC_JOB_LIMIT_KILL:
    case OD_INC_PRESSURE_KILL:
        return depth == DEPTH_KERNEL;
    case OD_INC_WORKER_KILLED:
        return depth >= DEPTH_REFUSAL;
    case OD_INC_DEVICE_CONTEXT_FAILED: /* a communicator aborts when a peer is gone */
        return depth >= DEPTH_REFUSAL && root->kind != OD_INC_SHM_EXHAUSTED;
    case OD_INC_UNEXPLAINED_KILL:
        return depth >= DEPTH_VICTIM && root->kind != OD_INC_DEVICE_CONTEXT_FAILED;
    case OD_INC_DEVICE_ALLOC_FAILED:
    case OD_INC_DEVICE_COMPILE_OOM:
    case OD_INC_KV_CACHE_TOO_SMALL:
    case OD_INC_HOST_ALLOC_FAILED:
    case OD_INC_HOST_OOM_KILL:
    case OD_INC_CGROUP_OOM_KILL:
    case OD_INC_SHM_EXHAUSTED:
    case OD_INC_SOFT_WARNING:
    case OD_INC_END:
        break;
    }
    return false;
}

static bool agree(const struct od_count *a, const struct od_count *b)
{
    return !a->known || !b->known || a->n == b->n;
}

/* Said once more in other words: by the launcher and in its summary, by the worker and the parent
 * that missed it. Two kills are one only where both name the process. */
static bool said_again(const struct od_incident *root, const struct od_incident *echo)
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

/* Knows that there was a kill, and neither of whom nor of how much. */
static bool is_hearsay(const struct od_incident *inc)
{
    return !inc->process.pid.known && inc->process.name.n == 0 && !inc->in_use.known &&
           !inc->limit.known;
}

/* The unit of a control group, the step of a job; nobody's is anybody's. */
static bool is_part_of(struct od_view part, struct od_view whole)
{
    return part.n == 0 || od_view_ends(whole, part) || (whole.n > 0 && od_view_starts(part, whole));
}

/* A kill once more, by one who only heard of it: systemd of the kernel's, which it takes for one
 * of the whole machine; its manager of its guard's; Slurm's client of its daemon's. */
static bool heard_of(const struct od_incident *root, const struct od_incident *echo)
{
    enum { NEAR = 100 };
    if (!is_hearsay(echo) || depth_of(root) < DEPTH_WARDEN ||
        (root->at.source == echo->at.source && od_prov_distance(&root->at, &echo->at) > NEAR))
        return false;
    if (depth_of(echo) == DEPTH_KERNEL && depth_of(root) == DEPTH_KERNEL && !is_hearsay(root))
        return od_view_eq_str(echo->producer, "systemd");
    return root->kind == echo->kind && od_view_eq(root->producer, echo->producer) &&
           root->at.source == echo->at.source && root->at.line < echo->at.line &&
           is_part_of(echo->group, root->group);
}

/* systemd's word for a unit that lost a process for memory, behind its own guard's kill of it: the
 * guard tells why, and no kernel killed anything. */
static bool is_of_guard(const struct od_incident *root, const struct od_incident *echo)
{
    enum { NEAR = 100 };
    static const char *const systemd = "systemd";
    return root->kind == OD_INC_PRESSURE_KILL && depth_of(echo) == DEPTH_KERNEL &&
           is_hearsay(echo) && od_view_eq_str(root->producer, systemd) &&
           od_view_eq_str(echo->producer, systemd) && root->at.source == echo->at.source &&
           root->at.line < echo->at.line && echo->at.line - root->at.line <= NEAR;
}

/* A library that fails on the very device and rank whose memory is full, or on another rank. */
static bool places_agree(const struct od_incident *root, const struct od_incident *echo)
{
    return depth_of(root) != DEPTH_KERNEL || agree(&root->process.pid, &echo->process.pid);
}

/* Kernels and schedulers may be heard later than those they killed; a refusal comes first. */
static bool times_agree(const struct od_incident *root, const struct od_incident *echo)
{
    if (root->at.source != echo->at.source)
        return true;
    if (root->attempt != echo->attempt)
        return false;
    return depth_of(root) >= DEPTH_WARDEN || root->at.line < echo->at.line;
}

static bool is_better(const struct od_incident *a, const struct od_incident *b,
                      const struct od_incident *echo)
{
    if (depth_of(a) != depth_of(b))
        return depth_of(a) > depth_of(b);
    return od_prov_distance(&a->at, &echo->at) < od_prov_distance(&b->at, &echo->at);
}

/* What a program says of its own memory is nobody's echo. */
static bool may_be_echo(const struct od_incident *inc)
{
    int depth = depth_of(inc);
    return (depth != DEPTH_NONE && depth != DEPTH_REFUSAL) || inc->kind == OD_INC_SHM_EXHAUSTED;
}

static const struct od_incident *find_root(const struct od_case *c, const struct od_incident *echo)
{
    const struct od_incident *best = NULL;
    if (!may_be_echo(echo))
        return NULL;
    OD_FOR_EACH (const struct od_incident, root, c->incidents) {
        bool guarded = is_of_guard(echo, root); /* never its own echo's echo */
        bool told = said_again(root, echo) || heard_of(root, echo) || is_of_guard(root, echo) ||
                    (!guarded && explains_kind(root, echo) && places_agree(root, echo));
        if (root != echo && told && times_agree(root, echo) &&
            (!best || is_better(root, best, echo)))
            best = root;
    }
    return best;
}

/* An echo of an echo has the root of all; each step goes to a greater depth, up to an earlier
 * line, or from hearsay to one who names the victim, so this ends. */
static void resolve(struct od_case *c, struct od_incident *inc)
{
    while (inc->echo_of != 0) {
        uint32_t next = c->incidents.items[inc->echo_of - 1].echo_of;
        if (next == 0)
            return;
        inc->echo_of = next;
    }
}

/* The words of an exception that nobody caught look the same as those of one that was logged. */
static bool may_be_uncaught(const struct od_incident *inc)
{
    for (size_t i = 0; i < inc->evidence.n; i++)
        if (od_view_has(inc->evidence.items[i].text, OD_VIEW("Error: ")))
            return true;
    return inc->nframes > 0;
}

static bool is_refusal_only(const struct od_incident *inc)
{
    bool alloc = inc->kind == OD_INC_DEVICE_ALLOC_FAILED || inc->kind == OD_INC_HOST_ALLOC_FAILED;
    return alloc && !inc->op_error;
}

/* What failed ends the run, unless the run is seen to move on: then it was caught, or another
 * process of the same log moves. */
static enum od_tri is_fatal(const struct od_case *c, const struct od_incident *inc)
{
    if (inc->kind == OD_INC_SOFT_WARNING)
        return OD_NO;
    bool moved = od_moments_went_on(c, &inc->last);
    if (is_refusal_only(inc) || od_incident_is_handled(inc))
        return moved ? OD_NO : OD_CANNOT_TELL;
    if (!moved)
        return OD_YES;
    return may_be_uncaught(inc) ? OD_CANNOT_TELL : OD_NO;
}

/* Several that tell of one event know different numbers of it. */
static void complete(struct od_incident *inc, const struct od_incident *echo)
{
    od_fill_bytes(&inc->limit, echo->limit);
    od_fill_bytes(&inc->in_use, echo->in_use);
    od_fill_bytes(&inc->peak, echo->peak);
}

/* The kernel names a process, systemd the unit that it was of. */
static void name_unit(const struct od_case *c, const struct od_incident *echo)
{
    struct od_incident *root = echo->echo_of != 0 ? &c->incidents.items[echo->echo_of - 1] : NULL;
    if (root && root->kind == OD_INC_HOST_OOM_KILL && root->group.n == 0)
        root->group = echo->group;
}

/* Does the line that states the limit print a peak that comes up to it? */
static bool is_reached(const struct od_case *c, struct od_view said, struct od_bytes limit)
{
    static const double full = 0.95; /* what is asked for next is in no peak */
    uint64_t line = 0;
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        line = setting->value.p == said.p ? setting->said.at.line : line;
    OD_FOR_EACH (const struct od_series, series, c->series)
        if (series->metric == OD_SERIES_HOST_PEAK && series->nsamples > 0 &&
            series->samples[series->nsamples - 1].line == line &&
            series->max >= full * (double)limit.n)
            return true;
    return false;
}

/* A limit that the log states of the job or container, where who ended it says none; nobody need
 * say who ended what had reached it. */
static void take_stated_limit(const struct od_case *c, struct od_incident *inc)
{
    struct od_bytes limit;
    struct od_view said = od_case_setting_at(c, OD_SETTING_MEMORY_LIMIT, &inc->at);
    if (inc->kind == OD_INC_UNEXPLAINED_KILL && od_bytes_parse_option(said, OD_VIEW(""), &limit) &&
        is_reached(c, said, limit))
        inc->kind = OD_INC_JOB_LIMIT_KILL;
    bool limited = inc->kind == OD_INC_JOB_LIMIT_KILL || inc->kind == OD_INC_CGROUP_OOM_KILL;
    if (limited && !inc->limit.known && od_bytes_parse_option(said, OD_VIEW(""), &limit))
        inc->limit = limit;
}

static bool is_of_job(const struct od_incident *inc)
{
    return inc->kind == OD_INC_JOB_LIMIT_KILL || inc->kind == OD_INC_CGROUP_OOM_KILL ||
           inc->kind == OD_INC_UNEXPLAINED_KILL;
}

/* "Number of failed examples: 1": what was skipped is lost, and the warning told of a failure. */
static void fail_what_was_lost(struct od_case *c)
{
    for (size_t m = 0; m < c->moments.n; m++) {
        const struct od_moment *moment = &c->moments.items[m];
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

void od_echoes_find(struct od_case *c)
{
    fail_what_was_lost(c);
    OD_FOR_EACH (struct od_incident, inc, c->incidents) {
        const struct od_incident *root = find_root(c, inc);
        inc->echo_of = root ? root->id : 0;
        inc->fatal = is_fatal(c, inc);
    }
    OD_FOR_EACH (struct od_incident, inc, c->incidents) {
        resolve(c, inc);
        name_unit(c, inc);
        if (inc->echo_of != 0 && is_of_job(inc) && is_of_job(&c->incidents.items[inc->echo_of - 1]))
            complete(&c->incidents.items[inc->echo_of - 1], inc);
    }
    for (size_t i = 0; i < c->incidents.n; i++)
        take_stated_limit(c, &c->incidents.items[i]);
}
