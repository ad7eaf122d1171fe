#include "answer/phases.h"
#include "cli/command.h"
#include "cli/gate.h"
#include "cli/outputs.h"
#include "cli/plots.h"
#include "cli/progress.h"
#include "cli/shown.h"
#include "lib/oomdoctor.h"
#include "lib/pictures.h"
#include "lib/trace_writer.h"
#include "plan/request.h"
#include "redact/redact.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* The first line by which we recognize a file of ours. */
#define TRACE_HEADING "# What oomdoctor decided, and why\n"
#define UNKNOWNS_HEADING "# Lines that oomdoctor did not use\n"

static int run(int argc, char **argv);

static const struct od_option options[] = {
    OD_OUTPUT_OPTIONS(
        "text (default), html, markdown, json, jsonl, brief, github, gitlab, junit or sarif"),
    {"rules", 0, "DIR", "Add rule packs: a file or a folder of *.yaml"},
    {"batch", 0, "N", "Batch size per device"},
    {"model", 0, "MODEL", "The model: a file or the name of a public one (see plan)"},
    {"device", 0, "NAME|SIZE", "Show what fits on another device: \"RTX 3090\", a100-40gb, 24GB"},
    {"capacity", 0, "SIZE", "Memory of the device that was used"},
    {"precision", 0, "WORD", "Precision: bf16_true, amp_fp16, ..."},
    {"optimizer", 0, "NAME", "Optimizer: adamw, adam8bit, sgd, ..."},
    {"seq", 0, "N", "Sequence length in tokens"},
    {"checkpointing", 0, "HOW", "Activation checkpointing: none, selective, full or every:K"},
    {"ram", 0, "SIZE", "RAM of the machine"},
    {"shm", 0, "SIZE", "Size of /dev/shm"},
    {"cpus", 0, "N", "CPU cores for data loading"},
    {"unknowns", 0, "FILE", "Write the lines that mention memory but were not used to FILE"},
    {"trace", 0, "FILE", "Write each decision and its reason to FILE"},
    {"why", 0, NULL, "Show the formula, the inputs and the log lines of each number"},
    OD_SHARE_OPTION,
    OD_PLOT_OPTIONS,
    {"chunks", 0, NULL, "List every chunk of every allocator dump (JSON)"},
    {"phase", 0, "NAME=SIZE", "Memory of one phase of the run (total: the peak); may be repeated"},
    {"samples", 0, NULL, "List the points of every series (JSON)"},
    OD_GATE_FAIL_ON,
    {"baseline", 0, "REPORT", "Compare with the last good run: its JSON report or its log"},
    {"exit-zero", 0, NULL, "Exit with 0 instead of 1"},
    {"quiet", 'q', NULL, "Print no report, only set the exit status"},
    {"verbose", 'v', NULL, "Show all details"},
    {"stats", 0, NULL, "Print time and memory of the analysis on stderr"},
    {"no-prefilter", 0, NULL, NULL},
    {"no-shapes", 0, NULL, NULL},
    {"no-jit", 0, NULL, NULL},
    {0}};

static const struct od_option_group groups[] = {{"format", "Output"},
                                                {"rules", "Rules"},
                                                {"batch", "What the log does not show"},
                                                {"unknowns", "Details"},
                                                {"plots", "Figures"},
                                                {"chunks", "Further data"},
                                                {"fail-on", "Exit status and other"},
                                                {0}};

const struct od_command od_command_analyze = {
    .name = "analyze",
    .use = OD_USE_AFTER,
    .arguments = "[OPTION...] [FILE... | -]",
    .summary = "Explain a failed run from its logs",
    .details = "Several files are one run (rank logs, a job log and dmesg). Without a file, or "
               "with -, standard input is read. gzip, xz, zstd, bzip2, zip and tar are "
               "unpacked. 'oomdoctor LOG' is short for 'oomdoctor analyze LOG'.\n"
               "\n" OD_GATE_TERMS
               "\nExit status: 0 no memory failure found, 1 a memory failure, 2 usage error, 3 "
               "input or rules cannot be read, 4 a limit of oomdoctor was reached, 5 internal "
               "error.\n",
    .examples = "oomdoctor train.log\n"
                "kubectl logs trainer-0 | oomdoctor\n"
                "oomdoctor analyze -o html:report.html train.log dmesg.txt\n"
                "oomdoctor analyze --device \"A100 80GB\" train.log",
    .options = options,
    .groups = groups,
    .run = run,
};

struct analyze {
    struct od_session_options session;
    struct od_report_options report;
    struct od_outputs outputs;
    struct od_plan_request request; /* settings that the user gives in addition to the log */
    struct od_arena *arena;
    struct od_plots plots;
    struct od_progress progress;
    struct od_gate gate;
    OD_VEC(const char *) rules;
    OD_VEC(struct od_phase_given) phases;
    const char *unknowns;
    FILE *unknown_file;
    const char *trace;
    FILE *trace_file;
    struct od_trace_writer *tracer;
    struct {
        char *text;
        size_t n;
    } unshared; /* the list of unknown lines before redaction, for a shared output */
    bool exit_zero;
    bool share;
    bool quiet;
    bool stats;
};

