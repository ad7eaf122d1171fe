#include "cli/capture.h"
#include "cli/command.h"
#include "cli/outputs.h"
#include "host/pass.h"
#include "lib/oomdoctor.h"
#include "lib/pictures.h"
#include "lib/retry.h"
#include "lib/watched.h"
#include "plan/request.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

static int run(int argc, char **argv);

static const struct od_option options[] = {
    OD_OUTPUT_OPTIONS_ON(
        "text (default), html, markdown, json, jsonl, brief, github, gitlab, junit or sarif",
        "standard error"),
    {"rules", 0, "DIR", "Add rule packs: a file or a folder of *.yaml"},
    {"batch", 0, "N", "Batch size per device, if the output does not print it"},
    {"model", 0, "MODEL", "The model: a file or the name of a public one (see plan)"},
    {"device", 0, "NAME|SIZE", "Show what fits on another device: \"RTX 3090\", a100-40gb, 24GB"},
    {"always", 0, NULL, "Report even if CMD succeeds"},
    {"sample", 0, "SECONDS", "Measure memory every 1 (default) to 3600 seconds; 0: never"},
    {"watch", 0, "SECONDS", "Read the output every SECONDS, and warn before memory runs out"},
    {"retry", 0, "N", "Run it again up to N times with the advised settings, where that helps"},
    {"attempts", 0, "DIR", "Keep log and report of each attempt there (oomdoctor-attempts)"},
    {"dry-run", 0, NULL, "With --retry: show what would change, and do not run it again"},
    {"verbose", 'v', NULL, "Show all details"},
    {0}};

const struct od_command od_command_run = {
    .name = "run",
    .use = OD_USE_AFTER,
    .arguments = "[OPTION...] -- CMD [ARGUMENT...]",
    .summary = "Run a command and explain its failure",
    .details = OD_HELP_run,
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
    unsigned sample_s, watch_s;
    uint64_t retries;
    struct od_attempts attempts;
    const char *folder; /* folder for the logs and reports of attempts */
    struct od_watch watch;
    struct od_stall stall;
    struct od_capture *capture;
    bool stalled; /* a report was printed while the command was stalled */
    bool always, dry;
    bool lost; /* a report could not be written */
};

static int take_seconds(const char *name, const char *value, unsigned *ret_seconds)
{
    enum { SECONDS_MOST = 3600 };
    uint64_t n;
    if (!od_num_parse_u64(od_view_of(value), &n) || n > SECONDS_MOST)
        return od_usage_error(&od_command_run, "--%s takes 0 to %d seconds, not '%s'", name,
                              SECONDS_MOST, value);
    *ret_seconds = (unsigned)n;
    return OD_EXIT_OK;
}

static int take_retries(struct running *r, const char *value)
{
    enum { MOST = OD_ATTEMPTS_MOST - 1 };
    if (!od_num_parse_u64(od_view_of(value), &r->retries) || r->retries > MOST)
        return od_usage_error(&od_command_run, "--retry takes 0 to %d, not '%s'", MOST, value);
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
    else if (od_args_is(args, option, "dry-run"))
        r->dry = true;
    else if (od_args_is(args, option, "attempts"))
        r->folder = args->value;
    else if (od_args_is(args, option, "retry"))
        return take_retries(r, args->value);
    else if (od_args_is(args, option, "sample"))
        return take_seconds(name, args->value, &r->sample_s);
    else if (od_args_is(args, option, "watch"))
        return take_seconds(name, args->value, &r->watch_s);
    else if (od_args_is(args, option, "model"))
        r->session.model = args->value;
    else if (od_knob_set(&r->request, name, args->value, r->arena, &why) != OD_KNOB_SET)
        return od_usage_error(&od_command_run, "--%s takes %s, not '%s'", name, why, args->value);
    return OD_EXIT_OK;
}

static bool write_report(const struct running *r, const struct od_report *report)
{
    struct od_report shown = *report;
    if (od_outputs_show_pictures(&r->outputs))
        shown.pictures = od_pictures_draw(od_figures_of(&shown, r->arena), r->arena);
    const struct od_outputs_of what = {.report = &shown};
    return od_outputs_write(&r->outputs, &what, &r->report);
}

