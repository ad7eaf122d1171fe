/*
 * Tables of memory over time, under a heading or after the command that prints them, once or in a
 * loop: those of system tools, of `nvidia-smi --query-gpu=... --format=csv`, and users' own
 * ("timestamp,step,rss_mb,gpu_mem_used_mb"). Rows of processes with little memory are skipped,
 * because a machine has hundreds of them.
 */
#include "base/daytime.h"
#include "base/seconds.h"
#include "facts/number.h"
#include "readers/measures/measure.h"
#include "readers/measures/table.h"
#include "readers/reader.h"

#include "readers/measures/tables_lists.inc"

enum { FOREIGN_MAX = 7, DEVICES_MAX = 16, PROCESS_MIN = 16 << 20 };

/* Takes the number at the end of "0", "card0", "cuda:1". */
static bool set_device(struct od_view cell, struct od_event *event)
{
    size_t start = od_back(cell, cell.n, od_is_digit);
    if (start < cell.n)
        od_event_set_text(event, OD_F_DEVICE, od_view_from(cell, start));
    return start < cell.n;
}

static void set_elapsed(struct od_table *t, double seconds, struct od_event *event)
{
    t->start = t->started ? t->start : seconds;
    t->started = true;
    if (seconds >= t->start)
        od_event_set_number(event, OD_F_ELAPSED, seconds - t->start);
}

/* Takes "10:00:01", "2024-05-02 10:00", "3 h", "t+60", or a number in the unit of the column's
 * name. */
static bool set_time(struct od_table *t, const struct od_table_column *column, struct od_view cell,
                     struct od_event *event)
{
    double seconds, scale = 1;
    char minutes[32];
    size_t n = cell.n < sizeof minutes - 3 ? cell.n : 0;
    memcpy(minutes, cell.p, n);
    memcpy(minutes + n, ":00", 3);
    (void)od_view_take(&cell, OD_VIEW("t+"));
    if (column->seconds > 0 && od_num_parse_double(cell, &seconds))
        scale = column->seconds;
    else if (!od_daytime_parse(cell, &seconds) && !od_seconds_parse(cell, &seconds) &&
             !od_daytime_parse((struct od_view){minutes, n + 3}, &seconds))
        return false;
    set_elapsed(t, seconds * scale, event);
    return true;
}

/* "61 %" */
static bool set_share(struct od_view cell, struct od_event *event)
{
    bool sign = od_view_ends(cell, OD_VIEW("%"));
    double percent;
    if (!od_num_parse_double(od_view_trim(od_view_head(cell, cell.n - sign)), &percent))
        return false;
    if (percent >= 0 && percent <= 100)
        od_event_set_number(event, OD_F_SHARE, percent / 100);
    return true;
}

/* Takes a size in bytes. If the column's name has no unit, its first number determines it, except
 * for a tool. */
static bool set_size(const struct od_table *t, struct od_table_column *column, struct od_view cell,
                     struct od_event *event)
{
    bool pages = column->field == OD_F_RSS || column->field == OD_F_VIRTUAL;
    double number;
    const char *unit = NULL;
    if (!t->tool && column->unit[0] == '\0' && od_num_parse_double(cell, &number))
        unit = od_measure_unit_of_part(number, pages                        ? OD_MEASURED_PAGES
                                               : column->field == OD_F_PEAK ? OD_MEASURED_PEAK
                                                                            : OD_MEASURED);
    if (unit) {
        memcpy(column->unit, unit, strlen(unit) + 1);
        column->guessed = true;
    }
    struct od_bytes bytes = od_table_size(cell, column->unit[0] != '\0' ? column->unit : NULL);
    od_event_set_known(event, column->field, bytes);
    event->unit_guessed = event->unit_guessed || column->guessed;
    return bytes.known || cell.p[0] == '0' || column->unit[0] == '\0';
}

