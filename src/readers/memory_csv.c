/*
 * Tables of resource monitors as comma-separated values: `nvidia-smi --query-gpu=... --format=csv`,
 * and what people write themselves ("timestamp,step,rss_mb,gpu_mem_used_mb"). The names of the
 * columns say what is in them; without a name that says both that it is memory and in which unit,
 * a column is left alone. The command of nvidia-smi, echoed above rows without a heading, names the
 * columns too; its sizes are binary MiB, printed or not.
 */
#include "base/num.h"
#include "base/seconds.h"
#include "readers/measure.h"
#include "readers/memory_words.h"
#include "readers/reader.h"

#include <string.h>

enum { COLUMNS_MAX = 64, MISSES_MAX = 8, NAME_MAX = 64, DEVICES_MAX = 16 };

struct column {
    enum od_field field; /* OD_F_NONE: of no interest */
    const char *space;
    char unit[6];   /* of numbers without one; empty = unknown */
    double seconds; /* of one unit of a time; 0 = a date or a time of day */
};

struct table {
    bool open;
    bool smi;
    uint32_t lane, source;
    size_t n;
    unsigned misses; /* lines since the last row */
    bool started;
    double start;
    uint64_t rows, ordinal; /* rows of one moment so far */
    double last;
    char ordinal_text[21];
    struct column columns[COLUMNS_MAX];
};

static const char *const openers[] = {"VRAM Total",
                                      "memory.used",
                                      "memory.free",
                                      "used_memory",
                                      "used_gpu_memory",
                                      "memory_",
                                      "_memory",
                                      "mem_used",
                                      "_mem_",
                                      "_mem,",
                                      "rss_",
                                      "_rss",
                                      "ram_",
                                      "_ram",
                                      "--query-gpu=",
                                      "--query-compute-apps=",
                                      "vram",
                                      "Memory (",
                                      "memory (",
                                      "mem (",
                                      "RSS (",
                                      "rss,",
                                      "Memory [",
                                      "mem_mb",
                                      "mem_gb",
                                      NULL};

/* The next cell, without its quotes: a comma may stand between them. */
static bool next_cell(struct od_view *row, struct od_view *ret_cell)
{
    od_view_skip_blanks(row);
    if (!od_view_take(row, OD_VIEW("\""))) {
        if (!od_view_cut(row, ',', ret_cell))
            return false;
        *ret_cell = od_view_trim(*ret_cell);
        return true;
    }
    size_t end = od_view_find_char(*row, '"', 0);
    struct od_view rest;
    *ret_cell = od_view_head(*row, end == OD_VIEW_NONE ? row->n : end);
    *row = od_view_from(*row, end == OD_VIEW_NONE ? row->n : end + 1);
    (void)od_view_cut(row, ',', &rest);
    return true;
}

static size_t count_cells(struct od_view row)
{
    size_t n = 0;
    struct od_view cell;
    bool comma = od_view_ends(od_view_trim(row), OD_VIEW(","));
    while (next_cell(&row, &cell))
        n++;
    return n + comma;
}

/* --- what a column is by its name --- */

static bool has_word(struct od_view name, const char *wanted)
{
    struct od_view word;
    size_t n = strlen(wanted);
    while (od_memory_next_word(&name, &word)) {
        bool same = word.n == n;
        for (size_t i = 0; same && i < n; i++)
            same = (word.p[i] | 0x20) == wanted[i];
        if (same)
            return true;
    }
    return false;
}

static void copy_unit(struct column *column, struct od_view unit)
{
    if (unit.n < sizeof column->unit) {
        memcpy(column->unit, unit.p, unit.n);
        column->unit[unit.n] = '\0';
    }
}

