#include "report/remark.h"

#include "report/words.h"

#include <stdio.h>
#include <xxhash.h>

static const struct od_incident *incident_of(const struct od_report *report,
                                             const struct od_finding *finding)
{
    for (size_t i = 0; i < report->c->incidents.n; i++)
        if (report->c->incidents.items[i].id == finding->incident)
            return &report->c->incidents.items[i];
    return NULL;
}

static enum od_remark_level level_of(const struct od_report *report,
                                     const struct od_finding *finding, bool first)
{
    if (report->diagnosis->failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE)
        return finding->cause == OD_CAUSE_NOT_MEMORY ? OD_REMARK_NOTE : OD_REMARK_WARNING;
    return first ? OD_REMARK_ERROR : OD_REMARK_NOTE;
}

/* The title of the first remedy for that finding, or NULL. */
static const char *remedy_of(const struct od_report *report, const struct od_finding *finding,
                             struct od_arena *arena)
{
    for (size_t i = 0; report->remedies && i < report->remedies->n; i++)
        if (report->remedies->list[i].finding == finding)
            return od_remedy_title(&report->remedies->list[i], arena);
    return NULL;
}

static const char *visible(struct od_arena *arena, struct od_view text)
{
    struct od_buf buf = {0};
    od_text_visible(text, &buf);
    return od_arena_take(arena, &buf);
}

static void set_place(struct od_remark *remark, const struct od_report *report,
                      const struct od_incident *incident, struct od_arena *arena)
{
    struct od_prov at = incident ? incident->at : (struct od_prov){0};
    if (!incident && remark->finding->nevidence > 0)
        at = remark->finding->evidence[0].at;
    if (incident && incident->frame && incident->frame->file.n > 0) {
        remark->file = visible(arena, incident->frame->file);
        remark->line = incident->frame->line.n;
        return;
    }
    remark->file = visible(arena, od_view_of(od_words_source(report, at.source)));
    remark->line = at.line;
}

static void hash_text(XXH3_state_t *state, struct od_view text)
{
    (void)XXH3_64bits_update(state, text.p ? text.p : "", text.n);
    (void)XXH3_64bits_update(state, "", 1);
}

/* Sizes, lines and the batch move from run to run; what is hashed here does not. */
static void hash_incident(XXH3_state_t *state, const struct od_incident *incident)
{
    hash_text(state, od_view_of(od_incident_kind_name(incident->kind)));
    hash_text(state, incident->producer);
    hash_text(state, incident->device);
    hash_text(state, incident->tensor.op);
    for (uint32_t i = 1; incident->tensor.shape.known && i < incident->tensor.shape.n; i++)
        (void)XXH3_64bits_update(state, &incident->tensor.shape.dims[i],
                                 sizeof incident->tensor.shape.dims[i]);
}

static void set_fingerprint(struct od_remark *remark, const struct od_incident *incident)
{
    XXH3_state_t *state = XXH3_createState();
    if (!state)
        od_mem_die();
    (void)XXH3_64bits_reset(state);
    hash_text(state, od_view_of(od_cause_name(remark->finding->cause)));
    if (incident)
        hash_incident(state, incident);
    (void)snprintf(remark->fingerprint, sizeof remark->fingerprint, "%016llx",
                   (unsigned long long)XXH3_64bits_digest(state));
    (void)XXH3_freeState(state);
}

static void fill(struct od_remark *remark, const struct od_report *report, bool first,
                 struct od_arena *arena)
{
    const struct od_finding *finding = remark->finding;
    const struct od_incident *incident = incident_of(report, finding);
    const char *remedy = remedy_of(report, finding, arena);
    const char *summary = visible(arena, od_view_of(finding->summary));
    remark->level = level_of(report, finding, first);
    remark->title =
        od_arena_printf(arena, "%s (%s, %s)", od_cause_words(finding->cause),
                        od_certainty_name(finding->certainty), od_cause_code(finding->cause));
    remark->message =
        remedy ? od_arena_printf(arena, "%s What helps first: %s.", summary, remedy) : summary;
    set_place(remark, report, incident, arena);
    set_fingerprint(remark, incident);
}

const struct od_remarks *od_remarks_of(const struct od_report *report, struct od_redactor *redactor,
                                       struct od_arena *arena)
{
    struct od_remarks *remarks = OD_NEW(arena, struct od_remarks);
    for (size_t i = 0; i < report->diagnosis->findings.n && remarks->n < OD_REMARKS_MAX; i++) {
        struct od_remark *remark = &remarks->list[remarks->n++];
        remark->finding = &report->diagnosis->findings.items[i];
        fill(remark, report, i == 0, arena);
        /* none is graver than what is more probable */
        if (i > 0 && remark->level > remarks->list[i - 1].level)
            remark->level = remarks->list[i - 1].level;
        remark->message = od_words_shared(arena, redactor, remark->message);
        remark->words = od_arena_printf(arena, "%s: %s", remark->title, remark->message);
        remark->file = od_words_shared(arena, redactor, remark->file);
    }
    return remarks;
}
