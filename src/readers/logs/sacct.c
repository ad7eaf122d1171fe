/*
 * What sacct prints of jobs: a row of the job, which has what it asked for, and rows of its steps,
 * which have their peaks. Of a job out of memory all of it is one event.
 *
 *   JobID           JobName      State ExitCode     ReqMem     MaxRSS
 *   ------------ ---------- ---------- -------- ---------- ----------
 *   81233             train OUT_OF_ME+    0:125        64G
 *   81233.batch       batch OUT_OF_ME+    0:125             66955432K
 *
 * Columns end where their rules of hyphens do; with -P a bar parts them. Peaks as points of series
 * are read by `columns`.
 */
#include "readers/reader.h"

enum { COLUMNS = 24, FOREIGN_MAX = 2 };

static const char *const literals[] = {"ReqMem", "MaxRSS", NULL};

enum column { JOB, STATE, ASKED, PEAK, NCOLUMNS };

static const char *const names[NCOLUMNS] = {"JobID", "State", "ReqMem", "MaxRSS"};

struct table {
    bool open, bars;
    size_t n;             /* number of known columns, or of bars */
    size_t ends[COLUMNS]; /* ends of columns if there are no bars */
    size_t at[NCOLUMNS];  /* position of each column; COLUMNS = missing */
    struct od_bytes limit, peak;
    bool failed;
    struct od_kept_line kept; /* first row that failed */
    char job[32];
    size_t njob;
};

/* ---- columns ---- */

static struct od_view column_of(const struct table *t, struct od_view row, size_t i)
{
    if (!t->bars) {
        size_t from = i > 0 ? t->ends[i - 1] : 0;
        size_t upto = i + 1 == t->n ? row.n : t->ends[i];
        upto = upto < row.n ? upto : row.n;
        return from < upto ? od_view_trim(od_view_head(od_view_from(row, from), upto - from))
                           : (struct od_view){0};
    }
    struct od_view part = {0};
    for (size_t k = 0; k <= i; k++)
        if (!od_view_cut(&row, '|', &part))
            return (struct od_view){0};
    return od_view_trim(part);
}

static struct od_view value_of(const struct table *t, struct od_view row, enum column column)
{
    return t->at[column] < COLUMNS ? column_of(t, row, t->at[column]) : (struct od_view){0};
}

/* Ends of the words in the heading, used until a line of hyphens shows the columns better. */
static void note_ends(struct table *t, struct od_view text)
{
    t->n = 0;
    for (size_t i = 0; i < text.n && t->n < COLUMNS; i++) {
        bool ends = text.p[i] != ' ' && (i + 1 == text.n || text.p[i + 1] == ' ');
        if (ends)
            t->ends[t->n++] = i + 1;
    }
}

static bool open_table(struct table *t, struct od_view text)
{
    *t = (struct table){.bars = od_view_find_char(text, '|', 0) != OD_VIEW_NONE};
    note_ends(t, text);
    t->n += od_view_count(text, '|');
    for (size_t k = 0; k < NCOLUMNS; k++) {
        t->at[k] = COLUMNS;
        for (size_t i = 0; i <= t->n && i < COLUMNS; i++)
            if (t->at[k] == COLUMNS && od_view_eq_str(column_of(t, text, i), names[k]))
                t->at[k] = i;
    }
    t->open = t->at[JOB] < COLUMNS && t->at[STATE] < COLUMNS &&
              (t->at[ASKED] < COLUMNS || t->at[PEAK] < COLUMNS);
    return t->open;
}

/* ---- rows ---- */

/* "64G", "66955432K", "4000Mn" (per node); a size per core ("4Gc") is not that of a job. */
static struct od_bytes size_of(struct od_view text)
{
    struct od_bytes size = {0};
    if (text.n > 1 && text.p[text.n - 1] == 'n')
        text.n--;
    if (text.n < 2 || !od_is_digit(text.p[0]) || od_is_digit(text.p[text.n - 1]))
        return size;
    struct od_view unit = od_view_from(text, text.n - 1);
    bool good = od_bytes_parse_unit(od_view_head(text, text.n - 1), unit, OD_UNIT_BINARY, &size);
    return good ? size : (struct od_bytes){0};
}

static void tell(struct table *t, const struct od_sink *sink)
{
    if (t->failed) {
        struct od_event event = {.kind = OD_EV_JOB_KILLED,
                                 .at = t->kept.line.at,
                                 .line = &t->kept.line,
                                 .excerpt = t->kept.line.text,
                                 .rule = "sacct"};
        od_event_set_text(&event, OD_F_PRODUCER, OD_VIEW("slurm"));
        od_event_set_text(&event, OD_F_GROUP, (struct od_view){t->job, t->njob});
        if (t->limit.known)
            od_event_set_bytes(&event, OD_F_LIMIT, t->limit);
        if (t->peak.known)
            od_event_set_bytes(&event, OD_F_PEAK, t->peak);
        od_sink_put(sink, &event);
    }
    t->failed = false;
    t->njob = 0;
    t->limit = t->peak = (struct od_bytes){0};
}

static void begin_job(struct table *t, struct od_view job, const struct od_sink *sink)
{
    tell(t, sink);
    t->njob = job.n < sizeof t->job ? job.n : sizeof t->job;
    memcpy(t->job, job.p, t->njob);
}

static void note_failed(struct table *t, const struct od_line *line)
{
    if (!t->failed)
        od_line_keep(&t->kept, line);
    t->failed = true;
}

static enum od_take take_row(struct table *t, const struct od_line *line,
                             const struct od_sink *sink)
{
    struct od_view step = value_of(t, line->text, JOB), state = value_of(t, line->text, STATE);
    struct od_view job = step;
    if (step.n == 0 || state.n == 0 || !od_is_digit(step.p[0]) || !od_is_upper(state.p[0]))
        return OD_TAKE_NONE;
    (void)od_view_cut(&step, '.', &job);
    if (!od_view_eq(job, (struct od_view){t->job, t->njob}))
        begin_job(t, job, sink);
    struct od_bytes asked = size_of(value_of(t, line->text, ASKED));
    struct od_bytes peak = size_of(value_of(t, line->text, PEAK));
    if (asked.known)
        t->limit = asked;
    if (peak.known && (!t->peak.known || peak.n > t->peak.n))
        t->peak = peak;
    if (!od_view_starts(state, OD_VIEW("OUT_OF_ME")))
        return OD_TAKE_SHARE;
    note_failed(t, line);
    return OD_TAKE_ALL;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct table *t = state;
    struct od_view text = line->text;
    if (od_view_has(text, OD_VIEW("JobID"))) {
        tell(t, sink);
        return open_table(t, text) ? OD_TAKE_SHARE : OD_TAKE_NONE;
    }
    if (!t->open)
        return OD_TAKE_NONE;
    if (od_view_starts(od_view_trim(text), OD_VIEW("-----"))) {
        note_ends(t, text);
        return OD_TAKE_SHARE;
    }
    return take_row(t, line, sink);
}

static void end(void *state, const struct od_sink *sink)
{
    struct table *t = state;
    tell(t, sink);
    t->open = false;
}

const struct od_reader od_reader_sacct = {
    .name = "sacct",
    .literals = literals,
    .state_size = sizeof(struct table),
    .foreign_max = FOREIGN_MAX,
    .line = take_line,
    .is_open = od_reader_state_is_open,
    .end = end,
};
