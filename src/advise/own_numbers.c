#include "advise/own_numbers.h"

#include "advise/command_number.h"
#include "advise/knob.h"
#include "advise/proposal.h"
#include "advise/remedy.h"
#include "advise/room.h"
#include "advise/standing.h"
#include "base/code_line.h"
#include "facts/meaning.h"
#include "facts/setting_number.h"

#include <stdio.h>

/* The name with the dashes of an option. */
static struct od_view called(const struct od_assigned *named)
{
    const char *from = named->name.p;
    from -= from > named->line.p + 1 && from[-1] == ':' && from[-2] == '-'; /* as in "-:hm12m" */
    while (from > named->line.p && from[-1] == '-')
        from--;
    return (struct od_view){from, (size_t)(named->name.p - from) + named->name.n};
}

/* The verb for the change. A command may take the number without a name. */
static const char *verb_of(const struct od_assigned *named, const char *to)
{
    bool placed = named->value.p == named->name.p + named->name.n + 1 &&
                  strchr(" (", named->value.p[-1]) && called(named).p == named->name.p;
    bool up = to && od_setting_value(od_view_of(to), NULL) > od_setting_value(named->value, NULL);
    return up ? "Raise" : placed ? "Lower the number after" : "Lower";
}

/* The step that changes the number in its line to `to` (NULL = not known). */
static struct od_remedy_how step_of(const struct od_assigned *named, const char *to,
                                    const char *text, struct od_arena *arena)
{
    struct od_remedy_how how = {.framework = "any", .title = "", .text = text, .to = to};
    const struct od_renumber new = {called(named), named->value, to};
    const char *end = named->value.p + named->value.n;
    end += end < named->line.p + named->line.n && *end == ')'; /* the bracket of a call */
    const struct od_evidence line = {.at = named->at,
                                     .text = {new.called.p, (size_t)(end - new.called.p)}};
    if (!od_edit_number(&line, &new, arena, &how.edit))
        return how;
    how.code = to ? how.edit.to : NULL;
    how.setting = how.edit.name;
    how.text = od_arena_printf(arena, "%s. %s",
                               od_edit_say(&how.edit, verb_of(named, to), to, arena), text);
    return how;
}

/* A number that is too large. to: a value that fits; NULL = not known. Its reason is OD_OWN_NONE if
 * the text's bounds leave no value. */
static struct od_own_number lowered(const struct od_advise_question *q,
                                    const struct od_assigned *named, const char *text,
                                    const char *to, struct od_arena *arena)
{
    const struct od_view name = called(named);
    const struct od_setting_number now = od_setting_number_read(named->value);
    struct od_standing_change change = {.name = od_arena_str(arena, named->name),
                                        .now = &now,
                                        .up = verb_of(named, to)[0] == 'R',
                                        .known = true,
                                        .to = to};
    if (!od_standing_obey(q, &change, arena))
        return (struct od_own_number){0};
    struct od_own_number own = {
        .reason = OD_OWN_TOO_LARGE,
        .title = od_arena_printf(arena, "%s %.*s", verb_of(named, change.to), (int)name.n, name.p),
        .step = step_of(named, change.to, text, arena)};
    own.step.worked = change.worked;
    return own;
}

/* --- a setting whose multiple is the request --- */

static struct od_own_number explains(const struct od_advise_question *q, struct od_arena *arena)
{
    const struct od_product *product = q->diagnosis->product;
    const struct od_assigned *named = product ? product->named : NULL;
    if (!named)
        return (struct od_own_number){0};
    const char *text = product->kind == OD_PRODUCT_WRAPPED
                           ? "A count of 32 bits ends at 4294967295, with a sign at 2147483647."
                           : "The size of the request follows from it.";
    return lowered(q, named, text, NULL, arena);
}

/* --- a value that worked --- */

