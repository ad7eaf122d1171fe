#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/warnings.h"
#include "lib/follow.h"
#include "lib/oomdoctor.h"
#include "lib/tools.h"
#include "plan/request.h"

#include <errno.h>
#include <time.h>
#include <unistd.h>

static int run(int argc, char **argv);

static const struct od_option options[] = {
    OD_OUTPUT_OPTIONS("of the report when it fails: text (default), html, markdown, json, ..."),
    {"every", 0, "SECONDS", "Check the file for new lines every SECONDS (10)"},
    {"idle", 0, "SECONDS", "End when nothing was written for SECONDS (0: never)"},
    {"once", 0, NULL, "Check the file once, then end"},
    {"stop", 0, NULL, "End with status 1 at the first warning"},
    {"rules", 0, "DIR", "Add rule packs: a file or a folder of *.yaml"},
    {"device", 0, "NAME|SIZE", "The device, if the log does not print what it has"},
    {"ram", 0, "SIZE", "Host memory"},
    {0}};

const struct od_command od_command_watch = {
    .name = "watch",
    .arguments = "[OPTION...] FILE",
    .summary = "Follow a growing log and warn before memory runs out",
    .details = OD_HELP_watch,
    .options = options,
    .run = run,
};

struct watching {
    struct od_session_options session;
    struct od_outputs outputs;
    struct od_report_options page;
    struct od_plan_request request;
    struct od_arena *arena;
    struct od_diags *diags;
    OD_VEC(const char *) rules;
    struct od_map said; /* keys of warnings already given */
    const char *file;
    struct od_follow *now, *old; /* old: the file that had the name before; both may be NULL */
    struct od_buf text;
    unsigned every_s, idle_s;
    bool once, stop;
};

static int take_seconds(const char *name, const char *value, unsigned *ret_seconds)
{
    enum { SECONDS_MOST = 1000000 };
    uint64_t n;
    if (!od_num_parse_u64(od_view_of(value), &n) || n > SECONDS_MOST)
        return od_usage_error(&od_command_watch, "--%s takes a number of seconds, not '%s'", name,
                              value);
    *ret_seconds = (unsigned)n;
    return OD_EXIT_OK;
}

static int take_option(void *self, const struct od_args *args, int option)
{
    struct watching *w = self;
    const char *why = NULL, *name = options[option].name;
    int status = OD_EXIT_OK;
    if (od_outputs_take(&w->outputs, args, option, &status))
        return status;
    if (od_args_is(args, option, "every"))
        return take_seconds(name, args->value, &w->every_s);
    if (od_args_is(args, option, "idle"))
        return take_seconds(name, args->value, &w->idle_s);
    if (od_args_is(args, option, "once"))
        w->once = true;
    else if (od_args_is(args, option, "stop"))
        w->stop = true;
    else if (od_args_is(args, option, "rules"))
        od_vec_push(&w->rules, args->value);
    else if (od_knob_set(&w->request, name, args->value, w->arena, &why) != OD_KNOB_SET)
        return od_usage_error(&od_command_watch, "--%s takes %s, not '%s'", name, why, args->value);
    return OD_EXIT_OK;
}

enum look {
    GOES_ON,
    WARNED,
    FAILED,
    UNREADABLE
}; /* from good to bad; the worst of several counts */

static bool has_failed(const struct od_report *report)
{
    return report->diagnosis->failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE;
}

static enum look warn(struct watching *w, const struct od_report *report)
{
    return od_print_warnings(report->c, w->file, &w->said) > 0 ? WARNED : GOES_ON;
}

static enum look print_report(struct watching *w, const struct od_report *report)
{
    const struct od_outputs_of what = {.report = report};
    (void)od_outputs_write(&w->outputs, &what, &w->page);
    return FAILED;
}

static enum look look_at_file(struct watching *w, const char *name)
{
    enum look found = UNREADABLE;
    struct od_session *session = od_session_new(&w->session, w->diags);
    if (session && od_session_add(session, name)) {
        const struct od_report *report = od_session_analyze(session);
        found = has_failed(report) ? print_report(w, report) : warn(w, report);
    }
    od_session_free(session);
    return found;
}

