/* JUnit XML: one test case, "memory", which fails if memory ended the run. */
#include "report/annotation.h"
#include "report/words.h"

extern const struct od_format od_format_junit;

static void add_lines(struct od_buf *to, const struct od_annotations *annotations)
{
    OD_FOR_EACH_OF (const struct od_annotation, annotation, annotations->list, annotations->n) {
        od_markup_text(to, od_view_of(annotation->title));
        od_buf_add_str(to, ": ");
        od_markup_text(to, od_view_of(annotation->message));
        od_buf_add_str(to, "\n  at ");
        od_markup_text(to, od_view_of(*annotation->file ? annotation->file : "the log"));
        if (annotation->line > 0)
            od_buf_printf(to, ":%llu", (unsigned long long)annotation->line);
        od_buf_add_char(to, '\n');
    }
}

static void add_failure(struct od_buf *to, const struct od_annotations *annotations)
{
    const struct od_annotation *first = annotations->n > 0 ? &annotations->list[0] : NULL;
    od_buf_add_str(to, "      <failure type=\"");
    od_markup_text(to, od_view_of(first ? first->name : "unknown"));
    od_buf_add_str(to, "\" message=\"");
    od_markup_text(to, od_view_of(first ? first->title : "the run ran out of memory"));
    od_buf_add_str(to, "\">");
    add_lines(to, annotations);
    od_buf_add_str(to, "</failure>\n");
}

static void render(const struct od_annotations *annotations,
                   const struct od_report_options *options, struct od_buf *to)
{
    const struct od_report *report = annotations->report;
    struct od_arena *arena = annotations->arena;
    bool failed = report->diagnosis->failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
    od_buf_printf(to,
                  "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
                  "<testsuites name=\"oomdoctor\" tests=\"1\" failures=\"%d\" errors=\"0\">\n"
                  "  <testsuite name=\"oomdoctor\" tests=\"1\" failures=\"%d\" errors=\"0\" "
                  "skipped=\"0\">\n"
                  "    <testcase classname=\"",
                  failed, failed);
    const char *log = od_annotation_file(od_view_of(od_words_source(report, 0)), options, arena);
    od_markup_text(to, od_view_of(od_words_shared(arena, options->redactor, log)));
    od_buf_add_str(to, "\" name=\"memory\">\n");
    if (failed) {
        add_failure(to, annotations);
    } else if (annotations->n > 0) {
        od_buf_add_str(to, "      <system-out>");
        add_lines(to, annotations);
        od_buf_add_str(to, "</system-out>\n");
    }
    od_buf_add_str(to, "    </testcase>\n  </testsuite>\n</testsuites>\n");
}

const struct od_format od_format_junit = {.name = "junit", .annotations = render};
