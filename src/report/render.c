/* Writes a report, a plan or another result in the requested format. */
#include "redact/redact.h"
#include "report/annotation.h"
#include "report/other.h"
#include "report/outline.h"
#include "report/plan.h"
#include "report/report.h"

/* The result to write: exactly one of the pointers is set. */
struct subject {
    const struct od_report *report;
    const struct od_plan_report *plan;
    const struct od_other *other;
};

static struct od_doc *outline_anything(const struct subject *subject,
                                       const struct od_report_options *options)
{
    const struct od_other *other = subject->other;
    if (other)
        return other->outline(other->self, options, other->pictures);
    return subject->plan ? od_plan_outline(subject->plan, options)
                         : od_outline(subject->report, options);
}

static struct od_doc *outline_of(const struct subject *subject,
                                 const struct od_report_options *options)
{
    struct od_doc *doc = outline_anything(subject, options);
    if (options->redactor)
        od_doc_redact(doc, options->redactor);
    return doc;
}

/* A page or an issue has a size limit: the rows of folded tables are halved until it fits. */
static void render_document(const struct od_format *format, const struct subject *subject,
                            const struct od_report_options *options, struct od_buf *to)
{
    enum { SHRINK_MOST = 7 };
    struct od_report_options now = *options;
    now.folds = format->folds;
    size_t start = to->n;
    for (now.shrink = 0; now.shrink <= SHRINK_MOST; now.shrink++) {
        to->n = start;
        if (now.redactor)
            od_redact_learning(now.redactor, true);
        struct od_doc *doc = outline_of(subject, &now);
        if (now.redactor) {
            od_redact_learning(now.redactor, false);
            od_doc_redact(doc, now.redactor);
            od_doc_say_redacted(doc, now.redactor);
        }
        format->document(doc, &now, to);
        od_doc_free(doc);
        if (!subject->report || !format->fits ||
            format->fits(&now, od_view_from(od_buf_view(to), start)))
            break;
    }
}

static bool render_data(const struct od_format *format, const struct subject *subject,
                        const struct od_report_options *options, struct od_buf *to)
{
    struct od_json json = {.to = to, .pretty = true, .redactor = options->redactor};
    struct od_report_options now = *options;
    now.one_line = format->one_line;
    if (format->annotations) {
        struct od_arena *arena = od_arena_new();
        format->annotations(od_annotations_of(subject->report, options, arena), options, to);
        od_arena_free(arena);
        return true;
    }
    if (format->other)
        return format->other(subject->other->self, options, to);
    if (subject->other)
        subject->other->json(subject->other->self, &json);
    else if (subject->plan)
        format->plan(subject->plan, &now, to);
    else
        format->report(subject->report, &now, to);
    return true;
}

static bool render(const struct od_format *format, const struct subject *subject,
                   const struct od_report_options *options, struct od_buf *to)
{
    if (format->document) {
        render_document(format, subject, options, to);
        return true;
    }
    if (options->redactor) {
        size_t start = to->n;
        od_redact_learning(options->redactor, true);
        (void)render_data(format, subject, options, to);
        od_redact_learning(options->redactor, false);
        to->n = start;
    }
    return render_data(format, subject, options, to);
}

void od_format_report(const struct od_format *format, const struct od_report *report,
                      const struct od_report_options *options, struct od_buf *to)
{
    (void)render(format, &(struct subject){.report = report}, options, to);
}

void od_format_plan(const struct od_format *format, const struct od_plan_report *report,
                    const struct od_report_options *options, struct od_buf *to)
{
    (void)render(format, &(struct subject){.plan = report}, options, to);
}

bool od_format_other(const struct od_format *format, const struct od_other *other,
                     const struct od_report_options *options, struct od_buf *to)
{
    return render(format, &(struct subject){.other = other}, options, to);
}

/* ---- the registered formats ---- */

#define OD_REGISTER(name) extern const struct od_format od_format_##name;
#include "report/registry.inc"
#undef OD_REGISTER

const struct od_format *const od_formats[] = {
#define OD_REGISTER(name) &od_format_##name,
#include "report/registry.inc"
#undef OD_REGISTER
    NULL};

const struct od_format *od_format_find(struct od_view name)
{
    for (const struct od_format *const *format = od_formats; *format; format++) {
        if (od_view_eq_str(name, (*format)->name))
            return *format;
    }
    return NULL;
}

static const struct {
    const char *name, *schema;
} schemas[] = {
#include "report/schemas.inc"
};

const char *od_schema_find(struct od_view name)
{
    for (size_t i = 0; i < OD_COUNT_OF(schemas); i++)
        if (od_view_eq_str(name, schemas[i].name))
            return schemas[i].schema;
    return NULL;
}
