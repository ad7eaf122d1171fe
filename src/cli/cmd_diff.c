#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "cli/command.h"
#include "lib/runs.h"
#include "report/report.h"
#include "report/text.h"
#include "runs/diff.h"
#include "runs/fail_on.h"

#include <string.h>

static int run(int argc, char **argv);

static const struct od_option options[] = {
    {"format", 'f', "FORMAT", "text (default) or json"},
    {"fail-on", 0, "WHAT", "exits 1 when the new run meets it: host_used>20GiB|leak|regression"},
    {"rules", 0, "DIR", "adds rule packs: a file or a folder of *.yaml"},
    {"quiet", 'q', NULL, "nothing on standard output, only the exit status"},
    {0}};

const struct od_command od_command_diff = {
    .name = "diff",
    .arguments = "[OPTION...] OLD NEW",
    .summary = "puts two runs side by side: what changed, what was saved",
    .details =
        "OLD and NEW are logs, or reports that analyze --format json wrote.\n"
        "\n--fail-on takes terms joined by |: a cause (oomdoctor explain lists them), leak,\n"
        "failure, regression (NEW is worse than OLD), or METRIC>VALUE, METRIC<VALUE. METRIC "
        "is\ndevice_peak, host_peak or that of a series (device_used, host_rss, "
        "step_seconds, ...);\nVALUE a size, seconds, or a percentage of the limit.\n"
        "\nExit status: 0 compared, 1 --fail-on was met, 2 usage, 3 a log or report is "
        "unreadable,\n5 internal error.\n",
    .options = options,
    .run = run,
};

struct comparison {
    struct od_arena *arena;
    struct od_diags *diags;
    struct od_session_options session;
    OD_VEC(const char *) rules;
    const struct od_fail_on *fail_on;
    const char *format;
    bool quiet;
};

static int take_option(struct comparison *c, const struct od_args *args, int option)
{
    const struct od_command *self = &od_command_diff;
    if (od_args_is(args, option, "quiet"))
        c->quiet = true;
    if (od_args_is(args, option, "rules"))
        od_vec_push(&c->rules, args->value);
    if (od_args_is(args, option, "format")) {
        if (strcmp(args->value, "text") != 0 && strcmp(args->value, "json") != 0)
            return od_usage_error(self, "no format '%s'", args->value);
        c->format = args->value;
    }
    if (od_args_is(args, option, "fail-on")) {
        c->fail_on = od_fail_on_parse(args->value, c->arena, c->diags);
        if (!c->fail_on) {
            od_diags_flush(c->diags);
            return OD_EXIT_USAGE;
        }
    }
    return OD_EXIT_OK;
}

static bool print(const struct comparison *c, const struct od_diff *diff)
{
    struct od_buf text = {0};
    if (c->format && strcmp(c->format, "json") == 0) {
        od_diff_json(diff, &text);
    } else {
        struct od_report_options look = {.unicode = od_speaks_utf8()};
        struct od_doc *doc = od_diff_outline(diff);
        od_text_render(doc, &look, &text);
        od_doc_free(doc);
    }
    bool ok = c->quiet || od_write_all(od_buf_str(&text), text.n);
    od_buf_done(&text);
    return ok;
}

static int decide(const struct comparison *c, const struct od_diff *diff)
{
    size_t unknown = 0;
    const char *met = NULL;
    if (c->fail_on)
        met = od_fail_on_met(c->fail_on, diff->new, diff, c->arena, &unknown);
    if (met)
        od_complain("--fail-on met: %s", met);
    if (unknown > 0)
        od_complain("%zu term%s of --fail-on could not be checked: the log has no such numbers",
                    unknown, unknown == 1 ? "" : "s");
    return met ? OD_EXIT_FAILURE_FOUND : OD_EXIT_OK;
}

static int compare(const struct comparison *c, char **names)
{
    struct od_run *old = od_run_of_file(names[0], &c->session, c->arena, c->diags);
    struct od_run *new = od_run_of_file(names[1], &c->session, c->arena, c->diags);
    int status = OD_EXIT_UNREADABLE;
    if (old && new) {
        struct od_diff *diff = od_diff_make(old, new, c->arena);
        status = print(c, diff) ? decide(c, diff) : OD_EXIT_INTERNAL;
        od_diff_done(diff);
    }
    od_run_done(old);
    od_run_done(new);
    return status;
}

static int with_options(struct comparison *c, struct od_args *args)
{
    int option;
    while ((option = od_args_next(args)) >= 0) {
        int status = take_option(c, args, option);
        if (status != OD_EXIT_OK)
            return status;
    }
    if (option == OD_ARGS_MISUSED)
        return OD_EXIT_USAGE;
    if (args->argc - args->at != 2)
        return od_usage_error(&od_command_diff, "two runs are compared: OLD and NEW");
    c->session.rule_files = c->rules.items;
    c->session.nrule_files = c->rules.n;
    int status = compare(c, args->argv + args->at);
    od_diags_flush(c->diags);
    return status;
}

static int run(int argc, char **argv)
{
    struct comparison c = {.arena = od_arena_new(), .diags = od_diags_new()};
    struct od_args args = od_args_start(&od_command_diff, argc, argv);
    int status = with_options(&c, &args);
    od_vec_done(&c.rules);
    od_diags_free(c.diags);
    od_arena_free(c.arena);
    return status;
}