/* A report that cannot be written to its file is printed on standard error. */
static bool write_report_or_print(const struct running *r, const struct od_report *report)
{
    struct running print = *r;
    if (write_report(r, report))
        return true;
    print.outputs = (struct od_outputs){.on_stderr = true};
    od_outputs_default(&print.outputs);
    (void)write_report(&print, report);
    return false;
}

/* Writes "DIR/attempt-2.log" and its report. */
static void keep_attempt(const struct running *r, const struct od_report *report,
                         struct od_view log)
{
    struct od_buf json = {0};
    if (mkdir(r->folder, 0777) != 0 && errno != EEXIST) {
        od_complain("cannot make %s: %s", r->folder, strerror(errno));
        return;
    }
    const char *name = od_arena_printf(r->arena, "%s/attempt-%zu", r->folder, r->attempts.n);
    od_format_report(od_format_find(OD_VIEW("json")), report, &r->report, &json);
    (void)od_outputs_write_file(od_arena_printf(r->arena, "%s.log", name), log);
    (void)od_outputs_write_file(od_arena_printf(r->arena, "%s.json", name), od_buf_view(&json));
    od_buf_done(&json);
}

/* Writes the report and returns what to change for another attempt. */
static struct od_retry explain(struct running *r, char **argv, struct od_view log)
{
    struct od_retry retry = {.why_not = "the output could not be analyzed"};
    struct od_diags *diags = od_diags_new();
    struct od_session *session = od_session_new(&r->session, diags);
    const char *slash = strrchr(argv[0], '/');
    const char *name = od_arena_printf(r->arena, "output of %s", slash ? slash + 1 : argv[0]);
    if (session && od_session_add_bytes(session, name, log.p, log.n)) {
        const struct od_report *report = od_session_analyze(session);
        r->lost = !write_report_or_print(r, report) || r->lost;
        if (r->retries > 0) {
            keep_attempt(r, report, log);
            retry = od_retry_of(report, &r->attempts, r->arena);
        }
    }
    od_diags_flush(diags);
    od_session_free(session);
    od_diags_free(diags);
    return retry;
}

/* Was output of the command lost? A closed pipe does not count. */
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

static bool is_last(const struct running *r)
{
    return r->attempts.n > r->retries || r->dry;
}

static void hear(void *self, bool error, struct od_view bytes)
{
    od_capture_take(((struct running *)self)->capture, error, bytes);
}

/* A command that waits for a process that was killed is explained at once, or ended if it is to run
 * again. */
static void notice(void *self, pid_t pid, unsigned silent_s)
{
    struct running *r = self;
    if (r->stall.ended_s == 0 && (r->stalled || !od_stall_look(&r->stall, &r->watch, silent_s)))
        return;
    if (r->stall.ended_s == 0)
        od_complain("a process of the command was killed for memory, and the others wait");
    if (!is_last(r)) {
        od_stall_end(&r->stall, pid);
        return;
    }
    struct od_buf log = {0};
    r->stalled = true;
    od_capture_copy(r->capture, &log);
    od_watch_tell(&r->watch, "", &(struct od_pass_result){0}, true, &log);
    (void)explain(r, r->attempts.list[r->attempts.n - 1].argv, od_buf_view(&log));
    od_buf_done(&log);
}

/* Runs the command once. Returns its status; success becomes a failure if the report cannot be
 * written. */
