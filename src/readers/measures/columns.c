/*
 * Tables of columns under a heading, as tools of the system print them, once or in a loop
 * (columns_tools.h). Rows of processes that hold little are left out: a machine has hundreds of
 * them.
 */
#include "base/daytime.h"
#include "readers/measures/columns_tools.h"
#include "readers/measures/measure.h"
#include "readers/reader.h"

enum { FOREIGN_MAX = 3, PROCESS_MIN = 16 << 20 };

struct column {
    enum od_field field;
    size_t at;   /* word of a row */
    size_t back; /* the same from its end, where a command stands before it; 0 = it does not */
    size_t start, stop; /* bytes of a row, where dashes under the heading mark them */
};

struct table {
    const struct od_columns_tool *tool; /* NULL: closed */
    bool first;                         /* no row was read yet */
    bool ruled;                         /* Slurm: the dashes have been read */
    bool timed;
    double start;
    const char *unit; /* proved by the first row; NULL = none */
    size_t words;     /* of the heading */
    struct column columns[OD_COLUMNS_MAX];
    size_t n;
};

static const char *const openers[] = {
    " PID ",     "  PID",          "PID  ",   "PID RSS", "swpd",   "kbmemused", "# gpu",
    "total    ", "MaxRSS",         "#Time",   "#Date",   " RSS ",  "RSS CMD",   "RSS COM",
    "Real (MB)", "used  ",         "Mem: ",   " pts/",   " ?    ", "20   0 ",   "PID\tMEM",
    "PID  rss",  "Control Group ", "CGroup ", " ? S",    "OC   ",  "YGC  ",     NULL};

/* --- the heading --- */

static void add_column(struct table *t, const struct od_columns_words *words, size_t i,
                       struct od_view text)
{
    bool behind_command = t->n > 0 && t->columns[t->n - 1].field == OD_F_PROCESS;
    behind_command = behind_command || (t->n > 0 && t->columns[t->n - 1].back > 0);
    for (size_t j = 0; j < OD_COLUMNS_MAX && t->tool->names[j].heading; j++) {
        if (t->n >= OD_COLUMNS_MAX || !od_view_eq_str(words->items[i], t->tool->names[j].heading))
            continue;
        size_t start = (size_t)(words->items[i].p - text.p);
        t->columns[t->n++] = (struct column){.field = t->tool->names[j].field,
                                             .at = (size_t)((int)i + t->tool->shift),
                                             .back = behind_command ? words->n - i : 0,
                                             .start = start,
                                             .stop = start + words->items[i].n};
    }
}

