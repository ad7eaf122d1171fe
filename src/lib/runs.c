#include "lib/runs.h"

#include "host/system.h"
#include "lib/fleet_tables.h"

#include <stdio.h>

enum { HEAD_BYTES = 4096 };

static const struct od_view any_schema = {.p = "\"oomdoctor.", .n = sizeof "\"oomdoctor." - 1};

/* Does the file begin with the schema of our JSON? */
static bool is_ours(struct od_view head, struct od_view schema)
{
    size_t at = 0;
    while (at < head.n && (head.p[at] == ' ' || head.p[at] == '\n'))
        at++;
    return at < head.n && head.p[at] == '{' && od_view_has(head, schema);
}

static bool read_more(FILE *file, struct od_buf *to, size_t most)
{
    while (to->n < most && !feof(file) && !ferror(file)) {
        size_t room = most - to->n < 65536 ? most - to->n : 65536;
        to->n += fread(od_buf_reserve(to, room), 1, room, file);
    }
    return ferror(file) == 0;
}

/* Opens a file of our own JSON, recognized by its schema; NULL for a log or any other file. */
static FILE *open_ours(const char *name, struct od_view schema, struct od_view *ret_head,
                       char buffer[HEAD_BYTES])
{
    FILE *file = strcmp(name, "-") == 0 ? NULL : fopen(name, "rbe");
    size_t n = file ? od_system_peek(fileno(file), buffer, HEAD_BYTES) : 0;
    *ret_head = (struct od_view){.p = buffer, .n = n};
    if (!file || is_ours(*ret_head, schema))
        return file;
    (void)fclose(file);
    return NULL;
}

bool od_run_load_json(const char *name, struct od_view schema, struct od_buf *text)
{
    char buffer[HEAD_BYTES];
    struct od_view head;
    FILE *file = open_ours(name, schema, &head, buffer);
    bool ok = file && read_more(file, text, OD_RUN_REPORT_MAX);
    if (file)
        (void)fclose(file);
    return ok;
}

static struct od_run *named(struct od_run *run, const char *name, struct od_arena *arena)
{
    if (run)
        run->name = od_arena_str(arena, od_view_of(name));
    return run;
}

static struct od_run *run_of_log(const char *name, const struct od_session_options *options,
                                 struct od_arena *arena, struct od_diags *diags)
{
    struct od_session *session = od_session_new(options, diags);
    struct od_run *run = NULL;
    if (session && od_session_add(session, name))
        run = od_run_of_report(od_session_analyze(session), arena);
    od_session_free(session);
    return named(run, name, arena);
}

struct od_run *od_run_of_file(const char *name, const struct od_session_options *options,
                              struct od_arena *arena, struct od_diags *diags)
{
    struct od_buf text = {0};
    bool report = od_run_load_json(name, any_schema, &text);
    struct od_run *run = NULL;
    if (report && options && options->nphases > 0)
        od_diags_say(diags, OD_ERROR,
                     "%s is a report: give its phases to the analyze that writes it", name);
    else
        run = report ? od_run_read(od_buf_view(&text), name, arena, diags)
                     : run_of_log(name, options, arena, diags);
    od_buf_done(&text);
    return named(run, name, arena);
}

/* Adds a run (NULL = none) and frees its arena. */
static bool add_run(struct od_fleet *fleet, struct od_run *run, struct od_arena *arena)
{
    if (run)
        od_fleet_add(fleet, run);
    od_run_done(run);
    od_arena_free(arena);
    return run != NULL;
}

static bool add_line(struct od_fleet *fleet, const char *name, uint64_t line, struct od_view text,
                     struct od_diags *diags)
{
    struct od_arena *arena = od_arena_new();
    const char *where = od_arena_printf(arena, "%s:%llu", name, (unsigned long long)line);
    struct od_run *run = od_run_read(text, where, arena, diags);
    if (run && !od_view_has(text, OD_VIEW("\"outcome\""))) {
        od_diags_say(diags, OD_ERROR, "%s is an empty report: it has no outcome", where);
        od_run_done(run);
        run = NULL;
    }
    return add_run(fleet, run, arena);
}

static bool add_lines(struct od_fleet *fleet, const char *name, FILE *file, struct od_diags *diags)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    uint64_t number = 0;
    bool all = true;
    while ((n = getline(&line, &room, file)) >= 0) {
        struct od_view text = od_view_trim((struct od_view){.p = line, .n = (size_t)n});
        number++;
        if (text.n > 0)
            all = add_line(fleet, name, number, text, diags) && all;
    }
    free(line);
    return all;
}

/* Adds a file with a single value: a report or a fleet. */
static bool add_whole(struct od_fleet *fleet, const char *name, FILE *file, struct od_diags *diags)
{
    struct od_buf text = {0};
    bool ok = read_more(file, &text, OD_RUN_REPORT_MAX);
    struct od_view json = od_buf_view(&text);
    if (ok && od_view_has(od_view_head(json, HEAD_BYTES), OD_VIEW("\"oomdoctor.fleet/")))
        ok = od_fleet_add_json(fleet, json, name, diags);
    else
        ok = ok && add_line(fleet, name, 1, json, diags);
    od_buf_done(&text);
    return ok;
}

/* Is the value indented over several lines? */
static bool is_pretty(struct od_view head)
{
    struct od_view line;
    return od_view_cut(&head, '\n', &line) && od_view_trim(line).n <= 1;
}

static bool add_log(struct od_fleet *fleet, const char *name,
                    const struct od_session_options *options, struct od_diags *diags)
{
    struct od_arena *arena = od_arena_new();
    return add_run(fleet, run_of_log(name, options, arena, diags), arena);
}

/* Adds JSON or a table written by this program. *ret_ours: the file is one of these. */
static bool add_ours(struct od_fleet *fleet, const char *name, bool *ret_ours,
                     struct od_diags *diags)
{
    char buffer[HEAD_BYTES];
    struct od_view head;
    FILE *file = open_ours(name, any_schema, &head, buffer);
    enum od_fleet_table table = od_fleet_table_of(head);
    *ret_ours = file || table != OD_FLEET_NO_TABLE;
    if (!file)
        return table != OD_FLEET_NO_TABLE && od_fleet_add_table(fleet, table, name, diags);
    bool ok =
        is_pretty(head) ? add_whole(fleet, name, file, diags) : add_lines(fleet, name, file, diags);
    (void)fclose(file);
    return ok;
}

bool od_fleet_add_file(struct od_fleet *fleet, const char *name,
                       const struct od_session_options *options, struct od_diags *diags)
{
    bool ours;
    bool ok = add_ours(fleet, name, &ours, diags);
    return ours ? ok : add_log(fleet, name, options, diags);
}

bool od_fleet_merge_file(struct od_fleet *fleet, const char *name, struct od_diags *diags)
{
    bool ours;
    bool ok = add_ours(fleet, name, &ours, diags);
    if (!ours)
        od_diags_say(diags, OD_ERROR,
                     "%s cannot be read, or is neither JSON nor a table of oomdoctor", name);
    return ok;
}
