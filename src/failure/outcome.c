#include "failure/outcome.h"

#include "failure/growth.h"
#include "failure/remarks.h"
#include "failure/timeline.h"

#include <assert.h>

/* A log is divided into attempts (at a new start, a new source, or progress after a memory
 * exception). Each one is judged alone; the log is a memory failure if one of them is. Messages of
 * an allocator, even a whole dump, prove nothing, because large scratch requests have a fallback.
 * An error of an operation, an exception or a kill proves it. */
struct attempt {
    const struct od_turn *error;      /* a memory error without later signs of progress */
    const struct od_turn *refused;    /* an allocator refused a request, without later signs of
                                         progress */
    const struct od_turn *other;      /* another error, without later signs of progress */
    const struct od_turn *killed;     /* killed without a reason in the log */
    bool killed_first;                /* no error was seen before the kill */
    const struct od_turn *stopped;    /* stopped from outside */
    const struct od_turn *driver;     /* the driver refused memory; no signs of progress after it */
    const struct od_turn *complained; /* the last problem of any kind */
    const struct od_turn *life;       /* the last sign of progress */
    bool surfaced;                    /* the error was raised to the program */
    bool survived;                    /* the run went on after a memory problem */
    /* the error is only in the first line, a title, with signs of progress after it */
    const struct od_turn *headline;
    const struct od_incident *named; /* the incident of a title whose error comes later */
};

struct verdict {
    enum od_outcome outcome;
    const char *why;
    const struct od_turn *mark;
};

struct judge {
    const struct od_case *c;
    struct attempt attempt;
    struct verdict verdict; /* the worst verdict so far */
    const struct od_incident *failure;
};

/* Is it an array that the program passes as a constant? No algorithm needs less for it. */
static bool is_array(const struct od_incident *incident)
{
    return incident && od_means(od_op_means(incident->tensor.op), OD_OP_CONSTANT);
}

/* Was the request for 0 bytes? That is an error of the allocator or the program, whatever is free.
 * A limit printed near it may still have been reached. */
static bool asked_for_nothing(const struct od_turn *mark)
{
    return mark && mark->incident && mark->incident->requested.known &&
           mark->incident->requested.hi == 0 && !mark->incident->limit.known;
}

static bool grew_until(const struct judge *judge, const struct od_turn *killed)
{
    struct od_growth growth;
    return killed->incident && od_growth_until(judge->c, killed->incident, &growth);
}

