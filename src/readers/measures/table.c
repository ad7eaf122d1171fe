#include "readers/measures/table.h"

#include "base/daytime.h"
#include "facts/number.h"
#include "readers/measures/memory_words.h"

enum { NAME_MAX = 128 };

bool od_table_is_size(enum od_field field)
{
    return field == OD_F_SHARE || (field != OD_F_NONE && od_field_type(field) == OD_T_BYTES);
}

static bool cut(struct od_view *row, struct od_view by, struct od_view *ret_cell)
{
    if (by.n == 1)
        return od_view_cut(row, by.p[0], ret_cell);
    size_t at = od_view_find(*row, by, 0);
    *ret_cell = od_view_head(*row, at);
    bool any = row->n > 0;
    *row = at == OD_VIEW_NONE ? (struct od_view){0} : od_view_from(*row, at + by.n);
    return any;
}

/* Offset after the quote that ends a cell; a doubled quote is a literal quote. */
static size_t end_of_quoted(struct od_view row)
{
    size_t at = od_view_find_char(row, '"', 0);
    while (at != OD_VIEW_NONE && at + 1 < row.n && row.p[at + 1] == '"')
        at = od_view_find_char(row, '"', at + 2);
    return at;
}

/* Takes the next cell; a comma inside its quotes is text. by: characters that separate cells. */
static bool next_cell(struct od_view *row, struct od_view by, struct od_view *ret_cell)
{
    *row = od_view_from(*row, od_past_any(*row, 0, by.p[0] == '\t' ? " " : " \t"));
    if (!od_view_take(row, OD_VIEW("\""))) {
        if (!cut(row, by, ret_cell))
            return false;
        *ret_cell = od_view_trim(*ret_cell);
        if (by.n == 1 && by.p[0] == ' ')
            od_table_take_unit(row, ret_cell);
        return true;
    }
    size_t end = end_of_quoted(*row);
    struct od_view rest;
    *ret_cell = od_view_head(*row, end == OD_VIEW_NONE ? row->n : end);
    *row = od_view_from(*row, end == OD_VIEW_NONE ? row->n : end + 1);
    (void)cut(row, by, &rest);
    return true;
}

static bool is_bar(struct od_view by)
{
    return by.n > 2 || by.p[0] == '|';
}

/* The row without the blanks and bars around it; some tables only end their rows with one. */
static struct od_view row_of(struct od_view text, struct od_view by)
{
    text = od_view_trim(text);
    if (is_bar(by)) {
        (void)od_view_take(&text, by);
        text.n -= od_view_ends(text, by) ? by.n : 0;
    }
    return od_view_trim(text);
}

static void cut_row(struct od_view row, struct od_view by, struct od_table_cells *to)
{
    bool empty = row.n > 0 && od_view_ends(row, by);
    to->n = 0;
    while (to->n <= OD_TABLE_CELLS && next_cell(&row, by, &to->items[to->n]))
        to->n++;
    if (empty && to->n <= OD_TABLE_CELLS)
        to->items[to->n++] = (struct od_view){0};
}

void od_table_cut(const struct od_table *t, struct od_view text, struct od_table_cells *to)
{
    struct od_view row;
    double time;
    if (t->tool) {
        od_table_words(text, to);
        return;
    }
    /* "10:00:01 120044": a single column after a time. */
    row = row_of(text, t->by);
    const char *gap = t->cells == 1 && row.n > 0 ? od_find_last(row.p, ' ', row.n) : NULL;
    size_t at = gap ? (size_t)(gap - row.p) : 0;
    if (gap && od_daytime_parse(od_view_head(row, at), &time))
        row = od_view_from(row, at + 1);
    cut_row(row, t->by, to);
}

static void add_column(struct od_table *t, const struct od_table_cells *words, size_t i,
                       struct od_view heading)
{
    const struct od_table_column *last = t->n > 0 ? &t->columns[t->n - 1] : NULL;
    bool behind_command = last && (last->field == OD_F_PROCESS || last->back > 0);
    for (size_t j = 0; j < OD_TABLE_NAMES && t->tool->names[j].heading; j++) {
        if (!od_view_eq_str(words->items[i], t->tool->names[j].heading))
            continue;
        struct od_table_column *column = &t->columns[t->n++];
        size_t start = (size_t)(words->items[i].p - heading.p);
        *column = (struct od_table_column){.field = t->tool->names[j].field,
                                           .space = t->tool->space,
                                           .seconds = 1,
                                           .at = (size_t)((int)i + t->tool->shift),
                                           .back = behind_command ? words->n - i : 0,
                                           .start = start,
                                           .stop = start + words->items[i].n};
        if (t->tool->unit)
            memcpy(column->unit, t->tool->unit, strlen(t->tool->unit) + 1);
    }
}

