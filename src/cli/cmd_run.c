#include "base/vec.h"
#include "cli/command.h"
#include "cli/outputs.h"
#include "host/pass.h"
#include "lib/keep.h"
#include "lib/oomdoctor.h"
#include "lib/pictures.h"
#include "lib/sampler.h"
#include "lib/watched.h"
#include "plan/request.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static int run(int argc, char **argv);

static const struct od_option options[] = {
    OD_OUTPUT_OPTIONS_ON(
        "text (default), html, markdown, json, jsonl, github, gitlab, junit or sarif",
        "standard error"),
    {"rules", 0, "DIR", "Add rule packs: a file or a folder of *.yaml"},
    {"batch", 0, "N", "Batch size per device, if the output does not print it"},
    {"model", 0, "MODEL", "The model: a file or the name of a public one (see plan)"},
    {"device", 0, "NAME|SIZE", "Show what fits on another device: \"RTX 3090\", a100-40gb, 24GB"},
    {"always", 0, NULL, "Report even if CMD succeeds"},
    {"sample", 0, "SECONDS", "Measure memory every 1 (default) to 3600 seconds; 0: never"},
    {"verbose", 'v', NULL, "Show everything, not one screen"},
    {0}};

const struct od_command od_command_run = {
    .name = "run",
    .use = OD_USE_AFTER,
    .arguments = "[OPTION...] -- CMD [ARGUMENT...]",
    .summary = "Run a command and explain its failure",
    .details = "CMD reads this command's standard input; its output, the terminal size and "
               "signals pass through. While it runs, oomdoctor measures the memory of its "
               "processes, of its control group or the machine, and of the devices "
               "(nvidia-smi, rocm-smi). If CMD fails, oomdoctor analyzes its output "
               "together with these measurements, the exit status or signal, the counters "
               "of the control group and, if readable, the kernel log. The report goes to "
               "standard error, or to the file given with -o.\n"
               "\n"
               "Exit status: that of CMD, 128+n after signal n, 127 if there is no such "
               "command, 126 if it cannot be started, 2 usage error, 5 internal error.\n",
    .examples = "oomdoctor run -- python train.py\n"
                "oomdoctor run -o html:report.html -- torchrun --nproc-per-node 8 train.py",
    .options = options,
    .runs_command = true,
    .run = run,
};

enum { STATUS_SIGNAL = 128, STATUS_MISSING = 127, STATUS_NOT_RUN = 126 };

struct running {
    struct od_session_options session;
    struct od_report_options report;
    struct od_outputs outputs;
    struct od_plan_request request;
    struct od_arena *arena;
    OD_VEC(const char *) rules;
    unsigned sample_s;
    bool always;
};

/* What is kept of it while it runs. */
struct hearing {
    struct od_keep *keep;
    struct od_sampler *sampler;
    struct od_buf samples;    /* that wait for a pause */
    int64_t heard_ms, put_ms; /* when it last wrote; when samples were last put between its lines */
};

static int take_seconds(struct running *r, const char *value)
{
    enum { SECONDS_MOST = 3600 };
    uint64_t n;
    if (!od_num_parse_u64(od_view_of(value), &n) || n > SECONDS_MOST)
        return od_usage_error(&od_command_run, "--sample takes 0 to %d seconds, not '%s'",
                              SECONDS_MOST, value);
    r->sample_s = (unsigned)n;
    return OD_EXIT_OK;
}

static int take_option(void *self, const struct od_args *args, int option)
{
    struct running *r = self;
    const char *why = NULL, *name = options[option].name;
    int status = OD_EXIT_OK;
    if (od_outputs_take(&r->outputs, args, option, &status))
        return status;
    if (od_args_is(args, option, "always"))
        r->always = true;
    else if (od_args_is(args, option, "verbose"))
        r->report.verbose = true;
    else if (od_args_is(args, option, "rules"))
        od_vec_push(&r->rules, args->value);
    else if (od_args_is(args, option, "sample"))
        return take_seconds(r, args->value);
    else if (od_args_is(args, option, "model"))
        r->session.model = args->value;
    else if (od_knob_set(&r->request, name, args->value, r->arena, &why) != OD_KNOB_SET)
        return od_usage_error(&od_command_run, "--%s takes %s, not '%s'", name, why, args->value);
    return OD_EXIT_OK;
}

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* What it writes goes to who keeps it. Samples stand between its lines, so that they have their
 * place in the run, but not within what it writes in one go: a table, a dump. */
