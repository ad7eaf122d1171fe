#include "cli/command.h"
#include "cli/shown.h"
#include "host/processors.h"
#include "lib/fleet_tables.h"
#include "lib/many.h"
#include "lib/runs.h"
#include "lib/tools.h"
#include "redact/redact.h"

#include <dirent.h>
#include <sys/stat.h>

static int run(int argc, char **argv);

static const struct od_option options[] = {
    OD_SHOWN_OPTIONS("text (default), html, markdown, digest, json, openmetrics, parquet or "
                     "duckdb"),
    {"merge", 0, NULL, "Accept only reports and fleets of oomdoctor, no logs"},
    {"jobs", 'j', "N", "Read N logs at once; 0: one for each processor"},
    {"rules", 0, "DIR", "Add rule packs: a file or a folder of *.yaml"},
    {"date", 0, "DAY", "Date of runs whose logs print none: 2026-05-02"},
    {"since", 0, "DAY", "Show which failures are new since then, gone, or came back"},
    {0}};

const struct od_command od_command_fleet = {
    .name = "fleet",
    .use = OD_USE_AFTER,
    .arguments = "[OPTION...] FILE|DIR...",
    .summary = "Group the failures of many runs, the most expensive first",
    .details = OD_HELP_fleet,
    .examples = "oomdoctor fleet logs/*.log\n"
                "oomdoctor fleet -o digest:- -o parquet:runs.parquet logs\n"
                "oomdoctor fleet --merge -o html:fleet.html monday.json tuesday.json",
    .options = options,
    .run = run,
};

struct gathering {
    struct od_arena *arena;
    struct od_diags *diags;
    struct od_session_options session;
    OD_VEC(const char *) rules;
    OD_VEC(char *) names; /* paths of files; a folder is replaced by its files */
    struct od_shown shown;
    const char *date, *since; /* NULL = none */
    unsigned jobs;
    bool merge; /* read only fleets, no logs */
};

static bool take_jobs(const char *text, unsigned *ret_jobs)
{
    uint64_t n;
    if (!od_num_parse_u64(od_view_of(text), &n) || n > OD_MANY_JOBS_MAX)
        return false;
    *ret_jobs = n > 0 ? (unsigned)n : od_processors();
    return true;
}

static int take_option(void *self, const struct od_args *args, int option)
{
    struct gathering *g = self;
    int status;
    if (od_shown_take(&g->shown, args, option, &status))
        return status;
    if (od_args_is(args, option, "merge"))
        g->merge = true;
    if (od_args_is(args, option, "date"))
        g->date = args->value;
    if (od_args_is(args, option, "since"))
        g->since = args->value;
    if (od_args_is(args, option, "jobs") && !take_jobs(args->value, &g->jobs))
        return od_usage_error(&od_command_fleet, "--jobs takes a number up to 256");
    if (od_args_is(args, option, "rules"))
        od_vec_push(&g->rules, args->value);
    return OD_EXIT_OK;
}

static struct od_doc *outline(void *self, const struct od_report_options *look,
                              const struct od_pictures *pictures)
{
    return od_fleet_outline(self, look, pictures);
}

static void json(void *self, struct od_json *to)
{
    od_fleet_json(self, to);
}

static const struct od_figures *figures(void *self, struct od_arena *arena)
{
    return od_fleet_figures(self, arena);
}

/* ---- formats of this command ---- */

static bool write_metrics(void *self, const struct od_report_options *look, struct od_buf *to)
{
    (void)look;
    od_fleet_metrics(self, to);
    return true;
}

static bool write_digest(void *self, const struct od_report_options *look, struct od_buf *to)
{
    (void)look;
    od_fleet_digest(self, to);
    return true;
}

static bool write_table(struct od_fleet *fleet, enum od_fleet_table sort,
                        const struct od_report_options *look, struct od_buf *to)
{
    struct od_arena *arena = od_arena_new();
    const char *why = od_fleet_write_table(fleet, sort, look->redactor, arena, to);
    if (why)
        od_complain("%s", why);
    od_arena_free(arena);
    return !why;
}

static bool write_parquet(void *self, const struct od_report_options *look, struct od_buf *to)
{
    return write_table(self, OD_FLEET_PARQUET, look, to);
}

static bool write_duckdb(void *self, const struct od_report_options *look, struct od_buf *to)
{
    return write_table(self, OD_FLEET_DUCKDB, look, to);
}