bool od_table_open_tool(struct od_table *t, struct od_view heading)
{
    struct od_table_cells words;
    od_table_words(heading, &words);
    const struct od_table_tool *tool = words.n > 0 ? od_table_tool_of(&words) : NULL;
    if (!tool)
        return false;
    if (tool->as)
        od_table_words(heading = od_view_of(tool->as), &words);
    /* pidstat -h prints '#' before the heading but not before rows */
    if (tool->shift >= 0 && od_view_eq_str(words.items[0], "#"))
        memmove(words.items, words.items + 1, --words.n * sizeof *words.items);
    /* a command in a loop prints its heading again, but time goes on */
    bool started = t->started && t->tool;
    double start = t->start;
    memset(t, 0, offsetof(struct od_table, columns));
    t->tool = tool;
    t->started = started;
    t->start = start;
    t->open = t->first = true;
    t->cells = words.n;
    for (size_t i = 0; i < words.n; i++)
        add_column(t, &words, i, heading);
    t->open = t->n > 0;
    return t->open;
}

/* --- headings of unknown programs --- */

static bool has_one_of(struct od_view text, const char *signs)
{
    while (*signs && od_view_find_char(text, *signs, 0) == OD_VIEW_NONE)
        signs++;
    return *signs != '\0';
}

/* The number of words that start with a digit. */
static size_t numbers_in(struct od_view text)
{
    size_t n = 0;
    for (size_t i = 0; i < text.n; i++)
        n += od_is_digit(text.p[i]) && (i == 0 || text.p[i - 1] == ' ');
    return n;
}

static bool is_smi(struct od_view row)
{
    static const char *const names[] = {
        "memory.used",     "memory.free", "memory.total", "memory.reserved", "used_memory [",
        "used_gpu_memory", NULL};
    return od_view_has_any(row, names);
}

/* "RSS of grid", and the labels of a metric: {job="api"} */
static struct od_view name_of(struct od_view cell)
{
    cell = od_view_head(cell, od_view_find_char(cell, '{', 0));
    return od_view_head(cell, od_view_find(cell, OD_VIEW(" of "), 0));
}

static bool is_unowned(const struct od_table_column *column)
{
    return !column->space || strcmp(column->space, "unknown") == 0;
}

/* Sets the owner of memory columns that do not name one: the machine, or the row's device or
 * process if the table names those; otherwise it stays unknown. */
static void settle_spaces(struct od_table *t)
{
    bool owners = false;
    for (size_t i = 0; i < t->n; i++) {
        enum od_field field = t->columns[i].field;
        owners = owners || field == OD_F_GROUP || field == OD_F_PROCESS || field == OD_F_PID ||
                 !is_unowned(&t->columns[i]);
    }
    for (size_t i = 0; i < t->n; i++)
        if (is_unowned(&t->columns[i]) && od_table_is_size(t->columns[i].field))
            t->columns[i].space = owners ? "host" : "unknown";
}

/* begin: start of the line with the names */
static bool name_columns(struct od_table *t, const struct od_table_cells *names, const char *begin)
{
    bool sizes = false, key = false, value = false;
    t->cells = t->unit_at = names->n;
    t->n = 0;
    for (size_t i = 0; i < names->n && i < OD_TABLE_CELLS; i++) {
        struct od_view name = name_of(names->items[i]);
        if (name.n == 0 || name.n >= NAME_MAX)
            continue;
        t->names[i].start = (size_t)(name.p - begin);
        t->names[i].stop = t->names[i].start + names->items[i].n;
        key = key || od_table_column_is_key(name);
        t->key_at = od_table_column_is_key(name) ? i : t->key_at;
        value = value || od_table_column_is_value(name);
        t->value_at = od_table_column_is_value(name) ? i : t->value_at;
        t->unit_at = od_table_column_is_unit(name) ? i : t->unit_at;
        struct od_table_column column =
            t->smi ? od_table_column_of_smi(name) : od_table_column_of(name);
        if (column.field == OD_F_NONE)
            continue;
        sizes = sizes || od_table_is_size(column.field);
        column.at = i;
        column.start = (size_t)(name.p - begin);
        column.stop = column.start + name.n;
        t->columns[t->n++] = column;
    }
    settle_spaces(t);
    t->keyed = !sizes && key && value && t->n < OD_TABLE_CELLS;
    return sizes || t->keyed;
}

