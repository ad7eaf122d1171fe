#include "advise/own_numbers.h"

#include "advise/command_number.h"
#include "advise/knob.h"
#include "advise/remedy.h"
#include "advise/room.h"
#include "base/code_line.h"
#include "facts/meaning.h"
#include "facts/setting_number.h"
#include "failure/found.h"

#include <math.h>

/* The step that changes the number, to `to` (NULL = not known): an edit of its line for a
 * setting. */
static struct od_remedy_how step_of(const struct od_mention *mention, const char *to,
                                    const char *text, struct od_arena *arena)
{
    struct od_remedy_how how = {.framework = "any", .title = "", .text = text, .to = to};
    const struct od_evidence line = {.at = mention->at, .text = mention->text};
    const struct od_renumber new = {mention->name, mention->value, to};
    if (!mention->sets || !od_edit_number(&line, &new, arena, &how.edit))
        return how;
    bool up = to && od_setting_value(od_view_of(to), NULL) > od_setting_value(mention->value, NULL);
    how.code = to ? how.edit.to : NULL;
    how.setting = how.edit.name;
    how.text = od_arena_printf(arena, "%s. %s",
                               od_edit_say(&how.edit, up ? "Raise" : "Lower", to, arena), text);
    return how;
}

/* A number that is too large. to: a value that fits; NULL = none is known to. */
static struct od_own_number lowered(const struct od_mention *mention, const char *text,
                                    const char *to, struct od_arena *arena)
{
    return (struct od_own_number){
        .reason = OD_OWN_TOO_LARGE,
        .mention = mention,
        .title = od_arena_printf(arena, "Lower %.*s", (int)mention->name.n, mention->name.p),
        .step = step_of(mention, to, text, arena)};
}

/* Is it set by a person or a setting? "Max Memory: 8213 MB" is printed by a program. */
static bool is_set(const struct od_mention *mention)
{
    return mention->prose || (mention->sets && !od_is_upper(mention->name.p[0]));
}

/* --- an amount larger than the memory there is --- */

/* The limit of the container that a command sets, the limit that was reached, or the size of the
 * machine as stated by a person. */
static struct od_bytes there_is(const struct od_advise_question *q)
{
    const struct od_failure *failure = q->diagnosis->failure;
    const struct od_mentions *mentions = q->mentions;
    struct od_bytes limit = od_room_of_container(q);
    bool own = failure->account.scope == OD_SCOPE_RUNTIME; /* the program sets that limit itself */
    if (!limit.known && failure->incident && !own)
        limit = failure->incident->limit;
    for (size_t i = 0; !limit.known && i < mentions->n; i++)
        if (mentions->list[i].whole)
            limit = mentions->list[i].bytes;
    return limit;
}

/* The request may be slightly larger than the setting, by pages or a header. */
static bool is_all_of(struct od_bytes amount, struct od_bytes asked)
{
    enum { BESIDE = 64, LEAST = 8 << 20 }; /* smaller numbers may be counts */
    return amount.known && asked.known && asked.lo >= LEAST && amount.n <= asked.hi &&
           asked.lo <= amount.n + amount.n / BESIDE;
}

static struct od_own_number too_large(const struct od_advise_question *q, struct od_arena *arena)
{
    const struct od_mentions *mentions = q->mentions;
    struct od_bytes limit = there_is(q);
    static const double other_unit = 1.074; /* 120 MB is 114 or 120 MiB */
    OD_FOR_EACH_OF (const struct od_mention, mention, mentions->list, mentions->n) {
        struct od_bytes amount = mention->bytes;
        bool all = is_all_of(amount, q->diagnosis->failure->asked);
        bool above =
            limit.known && amount.known && (double)amount.lo > other_unit * (double)limit.hi;
        if (!mention->sets || !is_set(mention) || !od_means(mention->means, OD_SIZE_MEMORY) ||
            !(all || above))
            continue;
        const char *text =
            all ? "The refused request was for all of it."
                : od_arena_printf(arena,
                                  "That is more than the %s that there is, and the rest of the "
                                  "process needs room, too.",
                                  od_bytes_text(arena, limit));
        return lowered(mention, text, NULL, arena);
    }
    return (struct od_own_number){0};
}

/* --- a setting of which the request is a multiple --- */

static const struct od_mention *mention_of(const struct od_assigned *named, struct od_arena *arena)
{
    const char *from = named->name.p, *end = named->value.p + named->value.n;
    while (from > named->line.p && from[-1] == '-')
        from--;
    struct od_mention *mention = OD_NEW(arena, struct od_mention);
    *mention = (struct od_mention){.at = named->at,
                                   .text = {from, (size_t)(end - from)},
                                   .name = {from, (size_t)(named->name.p - from) + named->name.n},
                                   .value = named->value,
                                   .sets = true};
    return mention;
}

static struct od_own_number explains(const struct od_product *product, struct od_arena *arena)
{
    const struct od_assigned *named = product ? product->named : NULL;
    if (!named)
        return (struct od_own_number){0};
    const char *text = product->kind == OD_PRODUCT_WRAPPED
                           ? "A count of 32 bits ends at 4294967295, with a sign at 2147483647."
                           : "The size of the request follows from it.";
    return lowered(mention_of(named, arena), text, NULL, arena);
}

