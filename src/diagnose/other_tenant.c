#include "diagnose/finding.h"
#include "failure/failure.h"
#include "failure/found.h"
#include "failure/remarks.h"

/* A process that has the device to itself finds nearly all of it free, and takes nearly all. */
static const double taken_share = 0.6;
static const double usable_share = 0.9; /* a driver and a context keep the rest */

/*
 * Proof: what this run held and wanted together did not fit into what was free when it started,
 * but would have fitted into the empty device.
 */
static bool proves(const struct od_failure *failure)
{
    uint64_t wanted_lo, wanted_hi;
    uint64_t held = failure->in_use.known ? failure->in_use.n : 0;
    if (!failure->need.known || !failure->free_at_start.known || !failure->capacity.known ||
        !failure->one_device || ckd_add(&wanted_lo, failure->need.lo, held) ||
        ckd_add(&wanted_hi, failure->need.hi, held))
        return false;
    return wanted_lo > failure->free_at_start.hi &&
           (double)wanted_hi <= usable_share * (double)failure->capacity.lo;
}

static void say_free(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    bool proven = proves(failure);
    struct od_bytes taken = od_bytes_sub(failure->capacity, failure->free_at_start);
    struct od_finding *finding =
        od_finding_add(context, OD_CLUE(OTHER_TENANT, little_free_at_start));
    finding->proven = proven;
    od_finding_say(context, finding,
                   "Only %s of the device's %s was free when this run started: another %s was "
                   "already in use, by another process or by a run that had not ended.",
                   od_bytes_text(context->arena, failure->free_at_start),
                   od_bytes_text(context->arena, failure->capacity),
                   od_bytes_text(context->arena, taken));
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "free_at_start_bytes", failure->free_at_start);
    od_finding_bytes(finding, "capacity_bytes", failure->capacity);
    od_finding_bytes(finding, "held_by_others_bytes", taken);
    if (failure->device_said)
        od_finding_evidence(finding, failure->device_said);
}

static void say_small_share(struct od_diagnosis_context *context, const struct od_failure *failure,
                            struct od_bytes size)
{
    bool told = od_case_setting(context->c, OD_SETTING_GPU_MEMORY_FRACTION).n > 0;
    struct od_finding *finding = od_finding_add(
        context, told ? OD_CLUE(OTHER_TENANT, small_share_told)
                 : failure->verdict == OD_VERDICT_DEVICE_REFUSED /* it explains that */
                     ? OD_CLUE(OTHER_TENANT, small_share_and_refused)
                     : OD_CLUE(OTHER_TENANT, small_share));
    od_finding_say(context, finding,
                   "The framework reserved only %s of the device's %s. By default it reserves "
                   "nearly all free memory: another process seems to hold the rest.",
                   od_bytes_text_u64(context->arena, failure->limit.n),
                   od_bytes_text(context->arena, size));
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "capacity_bytes", size);
    od_finding_bytes(finding, "held_by_others_bytes",
                     od_bytes_sub(size, od_bytes_exact(failure->limit.n)));
    if (failure->device_said)
        od_finding_evidence(finding, failure->device_said);
}

static void say_refused(struct od_diagnosis_context *context, const struct od_failure *failure,
                        enum od_clue sign)
{
    struct od_finding *finding = od_finding_add(context, sign);
    od_finding_say(context, finding,
                   "The device had less free memory than the allocator expected; another process "
                   "on the device would explain it. The log does not show what the device holds.");
    od_finding_failure(finding, failure);
}

/* Neighbours are the cause where they hold a good part of the device: contexts of processes that
 * only show a desktop, or of ranks that strayed onto it, are always there. */
static const double large_named_share = 0.25;
static const double small_named_share = 0.08;
/* The same without names: contexts, kernels and libraries of the process itself are in it. */
static const double large_outside_share = 0.35;
static const double small_outside_share = 0.2;
static const double crumbs_share = 0.02; /* free, but as good as nothing */