/* Memory when its words say so; the last unit among them is its unit. */
static struct column memory_column(struct od_view name)
{
    struct column column = {0};
    unsigned words = 0;
    struct od_view word, rest = name;
    if (od_view_find_char(name, '%', 0) != OD_VIEW_NONE || has_word(name, "percent") ||
        has_word(name, "pct"))
        return column;
    while (od_memory_next_word(&rest, &word)) {
        if (od_memory_is_unit(word))
            copy_unit(&column, word);
        else if (!(od_memory_word(word) & OD_MW_UNKNOWN))
            words |= od_memory_word(word);
    }
    if (od_view_has(name, OD_VIEW("(B)")))
        copy_unit(&column, OD_VIEW("B"));
    if ((words & (OD_MW_MEMORY | OD_MW_RSS | OD_MW_VIRTUAL)) || column.unit[0] != '\0')
        column.field = od_memory_field(words, &column.space);
    /* "used_memory_mb" beside "gpu_memory_mb": what is not of the device is the machine's. */
    if (column.field != OD_F_NONE && !column.space)
        column.space = "host";
    return column;
}

static double time_unit(struct od_view name)
{
    if (has_word(name, "ms") || has_word(name, "msec") || has_word(name, "milliseconds"))
        return 1e-3;
    if (has_word(name, "min") || has_word(name, "minutes"))
        return 60;
    bool seconds = has_word(name, "s") || has_word(name, "sec") || has_word(name, "seconds") ||
                   has_word(name, "elapsed");
    return seconds ? 1 : 0;
}

static struct column count_column(struct od_view name)
{
    static const struct {
        const char *word;
        enum od_field field;
    } names[] = {{"epoch", OD_F_EPOCH}, {"step", OD_F_STEP}, {"iteration", OD_F_STEP},
                 {"iter", OD_F_STEP},   {"pid", OD_F_PID},   {"rank", OD_F_RANK}};
    for (size_t i = 0; i < OD_COUNT_OF(names); i++) {
        if (has_word(name, names[i].word) && !has_word(name, "time"))
            return (struct column){.field = names[i].field};
    }
    return (struct column){0};
}

static struct column column_of(struct od_view name)
{
    struct column column = memory_column(name);
    if (column.field != OD_F_NONE)
        return column;
    if (has_word(name, "timestamp") || has_word(name, "time") || has_word(name, "elapsed") ||
        has_word(name, "seconds"))
        return (struct column){.field = OD_F_ELAPSED, .seconds = time_unit(name)};
    static const char *const devices[] = {"index",     "gpu",    "gpu_id",
                                          "gpu_index", "device", "device_id"};
    for (size_t i = 0; i < OD_COUNT_OF(devices); i++) {
        if (od_view_eq_str(name, devices[i]))
            return (struct column){.field = OD_F_DEVICE};
    }
    if (od_view_eq_str(name, "process_name"))
        return (struct column){.field = OD_F_PROCESS};
    return count_column(name);
}

/* The names of nvidia-smi: "memory.used [MiB]", "used_gpu_memory". */
static struct column smi_column(struct od_view name)
{
    static const struct {
        const char *name;
        enum od_field field;
    } known[] = {{"memory.used", OD_F_IN_USE},
                 {"memory.total", OD_F_CAPACITY},
                 {"memory.free", OD_F_FREE},
                 {"used_memory", OD_F_IN_USE},
                 {"used_gpu_memory", OD_F_IN_USE},
                 {"timestamp", OD_F_ELAPSED},
                 {"index", OD_F_DEVICE},
                 {"gpu_index", OD_F_DEVICE},
                 {"pid", OD_F_PID},
                 {"process_name", OD_F_PROCESS},
                 /* name a device, but not by its number */
                 {"gpu_uuid", OD_F_GROUP},
                 {"uuid", OD_F_GROUP},
                 {"pci.bus_id", OD_F_GROUP},
                 {"gpu_bus_id", OD_F_GROUP}};
    struct od_view bare = name;
    size_t bracket = od_view_find_char(name, '[', 0);
    if (bracket != OD_VIEW_NONE)
        bare = od_view_trim(od_view_head(name, bracket));
    for (size_t i = 0; i < OD_COUNT_OF(known); i++) {
        if (od_view_eq_str(bare, known[i].name))
            return (struct column){.field = known[i].field, .space = "device", .unit = "MiB"};
    }
    return (struct column){0};
}

