#include "lib/trace_report.h"

#include "facts/trace.h"

#include <stdio.h>

enum { TEXT = 64 };

static void note_size(const struct od_trace *trace, const char *name, struct od_bytes size)
{
    char text[OD_BYTES_TEXT];
    if (size.known)
        od_trace_note(trace, OD_TRACE_FACT, name, od_bytes_print(size, text), NULL);
}

static void note_count(const struct od_trace *trace, const char *name, struct od_count count)
{
    char text[TEXT];
    (void)snprintf(text, sizeof text, "%" PRIu64, count.n);
    if (count.known)
        od_trace_note(trace, OD_TRACE_FACT, name, text, NULL);
}

static void note_failure(const struct od_trace *trace, const struct od_failure *failure)
{
    char where[TEXT];
    od_trace_note(trace, OD_TRACE_FACT, "outcome", od_outcome_name(od_outcome_shown(&failure->run)),
                  failure->run.why);
    if (!failure->incident)
        return;
    (void)snprintf(where, sizeof where, "line %" PRIu64, failure->incident->at.line);
    od_trace_note(trace, OD_TRACE_FACT, "incident", od_incident_kind_name(failure->incident->kind),
                  where);
    note_size(trace, "requested", failure->asked);
    note_size(trace, "capacity", failure->capacity);
    note_size(trace, "free", failure->incident->free);
    note_count(trace, "limit", failure->limit);
    note_count(trace, "in_use", failure->in_use);
    note_count(trace, "batch", failure->batch);
    note_count(trace, "steps_before", od_count_of(failure->progress));
}

static void note_cause(const struct od_trace *trace, const struct od_finding *finding)
{
    char text[TEXT];
    (void)snprintf(text, sizeof text, "%.0f %%", 100 * finding->probability);
    od_trace_note(trace, OD_TRACE_CAUSE, od_cause_name(finding->cause), text,
                  finding->proven ? "follows from the printed numbers" : finding->summary);
    for (size_t i = 0; i < finding->nsigns; i++)
        od_trace_note(trace, OD_TRACE_EVIDENCE, finding->signs[i].name,
                      od_strength_words[finding->signs[i].strength], NULL);
}

void od_trace_causes(const struct od_case *c, const struct od_diagnosis *diagnosis)
{
    if (!c->trace)
        return;
    note_failure(c->trace, diagnosis->failure);
    OD_FOR_EACH (const struct od_finding, finding, diagnosis->findings)
        note_cause(c->trace, finding);
}

void od_trace_remedies(const struct od_report *report)
{
    for (size_t i = 0; report->remedies && i < report->remedies->n; i++)
        od_trace_note(report->c->trace, OD_TRACE_REMEDY, report->remedies->list[i].advice->id,
                      "chosen", report->remedies->list[i].figures);
}
