/* The limit that a program sets for its own heap, arena or share of the memory, as far as the log
 * shows it. */
#include "diagnose/taker.h"
#include "failure/bound.h"
#include "rules/software.h"

static const struct od_seen *runtime_error(const struct od_case *c, const struct od_incident *inc)
{
    enum { AROUND = 1 };
    OD_FOR_EACH (const struct od_seen, seen, c->seen) {
        const struct od_sign *sign = seen->sign;
        if (sign->software && sign->mark && sign->mark->kind == OD_MARK_ERROR && sign->mark->knob &&
            sign->mark->more && seen->said.at.source == inc->at.source &&
            seen->said.at.line + AROUND >= inc->at.line &&
            seen->said.at.line <= inc->last.line + AROUND)
            return seen;
    }
    return NULL;
}

/* A log with several runs may print several limits. Are they equal? Otherwise it is uncertain which
 * one was reached. */
static bool is_printed_alike(const struct od_case *c, const struct od_setting *print,
                             const char *of, const char *knob, const struct od_incident *inc)
{
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        if (od_bound_is_limit(setting, of, knob, inc) && !od_view_eq(setting->value, print->value))
            return false;
    return true;
}

/* The limit that a program sets for itself, as far as the log shows it. */
struct own_limit {
    struct od_bytes bytes; /* printed by the program; with of_others, the default for its kind */
    bool of_others;
    bool doubtful;                 /* the log prints other limits, too */
    const struct od_assigned *set; /* a setting of the limit in one of its forms; NULL = none */
    const struct od_evidence *at;  /* the line that prints `bytes`; NULL = the error message */
};

/* A printed value takes precedence over a start command that a person reports. */
static struct own_limit own_limit_of(const struct od_case *c, const struct od_seen *seen,
                                     const struct od_incident *inc)
{
    const struct od_sign *error = seen->sign;
    const struct od_knob *knob = od_software_knob(error->software, error->mark->knob);
    struct own_limit own = {.bytes = inc->limit,
                            .set = od_assigned_of_knob(c->assigned, error->software,
                                                       error->mark->knob, &seen->said.at)};
    if (own.set && inc->in_use.known && od_assigned_is_far(own.set, knob, (double)inc->in_use.hi))
        own.set = NULL; /* the setting belongs to another process */
    const char *const prints[] = {"limit_of_", own.set ? NULL : "default_of_"};
    for (size_t i = 0; i < OD_COUNT_OF(prints) && prints[i] && !own.bytes.known; i++) {
        const struct od_setting *print = od_bound_limit(c, prints[i], error->mark->knob, inc);
        if (!print || !od_bytes_parse(print->value, OD_UNIT_BINARY, &own.bytes))
            continue;
        own.at = &print->said;
        own.of_others = i > 0;
        own.doubtful = !is_printed_alike(c, print, prints[i], error->mark->knob, inc);
    }
    return own;
}

static const char *words_of(struct od_arena *arena, const struct own_limit *own,
                            struct od_bytes in_use)
{
    if (!own->bytes.known && !own->set && in_use.known)
        return od_arena_printf(arena, " with %s in use", od_bytes_text(arena, in_use));
    return own->bytes.known ? od_arena_printf(arena, " of %s%s", od_bytes_text(arena, own->bytes),
                                              own->of_others ? ", by its defaults" : "")
           : own->set       ? od_arena_printf(arena, " (%s)", od_assigned_written(own->set, arena))
                            : "";
}

/* Does the message show that use plus request exceed the limit, or that nearly all of it was in
 * use? */
static bool is_beyond_own(const struct od_incident *inc)
{
    static const double reached = 0.95;
    if (!inc->in_use.known || inc->dump > 0 || inc->group.n > 0)
        return false;
    return od_bytes_less(inc->limit, od_bytes_add(inc->in_use, inc->requested)) == OD_YES ||
           (!inc->requested.known && (double)inc->in_use.lo >= reached * (double)inc->limit.hi);
}

void od_take_own_limit(const struct taker *t)
{
    const struct od_seen *error = runtime_error(t->c, t->incident);
    const struct od_account *account = &t->failure->account;
    const struct od_enforcer *enforcer = account->enforcer;
    /* A setting did not cause the failure if a person solved the problem by raising it. */
    int raised = error ? od_tries_bounds(t->failure, error->sign->mark->knob, true).changed : 0;
    struct own_limit message = {.bytes = t->incident->limit};
    struct own_limit own = error ? own_limit_of(t->c, error, t->incident) : message;
    bool other = !enforcer || enforcer->scope != OD_SCOPE_RUNTIME; /* not the limit in the error */
    take_line(t, OD_FACT_RUNTIME_ERROR, error ? &error->said : NULL);
    take_text(t, OD_FACT_LIMITED,
              error && other ? error->sign->software->title
              : enforcer     ? enforcer->limited
                             : "the job or container");
    take_text(t, OD_FACT_OWN_LIMIT,
              words_of(t->context->arena, raised > 0 ? &message : &own, t->incident->in_use));
    bool printed = own.bytes.known && !own.of_others && !own.doubtful;
    take_truth(t, OD_FACT_OWN_LIMIT_PRINTED, printed);
    take_assigned(t, OD_FACT_OWN_LIMIT_SET, own.set);
    if (printed)
        t->facts->said[OD_FACT_OWN_LIMIT_PRINTED] = own.at;
    if (error && !t->failure->limit.known)
        take_bytes(t, OD_FACT_LIMIT, own.bytes);
    take_truth(t, OD_FACT_RAISED_WITHOUT_EFFECT, raised < 0);
    take_truth(t, OD_FACT_OVERFULL, is_beyond_own(t->incident));
    take_truth(t, OD_FACT_BESIDE_COUNT, od_account_is_undercounted(account));
    take_bytes(t, OD_FACT_COUNTED, account->used);
}