/* Reports from the file, because the retained text may lack its middle. */
static enum look look_at_text(struct watching *w, const char *name)
{
    enum look found = UNREADABLE;
    struct od_session *session = od_session_new(&w->session, w->diags);
    if (session && od_session_add_bytes(session, name, w->text.p, w->text.n)) {
        const struct od_report *report = od_session_analyze(session);
        found = has_failed(report) ? look_at_file(w, name) : warn(w, report);
        if (has_failed(report) && found != FAILED)
            found = print_report(w, report);
    }
    od_session_free(session);
    return found;
}

/* follow may be NULL. */
static enum look look(struct watching *w, struct od_follow *follow, bool *changed)
{
    enum od_follow_news news = follow ? od_follow_read(follow) : OD_FOLLOW_NONE;
    if (news == OD_FOLLOW_NONE)
        return GOES_ON;
    *changed = true;
    const char *name = od_follow_name(follow, w->file, w->arena);
    if (news == OD_FOLLOW_WHOLE)
        return look_at_file(w, name);
    w->text.n = 0;
    od_follow_copy(follow, &w->text);
    return look_at_text(w, name);
}

static enum look worse(enum look a, enum look b)
{
    return a > b ? a : b;
}

/* Switches to the file that has the name now. The old one is followed until it has no new text. */
static enum look look_at_next(struct watching *w, bool *changed)
{
    struct od_follow *next = od_follow_open(w->file);
    if (!next)
        return access(w->file, F_OK) == 0 ? look_at_file(w, w->file) : GOES_ON;
    od_follow_free(w->old);
    w->old = w->now;
    w->now = next;
    *changed = true;
    return look(w, next, changed);
}

static enum look look_again(struct watching *w, bool *changed)
{
    bool old_grows = false;
    enum look found = look(w, w->old, &old_grows);
    if (!old_grows) {
        od_follow_free(w->old);
        w->old = NULL;
    }
    *changed = old_grows;
    if (found < FAILED)
        found = worse(found, look(w, w->now, changed));
    if (found < FAILED && !(w->now && od_follow_has_name(w->now, w->file)))
        found = worse(found, look_at_next(w, changed));
    return found;
}

static void nap(unsigned seconds)
{
    struct timespec time = {.tv_sec = seconds};
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        ;
}

static int follow(struct watching *w)
{
    uint64_t idle = 0;
    for (;;) {
        bool changed = false;
        enum look found = w->once ? look_at_file(w, w->file) : look_again(w, &changed);
        idle = changed ? 0 : idle + w->every_s;
        if (found == UNREADABLE)
            return OD_EXIT_UNREADABLE;
        if (found == FAILED || (found == WARNED && w->stop))
            return OD_EXIT_FAILURE_FOUND;
        if (w->once || (w->idle_s > 0 && idle >= w->idle_s))
            return OD_EXIT_OK;
        nap(w->every_s);
    }
}

static int with_options(struct watching *w, struct od_args *args)
{
    int status = od_args_take(args, take_option, w);
    if (status != OD_EXIT_OK)
        return status;
    if (args->argc - args->at != 1)
        return od_usage_error(&od_command_watch, "one file is needed");
    if (w->every_s == 0)
        return od_usage_error(&od_command_watch, "--every is 1 second or more");
    w->file = args->argv[args->at];
    od_outputs_default(&w->outputs);
    status = od_outputs_may_write_all(&w->outputs, args);
    if (status != OD_EXIT_OK)
        return status;
    od_outputs_look(&w->outputs, &w->page);
    w->session.rule_files = w->rules.items;
    w->session.nrule_files = w->rules.n;
    w->session.request = &w->request;
    w->session.tools = od_tools_new(&w->session, w->diags);
    status = w->session.tools ? follow(w) : OD_EXIT_UNREADABLE;
    od_tools_free(w->session.tools);
    return status;
}

static int run(int argc, char **argv)
{
    struct watching w = {.request = od_plan_request_start(),
                         .arena = od_arena_new(),
                         .diags = od_diags_new(),
                         .every_s = 10};
    struct od_args args = od_args_start(&od_command_watch, argc, argv);
    int status = with_options(&w, &args);
    od_diags_flush(w.diags);
    od_diags_free(w.diags);
    od_map_done(&w.said);
    od_follow_free(w.now);
    od_follow_free(w.old);
    od_buf_done(&w.text);
    od_vec_done(&w.rules);
    od_arena_free(w.arena);
    return status;
}