static bool is_size(enum od_field field)
{
    return field != OD_F_NONE && od_field_type(field) == OD_T_BYTES;
}

/* --- opening --- */

static bool is_smi(struct od_view row)
{
    return od_view_has(row, OD_VIEW("memory.")) || od_view_has(row, OD_VIEW("used_memory [")) ||
           od_view_has(row, OD_VIEW("used_gpu_memory"));
}

static bool name_columns(struct table *t, struct od_view row)
{
    struct od_view cell;
    bool sizes = false;
    t->n = 0;
    while (t->n < COLUMNS_MAX && next_cell(&row, &cell)) {
        struct column column = {0};
        if (cell.n > 0 && cell.n < NAME_MAX)
            column = t->smi ? smi_column(cell) : column_of(cell);
        sizes = sizes || is_size(column.field);
        t->columns[t->n++] = column;
    }
    return sizes && t->n > 1;
}

/* A heading is short words between commas; a line of a log with numbers is none. */
static bool looks_like_heading(struct od_view row)
{
    struct od_view cell;
    size_t n = 0;
    while (next_cell(&row, &cell)) {
        double number;
        if (cell.n == 0 || cell.n >= NAME_MAX || od_num_parse_double(cell, &number) ||
            od_view_find_char(cell, '=', 0) != OD_VIEW_NONE ||
            od_view_find_char(cell, ':', 0) != OD_VIEW_NONE || cell.p[0] == '$' ||
            od_view_has(cell, OD_VIEW(" -")))
            return false;
        n++;
    }
    return n > 1;
}

/* "nvidia-smi --query-gpu=timestamp,memory.used --format=csv,noheader -l 5" */
static bool query_of(struct od_view text, struct od_view *ret_names)
{
    static const struct od_view options[] = {{"--query-gpu=", 12}, {"--query-compute-apps=", 21}};
    for (size_t i = 0; i < OD_COUNT_OF(options); i++) {
        size_t at = od_view_find(text, options[i], 0);
        if (at == OD_VIEW_NONE || !od_view_has(text, OD_VIEW("noheader")))
            continue;
        struct od_view names = od_view_from(text, at + options[i].n);
        size_t n = 0;
        while (n < names.n && names.p[n] != ' ' && names.p[n] != '"' && names.p[n] != '\'')
            n++;
        *ret_names = od_view_head(names, n);
        return n > 0;
    }
    return false;
}

static bool open_table(struct table *t, const struct od_line *line)
{
    struct od_view names = od_view_trim(line->text);
    bool echoed = query_of(line->text, &names);
    struct table fresh = {.lane = line->lane, .source = line->at.source};
    fresh.smi = echoed || is_smi(names);
    if (!echoed && !looks_like_heading(names))
        return false;
    if (!name_columns(&fresh, names) &&
        !(echoed && fresh.n == 1 && is_size(fresh.columns[0].field)))
        return false;
    fresh.open = true;
    *t = fresh;
    return true;
}

/* --- rows --- */

static struct od_bytes size_of(const struct column *column, struct od_view cell)
{
    struct od_bytes bytes = {0};
    double number;
    if (!od_num_parse_double(cell, &number)) {
        /* "5120 MiB": the cell has its unit. */
        if (cell.n > 0 && cell.p[0] >= '0' && cell.p[0] <= '9')
            (void)od_bytes_parse(cell, OD_UNIT_BINARY, &bytes);
        return bytes;
    }
    if (column->unit[0] != '\0')
        (void)od_bytes_parse_unit(cell, od_view_of(column->unit), OD_UNIT_BINARY, &bytes);
    return bytes;
}

static void set_time(struct table *t, const struct column *column, struct od_view cell,
                     struct od_event *event)
{
    double seconds;
    if (column->seconds > 0 ? !od_num_parse_double(cell, &seconds)
                            : !od_measure_time(cell, &seconds))
        return;
    if (column->seconds > 0)
        seconds *= column->seconds;
    t->start = t->started ? t->start : seconds;
    t->started = true;
    if (seconds >= t->start)
        od_event_set_number(event, OD_F_ELAPSED, seconds - t->start);
}