static void say_named(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_account *h = &failure->account;
    bool large = h->named_share >= large_named_share;
    bool proven = large && h->tenant;
    if (h->named_share < small_named_share && !h->tenant)
        return;
    struct od_finding *finding = od_finding_add(
        context, large ? OD_CLUE(OTHER_TENANT, named_large) : OD_CLUE(OTHER_TENANT, named_small));
    finding->proven = proven;
    od_finding_say(
        context, finding, "Other processes hold %s of the device's %s; this one holds %s.%s",
        od_bytes_text(context->arena, h->named),
        od_bytes_text(context->arena, failure->incident->capacity),
        od_bytes_text(context->arena,
                      failure->incident->held.known ? failure->incident->held : h->own),
        h->tenant ? (large ? " Without them the request would have fit."
                           : " Without them this one request would have fit, and little more.")
                  : "");
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "held_by_others_bytes", h->named);
    od_finding_bytes(finding, "free_bytes", failure->incident->free);
    od_finding_bytes(finding, "capacity_bytes", failure->incident->capacity);
}

/* Nobody is named, but far more is gone than this process has. */
static void say_outside(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_account *h = &failure->account;
    struct od_bytes wanted = od_bytes_add(h->own, failure->incident->requested);
    bool fits = wanted.known && failure->capacity.known &&
                (double)wanted.hi <= usable_share * (double)failure->capacity.lo;
    bool short_of = od_bytes_less(failure->incident->free, failure->incident->requested) != OD_NO ||
                    (double)failure->incident->free.n < crumbs_share * (double)failure->capacity.n;
    if (!fits || !short_of || h->outside_share < small_outside_share)
        return;
    bool large = h->outside_share >= large_outside_share;
    struct od_finding *finding =
        od_finding_add(context, large ? OD_CLUE(OTHER_TENANT, outside_large)
                                      : OD_CLUE(OTHER_TENANT, outside_small));
    bool mine = h->beside.known && h->beside.lo >= h->outside.hi / 2;
    od_finding_say(
        context, finding,
        mine ? "Of the device's %s this framework holds %s, and %s are neither free nor "
               "its own: most of them are this process' own, held by another library in "
               "the same program."
             : "Of the device's %s, this framework holds %s, and %s is neither free nor its own: "
               "another process, or another framework in this process, holds it.",
        od_bytes_text(context->arena, failure->incident->capacity),
        od_bytes_text(context->arena, h->own), od_bytes_text(context->arena, h->outside));
    if (mine) /* there is nobody to stop */
        finding->vain = "stop_other_tenant";
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "held_by_others_bytes", h->outside);
    od_finding_bytes(finding, "free_bytes", failure->incident->free);
    od_finding_bytes(finding, "capacity_bytes", failure->incident->capacity);
}

/* A server that looks before it takes anything: what is not free is held by something else. */
static bool say_start(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_incident *incident = failure->incident;
    struct od_bytes held = od_bytes_sub(incident->capacity, incident->free);
    bool refused = incident->kind == OD_INC_DEVICE_CONTEXT_FAILED && incident->requested.known &&
                   held.known && od_bytes_less(incident->free, incident->requested) != OD_NO;
    if (!refused)
        return false;
    /* Of nearly the whole device not even a desktop may hold a part. */
    bool much = (double)held.lo > small_named_share * (double)incident->capacity.lo;
    struct od_finding *finding =
        od_finding_add(context, much ? OD_CLUE(OTHER_TENANT, taken_at_start)
                                     : OD_CLUE(OTHER_TENANT, little_taken_at_start));
    od_finding_say(context, finding,
                   "The run requested %s at its start and found %s free: %s of the device was "
                   "already in use by something else.",
                   od_bytes_text(context->arena, incident->requested),
                   od_bytes_text(context->arena, incident->free),
                   od_bytes_text(context->arena, held));
    od_finding_failure(finding, failure);
    od_finding_bytes(finding, "held_by_others_bytes", held);
    od_finding_bytes(finding, "free_bytes", incident->free);
    od_finding_bytes(finding, "capacity_bytes", incident->capacity);
    return true;
}

