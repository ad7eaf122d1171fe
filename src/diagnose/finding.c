#include "diagnose/finding.h"

#include "facts/prov.h"

#include <math.h>

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

/* --- growth --- */

static bool is_percent(const struct od_series *s)
{
    return od_series_metric_unit(s->metric) == OD_SERIES_PERCENT;
}

/* " at each validation"; "" while the run trains, or if no phase is marked. */
static const char *phase_words(struct od_arena *arena, enum od_series_phase phase)
{
    return phase > OD_SERIES_PHASE_TRAIN
               ? od_arena_printf(arena, " at each %s", od_series_phase_name(phase))
               : "";
}

/* "4.10 GiB", "41 %" */
static const char *amount(struct od_arena *arena, const struct od_series *s, double value)
{
    return is_percent(s) ? od_arena_printf(arena, "%.3g %%", value)
                         : od_bytes_text_u64(arena, (uint64_t)value);
}

const char *od_growth_words(struct od_arena *arena, const struct od_growth *growth)
{
    const struct od_series *s = growth->series;
    /* the series shows free memory */
    double change = s->last < s->first ? -growth->grown : growth->grown;
    const char *first = amount(arena, s, s->last - change), *last = amount(arena, s, s->last);
    bool stairs = s->trend == OD_TREND_STAIRCASE;
    if (stairs && s->end_slack > 0)
        return od_arena_printf(arena, "from %s to %s in jumps of about %s%s", first, last,
                               amount(arena, s, fabs(s->slope * s->end_slack)),
                               phase_words(arena, s->phase));
    /* growth for each line of the log is no rate */
    if (s->x == OD_X_LINE || growth->few)
        return od_arena_printf(arena, "from %s to %s over %llu measurements", first, last,
                               (unsigned long long)s->points);
    double scale;
    const char *each = od_series_each(s, &scale);
    return od_arena_printf(arena, "from %s to %s, %s %s%s%s%s", first, last,
                           amount(arena, s, fabs(s->slope) * scale), each,
                           stairs ? ", in jumps" : "", phase_words(arena, s->phase),
                           !stairs && s->phase == OD_SERIES_PHASE_TRAIN ? " while it trained" : "");
}

/* Converts to whole bytes. Unknown if that is impossible. */
static struct od_count whole(double bytes)
{
    return bytes >= 0 && bytes < 9e15 ? od_count_of((uint64_t)bytes) : (struct od_count){0};
}

/* The phase in which the series grew: training if it rises with each step and not in jumps. */
static enum od_series_phase phase_of(const struct od_growth *growth)
{
    const struct od_series *s = growth->series;
    if (growth->measured > 0)
        return growth->in_validation ? OD_SERIES_PHASE_VALIDATION : OD_SERIES_PHASE_NONE;
    if (s->phase == OD_SERIES_PHASE_NONE && s->trend == OD_TREND_LEAK && s->x == OD_X_STEP)
        return OD_SERIES_PHASE_TRAIN;
    return od_growth_is_of_validation(growth) ? OD_SERIES_PHASE_VALIDATION : s->phase;
}

void od_finding_growth(struct od_finding *finding, const struct od_growth *growth)
{
    const struct od_series *s = growth->series;
    struct od_evidence first = {.at = s->at, .text = s->said},
                       last = {.at = s->last_at, .text = s->last_said};
    bool until = growth->measured > 0, grew = growth->grown > 0;
    if (!until)
        od_finding_evidence(finding, &first);
    od_finding_evidence(finding, &last);
    finding->grown = grew && !growth->few && !until ? s : NULL;
    if (grew) {
        finding->grows_in = phase_of(growth);
        od_finding_count(finding, "points_count",
                         od_count_of(until ? growth->measured : s->points));
    }
    if (is_percent(s))
        return;
    if (grew)
        od_finding_count(finding, "grown_bytes", whole(growth->grown));
    od_finding_count(finding, "first_bytes", whole(until ? growth->before : s->first));
    od_finding_count(finding, "last_bytes", whole(s->last));
    if (grew && !until)
        od_finding_count(finding, "growth_per_x_bytes", whole(fabs(s->slope)));
}