static int attempt(struct running *r, char **argv, struct od_retry *ret_retry)
{
    const struct od_capture_options how = {
        .argv = argv, .sample_s = r->sample_s, .watch_s = r->watch_s, .session = &r->session};
    struct od_buf log = {0};
    int unwritten = 0;
    const struct od_pass pass = {
        .argv = argv, .output = hear, .silent = notice, .self = r, .ret_unwritten = &unwritten};
    r->watch = od_watch_start("", r->arena);
    r->capture = od_capture_start(&how);
    r->stall = (struct od_stall){0};
    struct od_pass_result result = od_pass_run(&pass);
    bool stalled = r->stall.ended_s > 0;
    od_capture_stop(r->capture, result.status, &log);
    struct sigaction usual; /* signal handling for the next attempt */
    (void)sigaction(SIGPIPE, &(struct sigaction){.sa_handler = SIG_IGN}, &usual);
    *ret_retry = (struct od_retry){0};
    if (was_lost(unwritten))
        od_complain("the output of %s could not be passed on: %s", argv[0], strerror(unwritten));
    if (result.end == OD_PASS_NOT_RUN) {
        od_complain("cannot run %s: %s", argv[0], strerror(result.status));
    } else if (!(r->stalled && result.signals != 0) && (r->always || od_watched_failed(&result))) {
        od_watch_tell(&r->watch, "", &result, stalled, &log);
        r->session.is_partial = od_capture_is_partial(r->capture);
        *ret_retry = explain(r, argv, od_buf_view(&log));
    }
    (void)sigaction(SIGPIPE, &usual, NULL);
    od_capture_free(r->capture);
    od_buf_done(&log);
    od_watch_end(&r->watch);
    if (result.signals != 0) /* the user wants to stop */
        ret_retry->why_not = "the command was sent a signal";
    enum { SIGNALS = 64 }; /* a program may exit with 255 itself */
    int status = status_of(&result, unwritten), number = status - STATUS_SIGNAL;
    number = number <= SIGNALS ? number : 0;
    r->attempts.list[r->attempts.n - 1].end =
        od_arena_printf(r->arena,
                        stalled      ? "waited for a process that was killed"
                        : number > 0 ? "signal %d"
                                     : "exit status %d",
                        number > 0 ? number : status);
    return status == OD_EXIT_OK && r->lost ? OD_EXIT_INTERNAL : status;
}

/* Prepares the next attempt; false if there is none. */
static bool prepare(struct running *r, const struct od_retry *retry)
{
    const struct od_attempt *last = &r->attempts.list[r->attempts.n - 1];
    if (last->useless)
        od_complain("taken back, since %s: %s",
                    last->of_memory ? "it requests as much memory" : "it fails otherwise",
                    last->changes);
    if (retry->why_not)
        od_complain("not run again: %s", retry->why_not);
    else
        od_complain("%s attempt %zu of %" PRIu64 ": %s", r->dry ? "would start" : "starts",
                    r->attempts.n + 1, r->retries + 1, retry->again.changes);
    if (retry->why_not || r->dry || !od_retry_prepare(&retry->again))
        return false;
    r->attempts.list[r->attempts.n++] = (struct od_attempt){.argv = retry->again.argv,
                                                            .changes = retry->again.changes,
                                                            .option = retry->again.option,
                                                            .copy = retry->again.copy.to,
                                                            .base = retry->base};
    return true;
}

/* What was tried, if it was more than the command as it is. */
static void tell(const struct running *r)
{
    for (size_t i = 0; i < r->attempts.n && r->attempts.n > 1; i++) {
        const struct od_attempt *a = &r->attempts.list[i];
        od_complain("attempt %zu: %s: %s%s", i + 1, a->changes ? a->changes : "as it is", a->end,
                    a->useless ? "; no help" : "");
    }
}

/* Removes the copies of configurations that a command that ended well does not name. */
static void remove_copies(const struct running *r, bool well)
{
    char *const *words = r->attempts.list[r->attempts.n - 1].argv;
    for (size_t i = 0; i < r->attempts.n; i++) {
        const char *copy = r->attempts.list[i].copy;
        bool named = false;
        for (size_t k = 0; copy && well && words[k]; k++)
            named |= strstr(words[k], copy) != NULL;
        if (copy && !named)
            (void)unlink(copy);
    }
}

static int follow(struct running *r, char **argv)
{
    r->attempts.list[r->attempts.n++].argv = argv;
    for (struct od_retry retry;;) {
        int status = attempt(r, r->attempts.list[r->attempts.n - 1].argv, &retry);
        bool failed = status != OD_EXIT_OK && (retry.why_not || retry.again.argv);
        if (!failed || r->attempts.n > r->retries || !prepare(r, &retry)) {
            tell(r);
            remove_copies(r, status == OD_EXIT_OK);
            return status;
        }
    }
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
                        .sample_s = 1,
                        .folder = "oomdoctor-attempts"};
    struct od_args args = od_args_start(&od_command_run, argc, argv);
    int status = with_options(&r, &args);
    od_vec_done(&r.rules);
    od_arena_free(r.arena);
    return status;
}