/* --- a value that worked --- */

static struct od_own_number restored(const struct od_advise_question *q, struct od_arena *arena)
{
    struct od_bound_value worked;
    const struct od_assigned *now = od_found_to_restore(q->c, &worked);
    if (!now)
        return (struct od_own_number){0};
    struct od_own_number own = {.reason = OD_OWN_WORKED,
                                .mention = mention_of(now, arena),
                                .title = od_arena_printf(arena, "Set %.*s to %.*s",
                                                         (int)now->name.n, now->name.p,
                                                         (int)worked.text.n, worked.text.p)};
    own.step = step_of(
        own.mention, od_arena_str(arena, worked.text),
        od_arena_printf(arena, "With that it worked (line %" PRIu64 ").", worked.line), arena);
    own.step.worked = worked.line;
    own.cost =
        worked.n > od_setting_value(now->value, NULL) ? "none if that much memory is free" : "";
    return own;
}

/* --- how many run at once --- */

/* Does a known remedy already change a line of the log, or a setting that the error names? */
static bool has_edit(const struct od_remedies *known)
{
    for (size_t i = 0; i < known->n; i++)
        if (od_remedy_is_shown(&known->list[i]))
            return true;
    return od_remedies_have(known->list, known->n, "raise_named") ||
           od_remedies_have(known->list, known->n, "reduce_named");
}

/* May so many run at once, in one request of a size that one of them may have? */
static bool may_be_fewer(const struct od_advise_question *q, const struct od_assigned *named,
                         double n, struct od_arena *arena)
{
    enum { MOST = 1024, OFTEN = 3 };
    static const uint64_t one_request = UINT64_C(4) << 30; /* of one worker, not of all */
    const struct od_failure *failure = q->diagnosis->failure;
    bool whole = failure->asked.known && failure->asked.lo > one_request;
    size_t lines = 0; /* what is printed again and again is a measurement */
    OD_FOR_EACH_OF (const struct od_assigned, one, q->c->assigned->items, q->c->assigned->n)
        lines += od_view_eq(one->name, named->name);
    return n <= MOST && lines < OFTEN && !whole && !od_is_upper(named->name.p[0]) &&
           od_number_is_at_once(named->name) &&
           od_found_bounds(q->c, NULL, od_arena_str(arena, named->name), false).changed >= 0;
}

/* The number on which the memory most probably depends: of the command, or of what runs at once. */
static struct od_own_number of_command(const struct od_advise_question *q, struct od_arena *arena)
{
    const struct od_failure *failure = q->diagnosis->failure;
    const struct od_evidence *command = od_command_before(q->c, failure->run.ended);
    const struct od_assigned_list *list = q->c->assigned;
    const struct od_assigned *named = NULL;
    double best = 1; /* half of 1 is nothing */
    for (size_t i = 0; list && i < list->n; i++) {
        const struct od_assigned *one = &list->items[i];
        const struct od_view option = od_option_name(od_arena_str(arena, one->name), arena);
        double n = od_setting_value(one->value, NULL),
               weight = n > 1 ? od_number_weight(failure, option, n) : 0;
        struct od_view place, setting;
        bool of_command = (command && od_prov_cmp(&one->at, &command->at) == 0) ||
                          od_script_of_line(one->line, &place, &setting);
        if (weight <= best || !(of_command || may_be_fewer(q, one, n, arena)))
            continue;
        best = weight;
        named = one;
    }
    if (!named)
        return (struct od_own_number){0};
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
    struct od_own_number lower =
        lowered(mention_of(named, arena), text,
                fits ? od_arena_printf(arena, "%" PRIu64, pool.fits.n) : NULL, arena);
    lower.reason = fits ? OD_OWN_FITS : best >= OD_NAMED_WEIGHT ? OD_OWN_AT_ONCE : OD_OWN_LARGEST;
    lower.cost = at_once ? NULL : "less is kept or done at a time, or the problem is smaller";
    return lower;
}

struct od_own_number od_own_number_of(const struct od_advise_question *question,
                                      const struct od_remedies *known, struct od_arena *arena)
{
    const struct od_failure *failure = question->diagnosis->failure;
    struct od_own_number own = explains(question->diagnosis->product, arena);
    if (!own.reason)
        own = restored(question, arena);
    if (!question->mentions)
        return own;
    bool machine = failure->incident && od_incident_kind_is_host(failure->incident->kind) &&
                   !failure->account.had_room && !has_edit(known);
    if (!own.reason && machine)
        own = too_large(question, arena);
    bool idle = question->host && question->host->small; /* processes that hold little */
    bool host = failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE && !od_failure_is_device(failure);
    if (!own.reason && (host || machine) && !idle && !has_edit(known))
        own = of_command(question, arena);
    return own;
}

/* Does the incident have two or more amounts, which the report shows anyway? */
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
        c->allocators.n > 0) /* the tables of an allocator show what was held */
        return OD_NEW(arena, struct od_mentions);
    return od_mentions_find(&question, arena);
}