/* False if the tool does not print a cell of this kind. */
static bool set_cell(struct od_table *t, struct od_table_column *column, struct od_view cell,
                     struct od_event *event)
{
    enum od_field field = column->field;
    uint64_t n;
    if (cell.n == 0 || od_view_eq_str(cell, "-"))
        return t->past_dashes || field == OD_F_PROCESS || field == OD_F_IN_USE;
    if (field == OD_F_SHARE)
        return set_share(cell, event);
    if (od_table_is_size(field))
        return set_size(t, column, cell, event);
    if (field == OD_F_ELAPSED)
        return set_time(t, column, cell, event);
    if (field == OD_F_DEVICE)
        return set_device(cell, event);
    if (od_field_type(field) == OD_T_TEXT) {
        /* a container of the pod */
        bool second = field == OD_F_GROUP && od_event_get(event, OD_F_GROUP);
        od_event_set_text(event, second ? OD_F_PROCESS : field, cell);
        return true;
    }
    bool good = od_num_parse_u64(cell, &n);
    if (good)
        od_event_set_count(event, field, n);
    return good;
}

/* Slurm's columns are as wide as the dashes below the heading; a cell may be empty. */
static bool take_dashes(struct od_table *t, struct od_view text)
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
        struct od_table_column *column = &t->columns[i];
        size_t start = column->start < text.n ? column->start : text.n - 1;
        column->start = od_back_any(text, start, "-");
        column->stop = od_past_any(text, start, "-");
    }
    t->past_dashes = true;
    return true;
}

/* Derives the unit of a tool whose options choose it, from the total in the first row. */
static void prove_unit(struct od_table *t, const struct od_table_cells *row)
{
    uint64_t whole = 0, part;
    const char *unit = NULL;
    t->first = false;
    if (t->tool->unit)
        return;
    if (t->tool->row) {
        if (row->n > 1 && od_num_parse_u64(row->items[1], &whole))
            unit = od_number_unit_of_machine((double)whole);
    } else {
        /* vmstat: free, buff and cache are adjacent columns. */
        for (size_t i = t->columns[0].at; i < t->columns[0].at + 3 && i < row->n; i++)
            if (od_num_parse_u64(row->items[i], &part) && ckd_add(&whole, whole, part))
                return;
        unit = od_number_unit_of_machine((double)whole);
    }
    for (size_t i = 0; i < t->n && unit; i++)
        memcpy(t->columns[i].unit, unit, strlen(unit) + 1);
}

/* The row's cell in that column; p = NULL if it has none. */
static struct od_view cell_of(const struct od_table *t, const struct od_table_column *column,
                              const struct od_table_cells *row, struct od_view text)
{
    if (t->past_dashes) { /* a pasted row may be shifted by one byte */
        size_t stop = od_until_any(text, column->stop, " ");
        return od_view_trim(od_view_part(text, column->start, stop));
    }
    size_t at = column->back > 0 ? row->n - column->back : column->at;
    if (!t->tool && t->by.n == 2) /* find the cell by its position, because others may be empty */
        at = od_table_below(row, text, column->start, column->stop);
    if (at >= row->n)
        return (struct od_view){0};
    struct od_view cell = row->items[at];
    /* A command contains blanks: it extends up to the columns after it. */
    if (t->tool && column->field == OD_F_PROCESS) {
        size_t columns_after = t->cells - 1 - (at - (size_t)t->tool->shift);
        size_t last = row->n - 1 - (columns_after < row->n ? columns_after : 0);
        const char *end =
            columns_after == 0 ? text.p + text.n : row->items[last].p + row->items[last].n;
        cell.n = end > cell.p ? (size_t)(end - cell.p) : 0;
    }
    return od_view_trim(cell);
}

/* Rows of sar start with the time of day, rows of dmon with date and time. False if the rows before
 * have a time and this one has none: "Average:". */
static bool set_row_time(struct od_table *t, const struct od_table_cells *row,
                         struct od_event *event)
{
    enum { LONGEST = 64 }; /* a cell may be a static text: "Mem:" for a row in another language */
    double now;
    struct od_view both = row->items[0];
    if (row->n > 1 && row->items[1].p > both.p && row->items[1].p < both.p + LONGEST)
        both.n = (size_t)(row->items[1].p + row->items[1].n - both.p);
    bool timed = od_daytime_parse(both, &now) || od_daytime_parse(row->items[0], &now);
    if (timed)
        set_elapsed(t, now, event);
    bool average = !timed && t->timed;
    t->timed = timed;
    return !average;
}

/* Rows of one time belong to several devices in order: the second one to device 1. Rows have the
 * same time if they print it, or if they follow one heading that is repeated. */
