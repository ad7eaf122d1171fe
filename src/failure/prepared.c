#include "failure/prepared.h"

static bool is_of_device(const struct od_series *s, const struct od_incident *incident)
{
    bool other = s->rank.known && incident->rank.known && s->rank.n != incident->rank.n;
    return s->metric == OD_SERIES_DEVICE_USED && s->at.source == incident->at.source && !other;
}

/* The first line of the attempt that shows a training step. */
static uint64_t first_step(const struct od_case *c, const struct od_incident *incident,
                           uint64_t start)
{
    uint64_t first = incident->at.line;
    OD_FOR_EACH (const struct od_moment, m, c->moments)
        if (m->kind == OD_EV_PROGRESS && m->first.source == incident->at.source &&
            m->first.line > start && m->first.line < first &&
            !od_means(m->said.means, OD_SAID_PREPARING))
            first = m->first.line;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        for (size_t k = 0; is_of_device(s, incident) &&
                           od_means(od_label_means(s->name), OD_LABEL_STEP) && k < s->nsamples;
             k++)
            if (s->samples[k].line > start && s->samples[k].line < first)
                first = s->samples[k].line;
    }
    return first;
}

static bool find_last(const struct od_case *c, const struct od_incident *incident,
                      struct od_prepared *ret_prepared)
{
    uint64_t start = od_start_of(c, incident).line, last = 0;
    uint64_t end = first_step(c, incident, start);
    OD_FOR_EACH (const struct od_series, s, c->series) {
        if (!is_of_device(s, incident) || !od_means(od_label_means(s->name), OD_LABEL_PREPARATION))
            continue;
        OD_FOR_EACH_OF (const struct od_point, point, s->samples, s->nsamples) {
            if (point->line <= start || point->line >= end || point->line < last)
                continue;
            last = point->line;
            ret_prepared->in_use = od_bytes_exact((uint64_t)point->value);
            bool at_first = s->at.line == last;
            ret_prepared->said = (struct od_evidence){.at = at_first ? s->at : s->last_at,
                                                      .text = at_first ? s->said : s->last_said};
        }
    }
    return last > 0;
}

double od_prepared_share(const struct od_case *c, const struct od_failure *failure,
                         struct od_prepared *ret_prepared)
{
    double room = failure->limit.known      ? (double)failure->limit.n
                  : failure->capacity.known ? (double)failure->capacity.n
                                            : 0;
    if (!(room > 0) || !find_last(c, failure->incident, ret_prepared))
        return -1;
    return (double)ret_prepared->in_use.n / room;
}
