#include "config.h" /* must be first: decides what system headers declare */

/* JSON for CI systems: SARIF, whose rules are the causes and whose results the findings, and
 * GitLab's code quality report. Their fields are rows of fields_ci.def. */
#include "report/annotation.h"
#include "report/json_parts.h"
#include "report/rows.h"
#include "rules/advice.h"

extern const struct od_format od_format_sarif;
extern const struct od_format od_format_gitlab;

/* The address of this project, from configure.ac; it may have none. */
static const char *const address = PACKAGE_URL;

static const char *const levels[] = {[OD_ANNOTATION_NOTE] = "note",
                                     [OD_ANNOTATION_WARNING] = "warning",
                                     [OD_ANNOTATION_ERROR] = "error"};
static const char *const severities[] = {[OD_ANNOTATION_NOTE] = "info",
                                         [OD_ANNOTATION_WARNING] = "minor",
                                         [OD_ANNOTATION_ERROR] = "critical"};

/* A SARIF rule for a cause. Its help is what `oomdoctor explain` prints, without the remedies.
 * title, help, uri may be NULL. */
struct rule {
    const char *id, *name, *words, *title, *help, *uri;
};

static const struct rule unknown = {
    .id = "OD000",
    .name = "unknown",
    .words = "out of memory, the log does not show why",
    .title = "Memory ran out, and the log does not show why",
    .help = "Several causes fit the lines of this log equally well, or none does. Where a "
            "command's output would decide, the text report names the command.",
    .uri = "https://docs.pytorch.org/docs/stable/torch_cuda_memory.html"};

static struct rule rule_of(enum od_cause cause, struct od_arena *arena)
{
    if (cause == OD_CAUSE_END)
        return unknown;
    const char *name = od_cause_name(cause);
    const struct od_advice *advice = od_advice_find(od_shipped_advice, name);
    struct rule rule = {.id = od_cause_code(cause), .name = name, .words = od_cause_words(cause)};
    if (!advice)
        return rule;
    rule.title = advice->title;
    rule.help =
        od_arena_printf(arena, "%s\n\nHow certain it can be: %s\n\nRemedies: oomdoctor explain %s",
                        advice->explain, advice->sure, rule.id);
    rule.uri = advice->page;
    return rule;
}

/* Writes a path as a URI: an absolute path ("/srv/a.log", "D:\\a.log") as file:, any other as a
 * relative reference. Reserved characters are percent-encoded. */
static void add_uri(struct od_json *json, const char *path)
{
    struct od_buf uri = {0};
    bool drive = od_is_letter(path[0]) && path[1] == ':' && (path[2] == '\\' || path[2] == '/');
    if (drive)
        od_buf_printf(&uri, "file:///%.2s", path);
    else if (path[0] == '/')
        od_buf_add_str(&uri, "file://");
    struct od_view rest = od_view_of(path + (drive ? 2 : 0)), part;
    for (bool next = false; drive && od_view_cut(&rest, '\\', &part); next = true) {
        od_buf_add_str(&uri, next ? "/" : "");
        od_text_uri_path(part, &uri);
    }
    od_text_uri_path(rest, &uri);
    od_json_text(json, "uri", od_buf_view(&uri));
    od_buf_done(&uri);
}

#define OD_ROWS "report/fields_ci.def"
#include "report/fields_put.def"

static void sarif(const struct od_annotations *annotations, const struct od_report_options *options,
                  struct od_buf *to)
{
    struct od_json json = {.to = to, .pretty = true};
    struct od_json_report out = {.json = &json, .arena = annotations->arena};
    (void)options;
    od_json_object(&json, NULL);
    put_sarif(&out, annotations);
    od_json_end(&json);
    od_buf_add_char(to, '\n');
}

static void gitlab(const struct od_annotations *annotations,
                   const struct od_report_options *options, struct od_buf *to)
{
    struct od_json json = {.to = to, .pretty = true};
    struct od_json_report out = {.json = &json, .arena = annotations->arena};
    (void)options;
    od_json_array(&json, NULL);
    for (size_t i = 0; i < annotations->n; i++) {
        od_json_object(&json, NULL);
        put_gitlab(&out, &annotations->list[i]);
        od_json_end(&json);
    }
    od_json_end(&json);
    od_buf_add_char(to, '\n');
}

const struct od_format od_format_sarif = {.name = "sarif", .annotations = sarif};
const struct od_format od_format_gitlab = {.name = "gitlab", .annotations = gitlab};
