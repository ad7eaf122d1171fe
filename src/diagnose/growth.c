#include "diagnose/growth.h"

#include "diagnose/finding.h"

#include <math.h>

static bool is_percent(const struct od_series *s)
{
    return od_series_metric_unit(s->metric) == OD_SERIES_PERCENT;
}

static const char *phase_words(enum od_series_phase phase)
{
    switch (phase) {
    case OD_SERIES_PHASE_VALIDATION:
        return " at each validation";
    case OD_SERIES_PHASE_CHECKPOINT:
        return " at each checkpoint";
    case OD_SERIES_PHASE_LOAD:
        return " at each load";
    case OD_SERIES_PHASE_TRAIN:
    case OD_SERIES_PHASE_NONE:
        break;
    }
    return "";
}

/* "4.10 GiB", "41 %" */
static const char *amount(const struct od_diagnosis_context *context, const struct od_series *s,
                          double value)
{
    if (is_percent(s))
        return od_arena_printf(context->arena, "%.3g %%", value);
    return od_arena_printf(context->arena, "%s",
                           od_bytes_text_u64(context->arena, (uint64_t)value));
}

const char *od_growth_words(const struct od_diagnosis_context *context,
                            const struct od_growth *growth)
{
    const struct od_series *s = growth->series;
    double change = s->last < s->first ? -growth->grown : growth->grown; /* of what is free */
    const char *first = amount(context, s, s->last - change), *last = amount(context, s, s->last);
    bool stairs = s->trend == OD_TREND_STAIRCASE;
    if (stairs && s->end_slack > 0)
        return od_arena_printf(context->arena, "from %s to %s in jumps of about %s%s", first, last,
                               amount(context, s, fabs(s->slope * s->end_slack)),
                               phase_words(s->phase));
    /* what a line of the log gains tells nobody anything */
    if (s->x == OD_X_LINE || growth->few)
        return od_arena_printf(context->arena, "from %s to %s over %llu measurements", first, last,
                               (unsigned long long)s->points);
    double scale;
    const char *each = od_series_each(s, &scale);
    return od_arena_printf(context->arena, "from %s to %s, %s %s%s%s%s", first, last,
                           amount(context, s, fabs(s->slope) * scale), each,
                           stairs ? ", in jumps" : "", phase_words(s->phase),
                           !stairs && s->phase == OD_SERIES_PHASE_TRAIN ? " while it trained" : "");
}

/* Unknown where it is no number of bytes. */
static struct od_count whole(double bytes)
{
    return bytes >= 0 && bytes < 9e15 ? od_count_of((uint64_t)bytes) : (struct od_count){0};
}

void od_finding_growth(struct od_finding *finding, const struct od_growth *growth)
{
    const struct od_series *s = growth->series;
    struct od_evidence first = {.at = s->at, .text = s->said},
                       last = {.at = s->last_at, .text = s->last_said};
    od_finding_evidence(finding, &first);
    od_finding_evidence(finding, &last);
    /* What rises from step to step, by no jumps, rises in training. */
    finding->grows_in =
        s->phase == OD_SERIES_PHASE_NONE && s->trend == OD_TREND_LEAK && s->x == OD_X_STEP
            ? OD_SERIES_PHASE_TRAIN
        : od_growth_is_of_validation(growth) ? OD_SERIES_PHASE_VALIDATION
                                             : s->phase;
    finding->grown = growth->few ? NULL : s;
    od_finding_count(finding, "points_count", od_count_of(s->points));
    if (is_percent(s))
        return;
    od_finding_count(finding, "grown_bytes", whole(growth->grown));
    od_finding_count(finding, "first_bytes", whole(s->first));
    od_finding_count(finding, "last_bytes", whole(s->last));
    od_finding_count(finding, "growth_per_x_bytes", whole(fabs(s->slope)));
}

void od_finding_growth_until(struct od_finding *finding, const struct od_growth *growth)
{
    const struct od_series *s = growth->series;
    struct od_evidence last = {.at = s->last_at, .text = s->last_said};
    od_finding_evidence(finding, &last);
    finding->grows_in = growth->in_validation ? OD_SERIES_PHASE_VALIDATION : OD_SERIES_PHASE_NONE;
    od_finding_count(finding, "points_count", od_count_of(growth->measured));
    od_finding_count(finding, "grown_bytes", whole(growth->grown));
    od_finding_count(finding, "first_bytes", whole(growth->before));
    od_finding_count(finding, "last_bytes", whole(s->last));
}

static enum od_clue sign_of_growth_of_device(const struct od_growth *growth)
{
    if (growth->loading)
        return OD_CLUE(DEVICE_LEAK, growth_loading);
    if (growth->few)
        return OD_CLUE(DEVICE_LEAK, growth_few);
    if (od_growth_is_of_validation(growth))
        return OD_CLUE(DEVICE_LEAK, growth_at_validation);
    return growth->reached ? OD_CLUE(DEVICE_LEAK, growth)
                           : OD_CLUE(DEVICE_LEAK, growth_far_from_limit);
}

static enum od_clue sign_of_growth_of_host(const struct od_growth *growth)
{
    if (growth->loading)
        return OD_CLUE(HOST_LEAK, growth_loading);
    if (growth->few)
        return OD_CLUE(HOST_LEAK, growth_few);
    if (od_growth_is_of_validation(growth))
        return OD_CLUE(HOST_LEAK, growth_at_validation);
    return growth->reached ? OD_CLUE(HOST_LEAK, growth) : OD_CLUE(HOST_LEAK, growth_far_from_limit);
}

struct od_finding *od_finding_of_growth(struct od_diagnosis_context *context, enum od_cause cause,
                                        const struct od_growth *growth)
{
    bool host = cause == OD_CAUSE_HOST_LEAK;
    struct od_finding *finding = od_finding_add(context, host ? sign_of_growth_of_host(growth)
                                                              : sign_of_growth_of_device(growth));
    od_finding_growth(finding, growth);
    return finding;
}
