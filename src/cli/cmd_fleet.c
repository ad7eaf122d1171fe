#include "base/arena.h"
#include "base/buf.h"
#include "base/vec.h"
#include "cli/command.h"
#include "lib/runs.h"
#include "report/report.h"
#include "report/text.h"

#include <string.h>

static int run(int argc, char **argv);

static const struct od_option options[] = {
    {"format", 'f', "FORMAT", "text (default) or json"},
    {"merge", 0, NULL, "FILES are fleets (JSON of this command) to be put together"},
    {"rules", 0, "DIR", "adds rule packs: a file or a folder of *.yaml"},
    {0}};

const struct od_command od_command_fleet = {
    .name = "fleet",
    .arguments = "[OPTION...] FILE...",
    .summary = "groups the failures of many runs, those that cost most first",
    .details =
        "FILE is a log, a report (analyze --format json), reports as JSON lines (--format jsonl),\n"
        "or a fleet (fleet --format json). A run counts once, by the digest of its logs, however\n"
        "often it is given: parts can be made anywhere, again, and merged in any order.\n"
        "\nExit status: 0 told, 2 usage, 3 a file is unreadable, 5 internal error.\n",
    .options = options,
    .run = run,
};

struct gathering {
    struct od_arena *arena;
    struct od_diags *diags;
    struct od_session_options session;
    OD_VEC(const char *) rules;
    const char *format;
};

static int take_option(struct gathering *g, const struct od_args *args, int option)
{
    if (od_args_is(args, option, "rules"))
        od_vec_push(&g->rules, args->value);
    if (od_args_is(args, option, "format")) {
        if (strcmp(args->value, "text") != 0 && strcmp(args->value, "json") != 0)
            return od_usage_error(&od_command_fleet, "no format '%s'", args->value);
        g->format = args->value;
    }
    return OD_EXIT_OK;
}

static bool print(const struct gathering *g, struct od_fleet *fleet)
{
    struct od_buf text = {0};
    if (g->format && strcmp(g->format, "json") == 0) {
        od_fleet_json(fleet, &text);
    } else {
        struct od_report_options look = {.unicode = od_speaks_utf8()};
        struct od_doc *doc = od_fleet_outline(fleet);
        od_text_render(doc, &look, &text);
        od_doc_free(doc);
    }
    bool ok = od_write_all(od_buf_str(&text), text.n);
    od_buf_done(&text);
    return ok;
}

static int gather(const struct gathering *g, char **names, int n)
{
    struct od_fleet *fleet = od_fleet_new(g->arena);
    bool all = true;
    for (int i = 0; i < n; i++)
        all = od_fleet_add_file(fleet, names[i], &g->session, g->diags) && all;
    int status = print(g, fleet) ? all ? OD_EXIT_OK : OD_EXIT_UNREADABLE : OD_EXIT_INTERNAL;
    od_fleet_free(fleet);
    return status;
}

static int with_options(struct gathering *g, struct od_args *args)
{
    int option;
    while ((option = od_args_next(args)) >= 0) {
        int status = take_option(g, args, option);
        if (status != OD_EXIT_OK)
            return status;
    }
    if (option == OD_ARGS_MISUSED)
        return OD_EXIT_USAGE;
    if (args->argc == args->at)
        return od_usage_error(&od_command_fleet, "which logs or reports?");
    g->session.rule_files = g->rules.items;
    g->session.nrule_files = g->rules.n;
    int status = gather(g, args->argv + args->at, args->argc - args->at);
    od_diags_flush(g->diags);
    return status;
}

static int run(int argc, char **argv)
{
    struct gathering g = {.arena = od_arena_new(), .diags = od_diags_new()};
    struct od_args args = od_args_start(&od_command_fleet, argc, argv);
    int status = with_options(&g, &args);
    od_vec_done(&g.rules);
    od_diags_free(g.diags);
    od_arena_free(g.arena);
    return status;
}
