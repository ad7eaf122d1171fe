/*
 * Tables of columns under a heading, as tools of the system print them, once or in a loop: ps, top
 * and htop, free, vmstat, sar -r, nvidia-smi dmon and pmon, Slurm's sstat and sacct. The heading
 * says which column is what; the tool, in which unit its numbers are:
 *   ps: KiB. top: KiB, or with m, g, t. sar: kb of 1024. dmon: MB of 1024 * 1024.
 *   free, vmstat: KiB unless an option said otherwise, so only where the numbers leave no doubt.
 * Rows of processes that hold little are left out: a machine has hundreds of them.
 */
#include "base/ascii.h"
#include "base/num.h"
#include "readers/measure.h"
#include "readers/reader.h"

#include <string.h>

enum { TOKENS_MAX = 48, COLUMNS_MAX = 6, MISSES_MAX = 4, PROCESS_MIN = 16 << 20 };

struct name {
    const char *heading;
    enum od_field field;
};

struct dialect {
    const char *must[3]; /* words of the heading */
    int shift;           /* rows have so many more words on the left */
    const char *row;     /* rows begin with this word; NULL = any */
    const char *unit;    /* of bare numbers; NULL = what they prove */
    const char *space;
    bool processes; /* a row a process */
    struct name names[COLUMNS_MAX];
};

static const struct dialect dialects[] = {
    {{"PID", "RSS"},
     0,
     NULL,
     "KiB",
     "host",
     true,
     {{"PID", OD_F_PID},
      {"RSS", OD_F_RSS},
      {"VSZ", OD_F_VIRTUAL},
      {"COMMAND", OD_F_PROCESS},
      {"CMD", OD_F_PROCESS}}},
    {{"PID", "RES", "VIRT"},
     0,
     NULL,
     "KiB",
     "host",
     true,
     {{"PID", OD_F_PID},
      {"RES", OD_F_RSS},
      {"VIRT", OD_F_VIRTUAL},
      {"COMMAND", OD_F_PROCESS},
      {"Command", OD_F_PROCESS}}},
    {{"total", "used", "free"},
     1,
     "Mem:",
     NULL,
     "host",
     false,
     {{"total", OD_F_CAPACITY}, {"used", OD_F_IN_USE}, {"available", OD_F_FREE}}},
    {{"swpd", "free", "cache"}, 0, NULL, NULL, "host", false, {{"free", OD_F_FREE}}},
    {{"kbmemfree", "kbmemused"},
     0,
     NULL,
     "KiB",
     "host",
     false,
     {{"kbmemused", OD_F_IN_USE}, {"kbavail", OD_F_FREE}}},
    {{"#", "gpu", "fb"},
     -1,
     NULL,
     "MiB",
     "device",
     false,
     {{"gpu", OD_F_DEVICE}, {"pid", OD_F_PID}, {"fb", OD_F_IN_USE}, {"command", OD_F_PROCESS}}},
    {{"MaxRSS"}, 0, NULL, NULL, "host", false, {{"JobID", OD_F_GROUP}, {"MaxRSS", OD_F_PEAK}}},
};

struct tokens {
    struct od_view items[TOKENS_MAX];
    size_t n;
};

struct column {
    enum od_field field;
    size_t at;          /* word of a row */
    size_t start, stop; /* bytes of a row, where dashes under the heading mark them */
};

struct table {
    const struct dialect *dialect; /* NULL: closed */
    uint32_t lane, source;
    unsigned misses;
    bool first; /* no row was read yet */
    bool ruled; /* Slurm: the dashes have been read */
    bool timed;
    double start;
    const char *unit; /* proved by the first row; NULL = none */
    size_t words;     /* of the heading */
    struct column columns[COLUMNS_MAX];
    size_t n;
};

static const char *const openers[] = {" PID ",     "  PID", "PID  ",     "PID RSS", "swpd",
                                      "kbmemused", "# gpu", "total    ", "MaxRSS",  NULL};

static void split(struct od_view text, struct tokens *to)
{
    to->n = 0;
    od_view_skip_blanks(&text);
    while (text.n > 0 && to->n < TOKENS_MAX) {
        size_t n = 0;
        while (n < text.n && text.p[n] != ' ' && text.p[n] != '\t')
            n++;
        to->items[to->n++] = od_view_head(text, n);
        text = od_view_from(text, n);
        od_view_skip_blanks(&text);
    }
}

