#include "base/vec.h"
#include "cli/command.h"
#include "cli/outputs.h"
#include "lib/oomdoctor.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static int run(int argc, char **argv);

static const struct od_option options[] = {
    {"format", 'f', "FORMAT", "text (default), json or jsonl, on standard output"},
    {"output", 'o', "FORMAT:FILE", "writes the report there; may be given several times"},
    {"color", 0, "WHEN", "auto (default), always or never; NO_COLOR is honoured"},
    {"rules", 0, "DIR", "adds rule packs: a file or a folder of *.yaml"},
    {"unknowns", 0, "FILE", "writes lines there that smell of memory and match no rule"},
    {"chunks", 0, NULL, "lists every chunk of every dump (JSON)"},
    {"samples", 0, NULL, "lists the points of every series (JSON)"},
    {"exit-zero", 0, NULL, "exits 0 where it would exit 1"},
    {"quiet", 'q', NULL, "no report on standard output, only the exit status"},
    {"verbose", 'v', NULL, "all of it, not one screen"},
    {"stats", 0, NULL, "says on stderr what the analysis took"},
    {"no-prefilter", 0, NULL, NULL},
    {"no-jit", 0, NULL, NULL},
    {0}};

const struct od_command od_command_analyze = {
    .name = "analyze",
    .arguments = "[OPTION...] [FILE... | -]",
    .summary = "says what failed in a log, and why",
    .details = "Several files are one run (rank logs, a job log and dmesg). Without a file, or "
               "with -, standard\ninput is read. gzip, xz, zstd, bzip2, zip and tar are unpacked.\n"
               "\nExit status: 0 no memory failure in it, 1 a memory failure, 2 usage, 3 input or "
               "rules\nunreadable, 4 a limit was hit before anything could be said, 5 internal "
               "error.\n",
    .options = options,
    .run = run,
};

struct analyze {
    struct od_session_options session;
    struct od_report_options report;
    struct od_outputs outputs;
    OD_VEC(const char *) rules;
    const char *color;
    const char *unknowns;
    bool exit_zero;
    bool quiet;
    bool stats;
};

static bool take_flag(struct analyze *a, const struct od_args *args, int option)
{
    if (od_args_is(args, option, "chunks"))
        a->report.chunks = true;
    else if (od_args_is(args, option, "samples"))
        a->report.samples = true;
    else if (od_args_is(args, option, "exit-zero"))
        a->exit_zero = true;
    else if (od_args_is(args, option, "quiet"))
        a->quiet = true;
    else if (od_args_is(args, option, "verbose"))
        a->report.verbose = true;
    else if (od_args_is(args, option, "stats"))
        a->stats = true;
    else if (od_args_is(args, option, "no-prefilter"))
        a->session.no_prefilter = true;
    else if (od_args_is(args, option, "no-jit"))
        a->session.no_jit = true;
    else
        return false;
    return true;
}

static bool is_color_word(const char *word)
{
    return strcmp(word, "auto") == 0 || strcmp(word, "always") == 0 || strcmp(word, "never") == 0;
}

static int take_option(struct analyze *a, const struct od_args *args, int option)
{
    const struct od_command *self = &od_command_analyze;
    if (take_flag(a, args, option))
        return OD_EXIT_OK;
    if (od_args_is(args, option, "format") && !od_outputs_add_format(&a->outputs, args->value))
        return od_usage_error(self, "no format '%s', or a second one for standard output",
                              args->value);
    if (od_args_is(args, option, "output") && !od_outputs_add_file(&a->outputs, args->value))
        return od_usage_error(self, "'%s' is not FORMAT:FILE with a known format", args->value);
    if (od_args_is(args, option, "color") && !is_color_word(args->value))
        return od_usage_error(self, "--color is auto, always or never, not '%s'", args->value);
    if (od_args_is(args, option, "color"))
        a->color = args->value;
    if (od_args_is(args, option, "unknowns"))
        a->unknowns = args->value;
    if (od_args_is(args, option, "rules"))
        od_vec_push(&a->rules, args->value);
    return OD_EXIT_OK;
}

static void look_at_terminal(struct analyze *a)
{
    const char *no_color = getenv("NO_COLOR");
    const char *term = getenv("TERM");
    bool terminal = isatty(STDOUT_FILENO) != 0;
    bool wanted = !(no_color && *no_color) && !(term && strcmp(term, "dumb") == 0);
    a->report.color = terminal && wanted;
    if (a->color && strcmp(a->color, "auto") != 0)
        a->report.color = strcmp(a->color, "always") == 0;
    a->report.unicode = od_speaks_utf8();
    struct winsize size;
    if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40 &&
        size.ws_col < 80)
        a->report.columns = size.ws_col;
}

static int analyze(struct analyze *a, struct od_session *session, char **names, int n)
{
    int readable = 0;
    for (int i = 0; i < n; i++)
        readable += od_session_add(session, names[i]);
    if (n == 0)
        readable += od_session_add(session, "-");
    if (readable == 0)
        return OD_EXIT_UNREADABLE;
    const struct od_report *report = od_session_analyze(session);
    if (!od_outputs_write(&a->outputs, report, &a->report))
        return OD_EXIT_INTERNAL;
    if (a->stats)
        od_session_print_stats(session, stderr);
    int status = od_session_status(session);
    if (status == OD_EXIT_OK && readable < n)
        return OD_EXIT_UNREADABLE;
    return status == OD_EXIT_FAILURE_FOUND && a->exit_zero ? OD_EXIT_OK : status;
}

static bool close_unknowns(const struct analyze *a)
{
    if (!a->session.unknowns)
        return true;
    bool ok = ferror(a->session.unknowns) == 0;
    ok = fclose(a->session.unknowns) == 0 && ok;
    if (!ok)
        od_complain("cannot write %s", a->unknowns);
    return ok;
}

static int with_options(struct analyze *a, struct od_args *args)
{
    int option;
    while ((option = od_args_next(args)) >= 0) {
        int status = take_option(a, args, option);
        if (status != OD_EXIT_OK)
            return status;
    }
    if (option == OD_ARGS_MISUSED)
        return OD_EXIT_USAGE;
    if (a->outputs.n == 0 && !a->quiet)
        (void)od_outputs_add_format(&a->outputs, "text");
    look_at_terminal(a);
    a->session.rule_files = a->rules.items;
    a->session.nrule_files = a->rules.n;
    if (a->unknowns && !(a->session.unknowns = fopen(a->unknowns, "we"))) {
        od_complain("cannot write %s: %s", a->unknowns, strerror(errno));
        return OD_EXIT_INTERNAL;
    }
    struct od_diags *diags = od_diags_new();
    struct od_session *session = od_session_new(&a->session, diags);
    int status = OD_EXIT_UNREADABLE;
    if (session)
        status = analyze(a, session, args->argv + args->at, args->argc - args->at);
    od_diags_flush(diags);
    od_session_free(session);
    od_diags_free(diags);
    return close_unknowns(a) ? status : OD_EXIT_INTERNAL;
}

static int run(int argc, char **argv)
{
    struct analyze a = {0};
    struct od_args args = od_args_start(&od_command_analyze, argc, argv);
    int status = with_options(&a, &args);
    od_vec_done(&a.rules);
    return status;
}