static struct od_own_number restored(const struct od_advise_question *q, struct od_arena *arena)
{
    const struct od_tried *worked = od_tries_to_restore(q->diagnosis->failure);
    const struct od_assigned *now = worked ? worked->now : NULL;
    if (!now)
        return (struct od_own_number){0};
    const uint64_t line = worked->said->said.at.line;
    struct od_own_number own = {.reason = OD_OWN_WORKED,
                                .title = od_arena_printf(arena, "Set %.*s to %.*s",
                                                         (int)now->name.n, now->name.p,
                                                         (int)worked->number.n, worked->number.p)};
    own.step =
        step_of(now, od_arena_str(arena, worked->number),
                od_arena_printf(arena, "With that it worked (line %" PRIu64 ").", line), arena);
    own.step.worked = line;
    own.cost = od_setting_value(worked->number, NULL) > od_setting_value(now->value, NULL)
                   ? "none if that much memory is free"
                   : "";
    return own;
}

/* --- numbers of processes --- */

/* Does a known remedy already change a line of the log, or a setting that the error names? */
static bool has_edit(const struct od_remedies *known)
{
    for (size_t i = 0; i < known->n; i++)
        if (od_remedy_is_shown(&known->list[i]))
            return true;
    return od_remedies_have(known->list, known->n, "raise_named") ||
           od_remedies_have(known->list, known->n, "reduce_named");
}

/* The memory limit of the container that a command sets, or the limit that was reached unless the
 * program sets it itself. */
static struct od_bytes there_is(const struct od_advise_question *q)
{
    const struct od_failure *failure = q->diagnosis->failure;
    struct od_bytes limit = od_room_of_container(q);
    bool own = !failure->incident || failure->account.scope == OD_SCOPE_RUNTIME;
    return limit.known || own ? limit : failure->incident->limit;
}

static bool is_above(const struct od_advise_question *q, const struct od_assigned *one)
{
    static const double other_unit = 1.074; /* 120 MB may be 114 or 120 MiB */
    struct od_bytes limit = there_is(q);
    return limit.known && one->bytes.known && (double)one->bytes.lo > other_unit * (double)limit.hi;
}

/* Can the number be lowered: is it too large and set in a script that the log quotes, or a number
 * of processes, for one request of a size that a single process may have? A number that is printed
 * repeatedly is a measurement. */
static bool may_be_less(const void *with, const struct od_assigned *named)
{
    enum { MOST = 1024, OFTEN = 3 };
    static const uint64_t one_request = UINT64_C(4) << 30; /* of one worker, not of all */
    const struct od_advise_question *q = with;
    const struct od_failure *failure = q->diagnosis->failure;
    struct od_view place, setting;
    char name[64];
    size_t lines = 0;
    uint64_t means = od_mention_means(named->name);
    bool printed = od_is_upper(named->name.p[0]); /* a printed value: "Max Memory: 8213 MB" */
    bool size = !printed && od_means(means, OD_SIZE_MEMORY) && !od_means(means, OD_SIZE_STATE);
    bool script = od_script_of_line(named->line, &place, &setting);
    if ((size && is_above(q, named)) || (script && place.n > 0))
        return true;
    if (script && setting.p == named->name.p) /* a variable, which may belong to another program */
        return failure->account.enforcer && od_is_called(failure->account.enforcer->id, "stack") &&
               od_means(means, OD_SIZE_STACK);
    if (od_setting_value(named->value, NULL) > MOST || printed ||
        !od_number_is_at_once(named->name) ||
        (failure->asked.known && failure->asked.lo > one_request))
        return false;
    OD_FOR_EACH_OF (const struct od_assigned, one, q->c->assigned->items, q->c->assigned->n)
        lines += od_view_eq(one->name, named->name);
    (void)snprintf(name, sizeof name, "%.*s", (int)named->name.n, named->name.p);
    return lines < OFTEN && od_tries_bounds(failure, name, false).changed >= 0;
}