/* The driver could not even begin for this process, which held nothing yet. */
static bool say_full(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_incident *incident = failure->incident;
    bool begins = od_incident_says(incident, OD_SAID_CONTEXT) ||
                  od_incident_calls(incident, OD_FRAME_FIRST_USE);
    if (!begins || failure->progress > 0)
        return false;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(OTHER_TENANT, context_refused));
    finding->summary =
        "The device was full before this process used any of it: something else holds the memory.";
    od_finding_failure(finding, failure);
    return true;
}

/* A server that had given its memory back takes it again, and finds it taken. */
static bool say_woken(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    if (!od_failure_is_server(failure) || !od_incident_calls(failure->incident, OD_FRAME_WAKING))
        return false;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(OTHER_TENANT, woken));
    finding->summary = "A server woke from sleep mode and could not get back the memory it had "
                       "released: a trainer beside it or another process now holds it.";
    od_finding_failure(finding, failure);
    return true;
}

/* The message tells nothing but what was asked for, and a tool's table shows the device full. Of a
 * run that had made no progress yet it shows another's memory, mostly, where the empty device would
 * have had room. */
static bool say_table(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_incident *incident = failure->incident;
    if (failure->progress > 0 || failure->dump || incident->in_use.known || incident->free.known ||
        failure->limit.known || !od_failure_is_device(failure))
        return false;
    const struct od_series *full = od_found_full(context->c, incident);
    double asked = incident->requested.known ? (double)incident->requested.lo : 0;
    if (!full || (asked > 0 && (asked <= full->limit - full->min || asked > full->limit)))
        return false;
    struct od_evidence said = {.at = full->last_at, .text = full->last_said};
    struct od_finding *finding = od_finding_add(context, OD_CLUE(OTHER_TENANT, table_full));
    struct od_count holder = od_found_holder(context->c, incident);
    if (holder.known)
        od_finding_say(context, finding,
                       "A table of the device shows it nearly full before this run had used it: "
                       "process %" PRIu64 " holds the memory, unless it is this run.",
                       holder.n);
    else
        finding->summary = "A table of the device shows it nearly full before this run had used "
                           "it: something else seems to hold the memory.";
    od_finding_failure(finding, failure);
    od_finding_evidence(finding, &said);
    return true;
}

/* The others are no likely cause where a tool showed room, though it may have been taken since. */
static void say_room(struct od_diagnosis_context *context, const struct od_failure *failure,
                     const struct od_series *room)
{
    struct od_finding *finding = od_finding_add(context, OD_CLUE(OTHER_TENANT, room_shown));
    struct od_evidence said = {.at = room->last_at, .text = room->last_said};
    od_finding_say(context, finding,
                   "Other programs on the device held at most %s of its %s before the failure, "
                   "as the log shows.",
                   od_bytes_text_u64(context->arena, (uint64_t)room->max),
                   od_bytes_text_u64(context->arena, (uint64_t)room->limit));
    od_finding_failure(finding, failure);
    od_finding_evidence(finding, &said);
}

/* Nothing says how much of the device was free when a program of its own asked for a part. What
 * only opens a session or a queue asks for little. */
