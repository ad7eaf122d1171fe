#include "report/remark.h"

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
static enum od_remark_level level_of(const struct od_report *report,
                                     const struct od_finding *finding, bool first)
{
    if (report->diagnosis->failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE)
        return finding->cause == OD_CAUSE_NOT_MEMORY ? OD_REMARK_NOTE : OD_REMARK_WARNING;
    if (!first)
        return OD_REMARK_NOTE;
    return finding->certainty == OD_POSSIBLE ? OD_REMARK_WARNING : OD_REMARK_ERROR;
}

static struct od_remark *new_remark(struct od_remarks *remarks, enum od_cause cause)
{
    struct od_remark *remark = &remarks->list[remarks->n++];
    bool known = cause != OD_CAUSE_END;
    *remark = (struct od_remark){.level = OD_REMARK_WARNING,
                                 .cause = cause,
                                 .certainty = OD_POSSIBLE,
                                 .probability = (double)NAN,
                                 .code = known ? od_cause_code(cause) : "OD000",
                                 .name = known ? od_cause_name(cause) : "unknown"};
    return remark;
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

const char *od_remark_file(struct od_view file, const struct od_report_options *options,
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
static void set_place(struct od_remark *remark, const struct od_report *report,
                      const struct od_report_options *options, struct od_prov at,
                      struct od_arena *arena)
{
    bool file = !options->of_run && at.source < report->nsources &&
                strcmp(report->sources[at.source]->name, "-") != 0;
    struct od_view log = od_view_of(file ? report->sources[at.source]->name : "");
    remark->file = od_remark_file(log, options, arena);
    remark->line = at.line;
}

/* Hashes what stays the same from run to run, so not sizes, lines or the batch. */
static void set_fingerprint(struct od_remark *remark, const struct od_incident *incident)
{
    struct od_buf same = {0};
    od_buf_printf(&same, "%s%c", remark->name, '\0');
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
    (void)snprintf(remark->fingerprint, sizeof remark->fingerprint, "%016llx",
                   (unsigned long long)XXH3_64bits(same.p, same.n));
    od_buf_done(&same);
}

static void add_finding(struct od_remarks *remarks, const struct od_report *report,
                        const struct od_report_options *options, const struct od_finding *finding,
                        struct od_arena *arena)
{
    struct od_remark *remark = new_remark(remarks, finding->cause);
    const struct od_incident *incident = incident_of(report, finding);
    const char *remedy = remedy_of(report, finding, arena);
    const char *summary = visible(arena, od_view_of(finding->summary));
    remark->certainty = finding->certainty;
    remark->probability = finding->probability;
    remark->level = level_of(report, finding, remarks->n == 1);
    /* a remark's level is at most that of a more probable one */
    if (remarks->n > 1 && remark->level > remark[-1].level)
        remark->level = remark[-1].level;
    remark->title = od_arena_printf(arena, "%s (%s, %s)", od_cause_words(finding->cause),
                                    od_certainty_name(finding->certainty), remark->code);
    remark->message =
        remedy ? od_arena_printf(arena, "%s What helps first: %s.", summary, remedy) : summary;
    struct od_prov at = incident                 ? incident->at
                        : finding->nevidence > 0 ? finding->evidence[0].at
                                                 : (struct od_prov){0};
    set_place(remark, report, options, at, arena);
    if (incident && incident->frame && incident->frame->file.n > 0) {
        remark->file = od_remark_file(incident->frame->file, options, arena);
        remark->line = incident->frame->line.n;
    }
    set_fingerprint(remark, incident);
}

/* A memory failure whose cause the log does not show is still an error of the job. */
static void add_unexplained(struct od_remarks *remarks, const struct od_report *report,
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
    struct od_remark *remark = new_remark(remarks, OD_CAUSE_END);
    remark->level = OD_REMARK_ERROR;
    remark->title = od_arena_printf(arena, "out of memory (cause unknown, %s)", remark->code);
    remark->message = visible(arena, od_view_of(od_headline_event(&outline)));
    set_place(remark, report, options, incident ? incident->at : failure->run.at, arena);
    set_fingerprint(remark, incident);
}

/* Adds a remark about growing memory in a run that did not fail. */
static void add_growth(struct od_remarks *remarks, const struct od_report *report,
                       const struct od_report_options *options, struct od_arena *arena)
{
    const struct od_outline outline = {
        .arena = arena, .report = report, .c = report->c, .diagnosis = report->diagnosis};
    const struct od_series *grows = od_outline_growing(&outline);
    if (report->diagnosis->failure->run.outcome != OD_OUTCOME_NO_FAILURE || !grows)
        return;
    struct od_remark *remark =
        new_remark(remarks, od_series_metric_is_host(grows->metric) ? OD_CAUSE_HOST_LEAK
                                                                    : OD_CAUSE_DEVICE_LEAK);
    remark->certainty = OD_LIKELY;
    remark->title = od_arena_printf(arena, "memory grows (%s)", remark->code);
    remark->message = od_arena_printf(arena, "No memory failure, but %s.",
                                      visible(arena, od_view_of(od_outline_growth(&outline))));
    set_place(remark, report, options, grows->at, arena);
    set_fingerprint(remark, NULL);
}

const struct od_remarks *od_remarks_of(const struct od_report *report,
                                       const struct od_report_options *options,
                                       struct od_arena *arena)
{
    struct od_remarks *remarks = OD_NEW(arena, struct od_remarks);
    remarks->report = report;
    remarks->arena = arena;
    for (size_t i = 0; i < report->diagnosis->findings.n && remarks->n < OD_REMARKS_MAX; i++)
        add_finding(remarks, report, options, &report->diagnosis->findings.items[i], arena);
    if (remarks->n == 0)
        add_unexplained(remarks, report, options, arena);
    if (remarks->n == 0)
        add_growth(remarks, report, options, arena);
    for (size_t i = 0; i < remarks->n; i++) {
        struct od_remark *remark = &remarks->list[i];
        remark->message = od_words_shared(arena, options->redactor, remark->message);
        remark->words = od_arena_printf(arena, "%s: %s", remark->title, remark->message);
        remark->file = od_words_shared(arena, options->redactor, remark->file);
    }
    return remarks;
}
