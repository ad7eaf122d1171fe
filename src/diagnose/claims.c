#include "diagnose/claims.h"

#include "diagnose/finding.h"
#include "failure/failure.h"

/* What each cause asserts; the others assert no amounts. */
static const struct {
    enum od_cause cause;
    enum od_relation relation;
} relations[] = {
    {OD_CAUSE_BATCH_TOO_LARGE, OD_CLAIMS_SMALLER},
    {OD_CAUSE_INPUT_TOO_LARGE, OD_CLAIMS_SMALLER},
    {OD_CAUSE_MODEL_TOO_LARGE, OD_CLAIMS_EXCEEDS},
    {OD_CAUSE_FRAGMENTED, OD_CLAIMS_PIECES},
    {OD_CAUSE_OTHER_TENANT, OD_CLAIMS_HELD},
    {OD_CAUSE_DEVICE_LEAK, OD_CLAIMS_GROWS},
    {OD_CAUSE_HOST_LEAK, OD_CLAIMS_GROWS},
    {OD_CAUSE_EVALUATION_ACCUMULATES, OD_CLAIMS_GROWS},
    {OD_CAUSE_RUNTIME_LIMIT, OD_CLAIMS_REACHED},
    {OD_CAUSE_CAPPED, OD_CLAIMS_REACHED},
};

/* Unknown where the finding has no such number, or where it is no number of bytes. */
static struct od_bytes number_of(const struct od_finding *finding, const char *name)
{
    static const double most = 0x1p63;
    for (size_t i = 0; i < finding->nnumbers; i++) {
        double value = finding->numbers[i].value;
        if (strcmp(finding->numbers[i].name, name) == 0 && value >= 0 && value < most)
            return od_bytes_exact((uint64_t)value);
    }
    return (struct od_bytes){0};
}

/* The most that any of the numbers of the message counts as in use. */
static struct od_bytes largest_use(const struct od_incident *incident)
{
    struct od_bytes most = incident->in_use;
    if (od_bytes_less(most, incident->reserved) == OD_YES || !most.known)
        most = incident->reserved;
    if (od_bytes_less(most, incident->held) == OD_YES || !most.known)
        most = incident->held;
    return od_bytes_less(most, incident->process.rss) == OD_YES ? incident->process.rss : most;
}

struct od_claim od_claim_of(const struct od_diagnosis_context *context,
                            const struct od_finding *finding)
{
    const struct od_failure *failure = context->failure;
    const struct od_incident *incident = failure->incident;
    struct od_claim claim = {.subject = finding->cause};
    for (size_t i = 0; i < OD_COUNT_OF(relations); i++)
        if (relations[i].cause == finding->cause)
            claim.relation = relations[i].relation;
    switch (claim.relation) {
    case OD_CLAIMS_EXCEEDS:
    case OD_CLAIMS_SMALLER:
    case OD_CLAIMS_PIECES:
        claim.amount = incident->requested;
        claim.against = incident->free;
        break;
    case OD_CLAIMS_HELD:
        claim.amount =
            od_bytes_add(number_of(finding, "held_by_others_bytes"), failure->account.own);
        claim.against = incident->capacity;
        break;
    case OD_CLAIMS_REACHED:
        claim.amount = od_bytes_add(largest_use(incident), incident->requested);
        claim.against = incident->limit;
        break;
    case OD_CLAIMS_GROWS:
    case OD_CLAIMS_NOTHING:
        break;
    }
    return claim;
}

/* A straight line that grows has a slope whose interval leaves out 0; growth from round to round is
 * no straight line. */
static bool grows(const struct od_finding *finding)
{
    const struct od_series *s = finding->grown;
    return !s || s->trend != OD_TREND_LEAK || !s->slope_known || s->slope_lo > 0 || s->slope_hi < 0;
}

/* A request larger than the whole device fails on an empty one, too: nothing that fills the device
 * is the reason. */
static bool fills(enum od_cause cause)
{
    return cause == OD_CAUSE_DEVICE_LEAK || cause == OD_CAUSE_OTHER_TENANT ||
           cause == OD_CAUSE_FRAGMENTED || cause == OD_CAUSE_GRAPH_GROWTH ||
           cause == OD_CAUSE_MODEL_RELOAD;
}

/* Can the numbers be as the claim says? What is not known refutes nothing. */
static bool holds(const struct od_diagnosis_context *context, const struct od_finding *finding)
{
    const struct od_failure *failure = context->failure;
    struct od_claim claim = od_claim_of(context, finding);
    if (fills(finding->cause) && od_failure_is_device(failure) &&
        od_bytes_less(failure->capacity, failure->asked) == OD_YES)
        return false;
    switch (claim.relation) {
    case OD_CLAIMS_SMALLER:
    case OD_CLAIMS_EXCEEDS:
    case OD_CLAIMS_PIECES:
        return !failure->account.had_room;
    case OD_CLAIMS_HELD:
        return od_bytes_less(claim.against, claim.amount) != OD_YES;
    case OD_CLAIMS_REACHED:
        return !claim.amount.known || failure->dump ||
               od_bytes_less(claim.amount, claim.against) != OD_YES;
    case OD_CLAIMS_GROWS:
        return grows(finding);
    case OD_CLAIMS_NOTHING:
        break;
    }
    return true;
}

void od_claims_check(struct od_diagnosis_context *context)
{
    struct od_diagnosis *diagnosis = context->diagnosis;
    size_t kept = 0;
    for (size_t i = 0; context->failure && i < diagnosis->findings.n; i++) {
        if (holds(context, &diagnosis->findings.items[i]))
            diagnosis->findings.items[kept++] = diagnosis->findings.items[i];
        else
            diagnosis->dropped++;
    }
    if (context->failure)
        diagnosis->findings.n = kept;
}