static bool has_token(const struct tokens *tokens, const char *word)
{
    for (size_t i = 0; i < tokens->n; i++) {
        if (od_view_eq_str(tokens->items[i], word))
            return true;
    }
    return false;
}

/* --- the heading --- */

static const struct dialect *dialect_of(const struct tokens *tokens)
{
    for (size_t i = 0; i < OD_COUNT_OF(dialects); i++) {
        bool all = true;
        for (size_t j = 0; j < 3 && dialects[i].must[j]; j++)
            all = all && has_token(tokens, dialects[i].must[j]);
        if (all)
            return &dialects[i];
    }
    return NULL;
}

static void add_column(struct table *t, const struct tokens *tokens, size_t i, struct od_view text)
{
    for (size_t j = 0; j < COLUMNS_MAX && t->dialect->names[j].heading; j++) {
        if (t->n >= COLUMNS_MAX || !od_view_eq_str(tokens->items[i], t->dialect->names[j].heading))
            continue;
        size_t start = (size_t)(tokens->items[i].p - text.p);
        t->columns[t->n++] = (struct column){.field = t->dialect->names[j].field,
                                             .at = (size_t)((int)i + t->dialect->shift),
                                             .start = start,
                                             .stop = start + tokens->items[i].n};
    }
}

static bool open_table(struct table *t, const struct od_line *line)
{
    struct tokens tokens;
    split(line->text, &tokens);
    const struct dialect *dialect = dialect_of(&tokens);
    if (!dialect || (dialect->shift < 0 && !od_view_eq_str(tokens.items[0], "#")))
        return false;
    *t = (struct table){.dialect = dialect, .lane = line->lane, .source = line->at.source};
    t->unit = dialect->unit;
    t->first = true;
    t->words = tokens.n;
    for (size_t i = 0; i < tokens.n; i++)
        add_column(t, &tokens, i, line->text);
    return t->n > 0;
}

/* Slurm's columns are as wide as the dashes below the heading; a cell may be empty. */
static bool take_rule_line(struct table *t, struct od_view text)
{
    size_t dashes = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] != '-' && text.p[i] != ' ')
            return false;
        dashes += text.p[i] == '-';
    }
    if (dashes == 0)
        return false;
    for (size_t i = 0; i < t->n; i++) {
        struct column *column = &t->columns[i];
        size_t at = column->start < text.n ? column->start : text.n - 1;
        size_t start = at, stop = at;
        while (start > 0 && text.p[start - 1] == '-')
            start--;
        while (stop < text.n && text.p[stop] == '-')
            stop++;
        column->start = start;
        column->stop = stop;
    }
    t->ruled = true;
    return true;
}

/* --- rows --- */

/* "1234", "4.5g" of top, "12Gi" of free -h, "812K" of Slurm. */
static struct od_bytes size_of(struct od_view text, const char *unit)
{
    struct od_bytes bytes = {0};
    double number;
    if (od_num_parse_double(text, &number)) {
        if (unit)
            (void)od_bytes_parse_unit(text, od_view_of(unit), OD_UNIT_BINARY, &bytes);
        return bytes;
    }
    char last[4] = {0};
    if (text.n < 2)
        return bytes;
    last[0] = text.p[text.n - 1];
    if (strchr("kmgt", last[0])) {
        last[0] = (char)(last[0] - 'a' + 'A');
        (void)od_bytes_parse_unit(od_view_head(text, text.n - 1), od_view_of(last), OD_UNIT_BINARY,
                                  &bytes);
    } else if (od_is_digit(text.p[0]))
        (void)od_bytes_parse(text, OD_UNIT_BINARY, &bytes);
    return bytes;
}

/* A machine that trains has some GiB and less than some TiB: what the whole of its memory printed
 * as a bare number can be. NULL: more than one unit would do. */
static const char *unit_of_whole(uint64_t whole)
{
    if (whole >= UINT64_C(8) << 20)
        return "KiB";
    if (whole >= 8192 && whole < UINT64_C(1) << 20)
        return "MiB";
    return whole >= 4 && whole < 512 ? "GiB" : NULL;
}

static void prove_unit(struct table *t, const struct tokens *row)
{
    uint64_t whole = 0, part;
    t->first = false;
    if (t->dialect->unit)
        return;
    if (t->dialect->row) {
        if (row->n > 1 && od_num_parse_u64(row->items[1], &whole))
            t->unit = unit_of_whole(whole);
        return;
    }
    /* vmstat: free, buff and cache stand side by side. */
    for (size_t i = t->columns[0].at; i < t->columns[0].at + 3 && i < row->n; i++) {
        if (od_num_parse_u64(row->items[i], &part) && ckd_add(&whole, whole, part))
            return;
    }
    t->unit = whole >= UINT64_C(8) << 20 ? "KiB" : NULL;
}