static void set_ordinal(struct od_table *t, struct od_event *event)
{
    const double same_moment = 0.05;
    double now = 0;
    bool timed = od_event_number(event, OD_F_ELAPSED, &now);
    if (!t->smi || (!timed && !t->repeated) || od_event_get(event, OD_F_DEVICE) ||
        od_event_get(event, OD_F_GROUP) || od_event_get(event, OD_F_PID))
        return;
    bool same = t->rows > 0 && now - t->last < same_moment;
    t->ordinal = same ? t->ordinal + 1 : 0;
    t->last = now;
    t->rows++;
    if (t->ordinal > 0 && t->ordinal < DEVICES_MAX)
        od_event_set_text(event, OD_F_DEVICE,
                          od_view_of(od_num_print_u64(t->ordinal, t->ordinal_text)));
}

/* Is it a column of that machine or device? A table may have columns of the machine and of several
 * devices. */
static bool is_of(const struct od_table_column *column, const struct od_table_column *owner)
{
    return strcmp(column->space, owner->space) == 0 && column->heap == owner->heap &&
           column->device.known == owner->device.known && column->device.n == owner->device.n;
}

/* Does the row have a relevant amount of memory? */
static bool holds_size(const struct od_table *t, const struct od_event *event)
{
    bool any = false, zero = !t->tool || t->tool->row;
    for (size_t i = 0; i < event->nfields; i++) {
        enum od_field field = event->fields[i].field;
        any = any || (od_table_is_size(field) &&
                      (field == OD_F_SHARE || zero || event->fields[i].as.bytes.n > 0));
    }
    struct od_bytes rss = od_event_bytes(event, OD_F_RSS);
    struct od_bytes held = rss.known ? rss : od_event_bytes(event, OD_F_IN_USE);
    return any && (!t->tool || !t->tool->processes || held.n >= PROCESS_MIN);
}

/* Emits the cells of one owner; false if the line is not a row of the table. */
static bool emit(struct od_table *t, const struct od_line *line, const struct od_table_cells *row,
                 const struct od_table_column *owner, const struct od_sink *sink)
{
    struct od_event event;
    char number[21];
    od_measure_begin(&event, "tables", line, owner->space);
    for (size_t i = 0; i < t->n; i++) {
        struct od_table_column *column = &t->columns[i];
        enum od_field field = column->field;
        bool of_other = od_table_is_size(field) && !is_of(column, owner);
        if (field == OD_F_NONE || of_other || (field != OD_F_GROUP && od_event_get(&event, field)))
            continue;
        if (!set_cell(t, column, cell_of(t, column, row, line->text), &event) && t->tool)
            return false;
    }
    bool sizes = holds_size(t, &event);
    if (t->tool) {
        if (!set_row_time(t, row, &event))
            return false;
        if (t->tool->process)
            od_event_set_text(&event, OD_F_PROCESS, od_view_of(t->tool->process));
    }
    if (owner->heap && !od_event_get(&event, OD_F_PROCESS))
        od_event_set_text(&event, OD_F_PROCESS, OD_VIEW("heap"));
    if (sizes && owner->device.known && !od_event_get(&event, OD_F_DEVICE))
        od_event_set_text(&event, OD_F_DEVICE,
                          od_view_of(od_num_print_u64(owner->device.n, number)));
    if (sizes) {
        set_ordinal(t, &event);
        od_sink_put(sink, &event);
    }
    return sizes || t->tool;
}

/* Does it have as many cells as the heading, or as rows of the tool? */
static bool fits(struct od_table *t, struct od_table_cells *row, struct od_view text)
{
    const struct od_table_tool *tool = t->tool;
    double now;
    if (!tool && t->by.n == 2 && row->n < t->cells) {
        size_t below = 0;
        if (od_view_find_char(text, '|', 0) != OD_VIEW_NONE)
            return false; /* a progress bar */
        for (size_t i = 0; i < t->cells; i++)
            below += od_table_below(row, text, t->names[i].start, t->names[i].stop) < row->n;
        return row->n > 1 && below == row->n;
    }
    if (!tool)
        return row->n == t->cells;
    /* vmstat's columns after a time, which has no heading */
    bool stamped = row->n == t->cells + 1 && !tool->processes && !tool->row && tool->shift == 0 &&
                   od_daytime_parse(row->items[0], &now);
    if (stamped)
        memmove(row->items, row->items + 1, --row->n * sizeof *row->items);
    size_t fewest = t->past_dashes ? 1 : tool->row || tool->processes ? 3 : t->cells - 1;
    if (row->n < (fewest < t->cells ? fewest : t->cells))
        return false;
    return !tool->row || od_view_eq_str(row->items[0], tool->row);
}