/* "0", "card0", "cuda:1": the number it ends with. */
static void set_device(struct od_view cell, struct od_event *event)
{
    size_t start = cell.n;
    while (start > 0 && cell.p[start - 1] >= '0' && cell.p[start - 1] <= '9')
        start--;
    if (start < cell.n)
        od_event_set_text(event, OD_F_DEVICE, od_view_from(cell, start));
}

/* Rows of one moment are of several devices, in their order: the second is of device 1. */
static void set_ordinal(struct table *t, struct od_event *event)
{
    const double same_moment = 0.05;
    double now;
    if (!t->smi || !od_event_number(event, OD_F_ELAPSED, &now) ||
        od_event_get(event, OD_F_DEVICE) || od_event_get(event, OD_F_GROUP) ||
        od_event_get(event, OD_F_PID))
        return;
    bool same = t->rows > 0 && now - t->last < same_moment;
    t->ordinal = same ? t->ordinal + 1 : 0;
    t->last = now;
    t->rows++;
    if (t->ordinal > 0 && t->ordinal < DEVICES_MAX)
        od_event_set_text(event, OD_F_DEVICE,
                          od_view_of(od_num_print_u64(t->ordinal, t->ordinal_text)));
}

static void set_cell(struct table *t, const struct column *column, struct od_view cell,
                     struct od_event *event)
{
    uint64_t n;
    if (is_size(column->field))
        od_measure_set(event, column->field, size_of(column, cell));
    else if (column->field == OD_F_ELAPSED)
        set_time(t, column, cell, event);
    else if (column->field == OD_F_DEVICE)
        set_device(cell, event);
    else if (od_field_type(column->field) == OD_T_TEXT)
        od_event_set_text(event, column->field, cell);
    else if (od_num_parse_u64(cell, &n))
        od_event_set_count(event, column->field, n);
}

/* The cells of one space: a table may hold both the machine's memory and the device's. */
static bool emit(struct table *t, const struct od_line *line, const char *space,
                 const struct od_sink *sink)
{
    struct od_event event = od_measure_event("memory_csv", line, space);
    struct od_view row = od_view_trim(line->text), cell;
    bool sizes = false;
    for (size_t i = 0; i < t->n && next_cell(&row, &cell); i++) {
        const struct column *column = &t->columns[i];
        bool of_other = is_size(column->field) && strcmp(column->space, space) != 0;
        if (column->field == OD_F_NONE || cell.n == 0 || of_other ||
            od_event_get(&event, column->field))
            continue;
        set_cell(t, column, cell, &event);
        sizes = sizes || (is_size(column->field) && od_event_get(&event, column->field));
    }
    if (sizes) {
        set_ordinal(t, &event);
        od_sink_put(sink, &event);
    }
    return sizes;
}

static bool take_row(struct table *t, const struct od_line *line, const struct od_sink *sink)
{
    if (count_cells(od_view_trim(line->text)) != t->n)
        return false;
    bool host = emit(t, line, "host", sink);
    return emit(t, line, "device", sink) || host;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct table *t = state;
    bool same = t->lane == line->lane && t->source == line->at.source;
    if (t->open && same && take_row(t, line, sink)) {
        t->misses = 0;
        return OD_TAKE_ALL;
    }
    if (open_table(t, line))
        return OD_TAKE_SHARE;
    if (t->open && same && ++t->misses >= MISSES_MAX)
        t->open = false;
    return OD_TAKE_NONE;
}

static bool is_open(const void *state)
{
    return ((const struct table *)state)->open;
}

const struct od_reader od_reader_memory_csv = {
    .name = "memory_csv",
    .literals = openers,
    .state_size = sizeof(struct table),
    .line = take_line,
    .is_open = is_open,
};
