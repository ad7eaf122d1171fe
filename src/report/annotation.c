#include "report/annotation.h"

#include "report/outline.h"
#include "report/outline_parts.h"
#include "report/words.h"

#include <math.h>
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

/* A cause that is only possible is no error, whatever the outcome of the run. */
static enum od_annotation_level level_of(const struct od_report *report,
                                         const struct od_finding *finding, bool first)
{
    if (report->diagnosis->failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE)
        return finding->cause == OD_CAUSE_NOT_MEMORY ? OD_ANNOTATION_NOTE : OD_ANNOTATION_WARNING;
    if (!first)
        return OD_ANNOTATION_NOTE;
    return finding->certainty == OD_POSSIBLE ? OD_ANNOTATION_WARNING : OD_ANNOTATION_ERROR;
}

static struct od_annotation *new_annotation(struct od_annotations *annotations, enum od_cause cause)
{
    struct od_annotation *annotation = &annotations->list[annotations->n++];
    bool known = cause != OD_CAUSE_END;
    *annotation = (struct od_annotation){.level = OD_ANNOTATION_WARNING,
                                         .cause = cause,
                                         .certainty = OD_POSSIBLE,
                                         .probability = (double)NAN,
                                         .code = known ? od_cause_code(cause) : "OD000",
                                         .name = known ? od_cause_name(cause) : "unknown"};
    return annotation;
}

/* The title of the first remedy for that finding; NULL = none. */
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

const char *od_annotation_file(struct od_view file, const struct od_report_options *options,
                               struct od_arena *arena)
{
    struct od_view root = od_view_of(options->workspace), rest = file;
    struct od_view folder = od_view_of(options->folder);
    if (file.n == 0 || file.p[0] == '/' || (file.n > 2 && file.p[1] == ':' && file.p[2] == '\\'))
        folder.n = 0;
    while (root.n > 0 && root.p[root.n - 1] == '/')
        root.n--;
    if (root.n > 0 && od_view_take(&rest, root) && od_view_take(&rest, OD_VIEW("/")))
        file = rest;
    while (od_view_take(&file, OD_VIEW("./")))
        continue;
    while (folder.n > 0 && od_view_take(&file, OD_VIEW("../"))) {
        const char *slash = od_find_last(folder.p, '/', folder.n);
        folder.n = slash ? (size_t)(slash - folder.p) : 0;
    }
    return od_arena_printf(arena, "%s%s%s", visible(arena, folder), folder.n > 0 ? "/" : "",
                           visible(arena, file));
}

/* Sets the place to the line of the log. A pipe and the output of a run have no path. */
static void set_place(struct od_annotation *annotation, const struct od_report *report,
                      const struct od_report_options *options, struct od_prov at,
                      struct od_arena *arena)
{
    bool file = !options->of_run && at.source < report->nsources &&
                strcmp(report->sources[at.source]->name, "-") != 0;
    struct od_view log = od_view_of(file ? report->sources[at.source]->name : "");
    annotation->file = od_annotation_file(log, options, arena);
    annotation->line = at.line;
}

/* Hashes what stays the same from run to run, so not sizes, lines or the batch. */
static void set_fingerprint(struct od_annotation *annotation, const struct od_incident *incident)
{
    struct od_buf same = {0};
    od_buf_printf(&same, "%s%c", annotation->name, '\0');
    if (incident)
        od_buf_printf(&same, "%s%c%.*s%c%.*s%c%.*s%c", od_incident_kind_name(incident->kind), '\0',
                      (int)incident->producer.n, incident->producer.p ? incident->producer.p : "",
                      '\0', (int)incident->device.n, incident->device.p ? incident->device.p : "",
                      '\0', (int)incident->tensor.op.n,
                      incident->tensor.op.p ? incident->tensor.op.p : "", '\0');
    for (uint32_t i = 1; incident && incident->tensor.shape.known && i < incident->tensor.shape.n;
         i++)
        od_buf_add(&same, (struct od_view){(const char *)&incident->tensor.shape.dims[i],
                                           sizeof incident->tensor.shape.dims[i]});
    (void)snprintf(annotation->fingerprint, sizeof annotation->fingerprint, "%016llx",
                   (unsigned long long)XXH3_64bits(same.p, same.n));
    od_buf_done(&same);
}

