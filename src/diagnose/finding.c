#include "diagnose/finding.h"

#include "facts/prov.h"

void od_finding_sign(struct od_finding *finding, const char *sign, enum od_strength strength)
{
    if (finding->nsigns < OD_FINDING_CLUES)
        finding->signs[finding->nsigns++] = (struct od_seen_sign){sign, strength};
}

bool od_finding_asserts(const struct od_finding *finding, enum od_relation relation)
{
    return finding->asserts && od_is_among(od_relation_words[relation], finding->asserts);
}

struct od_finding *od_finding_new(struct od_diagnosis_context *context, enum od_cause cause)
{
    struct od_diagnosis *diagnosis = context->diagnosis;
    const struct od_incident *incident = diagnosis->failure->incident;
    struct od_finding finding = {
        .cause = cause, .incident = incident ? incident->id : 0, .summary = ""};
    od_vec_push(&diagnosis->findings, finding);
    return &diagnosis->findings.items[diagnosis->findings.n - 1];
}

static void add_number(struct od_finding *finding, const char *name, uint64_t value)
{
    for (size_t i = 0; i < finding->nnumbers; i++)
        if (strcmp(finding->numbers[i].name, name) == 0)
            return;
    if (finding->nnumbers < OD_FINDING_NUMBERS)
        finding->numbers[finding->nnumbers++] =
            (struct od_number){.name = name, .value = (double)value};
}

void od_finding_bytes(struct od_finding *finding, const char *name, struct od_bytes value)
{
    if (value.known)
        add_number(finding, name, value.n);
}

void od_finding_count(struct od_finding *finding, const char *name, struct od_count value)
{
    if (value.known)
        add_number(finding, name, value.n);
}

void od_finding_evidence(struct od_finding *finding, const struct od_evidence *evidence)
{
    for (size_t i = 0; i < finding->nevidence; i++)
        if (od_prov_cmp(&finding->evidence[i].at, &evidence->at) == 0)
            return;
    if (finding->nevidence < OD_FINDING_EVIDENCE)
        finding->evidence[finding->nevidence++] = *evidence;
}

void od_finding_failure(struct od_finding *finding, const struct od_failure *failure)
{
    enum { INCIDENT_LINES = 4 };
    const struct od_incident *incident = failure->incident;
    for (size_t i = 0; i < incident->evidence.n && i < INCIDENT_LINES; i++)
        od_finding_evidence(finding, &incident->evidence.items[i]);
    od_finding_bytes(finding, "request_bytes", failure->asked);
    if (od_bytes_same(failure->asked, failure->need) == OD_NO)
        od_finding_bytes(finding, "chunk_bytes", failure->need);
    od_finding_count(finding, "limit_bytes", failure->limit);
    od_finding_count(finding, "in_use_bytes", failure->in_use);
    od_finding_count(finding, "pool_bytes", failure->pool);
}
