/* Workflow commands of GitHub Actions: annotations of a job. */
#include "report/remark.h"

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

static void add_remark(struct od_buf *to, const struct od_remark *remark)
{
    static const char *const commands[] = {
        [OD_REMARK_NOTE] = "notice", [OD_REMARK_WARNING] = "warning", [OD_REMARK_ERROR] = "error"};
    od_buf_printf(to, "::%s ", commands[remark->level]);
    if (*remark->file) {
        od_buf_add_str(to, "file=");
        od_github_text(to, remark->file, true);
        if (remark->line > 0)
            od_buf_printf(to, ",line=%llu", (unsigned long long)remark->line);
        od_buf_add_char(to, ',');
    }
    od_buf_add_str(to, "title=");
    od_github_text(to, remark->title, true);
    od_buf_add_str(to, "::");
    od_github_text(to, remark->message, false);
    od_buf_add_char(to, '\n');
}

static void render(const struct od_remarks *remarks, const struct od_report_options *options,
                   struct od_buf *to)
{
    (void)options;
    for (size_t i = 0; i < remarks->n; i++)
        add_remark(to, &remarks->list[i]);
}

const struct od_format od_format_github = {.name = "github", .remarks = render};