static struct od_own_number of_command(const struct od_advise_question *q, struct od_arena *arena)
{
    const struct od_failure *failure = q->diagnosis->failure;
    const struct od_argv any = {.arena = arena};
    const struct od_assigned *named = od_command_number(q->c, failure, &any, may_be_less, q);
    if (!named)
        return (struct od_own_number){0};
    if (od_number_is_bound(failure, named, arena)) {
        const struct od_setting_number now = od_setting_number_read(named->value);
        struct od_own_number own = lowered(
            q, named, "It may be what refused the memory.",
            od_setting_number_times(&now, od_try_times(failure, &od_no_remedy, true), arena),
            arena);
        if (own.reason == OD_OWN_NONE)
            return own;
        own.cost = "none if that much memory is free";
        own.step.edit.more = own.step.edit.guess = true;
        return own;
    }
    if (is_above(q, named))
        return lowered(q, named,
                       od_arena_printf(arena,
                                       "That is more than the %s that there is, and the rest of "
                                       "the process needs room, too.",
                                       od_bytes_text(arena, there_is(q))),
                       NULL, arena);
    bool at_once = od_number_is_at_once(named->name);
    struct od_bytes limit = failure->account.limit.bytes;
    struct od_alike_fits pool = od_alike_fits_of(q->c, &failure->alike, limit,
                                                 (uint64_t)od_setting_value(named->value, NULL));
    bool fits = at_once && pool.fits.known && !(q->host && q->host->recommended.known);
    const char *text =
        fits      ? od_arena_printf(arena, "One held up to %s, and the limit is %s.",
                                    od_bytes_text(arena, pool.each), od_bytes_text(arena, limit))
        : at_once ? "Each of them holds memory of its own."
                  : "The memory may depend on it.";
    struct od_own_number lower = lowered(
        q, named, text, fits ? od_arena_printf(arena, "%" PRIu64, pool.fits.n) : NULL, arena);
    if (lower.reason == OD_OWN_NONE)
        return lower;
    lower.reason = fits                                                         ? OD_OWN_FITS
                   : od_number_weight(failure, named, arena) >= OD_NAMED_WEIGHT ? OD_OWN_AT_ONCE
                                                                                : OD_OWN_LARGEST;
    lower.cost = at_once ? NULL : "less is kept or done at a time, or the problem is smaller";
    return lower;
}

struct od_own_number od_own_number_of(const struct od_advise_question *question,
                                      const struct od_remedies *known, struct od_arena *arena)
{
    const struct od_failure *failure = question->diagnosis->failure;
    struct od_own_number own = explains(question, arena);
    if (!own.reason)
        own = restored(question, arena);
    bool machine = failure->incident && od_incident_kind_is_host(failure->incident->kind) &&
                   !failure->account.had_room && !has_edit(known);
    bool idle = question->host && question->host->small; /* the processes hold little memory */
    bool host = failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE && !od_failure_is_device(failure);
    bool threads = od_failure_is_of_threads(question->c, failure);
    if (!own.reason && (host || machine || threads) && !idle && !has_edit(known))
        own = of_command(question, arena);
    return own;
}

/* Does the incident have two or more amounts? The report shows these anyway. */
static bool knows_amounts(const struct od_incident *incident)
{
    return incident->requested.known + incident->free.known + incident->limit.known +
               incident->in_use.known + incident->capacity.known >=
           2;
}

const struct od_mentions *od_mentions_of(const struct od_around *around, const struct od_case *c,
                                         const struct od_diagnosis *diagnosis,
                                         struct od_arena *arena)
{
    const struct od_failure *failure = diagnosis->failure;
    static const struct od_incident none;
    const struct od_incident *incident = failure->incident ? failure->incident : &none;
    enum od_outcome outcome = failure->run.outcome;
    bool other = outcome == OD_OUTCOME_OTHER_FAILURE;
    enum od_scope scope = other ? OD_SCOPE_UNKNOWN : failure->account.scope;
    if (!other && scope == OD_SCOPE_UNKNOWN && od_incident_is_of_machine(incident))
        scope = OD_SCOPE_MACHINE;
    struct od_mention_question question = {.around = around,
                                           .at = failure->incident ? incident->at : failure->run.at,
                                           .pid = incident->process.pid,
                                           .rank = incident->rank,
                                           .device = incident->device,
                                           .asked = failure->asked,
                                           .scope = scope,
                                           .read = knows_amounts(incident),
                                           .amounts = other};
    if (outcome == OD_OUTCOME_NO_FAILURE ||
        c->allocators.n > 0) /* an allocator's tables show memory in use */
        return OD_NEW(arena, struct od_mentions);
    return od_mentions_find(&question, arena);
}