static void keep(void *self, bool error, struct od_view bytes)
{
    enum { PAUSE_MS = 100, LATE_MS = 10000 };
    struct hearing *h = self;
    int64_t now = now_ms();
    if (now - h->heard_ms >= PAUSE_MS || now - h->put_ms >= LATE_MS) {
        h->samples.n = 0;
        od_sampler_take(h->sampler, &h->samples);
        od_keep_add_lines(h->keep, od_buf_view(&h->samples));
        h->put_ms = now;
    }
    od_keep_add(h->keep, error, bytes);
    h->heard_ms = now_ms();
}

static bool write_report(const struct running *r, struct od_session *session)
{
    struct od_report shown = *od_session_analyze(session);
    if (od_outputs_show_pictures(&r->outputs))
        shown.pictures = od_pictures_draw(od_figures_of(&shown, r->arena), r->arena);
    const struct od_outputs_of what = {.report = &shown};
    return od_outputs_write(&r->outputs, &what, &r->report);
}

static bool explain(const struct running *r, const char *name, struct od_view log)
{
    struct od_diags *diags = od_diags_new();
    struct od_session *session = od_session_new(&r->session, diags);
    bool ok =
        session && od_session_add_bytes(session, name, log.p, log.n) && write_report(r, session);
    od_diags_flush(diags);
    od_session_free(session);
    od_diags_free(diags);
    return ok;
}

/* What it wrote is lost, and it may have ended before it could learn that. A pipe that nobody reads
 * any more is no loss. */
static bool was_lost(int unwritten)
{
    return unwritten != 0 && unwritten != EPIPE;
}

static int status_of(const struct od_pass_result *result, int unwritten)
{
    if (was_lost(unwritten) && result->end == OD_PASS_EXITED && result->status == 0)
        return OD_EXIT_INTERNAL;
    if (result->end == OD_PASS_NOT_RUN)
        return result->status == ENOENT ? STATUS_MISSING : STATUS_NOT_RUN;
    return result->end == OD_PASS_SIGNALLED ? STATUS_SIGNAL + result->status : result->status;
}

/* Its own status stands, whatever becomes of the report. */
static int follow(const struct running *r, char **argv)
{
    struct od_watch watch = od_watch_start("", r->arena);
    struct hearing hearing = {.keep = od_keep_new(NULL),
                              .sampler = od_sampler_start("", r->sample_s),
                              .heard_ms = now_ms(),
                              .put_ms = now_ms()};
    int unwritten = 0;
    const struct od_pass pass = {
        .argv = argv, .output = keep, .self = &hearing, .ret_unwritten = &unwritten};
    struct od_pass_result result = od_pass_run(&pass);
    hearing.samples.n = 0;
    od_sampler_stop(hearing.sampler, &hearing.samples);
    (void)sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, NULL);
    if (was_lost(unwritten))
        od_complain("what %s wrote could not be passed on: %s", argv[0], strerror(unwritten));
    if (result.end == OD_PASS_NOT_RUN) {
        od_complain("cannot run %s: %s", argv[0], strerror(result.status));
    } else if (r->always || od_watched_failed(&result)) {
        struct od_buf log = {0};
        od_buf_add(&log, od_keep_text(hearing.keep));
        od_buf_add(&log, od_buf_view(&hearing.samples));
        od_watch_tell(&watch, "", &result, &log);
        (void)explain(r, argv[0], od_buf_view(&log));
        od_buf_done(&log);
    }
    od_keep_free(hearing.keep);
    od_buf_done(&hearing.samples);
    od_watch_end(&watch);
    return status_of(&result, unwritten);
}

static int with_options(struct running *r, struct od_args *args)
{
    int status = od_args_take(args, take_option, r);
    if (status != OD_EXIT_OK)
        return status;
    if (args->argc == args->at)
        return od_usage_error(&od_command_run, "name a command: oomdoctor run -- python train.py");
    od_outputs_default(&r->outputs);
    od_outputs_look(&r->outputs, &r->report);
    r->report.of_run = true;
    r->session.rule_files = r->rules.items;
    r->session.nrule_files = r->rules.n;
    r->session.request = &r->request;
    return follow(r, args->argv + args->at);
}

static int run(int argc, char **argv)
{
    struct running r = {.request = od_plan_request_start(),
                        .arena = od_arena_new(),
                        .outputs.on_stderr = true,
                        .sample_s = 1};
    struct od_args args = od_args_start(&od_command_run, argc, argv);
    int status = with_options(&r, &args);
    od_vec_done(&r.rules);
    od_arena_free(r.arena);
    return status;
}
