#include "host/duckdb.h"

#include "host/child.h"

#define MISSING_MODULE "No module named 'duckdb'"

enum { LIMIT_MS = 600000 };

/* Limit for tables of a fleet, which have 400 bytes for each run. */
static const size_t output_most = (size_t)1 << 31;

static const char program[] = "import sys\nimport duckdb\nduckdb.connect().execute(sys.argv[1])\n";

static const char *first_line(const struct od_buf *said, struct od_arena *arena)
{
    enum { MOST = 200 };
    struct od_view rest = od_buf_view(said), line = {0};
    struct od_buf text = {0};
    while (line.n == 0 && od_view_cut(&rest, '\n', &line))
        line = od_view_trim(line);
    od_text_visible(od_view_head(line, MOST), &text);
    const char *words = od_arena_printf(arena, "DuckDB: %s", od_buf_str(&text));
    od_buf_done(&text);
    return words;
}

/* Returns the last line of Python's traceback. */
static const char *last_line(const struct od_buf *said, struct od_arena *arena)
{
    struct od_view rest = od_buf_view(said), line;
    struct od_buf error = {0};
    while (od_view_cut(&rest, '\n', &line))
        if (line.n > 0 && line.p[0] != ' ' && od_view_has(line, OD_VIEW("Error"))) {
            error.n = 0;
            od_buf_add(&error, line);
        }
    const char *words = first_line(error.n > 0 ? &error : said, arena);
    od_buf_done(&error);
    return words;
}

/* Runs one form of DuckDB. Returns an error, or NULL. *ret_missing: this form is not installed. */
static const char *run(const char *const *words, struct od_view input, struct od_arena *arena,
                       bool *ret_missing, struct od_buf *ret_out)
{
    extern char **environ;
    const struct od_child child = {.argv = words,
                                   .environment = (const char *const *)environ,
                                   .folder = ".",
                                   .input = input,
                                   .output_most = output_most,
                                   .file_most = output_most,
                                   .limit_ms = LIMIT_MS};
    struct od_child_result done = od_child_run(&child);
    bool python = strcmp(words[0], "python3") == 0;
    const char *why = NULL;
    *ret_missing = done.end == OD_CHILD_MISSING ||
                   (python && od_view_has(od_buf_view(&done.err), OD_VIEW(MISSING_MODULE)));
    if (done.end == OD_CHILD_TOO_LONG || done.end == OD_CHILD_TOO_MUCH)
        why = "DuckDB took too long or wrote too much";
    else if (done.end != OD_CHILD_EXITED || done.status != 0)
        why = python ? last_line(&done.err, arena) : first_line(&done.err, arena);
    *ret_out = done.out;
    done.out = (struct od_buf){0};
    od_child_done(&done);
    return why;
}

const char *od_duckdb_run(const char *sql, struct od_view input, struct od_arena *arena,
                          struct od_buf *ret_out)
{
    const char *const command[] = {"duckdb", "-init", "/dev/null", "-batch", ":memory:", sql, NULL};
    const char *const module[] = {"python3", "-c", program, sql, NULL};
    bool missing;
    const char *why = run(command, input, arena, &missing, ret_out);
    if (!missing)
        return why;
    od_buf_done(ret_out);
    why = run(module, input, arena, &missing, ret_out);
    return missing ? "DuckDB is not installed: neither the command duckdb nor a module of python3"
                   : why;
}

void od_duckdb_quote(const char *text, struct od_buf *to)
{
    od_buf_add_char(to, '\'');
    for (; *text; text++) {
        if (*text == '\'')
            od_buf_add_char(to, '\'');
        od_buf_add_char(to, *text);
    }
    od_buf_add_char(to, '\'');
}
