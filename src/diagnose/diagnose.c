#include "diagnose/diagnose.h"

#include "diagnose/odds.h"
#include "diagnose/rows.h"

/* Best first; equal ones in the order of the JSON format. */
static int finding_cmp(const void *a, const void *b)
{
    const struct od_finding *x = a;
    const struct od_finding *y = b;
    if (x->probability > y->probability)
        return -1;
    if (x->probability < y->probability)
        return 1;
    if (x->certainty != y->certainty)
        return x->certainty > y->certainty ? -1 : 1;
    return (int)x->cause - (int)y->cause;
}

const struct od_diagnosis *od_diagnose(const struct od_fit *fit)
{
    struct od_arena *arena = od_arena_new();
    struct od_diagnosis *diagnosis = OD_NEW(arena, struct od_diagnosis);
    diagnosis->arena = arena;
    const struct od_failure *failure = fit->question.failure;
    diagnosis->failure = failure;
    diagnosis->product = fit->facts.product;
    struct od_diagnosis_context context = {.c = fit->question.c,
                                           .attribution = fit->question.attribution,
                                           .failure = failure->open ? failure : NULL,
                                           .fit = fit,
                                           .diagnosis = diagnosis,
                                           .arena = arena};
    od_rows_look(&context, od_shipped_causes);
    od_odds_doubt_limits(&context);
    od_odds_decide(diagnosis);
    if (diagnosis->findings.n > 1)
        qsort(diagnosis->findings.items, diagnosis->findings.n, sizeof *diagnosis->findings.items,
              finding_cmp);
    return diagnosis;
}

const struct od_diagnosis *od_diagnose_unread(void)
{
    struct od_arena *arena = od_arena_new();
    struct od_diagnosis *diagnosis = OD_NEW(arena, struct od_diagnosis);
    diagnosis->arena = arena;
    diagnosis->failure = od_failure_unread();
    diagnosis->profile = diagnosis->failure->profile;
    return diagnosis;
}

enum od_cause od_first_cause(const struct od_diagnosis *diagnosis)
{
    return diagnosis->findings.n > 0 ? diagnosis->findings.items[0].cause : OD_CAUSE_END;
}

void od_diagnosis_free(const struct od_diagnosis *diagnosis)
{
    if (!diagnosis)
        return;
    struct od_diagnosis owned = *diagnosis;
    od_vec_done(&owned.findings);
    od_arena_free(owned.arena);
}
