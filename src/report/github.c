/* Workflow commands of GitHub Actions: annotations of a job. */
#include "report/annotation.h"

extern const struct od_format od_format_github;

void od_github_text(struct od_buf *to, const char *text, bool property)
{
    for (const char *p = text; *p; p++) {
        bool escape =
            *p == '%' || *p == '\r' || *p == '\n' || (property && (*p == ':' || *p == ','));
        if (escape)
            od_buf_printf(to, "%%%02X", (unsigned)*p);
        else
            od_buf_add_char(to, *p);
    }
}

static void add_annotation(struct od_buf *to, const struct od_annotation *annotation)
{
    static const char *const commands[] = {[OD_ANNOTATION_NOTE] = "notice",
                                           [OD_ANNOTATION_WARNING] = "warning",
                                           [OD_ANNOTATION_ERROR] = "error"};
    od_buf_printf(to, "::%s ", commands[annotation->level]);
    if (*annotation->file) {
        od_buf_add_str(to, "file=");
        od_github_text(to, annotation->file, true);
        if (annotation->line > 0)
            od_buf_printf(to, ",line=%llu", (unsigned long long)annotation->line);
        od_buf_add_char(to, ',');
    }
    od_buf_add_str(to, "title=");
    od_github_text(to, annotation->title, true);
    od_buf_add_str(to, "::");
    od_github_text(to, annotation->message, false);
    od_buf_add_char(to, '\n');
}

static void render(const struct od_annotations *annotations,
                   const struct od_report_options *options, struct od_buf *to)
{
    (void)options;
    for (size_t i = 0; i < annotations->n; i++)
        add_annotation(to, &annotations->list[i]);
}

const struct od_format od_format_github = {.name = "github", .annotations = render};