/* Is there an option " -x" of a command? Weights & Biases joins names of runs and columns by " -
 * ". */
static bool has_option(struct od_view cell)
{
    size_t at = od_view_find(cell, OD_VIEW(" -"), 0);
    return at != OD_VIEW_NONE && !od_view_starts(od_view_from(cell, at), OD_VIEW(" - "));
}

/* Is it a clause of a sentence, or its end? */
static bool is_prose(struct od_view cell)
{
    enum { WORDS_MAX = 8 };
    size_t words = 1;
    for (size_t i = 0; i < cell.n; i++)
        words += cell.p[i] == ' ';
    return words > WORDS_MAX || (words > 1 && strchr(".!?", cell.p[cell.n - 1]) != NULL);
}

/* "[mem] 3.1G/16G", "312.00 MiB free" */
static bool has_size(struct od_view cell)
{
    struct od_number number;
    for (size_t i = 0; i < cell.n; i++)
        if (od_number_begins(cell, i) && od_number_take(cell, i, &number) && number.bytes.known)
            return true;
    return false;
}

static bool is_name(struct od_view cell)
{
    double number;
    struct od_view name = od_view_head(cell, od_view_find_char(cell, '{', 0));
    return name.n > 0 && name.n < NAME_MAX && !od_num_parse_double(name, &number) &&
           od_view_find_char(name, '=', 0) == OD_VIEW_NONE &&
           od_view_find_char(name, ':', 0) == OD_VIEW_NONE && name.p[0] != '$' &&
           !od_view_has(name, OD_VIEW(" / ")) && /* docker stats has a rule of its own */
           !has_option(name) && !is_prose(name) && !has_size(name);
}

/* Is it a heading: short words between commas, unlike a log line with numbers? */
static bool is_heading(const struct od_table_cells *names, struct od_view by)
{
    static const char *const times[] = {"time", "Time", "timestamp", "Timestamp",
                                        "date", "Date", "hour",      NULL};
    for (size_t i = 0; i < names->n; i++) {
        /* the column with names of rows */
        bool none = names->items[i].n == 0 && i == 0 && is_bar(by);
        if (!none && !is_name(names->items[i]))
            return false;
    }
    bool timed = names->n > 0 && od_view_eq_any(names->items[0], times);
    return names->n > (by.n == 2 && !timed ? 2U : 1U);
}

/* For known commands of a loop: the columns that they print without a heading. */
static struct od_view printed_by(struct od_view text)
{
    static const struct {
        const char *command, *asked;
        struct od_view column;
    } known[] = {{"ps ", "rss=", {"rss_kb", 6}},
                 {"cat ", "/memory.current", {"host_used_memory_bytes", 22}},
                 {"cat ", "/memory.usage_in_bytes", {"host_used_memory_bytes", 22}},
                 {"cat ", "/memory.peak", {"host_peak_memory_bytes", 22}},
                 {"memory_get_usage", "()", {"host_used_memory_bytes", 22}},
                 {"memory_info().", "rss", {"rss_bytes", 9}},
                 {"memoryUsage().", "rss", {"rss_bytes", 9}},
                 {"docker stats", "{{.MemUsage}}", {"host_memory_used", 16}}};
    for (size_t i = 0; i < OD_COUNT_OF(known); i++)
        if (od_view_has(text, od_view_of(known[i].asked)) &&
            od_view_has(text, od_view_of(known[i].command)))
            return known[i].column;
    return (struct od_view){0};
}

static bool is_of_tool(struct od_view heading)
{
    struct od_table_cells words;
    od_table_words(heading, &words);
    return od_table_tool_of(&words);
}

/* Is there a column that counts something, or a name that no sentence contains: "heap.percent"? */
static bool are_columns(const struct od_table_cells *words)
{
    static const char *const said[] = {"the", "a",   "of",  "is",   "in",   "it",
                                       "to",  "and", "for", "this", "with", NULL};
    bool told = false, sentence = false;
    for (size_t i = 0; i < words->n && i < OD_TABLE_CELLS; i++) {
        struct od_view word = words->items[i];
        bool compound = od_view_find_char(word, '.', 0) != OD_VIEW_NONE ||
                        od_view_find_char(word, '_', 0) != OD_VIEW_NONE;
        if (od_table_column_counts(word))
            return true;
        sentence = sentence || od_view_eq_any(word, said);
        told = told || (compound && od_table_is_size(od_table_column_of(word).field));
    }
    return told && !sentence;
}

