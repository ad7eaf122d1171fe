/* A format and what it is asked for. */
#include "report/outline.h"
#include "report/plan.h"
#include "report/report.h"

/* Less and less is shown until it fits. */
void od_format_report(const struct od_format *format, const struct od_report *report,
                      const struct od_report_options *options, struct od_buf *to)
{
    if (!format->document) {
        format->report(report, options, to);
        return;
    }
    struct od_report_options now = *options;
    now.folds = format->folds;
    size_t start = to->n;
    for (now.squeeze = 0; now.squeeze < OD_SQUEEZES; now.squeeze++) {
        to->n = start;
        struct od_doc *doc = od_outline(report, &now);
        format->document(doc, &now, to);
        od_doc_free(doc);
        if (!format->fits || format->fits(&now, od_view_from(od_buf_view(to), start)))
            break;
    }
}

void od_format_plan(const struct od_format *format, const struct od_plan_report *report,
                    const struct od_report_options *options, struct od_buf *to)
{
    if (!format->document) {
        format->plan(report, options, to);
        return;
    }
    struct od_report_options now = *options;
    now.folds = format->folds;
    struct od_doc *doc = od_plan_outline(report, &now);
    format->document(doc, &now, to);
    od_doc_free(doc);
}