static struct verdict judge_attempt(const struct judge *judge)
{
    const struct attempt *a = &judge->attempt;
#define OD_VERDICT(holds, outcome, mark, why) \
    if (holds)                                \
        return (struct verdict){OD_OUTCOME_##outcome, why, a->mark};
#include "failure/verdicts.def"
    return (struct verdict){OD_OUTCOME_NO_FAILURE,
                            "No line was read as a failure or as a memory warning.", a->life};
}

/* Rank of a verdict among those of all attempts; of equal ones the latest counts. */
static int weight(enum od_outcome outcome)
{
    return outcome == OD_OUTCOME_MEMORY_FAILURE ? 2 : outcome != OD_OUTCOME_NO_FAILURE;
}

/* Does the incident only name the failure, like a headline, without a size or a call? */
static bool tells_nothing(const struct od_incident *incident)
{
    return !incident->requested.known && !incident->tensor.shape.known && incident->nframes == 0 &&
           incident->dump == 0 && !incident->in_use.known && !incident->limit.known;
}

/* Is it a sentence of no known program, directly before an exception of a known one? */
static bool is_before_exception(const struct od_incident *sentence,
                                const struct od_incident *exception)
{
    return od_view_eq_str(sentence->producer, "other") && sentence->dump == 0 &&
           sentence->nframes == 0 && !od_view_eq_str(exception->producer, "other") &&
           sentence->kind != exception->kind &&
           od_prov_distance(&sentence->last, &exception->at) == 1;
}

/* Did only a fork fail, and later a request of the same program? */
static bool is_fork_before(const struct od_incident *fork, const struct od_incident *request)
{
    return od_incident_says(fork, OD_SAID_FORK) && request->requested.known &&
           request->kind == OD_INC_HOST_ALLOC_FAILED && !od_incident_says(request, OD_SAID_FORK);
}

/* Did the kernel first kill a child that held almost no memory ("or sacrifice child")? */
static bool is_child_before(const struct od_incident *child, const struct od_incident *parent)
{
    enum { MUCH = 64 };
    return child->kind == parent->kind && child->process.rss.known && parent->process.rss.known &&
           od_incident_kind_is_host(child->kind) && child->process.name.n > 0 &&
           od_view_eq(child->process.name, parent->process.name) &&
           child->process.rss.n < parent->process.rss.n / MUCH;
}

/* Does the incident lack the device's numbers, although the program itself prints them? */
static bool is_hearsay(const struct od_incident *incident, const struct od_incident *message)
{
    if (is_before_exception(incident, message) || is_fork_before(incident, message) ||
        is_child_before(incident, message))
        return true;
    bool has_numbers = message->capacity.known && message->requested.known;
    return incident->dump == 0 && od_view_eq_str(incident->producer, "other") &&
           !incident->capacity.known && !incident->in_use.known && !incident->limit.known &&
           has_numbers && !od_view_eq_str(message->producer, "other");
}

/* Of several failures, one with a dump has most information and a headline the least. */
static void choose_failure(struct judge *judge, const struct od_turn *mark)
{
    const struct attempt *a = &judge->attempt;
    const struct od_incident *incident = mark ? mark->incident : NULL;
    if (!incident) /* the exception repeats the refusal */
        incident = a->refused ? a->refused->incident : a->named;
    if (incident && (!judge->failure || (judge->failure->dump == 0 && incident->dump != 0) ||
                     is_hearsay(judge->failure, incident) ||
                     (judge->failure->kind == incident->kind && tells_nothing(judge->failure) &&
                      !tells_nothing(incident))))
        judge->failure = incident;
}

static void close_attempt(struct judge *judge)
{
    struct verdict verdict = judge_attempt(judge);
    bool first_failure = verdict.outcome == OD_OUTCOME_MEMORY_FAILURE &&
                         judge->verdict.outcome != OD_OUTCOME_MEMORY_FAILURE;
    bool handled_other = judge->verdict.outcome == OD_OUTCOME_OTHER_FAILURE &&
                         verdict.outcome == OD_OUTCOME_NO_FAILURE && judge->attempt.life &&
                         !(judge->verdict.mark && judge->verdict.mark->titled);
    if (verdict.outcome == OD_OUTCOME_MEMORY_FAILURE)
        choose_failure(judge, verdict.mark);
    if (first_failure || handled_other ||
        (weight(verdict.outcome) >= weight(judge->verdict.outcome) &&
         judge->verdict.outcome != OD_OUTCOME_MEMORY_FAILURE))
        judge->verdict = verdict;
    judge->attempt = (struct attempt){0};
}

/* Did the host refuse an array, and the run continue with its count of steps? Then the program did
 * not need the array. */
static bool does_without(const struct judge *judge, const struct od_turn *mark)
{
    const struct attempt *a = &judge->attempt;
    const struct od_incident *error = a->error->incident;
    if (!error || error->kind != OD_INC_HOST_ALLOC_FAILED || !a->life)
        return false;
    OD_FOR_EACH (const struct od_run_state, course, judge->c->courses)
        if (course->source == mark->at.source)
            return course->falls == 0 && (course->epoch.known || course->step.known);
    return false;
}

static void see_life(struct judge *judge, const struct od_turn *mark)
{
    struct attempt *a = &judge->attempt;
    const struct od_incident *error = a->error ? a->error->incident : NULL;
    bool headline = error && error->titled && error->count == 1 && error->dump == 0 &&
                    !error->in_use.known && (error->nframes == 0 || !a->surfaced);
    a->headline = headline ? a->error : a->headline;
    if (a->error && !headline && a->surfaced && !does_without(judge, mark))
        close_attempt(judge); /* progress after the end of a run belongs to another attempt */
    bool complained = a->error || a->refused || a->driver;
    a->survived = a->survived || complained;
    a->error = NULL;
    a->refused = NULL;
    a->driver = NULL;
    if (a->other && !a->other->titled)
        a->other = NULL;
    a->killed = NULL;
    a->life = mark;
}

static void see_error(struct attempt *a, const struct od_turn *mark)
{
    /* The first message of a failure has most information. Later ones repeat it, unless only they
     * show the request or the pool. */
    bool dumps = mark->incident && mark->incident->dump != 0;
    bool title = a->error && a->error->titled && !mark->titled;
    if (title)
        a->named = a->error->incident;
    bool hearsay = a->error && a->error->incident && mark->incident &&
                   is_hearsay(a->error->incident, mark->incident);
    if (!a->error || title || hearsay || (!a->error->incident && mark->incident) ||
        (dumps && a->error->incident->dump == 0))
        a->error = mark;
    a->surfaced = a->surfaced || mark->surfaced;
}

static void see_mark(struct judge *judge, const struct od_turn *mark)
{
    struct attempt *a = &judge->attempt;
    switch (mark->kind) {
    case OD_TURN_START:
        close_attempt(judge);
        return;
    case OD_TURN_ALIVE:
        see_life(judge, mark);
        return;
    case OD_TURN_OTHER:
        a->surfaced = a->surfaced || a->error;
        /* A message without a reason, such as a launcher's about its child, has less information
         * than an error. */
        if (!a->other || (!mark->ended && (!mark->bare || a->other->bare || a->other->ended)))
            a->other = mark;
        return;
    case OD_TURN_KILLED:
        /* an error without a reason does not count, before or after the kill */
        a->killed_first =
            a->killed ? a->killed_first : !a->other || a->other->bare || a->other->ended;
        a->killed = a->killed ? a->killed : mark;
        break;
    case OD_TURN_STOPPED:
        a->stopped = mark;
        return;
    case OD_TURN_ERROR:
        see_error(a, mark);
        break;
    case OD_TURN_REFUSED:
        a->refused = mark;
        break;
    case OD_TURN_DRIVER:
        a->driver = mark;
        break;
    case OD_TURN_SOFT:
        break;
    }
    if (!a->complained || a->complained->kind == OD_TURN_DRIVER || mark->kind != OD_TURN_DRIVER)
        a->complained = mark;
}

/* Of several kills, the latest with a PID that the shell or a parent process reports ended the
 * run. */
static const struct od_incident *named_by_run(const struct od_case *c,
                                              const struct od_incident *failure)
{
    const struct od_incident *named = failure;
    bool kill = failure && od_incident_kind_is_guard(failure->kind);
    for (size_t i = 0; kill && i < c->incidents.n; i++) {
        const struct od_incident *echo = &c->incidents.items[i];
        bool missed = echo->kind == OD_INC_UNEXPLAINED_KILL || echo->kind == OD_INC_WORKER_KILLED;
        if (!missed || echo->echo_of == 0 || !echo->process.pid.known)
            continue;
        const struct od_incident *root = &c->incidents.items[echo->echo_of - 1];
        if (root->process.pid.known && root->process.pid.n == echo->process.pid.n)
            named = root;
    }
    return named;
}

/* Prose with two memory values and a word for growth, as in a guide: "a leak: RAM grew from 1.12 GB
 * to 62 GB". */
static const struct od_stated *stated_growth(const struct od_case *c)
{
    enum { TIMES = 4 };
    OD_FOR_EACH (const struct od_stated, stated, c->stated)
        if (stated->phase.n == 0 && stated->before.known && stated->after.known &&
            stated->after.lo / TIMES > stated->before.hi && od_remark_anywhere(c, "growth"))
            return stated;
    return NULL;
}

/* If no line of a log shows why the run failed, the text near the log may report that memory ran
 * out. */
static void take_report(const struct od_case *c, const struct od_turn *mark,
                        struct od_verdict_of_run *run)
{
    const struct od_evidence *ran_out = od_remark_anywhere(c, "reported");
    const struct od_stated *growth = stated_growth(c);
    bool silent = run->outcome == OD_OUTCOME_NO_FAILURE;
    bool bare = !silent && run->outcome != OD_OUTCOME_MEMORY_FAILURE && mark && mark->bare;
    bool killed = run->outcome == OD_OUTCOME_UNKNOWN && mark && mark->kind == OD_TURN_KILLED;
    if (killed && ran_out) {
        run->outcome = OD_OUTCOME_MEMORY_FAILURE;
        run->ended = mark->incident;
        run->why = "The run was killed, and the text reports that memory ran out.";
        return;
    }
    if ((!silent && !(bare && ran_out)) || (!ran_out && !growth))
        return;
    run->outcome = bare ? OD_OUTCOME_MEMORY_FAILURE : OD_OUTCOME_UNKNOWN;
    run->reported = true;
    run->at = c->claim ? c->claim->at : ran_out ? ran_out->at : growth->at;
    run->why = bare      ? "The text reports that memory ran out, and the log in it ends "
                           "without a reason."
               : ran_out ? "The text reports that memory ran out, but shows no log line of it."
                         : "The text reports that memory grew, but shows no log line of a failure.";
}

struct od_verdict_of_run od_outcome_of(const struct od_case *c)
{
    struct od_timeline timeline;
    od_timeline_make(&timeline, c);
    struct judge judge = {.c = c,
                          .verdict = {OD_OUTCOME_NO_FAILURE, "The log does not show it.", NULL}};
    for (size_t i = 0; i < timeline.marks.n; i++) {
        const struct od_turn *mark = &timeline.marks.items[i];
        if (i > 0 && mark->at.source != timeline.marks.items[i - 1].at.source)
            close_attempt(&judge);
        see_mark(&judge, mark);
    }
    close_attempt(&judge);
    struct od_verdict_of_run run = {
        .outcome = judge.verdict.outcome, .why = judge.verdict.why, .ended = judge.failure};
    run.asked_for_nothing =
        run.outcome == OD_OUTCOME_OTHER_FAILURE && asked_for_nothing(judge.verdict.mark);
    if (judge.verdict.mark) {
        run.at = judge.verdict.mark->at;
        run.bare = judge.verdict.mark->bare;
    }
    const struct od_incident *named = named_by_run(c, run.ended);
    if (named != run.ended) {
        run.ended = named;
        run.at = named->at;
    }
    take_report(c, judge.verdict.mark, &run);
    od_timeline_done(&timeline);
    return run;
}

enum od_outcome od_outcome_shown(const struct od_verdict_of_run *run)
{
    bool open = run->partly_read && run->outcome == OD_OUTCOME_NO_FAILURE;
    return open ? OD_OUTCOME_UNKNOWN : run->outcome;
}

const char *od_outcome_name(enum od_outcome outcome)
{
    static const char *const names[] = {
        [OD_OUTCOME_MEMORY_FAILURE] = "memory_failure",
        [OD_OUTCOME_SURVIVED] = "survived",
        [OD_OUTCOME_OTHER_FAILURE] = "other_failure",
        [OD_OUTCOME_NO_FAILURE] = "no_failure",
        [OD_OUTCOME_UNKNOWN] = "unknown",
    };
    assert(outcome < OD_COUNT_OF(names));
    return names[outcome];
}