static bool say_untold(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_incident *incident = failure->incident;
    if (!od_failure_is_device(failure) || incident->free.known || incident->in_use.known ||
        incident->reserved.known || failure->limit.known || failure->progress > 0 ||
        od_failure_exceeds_limit(failure) || od_beyond_devices(failure->need) ||
        failure->of_network)
        return false;
    const struct od_series *room = od_found_room(context->c, incident);
    if (room && !od_found_room_then(context->c, incident))
        say_room(context, failure, room);
    if (room)
        return true;
    bool opens = od_incident_says(incident, OD_SAID_OPENING);
    struct od_finding *finding =
        od_finding_add(context, opens ? OD_CLUE(OTHER_TENANT, opening_refused)
                                      : OD_CLUE(OTHER_TENANT, room_untold));
    finding->summary =
        opens ? "The device refused a session, which needs little: other programs or sessions seem "
                "to hold it. The log does not show them."
              : "The log does not show how much of the device was free: other programs on it would "
                "explain the failure.";
    od_finding_failure(finding, failure);
    return true;
}

/* Several processes do the same work on one device: each holds a copy of what it needs. */
static bool say_copies(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_evidence *told = od_remark_find(context->c, failure->incident, "copies");
    if (!told || !od_failure_is_device(failure) || failure->account.named.known ||
        failure->account.outside.known || failure->use.trains)
        return false;
    struct od_finding *finding = od_finding_add(context, OD_CLUE(OTHER_TENANT, told_copies));
    finding->summary = "Several processes of this program use the device, as the author reports: "
                       "each holds its own copy of the model.";
    od_finding_failure(finding, failure);
    od_finding_evidence(finding, told);
    return true;
}

/* The runtime refused where the framework asked it for something of its own, not for a tensor:
 * mostly the device was full, or is not the one that is meant. A program that has no framework
 * asks the runtime for all that it needs. */
static bool say_driver(struct od_diagnosis_context *context, const struct od_failure *failure)
{
    const struct od_incident *incident = failure->incident;
    bool bare = od_view_eq(incident->producer, OD_VIEW("other")) && incident->nframes == 0 &&
                !failure->of_network;
    if (bare || !od_incident_says(incident, OD_SAID_DRIVER) || !od_failure_is_device(failure) ||
        incident->requested.known || failure->limit.known || failure->free_at_start.known ||
        failure->progress > 0)
        return false;
    say_refused(context, failure, OD_CLUE(OTHER_TENANT, driver_said));
    return true;
}

static void look(struct od_diagnosis_context *context)
{
    const struct od_failure *failure = context->failure;
    if (!failure || say_start(context, failure) || say_woken(context, failure) ||
        say_full(context, failure) || say_copies(context, failure) || say_table(context, failure) ||
        say_driver(context, failure) || say_untold(context, failure) ||
        od_failure_refused_what_was_free(failure))
        return;
    if (!failure->dump && failure->account.named.known && failure->account.named.n > 0) {
        say_named(context, failure);
        return;
    }
    if (!failure->dump && failure->account.outside.known) {
        say_outside(context, failure);
        return;
    }
    bool known = failure->capacity.known && failure->capacity.lo > 0;
    double capacity = (double)failure->capacity.lo;
    if (known && failure->free_at_start.known) {
        if ((double)failure->free_at_start.hi < taken_share * capacity || proves(failure))
            say_free(context, failure);
    } else if (known && failure->limit.known &&
               (double)failure->limit.n < taken_share / 2 * capacity) {
        say_small_share(context, failure, failure->capacity);
    } else if (!known && failure->rated.known && failure->limit.known &&
               (double)failure->limit.n < taken_share / 2 * (double)failure->rated.n) {
        say_small_share(context, failure, failure->rated);
    } else if (failure->verdict == OD_VERDICT_DEVICE_REFUSED) {
        say_refused(context, failure, OD_CLUE(OTHER_TENANT, device_refused));
    } else if (od_failure_limit_is_tiny(failure)) {
        say_refused(context, failure, OD_CLUE(OTHER_TENANT, limit_tiny));
    } else if (od_failure_small_program(context->c, failure).known) {
        say_refused(context, failure, OD_CLUE(OTHER_TENANT, small_program));
    }
}

const struct od_diagnoser od_diagnoser_other_tenant = {"other_tenant", look};
