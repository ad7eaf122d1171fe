#include "failure/assertion.h"

#include "facts/trace.h"
#include "failure/failure.h"

/* Sets the facts of the assertion itself. */
static void take(const struct od_assertion *a, struct od_fact_value *values)
{
    if (a->cause)
        values[OD_FACT_CAUSE] = od_fact_word(OD_FACT_CAUSE, a->cause);
    if (od_scopes_compare(a->amount.scope, a->against.scope)) {
        values[OD_FACT_AMOUNT] = od_fact_bytes(a->amount.bytes, a->amount.scope);
        values[OD_FACT_AGAINST] = od_fact_bytes(a->against.bytes, a->against.scope);
    }
    if (a->series && a->series->slope_known)
        values[OD_FACT_SLOPE_IS_ZERO] =
            od_fact_truth(a->series->slope_lo <= 0 && a->series->slope_hi >= 0);
    values[OD_FACT_SUSPECTS] = (struct od_fact_value){.known = true, .bits = a->suspects};
}

static void count(struct od_drops *drops, const struct od_invariant *invariant, const char *cause)
{
    for (size_t i = 0; i < drops->n && i < OD_COUNT_OF(drops->list); i++)
        if (drops->list[i].invariant == invariant && drops->list[i].cause == cause)
            return;
    if (drops->n < OD_COUNT_OF(drops->list)) {
        drops->list[drops->n].invariant = invariant;
        drops->list[drops->n].cause = cause;
    }
    drops->n++;
}

static void drop(const struct od_profile *profile, const struct od_invariant *invariant,
                 const char *cause)
{
    struct od_buf text = {0};
    if (profile->failure->drops)
        count(profile->failure->drops, invariant, cause);
    if (!profile->c->trace)
        return;
    od_buf_printf(&text, "%s: ", invariant->drops);
    od_when_misses(&invariant->must, od_profile_ask, profile, &text);
    od_trace_note(profile->c->trace, OD_TRACE_CLAIM, invariant->id, "dropped", od_buf_str(&text));
    od_buf_done(&text);
}

bool od_assertion_holds(const struct od_profile *profile, const struct od_assertion *assertion)
{
    struct od_profile with = *profile;
    bool holds = true;
    if (!profile->failure || !profile->c)
        return true;
    take(assertion, with.values);
    for (size_t i = 0; i < od_shipped_invariants.nrows; i++) {
        const struct od_invariant *row = &od_shipped_invariants.rows[i];
        if (!od_invariant_is_of(row, assertion->relation) ||
            od_when_holds(&row->must, od_profile_ask, &with) != OD_NO)
            continue;
        drop(&with, row, assertion->cause);
        holds = false;
    }
    return holds;
}
