/*
 * Makes an incident from a failure that people report. Incidents from the log come first.
 */
#include "case/builder.h"

static enum od_incident_kind kind_of(struct od_view space, struct od_view value)
{
    const bool killed = value.n > 0;
    if (od_view_eq_str(value, "killed alone"))
        return OD_INC_UNEXPLAINED_KILL;
    if (od_view_eq_str(space, "device"))
        return OD_INC_DEVICE_ALLOC_FAILED;
    if (od_view_eq_str(space, "group") && killed)
        return OD_INC_CGROUP_OOM_KILL;
    return killed        ? OD_INC_HOST_OOM_KILL
           : space.n > 0 ? OD_INC_HOST_ALLOC_FAILED
                         : OD_INC_UNNAMED_MEMORY;
}

/* A report with the memory, a kill or amounts is more specific. A memory that is only concluded
 * from a growth is less certain as the reason for a kill. */
static int weight_of(const struct od_incident *claim, bool concluded)
{
    return (od_incident_kind_is_kill(claim->kind) && !concluded) + 2 * claim->in_use.known +
           (claim->limit.known || claim->capacity.known) +
           4 * (claim->kind != OD_INC_UNNAMED_MEMORY);
}

/* Of two equal reports, a sentence has more information than the title, the first line. */
static bool is_better(const struct od_case_builder *b, const struct od_incident *claim,
                      bool concluded)
{
    int more = weight_of(claim, concluded) - weight_of(b->c->claim, b->claim_concluded);
    return more > 0 || (more == 0 && b->c->claim->at.line == 1);
}

static void fill(struct od_incident *claim, const struct od_incident *other)
{
    od_fill_bytes(&claim->in_use, other->in_use);
    od_fill_bytes(&claim->limit, other->limit);
    od_fill_bytes(&claim->capacity, other->capacity);
}

static struct od_incident claim_of(const struct od_event *event, enum od_incident_kind kind)
{
    bool host = od_incident_kind_is_host(kind);
    return (struct od_incident){.kind = kind,
                                .producer = OD_VIEW("other"),
                                .device = host ? OD_VIEW("CPU") : (struct od_view){0},
                                .at = event->at,
                                .last = event->at,
                                .count = 1,
                                .fatal = OD_CANNOT_TELL,
                                .unified = OD_CANNOT_TELL};
}

void od_fold_grown(struct od_case_builder *b, const struct od_event *event)
{
    if (b->grown)
        od_vec_done(&b->grown->evidence);
    b->grown = OD_NEW(b->arena, struct od_incident);
    *b->grown = claim_of(event, OD_INC_HOST_ALLOC_FAILED);
    b->grown->in_use = od_event_bytes(event, OD_F_PEAK);
    od_vec_push(&b->grown->evidence, od_case_copy_evidence(b, event));
}

void od_fold_reported(struct od_case_builder *b, const struct od_event *event)
{
    struct od_view space = od_event_text(event, OD_F_SPACE);
    struct od_view killed = od_event_text(event, OD_F_VALUE);
    if (od_view_eq_str(space, "pool")) /* neither RAM nor device memory */
        return;
    struct od_incident claim = claim_of(event, kind_of(space, killed));
    claim.in_use = od_event_bytes(event, OD_F_IN_USE);
    claim.limit = od_event_bytes(event, OD_F_LIMIT);
    claim.capacity = od_event_bytes(event, OD_F_CAPACITY);
    /* amounts without a reported failure */
    if (!od_view_eq_str(od_event_text(event, OD_F_NAME), "reported")) {
        if (claim.kind != OD_INC_DEVICE_ALLOC_FAILED)
            fill(&b->stated, &claim);
        return;
    }
    bool concluded = od_view_eq_str(killed, "killed grown");
    if (b->c->claim && !is_better(b, &claim, concluded)) {
        fill(b->c->claim, &claim);
        return;
    }
    struct od_incident *kept = b->c->claim ? b->c->claim : OD_NEW(b->arena, struct od_incident);
    od_vec_done(&kept->evidence);
    fill(&claim, kept);
    *kept = claim;
    od_vec_push(&kept->evidence, od_case_copy_evidence(b, event));
    b->c->claim = kept;
    b->claim_concluded = concluded;
}

/* Adds amounts from other lines ("64 GB of RAM", "a limit of 2 GB") and the printed memory of the
 * run's device. */
void od_reported_finish(struct od_case_builder *b)
{
    struct od_incident *claim = b->c->claim ? b->c->claim : b->grown;
    if (b->grown && claim != b->grown)
        od_vec_done(&b->grown->evidence);
    b->c->claim = claim;
    if (!claim)
        return;
    if (claim->kind == OD_INC_UNNAMED_MEMORY && b->c->devices.n > 0)
        claim->kind = OD_INC_DEVICE_ALLOC_FAILED;
    if (od_incident_kind_is_host(claim->kind))
        fill(claim, &b->stated);
    if (claim->kind == OD_INC_HOST_OOM_KILL && claim->limit.known && !claim->capacity.known)
        claim->kind = OD_INC_CGROUP_OOM_KILL;
    claim->evidence.items[0].means =
        od_meanings_of(OD_SUBJECT_SAID, claim->evidence.items[0].text, (struct od_view){0});
}
