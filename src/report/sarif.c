/* SARIF 2.1.0 (OASIS, 2020): the causes are rules, the findings results. */
#include "report/json_write.h"
#include "report/remark.h"
#include "rules/advice.h"

extern const struct od_format od_format_sarif;

static void add_message(struct od_json *json, const char *key, const char *text)
{
    od_json_object(json, key);
    od_json_str(json, "text", text);
    od_json_end(json);
}

/* What `oomdoctor explain` says of the cause, and the page of its first remedy. */
static void add_help(struct od_json *json, enum od_cause cause)
{
    const struct od_advice *advice = od_advice_find(od_shipped_advice, od_cause_name(cause));
    if (!advice)
        return;
    add_message(json, "fullDescription", advice->title);
    add_message(json, "help", advice->explain);
    for (size_t i = 0; i < advice->nremedies; i++) {
        const char *source = advice->remedies[i].source;
        if (source && od_view_find_char(od_view_of(source), ':', 0) != OD_VIEW_NONE) {
            od_json_str(json, "helpUri", source);
            return;
        }
    }
}

/* The rule of index OD_CAUSE_END: a failure whose cause the log does not show. */
static void add_unknown(struct od_json *json)
{
    od_json_object(json, NULL);
    od_json_str(json, "id", "OD000");
    od_json_str(json, "name", "unknown");
    add_message(json, "shortDescription", "out of memory, the log does not show why");
    add_message(json, "fullDescription", "Memory ran out, and the log does not show why");
    add_message(json, "help",
                "Several causes fit the lines of this log equally well, or none does. Where a "
                "command's output would decide, the text report names the command.");
    od_json_str(json, "helpUri", "https://docs.pytorch.org/docs/stable/torch_cuda_memory.html");
    od_json_end(json);
}

static void add_rules(struct od_json *json)
{
    od_json_array(json, "rules");
    for (unsigned c = 0; c < OD_CAUSE_END; c++) {
        od_json_object(json, NULL);
        od_json_str(json, "id", od_cause_code((enum od_cause)c));
        od_json_str(json, "name", od_cause_name((enum od_cause)c));
        add_message(json, "shortDescription", od_cause_words((enum od_cause)c));
        add_help(json, (enum od_cause)c);
        od_json_end(json);
    }
    add_unknown(json);
    od_json_end(json);
}

/* A path as a URI: an absolute one ("/srv/a.log", "D:\\a.log") as file:, another one as a relative
 * reference. What has a meaning there is percent-encoded. */
static void add_uri(struct od_json *json, const char *path)
{
    struct od_buf uri = {0};
    static const char plain[] =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/";
    bool drive = od_is_letter(path[0]) && path[1] == ':' && (path[2] == '\\' || path[2] == '/');
    od_buf_add_str(&uri, drive ? "file:///" : path[0] == '/' ? "file://" : "");
    for (const char *p = path; *p; p++) {
        if (drive && (p == path + 1 || *p == '\\'))
            od_buf_add_char(&uri, *p == '\\' ? '/' : *p);
        else if (od_view_find_char(OD_VIEW(plain), *p, 0) != OD_VIEW_NONE)
            od_buf_add_char(&uri, *p);
        else
            od_buf_printf(&uri, "%%%02X", (unsigned)(unsigned char)*p);
    }
    od_json_text(json, "uri", od_buf_view(&uri));
    od_buf_done(&uri);
}

static void add_location(struct od_json *json, const struct od_remark *remark)
{
    od_json_array(json, "locations");
    od_json_object(json, NULL);
    od_json_object(json, "physicalLocation");
    od_json_object(json, "artifactLocation");
    add_uri(json, remark->file);
    od_json_end(json);
    if (remark->line > 0) {
        od_json_object(json, "region");
        od_json_u64(json, "startLine", remark->line);
        od_json_end(json);
    }
    od_json_end(json);
    od_json_end(json);
    od_json_end(json);
}

static void add_result(struct od_json *json, const struct od_remark *remark)
{
    static const char *const levels[] = {
        [OD_REMARK_NOTE] = "note", [OD_REMARK_WARNING] = "warning", [OD_REMARK_ERROR] = "error"};
    od_json_object(json, NULL);
    od_json_str(json, "ruleId", remark->code);
    od_json_u64(json, "ruleIndex", remark->cause);
    od_json_str(json, "level", levels[remark->level]);
    add_message(json, "message", remark->words);
    if (*remark->file)
        add_location(json, remark);
    od_json_object(json, "partialFingerprints");
    od_json_str(json, "oomdoctor/v1", remark->fingerprint);
    od_json_end(json);
    od_json_object(json, "properties");
    od_json_str(json, "certainty", od_certainty_name(remark->certainty));
    od_json_double(json, "probability", remark->probability);
    od_json_end(json);
    od_json_end(json);
}

static void render(const struct od_report *report, const struct od_report_options *options,
                   struct od_buf *to)
{
    struct od_arena *arena = od_arena_new();
    const struct od_remarks *remarks = od_remarks_of(report, options, arena);
    struct od_json json = {.to = to, .pretty = true};
    od_json_object(&json, NULL);
    od_json_str(&json, "$schema", "https://json.schemastore.org/sarif-2.1.0.json");
    od_json_str(&json, "version", "2.1.0");
    od_json_array(&json, "runs");
    od_json_object(&json, NULL);
    od_json_object(&json, "tool");
    od_json_object(&json, "driver");
    od_json_str(&json, "name", "oomdoctor");
    od_json_str(&json, "version", report->version);
    add_rules(&json);
    od_json_end(&json);
    od_json_end(&json);
    od_json_array(&json, "results");
    for (size_t i = 0; i < remarks->n; i++)
        add_result(&json, &remarks->list[i]);
    od_json_end(&json);
    od_json_end(&json);
    od_json_end(&json);
    od_json_end(&json);
    od_buf_add_char(to, '\n');
    od_arena_free(arena);
}

const struct od_format od_format_sarif = {.name = "sarif", .report = render};