static const struct od_format formats[] = {{.name = "openmetrics", .other = write_metrics},
                                           {.name = "digest", .other = write_digest},
                                           {.name = "parquet", .other = write_parquet},
                                           {.name = "duckdb", .other = write_duckdb},
                                           {0}};

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Adds the files of a folder and its subfolders, sorted by name; skips hidden ones. */
static void add_folder(struct gathering *g, const char *folder, unsigned depth)
{
    enum { DEPTH_MOST = 16 };
    OD_VEC(char *) found = {0};
    DIR *dir = depth < DEPTH_MOST ? opendir(folder) : NULL;
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            od_vec_push(&found, od_arena_printf(g->arena, "%s/%s", folder, entry->d_name));
    if (dir)
        (void)closedir(dir);
    else
        od_diags_say(g->diags, OD_ERROR, "%s: cannot be listed", folder);
    if (found.n > 0)
        qsort(found.items, found.n, sizeof *found.items, by_name);
    for (size_t i = 0; i < found.n; i++) {
        struct stat st;
        if (lstat(found.items[i], &st) != 0)
            continue;
        if (S_ISDIR(st.st_mode))
            add_folder(g, found.items[i], depth + 1);
        else if (S_ISREG(st.st_mode) && st.st_size > 0)
            od_vec_push(&g->names, found.items[i]);
    }
    od_vec_done(&found);
}

static void take_names(struct gathering *g, char **names, int n)
{
    for (int i = 0; i < n; i++) {
        struct stat st;
        bool exists = stat(names[i], &st) == 0;
        if (exists && S_ISDIR(st.st_mode))
            add_folder(g, names[i], 0);
        else if (exists && S_ISREG(st.st_mode) && st.st_size == 0)
            od_diags_say(g->diags, OD_ERROR, "%s is empty, so it is not a run", names[i]);
        else
            od_vec_push(&g->names, names[i]);
    }
}

static int gather(const struct gathering *g)
{
    struct od_fleet *fleet = od_fleet_new(g->arena);
    const struct od_other other = {
        .outline = outline, .json = json, .figures = figures, .self = fleet};
    bool all = true;
    if ((g->date && !od_fleet_set_date(fleet, g->date)) ||
        (g->since && !od_fleet_set_since(fleet, g->since))) {
        od_fleet_free(fleet);
        return od_usage_error(&od_command_fleet, "a day is written 2026-05-02");
    }
    const struct od_many many = {.names = g->names.items,
                                 .n = g->names.n,
                                 .session = &g->session,
                                 .date = g->date,
                                 .jobs = g->jobs};
    if (!g->merge)
        all = od_fleet_add_many(fleet, &many, g->diags);
    for (size_t i = 0; g->merge && i < g->names.n; i++)
        all = od_fleet_merge_file(fleet, g->names.items[i], g->diags) && all;
    all = all && !od_diags_has_error(g->diags);
    if (!all && od_fleet_count(fleet) == 0) { /* the printed errors say why there is no fleet */
        od_fleet_free(fleet);
        return OD_EXIT_UNREADABLE;
    }
    int status = od_shown_write(&g->shown, &other, g->session.redactor)
                     ? all ? OD_EXIT_OK : OD_EXIT_UNREADABLE
                     : OD_EXIT_INTERNAL;
    od_fleet_free(fleet);
    return status;
}

static int with_options(struct gathering *g, struct od_args *args)
{
    int status = od_args_take(args, take_option, g);
    if (status != OD_EXIT_OK)
        return status;
    if (args->argc == args->at)
        return od_usage_error(&od_command_fleet, "name logs or reports");
    od_outputs_default(&g->shown.outputs);
    status = od_outputs_may_write_all(&g->shown.outputs, args);
    if (status != OD_EXIT_OK)
        return status;
    g->session.rule_files = g->rules.items;
    g->session.nrule_files = g->rules.n;
    take_names(g, args->argv + args->at, args->argc - args->at);
    g->session.redactor = od_share_start(g->shown.share);
    status = OD_EXIT_UNREADABLE;
    if (!g->merge)
        g->session.tools = od_tools_new(&g->session, g->diags);
    if (g->session.tools)
        od_tools_keep_shapes(g->session.tools);
    if (g->merge || g->session.tools)
        status = gather(g);
    od_tools_free(g->session.tools);
    od_diags_flush(g->diags);
    return status;
}

static int run(int argc, char **argv)
{
    struct gathering g = {.arena = od_arena_new(),
                          .diags = od_diags_new(),
                          .jobs = 1,
                          .shown.outputs = {.kind = OD_OUTPUTS_OTHER, .own = formats}};
    struct od_args args = od_args_start(&od_command_fleet, argc, argv);
    int status = with_options(&g, &args);
    od_redactor_free(g.session.redactor);
    od_vec_done(&g.rules);
    od_vec_done(&g.names);
    od_diags_free(g.diags);
    od_arena_free(g.arena);
    return status;
}
