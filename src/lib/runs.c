#include "lib/runs.h"

#include "base/buf.h"
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

enum { HEAD_BYTES = 4096 };

/* Reports of ours begin with their schema. */
static bool is_report(struct od_view head)
{
    size_t at = 0;
    while (at < head.n && (head.p[at] == ' ' || head.p[at] == '\n'))
        at++;
    return at < head.n && head.p[at] == '{' && od_view_has(head, OD_VIEW("\"oomdoctor."));
}

static bool read_more(FILE *file, struct od_buf *to, size_t most)
{
    while (to->n < most && !feof(file) && !ferror(file)) {
        size_t room = most - to->n < 65536 ? most - to->n : 65536;
        to->n += fread(od_buf_reserve(to, room), 1, room, file);
    }
    return ferror(file) == 0;
}

/* The text of a report; false when the file is none. */
static bool load_report(const char *name, struct od_buf *text)
{
    FILE *file = strcmp(name, "-") == 0 ? NULL : fopen(name, "rbe");
    if (!file)
        return false;
    bool ok = read_more(file, text, HEAD_BYTES) && is_report(od_buf_view(text)) &&
              read_more(file, text, OD_RUN_REPORT_MAX);
    (void)fclose(file);
    return ok;
}

struct od_run *od_run_of_report(const struct od_report *report, struct od_arena *arena,
                                struct od_diags *diags)
{
    struct od_buf json = {0};
    struct od_report_options options = {.columns = 80};
    od_format_report(od_format_find(OD_VIEW("jsonl")), report, &options, &json);
    struct od_run *run = od_run_read(od_buf_view(&json), "the report", arena, diags);
    od_buf_done(&json);
    return run;
}

struct od_run *od_run_of_file(const char *name, const struct od_session_options *options,
                              struct od_arena *arena, struct od_diags *diags)
{
    struct od_buf text = {0};
    struct od_run *run = NULL;
    if (load_report(name, &text)) {
        run = od_run_read(od_buf_view(&text), name, arena, diags);
    } else {
        struct od_session *session = od_session_new(options, diags);
        if (session && od_session_add(session, name))
            run = od_run_of_report(od_session_analyze(session), arena, diags);
        od_session_free(session);
    }
    od_buf_done(&text);
    if (run)
        run->name = od_arena_str(arena, od_view_of(name));
    return run;
}