/* Opens the table of "ps -eo pid,rss,args" in a loop whose heading was removed by grep or
 * options. */
static bool open_of_ps(struct od_table *t, struct od_view text)
{
    static const struct {
        const char *asked, *printed;
    } known[] = {{"pid", " PID"},     {"rss", " RSS"},         {"rssize", " RSS"},
                 {"vsz", " VSZ"},     {"vsize", " VSZ"},       {"comm", " COMMAND"},
                 {"cmd", " COMMAND"}, {"command", " COMMAND"}, {"args", " COMMAND"}};
    char heading[128];
    size_t at = od_view_find(text, OD_VIEW("o pid,"), 0), n = 0;
    at = at == OD_VIEW_NONE ? od_view_find(text, OD_VIEW("o rss,"), 0) : at;
    if (at == OD_VIEW_NONE || !od_view_has(od_view_head(text, at), OD_VIEW("ps ")))
        return false;
    struct od_view names = od_view_from(text, at + 2), name;
    names = od_view_head(names, od_view_find_char(names, ' ', 0));
    while (od_view_cut(&names, ',', &name) && n + sizeof " COMMAND" < sizeof heading) {
        const char *printed = " -";
        name = od_view_head(name, od_view_find_char(name, '=', 0));
        for (size_t i = 0; i < OD_COUNT_OF(known); i++)
            if (od_view_eq_str(name, known[i].asked))
                printed = known[i].printed;
        memcpy(heading + n, printed, strlen(printed));
        n += strlen(printed);
    }
    return od_table_open_tool(t, (struct od_view){heading, n});
}

/* echoed: the columns of a command that the line echoes; empty = none */
static bool open_parted(struct od_table *t, struct od_view line, struct od_view echoed,
                        struct od_view by)
{
    struct od_view text = od_view_trim(line);
    bool echo = echoed.n > 0, words = by.n == 1 && by.p[0] == ' ';
    struct od_table_cells names;
    struct od_view row = echo ? echoed : row_of(text, by);
    cut_row(row, by, &names);
    bool single = names.n == 1 && (echo || od_view_starts(row, OD_VIEW("memory.")));
    if (!echo && !single && (!is_heading(&names, by) || (words && !are_columns(&names))))
        return false;
    struct od_table fresh;
    memset(&fresh, 0, offsetof(struct od_table, columns));
    fresh.by = od_view_eq_str(by, "┃") ? OD_VIEW("│") : by; /* thick bars in the heading only */
    fresh.smi = is_smi(row);
    if (!name_columns(&fresh, &names, echo ? row.p : line.p) || (names.n < 2 && !single))
        return false;
    if (by.n == 2 && is_of_tool(row)) /* a tool's table has its own reader */
        return false;
    fresh.open = fresh.first = true;
    fresh.heading = od_view_hash(row);
    fresh.repeated = t->heading == fresh.heading;
    fresh.started = fresh.repeated && t->started;
    fresh.start = t->start;
    memcpy(t, &fresh, offsetof(struct od_table, columns) + fresh.n * sizeof fresh.columns[0]);
    return true;
}

static bool open_by_name(struct od_table *t, struct od_view line)
{
    /* Two blanks are a gap between columns. */
    static const struct od_view parts[] = {{",", 1}, {"|", 1}, {";", 1},  {"\t", 1},
                                           {"│", 3}, {"┃", 3}, {"  ", 2}, {" ", 1}};
    struct od_view text = od_view_trim(line);
    const struct od_view echoed = printed_by(text);
    bool whole = echoed.n > 0 || od_view_starts(text, OD_VIEW("memory.")); /* a single column */
    if (!whole && has_one_of(text, "=:$") && !has_one_of(text, "\""))
        return false;
    bool framed = od_view_starts(text, OD_VIEW("|"));
    bool words = whole || (!has_one_of(text, ",;=:$\"!?'`<>") &&
                           !od_view_has(text, OD_VIEW(". ")) && numbers_in(text) == 0);
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++) {
        bool blank = parts[i].p[0] == ' ';
        if (blank && (framed || (parts[i].n == 1 && !words)) && !whole)
            continue;
        if ((whole || od_view_has(line, parts[i])) && open_parted(t, line, echoed, parts[i]))
            return true;
    }
    return false;
}