static bool take_flag(struct analyze *a, const struct od_args *args, int option)
{
    if (od_args_is(args, option, "chunks"))
        a->report.chunks = true;
    else if (od_args_is(args, option, "why"))
        a->report.why = true;
    else if (od_args_is(args, option, "share"))
        a->share = true;
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
    else if (od_args_is(args, option, "no-shapes"))
        a->session.no_shapes = true;
    else if (od_args_is(args, option, "no-jit"))
        a->session.no_jit = true;
    else
        return false;
    return true;
}

/* Takes planner settings that the log does not state. */
static int take_knob(struct analyze *a, const struct od_args *args, int option)
{
    static const char *const knobs[] = {"batch",         "device", "precision", "optimizer", "seq",
                                        "checkpointing", "ram",    "shm",       "cpus"};
    const char *name = options[option].name, *why = NULL;
    for (size_t i = 0; i < OD_COUNT_OF(knobs); i++)
        if (strcmp(name, knobs[i]) == 0 &&
            od_knob_set(&a->request, name, args->value, a->arena, &why) != OD_KNOB_SET)
            return od_usage_error(&od_command_analyze, "--%s takes %s, not '%s'", name, why,
                                  args->value);
    return OD_EXIT_OK;
}

static int take_option(void *self, const struct od_args *args, int option)
{
    struct analyze *a = self;
    int status = OD_EXIT_OK;
    if (take_flag(a, args, option) || od_outputs_take(&a->outputs, args, option, &status) ||
        od_plots_take(&a->plots, args, option, &status) ||
        od_gate_take(&a->gate, args, option, a->arena, &status))
        return status;
    if (od_args_is(args, option, "unknowns"))
        a->unknowns = args->value;
    if (od_args_is(args, option, "trace"))
        a->trace = args->value;
    if (od_args_is(args, option, "rules"))
        od_vec_push(&a->rules, args->value);
    if (od_args_is(args, option, "model"))
        a->session.model = args->value;
    if (od_args_is(args, option, "capacity") &&
        !od_bytes_parse(od_view_of(args->value), OD_UNIT_BINARY, &a->session.capacity))
        return od_usage_error(&od_command_analyze,
                              "--capacity takes a size (24GB, 23.7GiB), not '%s'", args->value);
    struct od_phase_given phase;
    if (od_args_is(args, option, "phase")) {
        if (!od_phase_parse(od_view_of(args->value), &phase))
            return od_usage_error(&od_command_analyze, "--phase takes NAME=SIZE, not '%s'",
                                  args->value);
        od_vec_push(&a->phases, phase);
    }
    return take_knob(a, args, option);
}

/* Writes reports and figures. Figures drawn for one page are not reused for the next. */
static bool write_out(const struct analyze *a, const struct od_report *report)
{
    struct od_arena *arena = od_arena_new();
    struct od_report shown = *report;
    bool inline_ = od_outputs_show_pictures(&a->outputs);
    const struct od_figures *figures =
        inline_ || a->plots.folder ? od_figures_of(report, arena) : NULL;
    if (inline_)
        shown.pictures = od_pictures_draw(figures, arena);
    struct od_outputs_of what = {.report = &shown};
    bool ok = od_outputs_write(&a->outputs, &what, &a->report);
    if (a->plots.folder)
        ok = od_plots_write(&a->plots, figures) && ok;
    od_arena_free(arena);
    return ok;
}

static bool share_out(struct analyze *a, const struct od_report *report)
{
    bool ok = write_out(a, report);
    od_share_say(a->report.redactor);
    return ok;
}

/* Decides the exit status: by the failure itself, or by --fail-on. */
static int decide(const struct analyze *a, const struct od_session *session,
                  const struct od_report *report, struct od_diags *diags)
{
    int status = od_session_status(session);
    int gate = od_gate_decide(&a->gate, report, a->arena, diags);
    if (gate != OD_EXIT_OK && status <= OD_EXIT_FAILURE_FOUND)
        status = gate;
    return status == OD_EXIT_FAILURE_FOUND && a->exit_zero ? OD_EXIT_OK : status;
}

static int analyze(struct analyze *a, struct od_session *session, const struct od_args *args,
                   struct od_diags *diags)
{
    int readable = 0;
    int n = args->argc - args->at;
    for (int i = 0; i < n; i++)
        readable += od_session_add(session, args->argv[args->at + i]);
    if (n == 0 && isatty(STDIN_FILENO))
        od_complain("reading standard input until Ctrl+D; to read a file: oomdoctor train.log");
    if (n == 0)
        readable += od_session_add(session, "-");
    if (readable == 0)
        return OD_EXIT_UNREADABLE;
    const struct od_report *report = od_session_analyze(session);
    od_progress_end(&a->progress);
    if (!share_out(a, report))
        return OD_EXIT_INTERNAL;
    if (a->stats)
        od_session_print_stats(session, stderr);
    int status = decide(a, session, report, diags);
    return status == OD_EXIT_OK && readable < n ? OD_EXIT_UNREADABLE : status;
}

/* Opens the file for unknown lines. A shared one is written at the end of the log, whose last lines
 * can still reveal names. */