static struct od_view cell_of(const struct table *t, const struct column *column,
                              const struct tokens *row, struct od_view text)
{
    if (t->ruled)
        return od_view_trim(
            od_view_head(od_view_from(text, column->start), column->stop - column->start));
    if (column->at >= row->n)
        return (struct od_view){0};
    struct od_view cell = row->items[column->at];
    /* A command has blanks in it and is the last. */
    if (column->field == OD_F_PROCESS)
        cell.n = (size_t)(text.p + text.n - cell.p);
    return od_view_trim(cell);
}

static bool set_cell(const struct table *t, enum od_field field, struct od_view cell,
                     struct od_event *event)
{
    uint64_t n;
    if (cell.n == 0 || od_view_eq_str(cell, "-"))
        return t->ruled || field == OD_F_PROCESS || field == OD_F_IN_USE;
    if (od_field_type(field) == OD_T_TEXT) {
        od_event_set_text(event, field, cell);
        return field != OD_F_DEVICE || od_num_parse_u64(cell, &n);
    }
    if (od_field_type(field) == OD_T_COUNT) {
        bool good = od_num_parse_u64(cell, &n);
        if (good)
            od_event_set_count(event, field, n);
        return good;
    }
    struct od_bytes bytes = size_of(cell, t->unit);
    od_measure_set(event, field, bytes);
    return bytes.known || cell.p[0] == '0' || !t->unit;
}

static bool holds_size(const struct table *t, const struct od_event *event)
{
    bool any = false;
    for (size_t i = 0; i < event->nfields; i++) {
        bool size = od_field_type(event->fields[i].field) == OD_T_BYTES;
        any = any || (size && (t->dialect->row || event->fields[i].as.bytes.n > 0));
    }
    struct od_bytes rss = od_event_bytes(event, OD_F_RSS);
    return any && (!t->dialect->processes || rss.n >= PROCESS_MIN);
}

/* sar begins its rows with the time of day. */
static void set_time(struct table *t, const struct tokens *row, struct od_event *event)
{
    double now;
    if (!od_measure_time(row->items[0], &now))
        return;
    t->start = t->timed ? t->start : now;
    t->timed = true;
    if (now >= t->start)
        od_event_set_number(event, OD_F_ELAPSED, now - t->start);
}

static bool take_row(struct table *t, const struct od_line *line, const struct od_sink *sink)
{
    struct tokens row;
    split(line->text, &row);
    size_t fewest = t->ruled ? 1 : t->dialect->row || t->dialect->processes ? 3 : t->words - 1;
    if (row.n < fewest || (t->dialect->row && !od_view_eq_str(row.items[0], t->dialect->row)))
        return false;
    if (t->first)
        prove_unit(t, &row);
    struct od_event event = od_measure_event("columns", line, t->dialect->space);
    for (size_t i = 0; i < t->n; i++) {
        struct od_view cell = cell_of(t, &t->columns[i], &row, line->text);
        if (!set_cell(t, t->columns[i].field, cell, &event))
            return false;
    }
    set_time(t, &row, &event);
    if (holds_size(t, &event))
        od_sink_put(sink, &event);
    return true;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct table *t = state;
    bool same = t->dialect && t->lane == line->lane && t->source == line->at.source;
    bool slurm = same && od_view_eq_str(od_view_of(t->dialect->must[0]), "MaxRSS");
    if (same && slurm && !t->ruled) {
        if (take_rule_line(t, line->text))
            return OD_TAKE_SHARE;
        t->dialect = NULL;
        return OD_TAKE_NONE;
    }
    if (same && take_row(t, line, sink)) {
        t->misses = 0;
        return OD_TAKE_SHARE;
    }
    if (open_table(t, line))
        return OD_TAKE_SHARE;
    if (same && ++t->misses >= MISSES_MAX)
        t->dialect = NULL;
    return OD_TAKE_NONE;
}

static bool is_open(const void *state)
{
    return ((const struct table *)state)->dialect != NULL;
}

const struct od_reader od_reader_columns = {
    .name = "columns",
    .literals = openers,
    .state_size = sizeof(struct table),
    .line = take_line,
    .is_open = is_open,
};
