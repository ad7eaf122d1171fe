#include "cli/command.h"
#include "cli/foretell.h"
#include "cli/outputs.h"
#include "lib/oomdoctor.h"
#include "lib/tools.h"
#include "plan/request.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static int run(int argc, char **argv);

static const struct od_option options[] = {
    OD_OUTPUT_OPTIONS("of the report when it fails: text (default), html, markdown, json, ..."),
    {"every", 0, "SECONDS", "How often to look at the file if it has grown (10)"},
    {"idle", 0, "SECONDS", "End when nothing was written for so long (0: never)"},
    {"once", 0, NULL, "Look once, and end"},
    {"stop", 0, NULL, "End with status 1 at the first warning"},
    {"rules", 0, "DIR", "Add rule packs: a file or a folder of *.yaml"},
    {"device", 0, "NAME|SIZE", "The device, if the log does not print what it has"},
    {"ram", 0, "SIZE", "Host memory"},
    {0}};

const struct od_command od_command_watch = {
    .name = "watch",
    .arguments = "[OPTION...] FILE",
    .summary = "Follow a growing log and warn of what is still to come",
    .details = "Each warning is printed once, a line on standard error: growth that will reach a "
               "limit, and when; the optimizer's states, the first checkpoint and the first "
               "validation, if they do not fit or if that cannot be told. When the run fails, "
               "the report follows, and the command ends. A file that does not exist yet, or "
               "no more, is waited for, and one that was renamed is read to its end.\n"
               "\n"
               "Exit status: 0 the log ended without a failure, 1 a memory failure, or a warning "
               "with --stop, 2 usage error, 3 input or rules unreadable, 5 internal error.\n",
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
    struct od_map said; /* keys of warnings */
    const char *file;
    int kept; /* the file that was looked at last, open; -1 = none */
    unsigned every_s, idle_s;
    bool once, stop;
};

static int take_seconds(const char *name, const char *value, unsigned *ret_seconds)
{
    enum { SECONDS_MOST = 1000000 };
    uint64_t n;
    if (!od_num_parse_u64(od_view_of(value), &n) || n > SECONDS_MOST)
        return od_usage_error(&od_command_watch, "--%s is a number of seconds; not '%s'", name,
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
        return od_usage_error(&od_command_watch, "--%s is %s; not '%s'", name, why, args->value);
    return OD_EXIT_OK;
}

enum look { GOES_ON, WARNED, FAILED, UNREADABLE };

static enum look report(struct watching *w, struct od_session *session)
{
    const struct od_report *found = od_session_analyze(session);
    if (found->diagnosis->failure->run.outcome != OD_OUTCOME_MEMORY_FAILURE)
        return od_foretell(found->c, w->file, &w->said) > 0 ? WARNED : GOES_ON;
    const struct od_outputs_of what = {.report = found};
    (void)od_outputs_write(&w->outputs, &what, &w->page);
    return FAILED;
}

static enum look look(struct watching *w, const char *file)
{
    struct od_session *session = od_session_new(&w->session, w->diags);
    bool read = session && od_session_add(session, file);
    enum look found = read ? report(w, session) : UNREADABLE;
    od_session_free(session);
    return found;
}

static void nap(unsigned seconds)
{
    struct timespec time = {.tv_sec = seconds};
    while (nanosleep(&time, &time) != 0 && errno == EINTR)
        ;
}

/* A file as it was found: one that was written to, or that is another one, differs. */
struct state {
    bool is_there;
    struct stat about;
};

static struct state state_of(const char *file)
{
    struct state state;
    state.is_there = stat(file, &state.about) == 0;
    return state;
}

static bool is_same_file(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool is_unwritten(const struct stat *a, const struct stat *b)
{
    return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
           a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

static bool is_same(const struct state *a, const struct state *b)
{
    if (!a->is_there || !b->is_there)
        return a->is_there == b->is_there;
    return is_same_file(&a->about, &b->about) && is_unwritten(&a->about, &b->about);
}

/* The name that an open file has now, which may have been renamed. */
static const char *name_of(struct watching *w, int fd)
{
    const char *link = od_arena_printf(w->arena, "/proc/self/fd/%d", fd);
    char name[4096];
    struct stat open, named;
    ssize_t n = readlink(link, name, sizeof name - 1);
    name[n > 0 ? n : 0] = '\0';
    bool known = n > 0 && fstat(fd, &open) == 0 && stat(name, &named) == 0;
    return known && is_same_file(&open, &named) ? od_arena_str(w->arena, od_view_of(name)) : link;
}

/* Another file has its name, or none: what was still written to the old one is read. */
static enum look look_at_rotated(struct watching *w, const struct state *seen)
{
    struct stat about;
    enum look found = GOES_ON;
    if (w->kept >= 0 && fstat(w->kept, &about) == 0 && !is_unwritten(&about, &seen->about))
        found = look(w, name_of(w, w->kept));
    if (w->kept >= 0)
        (void)close(w->kept);
    w->kept = -1;
    return found;
}

/* Looks at the file, and at the one that had its name before, where they changed. */
static enum look look_again(struct watching *w, const struct state *seen, const struct state *now)
{
    enum look found = GOES_ON;
    if (seen->is_there && !(now->is_there && is_same_file(&seen->about, &now->about)))
        found = look_at_rotated(w, seen);
    if (found == FAILED || (!now->is_there && !w->once))
        return found;
    enum look other = look(w, w->file);
    if (w->kept < 0)
        w->kept = open(w->file, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    return other == GOES_ON ? found : other;
}

static int follow(struct watching *w)
{
    struct state seen = {0};
    uint64_t idle = 0;
    for (;;) {
        struct state now = state_of(w->file);
        bool changed = !is_same(&seen, &now);
        enum look found = changed || w->once ? look_again(w, &seen, &now) : GOES_ON;
        idle = changed ? 0 : idle + w->every_s;
        seen = now;
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
                         .kept = -1,
                         .every_s = 10};
    struct od_args args = od_args_start(&od_command_watch, argc, argv);
    int status = with_options(&w, &args);
    od_diags_flush(w.diags);
    od_diags_free(w.diags);
    od_map_done(&w.said);
    if (w.kept >= 0)
        (void)close(w.kept);
    od_vec_done(&w.rules);
    od_arena_free(w.arena);
    return status;
}