static void add_finding(struct od_annotations *annotations, const struct od_report *report,
                        const struct od_report_options *options, const struct od_finding *finding,
                        struct od_arena *arena)
{
    struct od_annotation *annotation = new_annotation(annotations, finding->cause);
    const struct od_incident *incident = incident_of(report, finding);
    const char *remedy = remedy_of(report, finding, arena);
    const char *summary = visible(arena, od_view_of(finding->summary));
    annotation->certainty = finding->certainty;
    annotation->probability = finding->probability;
    annotation->level = level_of(report, finding, annotations->n == 1);
    /* a annotation's level is at most that of a more probable one */
    if (annotations->n > 1 && annotation->level > annotation[-1].level)
        annotation->level = annotation[-1].level;
    annotation->title = od_arena_printf(arena, "%s (%s, %s)", od_cause_words(finding->cause),
                                        od_certainty_name(finding->certainty), annotation->code);
    annotation->message =
        remedy ? od_arena_printf(arena, "%s What helps first: %s.", summary, remedy) : summary;
    struct od_prov at = incident                 ? incident->at
                        : finding->nevidence > 0 ? finding->evidence[0].at
                                                 : (struct od_prov){0};
    set_place(annotation, report, options, at, arena);
    if (incident && incident->frame && incident->frame->file.n > 0) {
        annotation->file = od_annotation_file(incident->frame->file, options, arena);
        annotation->line = incident->frame->line.n;
    }
    set_fingerprint(annotation, incident);
}

/* A memory failure whose cause the log does not show is still an error of the job. */
static void add_unexplained(struct od_annotations *annotations, const struct od_report *report,
                            const struct od_report_options *options, struct od_arena *arena)
{
    const struct od_failure *failure = report->diagnosis->failure;
    const struct od_incident *incident = failure->incident;
    const struct od_outline outline = {.arena = arena,
                                       .report = report,
                                       .c = report->c,
                                       .diagnosis = report->diagnosis,
                                       .incident = incident,
                                       .allocator = od_outline_allocator(report)};
    if (failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE)
        return;
    struct od_annotation *annotation = new_annotation(annotations, OD_CAUSE_END);
    annotation->level = OD_ANNOTATION_ERROR;
    annotation->title =
        od_arena_printf(arena, "out of memory (cause unknown, %s)", annotation->code);
    annotation->message = visible(arena, od_view_of(od_headline_event(&outline)));
    set_place(annotation, report, options, incident ? incident->at : failure->run.at, arena);
    set_fingerprint(annotation, incident);
}

/* Adds a annotation about growing memory in a run that did not fail. */
static void add_growth(struct od_annotations *annotations, const struct od_report *report,
                       const struct od_report_options *options, struct od_arena *arena)
{
    const struct od_outline outline = {
        .arena = arena, .report = report, .c = report->c, .diagnosis = report->diagnosis};
    const struct od_series *grows = od_outline_growing(&outline);
    if (report->diagnosis->failure->run.outcome != OD_OUTCOME_NO_FAILURE || !grows)
        return;
    struct od_annotation *annotation =
        new_annotation(annotations, od_series_metric_is_host(grows->metric) ? OD_CAUSE_HOST_LEAK
                                                                            : OD_CAUSE_DEVICE_LEAK);
    annotation->certainty = OD_LIKELY;
    annotation->title = od_arena_printf(arena, "memory grows (%s)", annotation->code);
    annotation->message = od_arena_printf(arena, "No memory failure, but %s.",
                                          visible(arena, od_view_of(od_outline_growth(&outline))));
    set_place(annotation, report, options, grows->at, arena);
    set_fingerprint(annotation, NULL);
}

const struct od_annotations *od_annotations_of(const struct od_report *report,
                                               const struct od_report_options *options,
                                               struct od_arena *arena)
{
    struct od_annotations *annotations = OD_NEW(arena, struct od_annotations);
    annotations->report = report;
    annotations->arena = arena;
    for (size_t i = 0; i < report->diagnosis->findings.n && annotations->n < OD_ANNOTATIONS_MAX;
         i++)
        add_finding(annotations, report, options, &report->diagnosis->findings.items[i], arena);
    if (annotations->n == 0)
        add_unexplained(annotations, report, options, arena);
    if (annotations->n == 0)
        add_growth(annotations, report, options, arena);
    for (size_t i = 0; i < annotations->n; i++) {
        struct od_annotation *annotation = &annotations->list[i];
        annotation->message = od_words_shared(arena, options->redactor, annotation->message);
        annotation->words =
            od_arena_printf(arena, "%s: %s", annotation->title, annotation->message);
        annotation->file = od_words_shared(arena, options->redactor, annotation->file);
    }
    return annotations;
}
