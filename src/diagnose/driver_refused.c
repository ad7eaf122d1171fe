#include "diagnose/finding.h"
#include "failure/failure.h"
#include "failure/found.h"

#include "facts/prov.h"

/* limit - pool: what the allocator was allowed to take and had not. */
static struct od_count untaken(const struct od_failure *failure)
{
    uint64_t rest;
    if (!failure->limit.known || !failure->pool.known ||
        ckd_sub(&rest, failure->limit.n, failure->pool.n))
        return (struct od_count){0};
    return od_count_of(rest);
}

/* "refused 2.00 GiB of it and 1.80 GiB (5 times); the rest was never asked for" */
static const char *what_was_refused(struct od_diagnosis_context *context, uint64_t rest)
{
    const struct od_case *c = context->c;
    struct od_bytes most = c->driver_refused_largest, least = c->driver_refused_smallest;
    const char *times =
        od_arena_printf(context->arena, "%llu time%s", (unsigned long long)c->driver_refusal_count,
                        c->driver_refusal_count == 1 ? "" : "s");
    if (!most.known || most.hi >= rest)
        return od_arena_printf(context->arena, "refused (%s)", times);
    return od_arena_printf(context->arena,
                           "refused %s of it%s%s (%s); the rest was never asked for",
                           od_bytes_text(context->arena, most), least.n < most.n ? " and " : "",
                           least.n < most.n ? od_bytes_text(context->arena, least) : "", times);
}

static void report(struct od_diagnosis_context *context, const struct od_failure *failure,
                   struct od_count rest, bool proven)
{
    const struct od_case *c = context->c;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(DRIVER_REFUSED, driver_said));
    finding->proven = proven;
    if (rest.known)
        od_finding_say(context, finding,
                       "%s was requested while the allocator could still grow by %s to its limit "
                       "of %s, but the driver %s. The log does not show what uses the rest of the "
                       "device.",
                       od_bytes_text(context->arena, failure->asked),
                       od_bytes_text_u64(context->arena, rest.n),
                       od_bytes_text_u64(context->arena, failure->limit.n),
                       what_was_refused(context, rest.n));
    else
        od_finding_say(context, finding,
                       "The driver refused memory to the allocator %llu times before %s could not "
                       "be allocated: the device had less free memory than the allocator expected.",
                       (unsigned long long)c->driver_refusal_count,
                       failure->need.known ? od_bytes_text(context->arena, failure->asked)
                                           : "the request");
    od_finding_failure(finding, failure);
    od_finding_count(finding, "untaken_bytes", rest);
    od_finding_bytes(finding, "smallest_refused_bytes", c->driver_refused_smallest);
    od_finding_count(finding, "driver_refusals_count", od_count_of(c->driver_refusal_count));
    for (size_t i = 0; i < c->driver_refusals.n; i++)
        od_finding_evidence(finding, &c->driver_refusals.items[i]);
}

/* Nothing but the driver complained, and what came of it is not in the log. */
static void report_alone(struct od_diagnosis_context *context)
{
    const struct od_case *c = context->c;
    if (c->incidents.n > 0 || c->driver_refusal_count == 0 ||
        context->diagnosis->failure->run.outcome != OD_OUTCOME_UNKNOWN)
        return;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(DRIVER_REFUSED, driver_alone));
    od_finding_say(context, finding, "The driver refused memory %llu times; the log shows no more.",
                   (unsigned long long)c->driver_refusal_count);
    od_finding_bytes(finding, "smallest_refused_bytes", c->driver_refused_smallest);
    for (size_t i = 0; i < c->driver_refusals.n; i++)
        od_finding_evidence(finding, &c->driver_refusals.items[i]);
}

/* Refusals behind the failure or of another attempt belong to another run. Only the first few are
 * kept. */
static bool refused_before(const struct od_case *c, const struct od_incident *incident)
{
    size_t n = c->driver_refusals.n;
    struct od_prov start = od_start_of(c, incident);
    if (c->driver_refusal_count > n)
        return n == 0 || od_prov_cmp(&c->driver_refusals.items[0].at, &incident->last) < 0;
    for (size_t i = 0; i < n; i++) {
        const struct od_prov *at = &c->driver_refusals.items[i].at;
        if (od_prov_cmp(at, &incident->last) < 0 &&
            (at->source != start.source || od_prov_cmp(at, &start) >= 0))
            return true;
    }
    return false;
}

/* The message itself says that more was free than was asked for, and no limit of the framework is
 * told: another process was quicker, or the driver counts otherwise than it prints. */
enum { FULL_PARTS = 10 }; /* a device with less than such a part free is as good as full */