static bool open_table(struct table *t, struct od_view heading)
{
    struct od_columns_words words;
    od_columns_split(heading, &words);
    const struct od_columns_tool *tool = words.n > 0 ? od_columns_tool_of(&words) : NULL;
    if (!tool)
        return false;
    /* In a loop of tables, time goes on. */
    *t = (struct table){.tool = tool, .timed = t->timed, .start = t->start};
    /* "# Time  UID  PID ..." of pidstat -h: no row has the sign. */
    if (tool->shift >= 0 && od_view_eq_str(words.items[0], "#"))
        memmove(words.items, words.items + 1, --words.n * sizeof *words.items);
    t->unit = tool->unit;
    t->first = true;
    t->words = words.n;
    for (size_t i = 0; i < words.n; i++)
        add_column(t, &words, i, heading);
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

static void prove_unit(struct table *t, const struct od_columns_words *row)
{
    uint64_t whole = 0, part;
    t->first = false;
    if (t->tool->unit)
        return;
    if (t->tool->row) {
        if (row->n > 1 && od_num_parse_u64(row->items[1], &whole))
            t->unit = od_measure_unit_of_whole((double)whole, false);
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
                              const struct od_columns_words *row, struct od_view text)
{
    if (t->ruled)
        return od_view_trim(
            od_view_head(od_view_from(text, column->start), column->stop - column->start));
    size_t at = column->back > 0 ? row->n - column->back : column->at;
    if (at >= row->n)
        return (struct od_view){0};
    struct od_view cell = row->items[at];
    /* A command has blanks in it: all up to the columns behind it. */
    if (column->field == OD_F_PROCESS) {
        size_t behind = t->words - 1 - (at - (size_t)t->tool->shift);
        size_t last = row->n - 1 - (behind < row->n ? behind : 0);
        const char *end = behind == 0 ? text.p + text.n : row->items[last].p + row->items[last].n;
        cell.n = end > cell.p ? (size_t)(end - cell.p) : 0;
    }
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
    double number;
    if (od_field_type(field) == OD_T_NUMBER) {
        bool good = od_num_parse_double(cell, &number);
        if (good)
            od_event_set_number(event, field, field == OD_F_SHARE ? number / 100 : number);
        return good;
    }
    struct od_bytes bytes = od_columns_size(cell, t->unit);
    od_event_set_known(event, field, bytes);
    return bytes.known || cell.p[0] == '0' || !t->unit;
}

static bool holds_size(const struct table *t, const struct od_event *event)
{
    bool any = false;
    for (size_t i = 0; i < event->nfields; i++) {
        bool size = od_field_type(event->fields[i].field) == OD_T_BYTES;
        any = any || event->fields[i].field == OD_F_SHARE;
        any = any || (size && (t->tool->row || event->fields[i].as.bytes.n > 0));
    }
    struct od_bytes rss = od_event_bytes(event, OD_F_RSS);
    struct od_bytes held = rss.known ? rss : od_event_bytes(event, OD_F_IN_USE);
    return any && (!t->tool->processes || held.n >= PROCESS_MIN);
}

/* sar begins its rows with the time of day, dmon with both. */
static void set_time(struct table *t, const struct od_columns_words *row, struct od_event *event)
{
    double now;
    struct od_view both = row->items[0];
    if (row->n > 1)
        both.n = (size_t)(row->items[1].p + row->items[1].n - both.p);
    if (!od_daytime_parse(both, &now) && !od_daytime_parse(row->items[0], &now))
        return;
    t->start = t->timed ? t->start : now;
    t->timed = true;
    if (now >= t->start)
        od_event_set_number(event, OD_F_ELAPSED, now - t->start);
}

static bool take_row(struct table *t, const struct od_line *line, const struct od_sink *sink)
{
    struct od_columns_words row;
    od_columns_split(line->text, &row);
    /* vmstat's columns behind somebody's time, which has no heading */
    double now;
    bool stamped = row.n == t->words + 1 && !t->tool->processes && !t->tool->row &&
                   t->tool->shift == 0 && od_daytime_parse(row.items[0], &now);
    if (stamped)
        memmove(row.items, row.items + 1, --row.n * sizeof *row.items);
    size_t fewest = t->ruled ? 1 : t->tool->row || t->tool->processes ? 3 : t->words - 1;
    fewest = fewest < t->words ? fewest : t->words;
    if (row.n < fewest || (t->tool->row && !od_view_eq_str(row.items[0], t->tool->row)))
        return false;
    if (t->first)
        prove_unit(t, &row);
    struct od_event event;
    od_measure_begin(&event, "columns", line, t->tool->space);
    for (size_t i = 0; i < t->n; i++) {
        struct od_view cell = cell_of(t, &t->columns[i], &row, line->text);
        if (!set_cell(t, t->columns[i].field, cell, &event))
            return false;
    }
    set_time(t, &row, &event);
    if (t->tool->process)
        od_event_set_text(&event, OD_F_PROCESS, od_view_of(t->tool->process));
    if (holds_size(t, &event))
        od_sink_put(sink, &event);
    return true;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct table *t = state;
    struct od_columns_words words;
    bool slurm = t->tool && od_view_eq_str(od_view_of(t->tool->must[0]), "MaxRSS");
    if (slurm && !t->ruled) {
        if (take_rule_line(t, line->text))
            return OD_TAKE_SHARE;
        t->tool = NULL;
        return OD_TAKE_NONE;
    }
    if ((t->tool && take_row(t, line, sink)) || open_table(t, line->text))
        return OD_TAKE_SHARE;
    bool is_row = false;
    od_columns_split(line->text, &words);
    const char *heading = od_columns_heading_for(&words, &is_row);
    if (heading && open_table(t, od_view_of(heading))) {
        if (is_row)
            (void)take_row(t, line, sink);
        return OD_TAKE_SHARE;
    }
    return OD_TAKE_NONE;
}

static bool is_open(const void *state)
{
    return ((const struct table *)state)->tool != NULL;
}

static void end(void *state, const struct od_sink *sink)
{
    (void)sink;
    ((struct table *)state)->tool = NULL;
}

const struct od_reader od_reader_columns = {
    .name = "columns",
    .literals = openers,
    .state_size = sizeof(struct table),
    .foreign_max = FOREIGN_MAX,
    .line = take_line,
    .is_open = is_open,
    .end = end,
};