static bool open_unknowns(struct analyze *a)
{
    a->unknown_file = a->unknowns ? fopen(a->unknowns, "we") : NULL;
    a->session.unknowns = a->unknown_file;
    if (a->unknown_file)
        fputs(UNKNOWNS_HEADING, a->unknown_file);
    if (a->unknown_file && a->share)
        a->session.unknowns = open_memstream(&a->unshared.text, &a->unshared.n);
    if (a->unknowns && !a->session.unknowns)
        od_complain("cannot write %s: %s", a->unknowns, strerror(errno));
    return !a->unknowns || a->session.unknowns;
}

static void share_unknowns(struct analyze *a)
{
    struct od_buf out = {0};
    struct od_view text = {a->unshared.text, a->unshared.n};
    od_redact_learning(a->report.redactor, false);
    od_redact_learn(a->report.redactor, text); /* file names are not part of the log */
    od_redact(a->report.redactor, text, &out);
    (void)fwrite(out.p, 1, out.n, a->unknown_file);
    od_buf_done(&out);
    free(a->unshared.text);
}

static bool close_unknowns(struct analyze *a)
{
    if (!a->unknown_file)
        return true;
    bool ok = ferror(a->session.unknowns) == 0;
    if (a->share) {
        ok = fclose(a->session.unknowns) == 0 && ok;
        share_unknowns(a);
    }
    ok = ferror(a->unknown_file) == 0 && ok;
    ok = fclose(a->unknown_file) == 0 && ok;
    if (!ok)
        od_complain("cannot write %s", a->unknowns);
    return ok;
}

/* Opens the trace. Only one thread reads then, because entries are about the line that is being
 * read. */
static bool open_trace(struct analyze *a)
{
    if (!a->trace)
        return true;
    a->trace_file = fopen(a->trace, "we");
    if (!a->trace_file) {
        od_complain("cannot write %s: %s", a->trace, strerror(errno));
        return false;
    }
    fputs(TRACE_HEADING, a->trace_file);
    a->tracer = od_trace_writer_new(a->trace_file, false);
    a->session.trace = od_trace_writer_trace(a->tracer);
    return true;
}

static bool close_trace(struct analyze *a)
{
    if (!a->trace_file)
        return true;
    bool ok = ferror(a->trace_file) == 0;
    ok = fclose(a->trace_file) == 0 && ok;
    od_trace_writer_free(a->tracer);
    if (!ok)
        od_complain("cannot write %s", a->trace);
    return ok;
}

static int may_write(const struct analyze *a, const struct od_args *args)
{
    int status = od_outputs_may_write_all(&a->outputs, args);
    if (status == OD_EXIT_OK)
        status = od_outputs_may_write(args, a->trace, TRACE_HEADING);
    if (status == OD_EXIT_OK)
        status = od_outputs_may_write(args, a->unknowns, UNKNOWNS_HEADING);
    return status;
}

static int with_options(struct analyze *a, struct od_args *args)
{
    int status = od_args_take(args, take_option, a);
    if (status != OD_EXIT_OK)
        return status;
    if (!a->quiet)
        od_outputs_default(&a->outputs);
    od_outputs_look(&a->outputs, &a->report);
    bool brief =
        a->outputs.n > 0; /* a brief is always redacted, which needs the names in the log */
    for (size_t i = 0; i < a->outputs.n; i++)
        brief = brief && strcmp(a->outputs.list[i].format->name, "brief") == 0;
    a->share = a->share || (brief && !a->trace && !a->unknowns);
    a->session.rule_files = a->rules.items;
    a->session.nrule_files = a->rules.n;
    a->session.phases = a->phases.items;
    a->session.nphases = a->phases.n;
    a->session.request = &a->request;
    a->progress = od_progress_start();
    a->session.progress = od_progress_tell;
    a->session.progress_self = &a->progress;
    if (a->share && a->trace)
        return od_usage_error(
            &od_command_analyze,
            "--trace shows the log as it is, so it cannot be combined with --share");
    status = may_write(a, args);
    if (status != OD_EXIT_OK)
        return status;
    if (!open_unknowns(a) || !open_trace(a))
        return OD_EXIT_INTERNAL;
    struct od_diags *diags = od_diags_new();
    a->session.redactor = a->report.redactor = od_share_start(a->share);
    struct od_session *session = od_session_new(&a->session, diags);
    status = OD_EXIT_UNREADABLE;
    if (session)
        status = analyze(a, session, args, diags);
    od_diags_flush(diags);
    od_session_free(session);
    od_diags_free(diags);
    bool closed = close_unknowns(a) && close_trace(a);
    od_redactor_free(a->report.redactor);
    return closed ? status : OD_EXIT_INTERNAL;
}

static int run(int argc, char **argv)
{
    struct analyze a = {.request = od_plan_request_start(), .arena = od_arena_new()};
    struct od_args args = od_args_start(&od_command_analyze, argc, argv);
    int status = with_options(&a, &args);
    od_vec_done(&a.phases);
    od_vec_done(&a.rules);
    od_arena_free(a.arena);
    return status;
}