static bool report_free(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_incident *inc = failure->incident;
    if (failure->dump || inc->limit.known || !inc->free.known || !inc->requested.known ||
        inc->free.lo < inc->requested.hi || od_bytes_less(inc->largest, inc->requested) == OD_YES ||
        !od_failure_is_device(failure))
        return false;
    /* Just enough is not: the driver gives whole pages, and asks for some itself. */
    bool clear = inc->free.lo / 2 >= inc->requested.hi;
    bool much = inc->capacity.known && inc->free.lo >= inc->capacity.hi / FULL_PARTS;
    struct od_finding *finding =
        od_finding_add(context, clear  ? OD_CLUE(DRIVER_REFUSED, much_more_free)
                                : much ? OD_CLUE(DRIVER_REFUSED, more_free)
                                       : OD_CLUE(DRIVER_REFUSED, just_free));
    od_finding_say(context, finding,
                   "%s could not be allocated although the message reports %s free: the driver "
                   "could provide less at that moment, and the log does not show why.",
                   od_bytes_text(context->arena, inc->requested),
                   od_bytes_text(context->arena, inc->free));
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "free_bytes", inc->free);
    return true;
}

/* A good part of the device was neither held by this process nor asked for, and what is free is
 * not said: somebody else's, or more than the driver gives in one piece. */
static const double clear_share = 0.6;

static bool report_room(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_incident *inc = failure->incident;
    struct od_bytes wanted = od_bytes_add(inc->requested, failure->account.own);
    if (failure->dump || inc->free.known || inc->limit.known || !inc->capacity.known ||
        !wanted.known || (double)wanted.hi > clear_share * (double)inc->capacity.lo ||
        !od_failure_is_device(failure))
        return false;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(DRIVER_REFUSED, room_untaken));
    od_finding_say(
        context, finding,
        "%s could not be allocated although this process uses %s of the device's %s: other "
        "processes use the rest, or the driver cannot provide one block of that size.",
        od_bytes_text(context->arena, inc->requested),
        od_bytes_text(context->arena, failure->account.own),
        od_bytes_text(context->arena, inc->capacity));
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "capacity_bytes", inc->capacity);
    return true;
}

/* The whole program would have fitted many times: the device was full before it came. */
static bool report_small_program(struct od_diagnosis_context *context,
                                 const struct od_failure *failure)
{
    struct od_bytes total = od_failure_small_program(context->c, failure);
    if (!total.known)
        return false;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(DRIVER_REFUSED, small_program));
    od_finding_say(
        context, finding,
        "%s refused to a program that needs %s in total, by the compiler's table: the device was "
        "already full, with arrays of this process or of another one. The log does not show which.",
        failure->need.known ? od_arena_printf(context->arena, "%s was",
                                              od_bytes_text(context->arena, failure->asked))
                            : "Memory was",
        od_bytes_text(context->arena, total));
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "program_bytes", total);
    return true;
}

/* A tool showed room when it failed: the message is of another limit, or of another memory. */
static bool report_shown(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_incident *inc = failure->incident;
    const struct od_series *room = od_found_room_then(context->c, inc);
    if (!room || failure->dump || inc->free.known || inc->in_use.known || inc->limit.known ||
        !od_failure_is_device(failure))
        return false;
    bool opens = od_incident_says(inc, OD_SAID_OPENING);
    bool pages = od_stack_on_windows(&failure->stack);
    struct od_evidence said = {.at = room->last_at, .text = room->last_said};
    struct od_finding *finding =
        od_finding_add(context, opens ? OD_CLUE(DRIVER_REFUSED, session_with_room)
                                      : OD_CLUE(DRIVER_REFUSED, room_shown));
    od_finding_say(context, finding,
                   "%s refused although only %s of the device's %s was in use, as the log shows: "
                   "%s",
                   opens ? "A session, which needs little, was" : "Memory was",
                   od_bytes_text_u64(context->arena, (uint64_t)room->last),
                   od_bytes_text_u64(context->arena, (uint64_t)room->limit),
                   opens   ? "a driver that limits how many sessions are open at once refuses with "
                             "the same message."
                   : pages ? "Windows also refuses device memory at its commit limit (RAM and page "
                             "file), or the message is mistaken."
                           : "the limit that was reached is another one, or the message is "
                             "mistaken.");
    finding->clause = opens ? "a limit on sessions was reached, for the device had room"
                            : "something else than the device's memory, which had room";
    finding->first = opens ? "fewer_sessions" : pages ? "page_file" : NULL;
    finding->vain = "stop_other_tenant";
    od_finding_failure(finding, failure);
    od_finding_evidence(finding, &said);
    return true;
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure) {
        report_alone(context);
        return;
    }
    if (report_shown(context, failure) || report_free(context, failure) ||
        report_room(context, failure) || report_small_program(context, failure))
        return;
    struct od_count rest = untaken(failure);
    bool room = rest.known && failure->need.known && failure->need.hi <= rest.n;
    bool full = rest.known && failure->need.known && failure->need.lo > rest.n;
    bool refused = refused_before(context->c, failure->incident);
    if (failure->verdict == OD_VERDICT_DEVICE_REFUSED || (refused && !full))
        report(context, failure, rest, failure->proven && room);
}

const struct od_diagnoser od_diagnoser_driver_refused = {"driver_refused", look};