static bool take_row(struct od_table *t, const struct od_line *line, const struct od_sink *sink)
{
    struct od_table_cells row;
    bool taken = false;
    od_table_cut(t, line->text, &row);
    if (!fits(t, &row, line->text))
        return false;
    if (t->tool && t->first)
        prove_unit(t, &row);
    size_t n = t->n;
    if (t->keyed) {
        struct od_table_column *value = &t->columns[t->n++];
        *value = od_table_column_of(row.items[t->key_at]);
        value->space = value->space ? value->space : "host";
        value->at = t->value_at;
        if (t->by.n == 2) {
            value->start = t->names[t->value_at].start;
            value->stop = t->names[t->value_at].stop;
        }
        if (t->unit_at < row.n)
            od_table_column_take_unit(value, row.items[t->unit_at]);
    }
    for (size_t i = 0; i < t->n; i++) {
        const struct od_table_column *column = &t->columns[i];
        bool first = od_table_is_size(column->field);
        for (size_t j = 0; j < i && first; j++)
            first = !od_table_is_size(t->columns[j].field) || !is_of(&t->columns[j], column);
        taken = (first && emit(t, line, &row, column, sink)) || taken;
    }
    taken = taken || t->keyed;
    t->first = t->first && !taken;
    t->n = n;
    return taken;
}

/* Takes a single row of ps, top or free. */
static bool take_lone(const struct od_line *line, const struct od_sink *sink)
{
    struct od_table_cells words;
    if (od_view_find_char(line->text, 0x3a, 0) == OD_VIEW_NONE)
        return false; /* a row of this kind has a time or "Mem:" */
    od_table_words(line->text, &words);
    const char *heading = od_table_heading_for(&words);
    struct od_table lone;
    lone.started = false;
    lone.tool = NULL;
    if (!heading || !od_table_open_tool(&lone, od_view_of(heading)))
        return false;
    (void)take_row(&lone, line, sink);
    return true;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct od_table *t = state;
    if (t->open && t->tool && t->tool->ruled && !t->past_dashes) {
        t->open = take_dashes(t, line->text);
        return t->open ? OD_TAKE_SHARE : OD_TAKE_NONE;
    }
    if (t->open && od_table_take_units(t, line->text))
        return OD_TAKE_SHARE;
    if (t->open && take_row(t, line, sink))
        return t->tool ? OD_TAKE_SHARE : OD_TAKE_ALL;
    if (od_table_open(t, line->text) || take_lone(line, sink))
        return OD_TAKE_SHARE;
    return !t->open && od_table_open_bare(t, line->text) && take_row(t, line, sink) ? OD_TAKE_ALL
                                                                                    : OD_TAKE_NONE;
}

/* Is it neither a heading nor a row that is known without one? Rows of free are known by their
 * numbers. */
static bool is_silent(struct od_view text)
{
    struct od_table table;
    struct od_table_cells words;
    table.started = false;
    table.heading = 0;
    table.tool = NULL;
    if (od_num_has_long(text) || od_view_has_any(text, freed) || od_table_open(&table, text))
        return false;
    if (od_view_find_char(text, ':', 0) != OD_VIEW_NONE) {
        od_table_words(text, &words);
        if (od_table_heading_for(&words))
            return false;
    }
    return !od_table_open_bare(&table, text);
}

static bool is_open(const void *state)
{
    return ((const struct od_table *)state)->open;
}

static void end(void *state, const struct od_sink *sink)
{
    (void)sink;
    ((struct od_table *)state)->open = false;
}

const struct od_reader od_reader_tables = {
    .name = "tables",
    .literals = openers,
    .state_size = sizeof(struct od_table),
    .foreign_max = FOREIGN_MAX,
    .commands = true,
    .silent = is_silent,
    .line = take_line,
    .is_open = is_open,
    .end = end,
};
