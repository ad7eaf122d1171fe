/* GitLab's code quality report: an array of issues, as Code Climate's engines print them. */
#include "report/json_write.h"
#include "report/remark.h"

extern const struct od_format od_format_gitlab;

static void add_remark(struct od_json *json, const struct od_remark *remark)
{
    static const char *const severities[] = {
        [OD_REMARK_NOTE] = "info", [OD_REMARK_WARNING] = "minor", [OD_REMARK_ERROR] = "critical"};
    od_json_object(json, NULL);
    od_json_str(json, "description", remark->words);
    od_json_str(json, "check_name", remark->name);
    od_json_str(json, "fingerprint", remark->fingerprint);
    od_json_str(json, "severity", severities[remark->level]);
    od_json_object(json, "location");
    od_json_str(json, "path", *remark->file ? remark->file : "run.log");
    od_json_object(json, "lines");
    od_json_u64(json, "begin", remark->line > 0 ? remark->line : 1);
    od_json_end(json);
    od_json_end(json);
    od_json_end(json);
}

static void render(const struct od_report *report, const struct od_report_options *options,
                   struct od_buf *to)
{
    struct od_arena *arena = od_arena_new();
    const struct od_remarks *remarks = od_remarks_of(report, options, arena);
    struct od_json json = {.to = to, .pretty = true};
    od_json_array(&json, NULL);
    for (size_t i = 0; i < remarks->n; i++)
        add_remark(&json, &remarks->list[i]);
    od_json_end(&json);
    od_buf_add_char(to, '\n');
    od_arena_free(arena);
}

const struct od_format od_format_gitlab = {.name = "gitlab", .report = render};