size_t od_table_below(const struct od_table_cells *row, struct od_view text, size_t start,
                      size_t stop)
{
    for (size_t i = 0; i < row->n; i++) {
        size_t at = (size_t)(row->items[i].p - text.p);
        if (at < stop && at + row->items[i].n > start)
            return i;
    }
    return row->n;
}

/* "MiB" of "[MiB]" or "(MiB)" */
static struct od_view bracketed(struct od_view cell)
{
    bool bracket = cell.n > 2 && strchr("[(", cell.p[0]) && strchr("])", cell.p[cell.n - 1]);
    return bracket ? od_view_part(cell, 1, cell.n - 1) : (struct od_view){0};
}

/* Is it a line of units below the heading? It may name a column only where the heading is empty. */
static bool are_units(const struct od_table *t, struct od_view text,
                      const struct od_table_cells *cells)
{
    size_t units = 0, names = 0;
    for (size_t i = 0; i < cells->n && i < OD_TABLE_CELLS; i++) {
        struct od_view cell = cells->items[i], unit = bracketed(cell);
        size_t at = (size_t)(cell.p - text.p);
        units += od_memory_is_unit(unit);
        names += unit.n == 0;
        for (size_t j = 0; j < t->cells && unit.n == 0; j++)
            if (!is_name(cell) || (at < t->names[j].stop && at + cell.n > t->names[j].start))
                return false;
    }
    return units > 0 && t->cells + names <= OD_TABLE_CELLS;
}

bool od_table_take_units(struct od_table *t, struct od_view text)
{
    struct od_table_cells row;
    if (!t->first || t->tool || t->by.n != 2 || !has_one_of(text, "[("))
        return false;
    cut_row(od_view_trim(text), t->by, &row);
    if (!are_units(t, text, &row))
        return false;
    for (size_t i = 0; i < row.n; i++) {
        struct od_view unit = bracketed(row.items[i]);
        size_t at = (size_t)(row.items[i].p - text.p), end = at + row.items[i].n;
        for (size_t j = 0; j < t->n && unit.n > 0; j++)
            if (at < t->columns[j].stop && end > t->columns[j].start)
                od_table_column_take_unit(&t->columns[j], unit);
        if (unit.n > 0)
            continue;
        t->names[t->cells].start = at; /* a column that is named on the line of units */
        t->names[t->cells++].stop = end;
        t->columns[t->n] = od_table_column_of(row.items[i]);
        t->columns[t->n].start = at;
        t->columns[t->n++].stop = end;
    }
    settle_spaces(t);
    t->first = false;
    return true;
}

bool od_table_open(struct od_table *t, struct od_view text)
{
    if (od_until(text, 0, od_is_letter) == text.n)
        return false;
    if (open_of_ps(t, text))
        return true;
    bool words = !has_one_of(text, ",|;\"\xe2") && numbers_in(text) < 2;
    return (words && od_table_open_tool(t, text)) || open_by_name(t, text);
}

bool od_table_open_bare(struct od_table *t, struct od_view text)
{
    enum { DEVICES = 16 /* few machines have more */ };
    struct od_table_cells row;
    uint64_t number, least = UINT64_MAX;
    double seconds;
    struct od_table_column size = {.field = OD_F_NONE, .space = "device"};
    if (!od_view_has(text, OD_VIEW(" MiB")))
        return false;
    memset(t, 0, offsetof(struct od_table, columns));
    t->by = OD_VIEW(",");
    cut_row(row_of(text, t->by), t->by, &row);
    for (size_t i = 0; i < row.n && i < OD_TABLE_CELLS; i++) {
        struct od_view cell = row.items[i];
        if (od_view_ends(cell, OD_VIEW(" MiB"))) {
            if (!od_num_parse_u64(od_view_head(cell, cell.n - strlen(" MiB")), &number))
                return false;
            size.field = OD_F_IN_USE;
            size.at = number < least ? i : size.at;
            least = number < least ? number : least;
        } else if (i == 0 && od_daytime_parse(cell, &seconds)) {
            t->columns[t->n++] = (struct od_table_column){.field = OD_F_ELAPSED};
        } else if (i <= 1 && od_num_parse_u64(cell, &number) && number < DEVICES) {
            t->columns[t->n++] = (struct od_table_column){.field = OD_F_DEVICE, .at = i};
        } else if (od_view_has(cell, OD_VIEW(": "))) {
            return false; /* "error: out of memory, free: 1,024 MiB" */
        }
    }
    t->smi = t->open = t->n > 0 && size.field == OD_F_IN_USE;
    t->columns[t->n++] = size;
    t->cells = row.n;
    return t->open;
}
