/*
 * Tables of resource monitors as comma-separated values: `nvidia-smi --query-gpu=... --format=csv`,
 * and what people write themselves ("timestamp,step,rss_mb,gpu_mem_used_mb"). The names of the
 * columns say what is in them; without a name that says both that it is memory and in which unit,
 * a column is left alone. The command of nvidia-smi, echoed above rows without a heading, names the
 * columns too; its sizes are binary MiB, printed or not.
 */
#include "base/daytime.h"
#include "readers/measures/columns_tools.h"
#include "readers/measures/csv_column.h"
#include "readers/measures/csv_sweep.h"
#include "readers/measures/measure.h"
#include "readers/measures/memory_words.h"
#include "readers/reader.h"

enum {
    SIZES_MAX = 3,
    SAME_SUM = 100 /* within one part of so many */,
    COLUMNS_MAX = 64,
    FOREIGN_MAX = 7,
    NAME_MAX = 128,
    DEVICES_MAX = 16
};

struct table {
    bool open;
    bool smi;
    bool again; /* the same heading stood above the table before */
    uint64_t heading;
    struct od_view by; /* what parts cells */
    size_t n;
    bool started;
    double start;
    uint64_t rows, ordinal; /* rows of one moment so far */
    double last;
    char ordinal_text[21];
    struct od_csv_column columns[COLUMNS_MAX];
};

/* Of a row without a heading. */
struct sizes {
    uint64_t bytes[SIZES_MAX];
    size_t n;
};

struct csv {
    struct table table;
    struct od_csv_sweep sweep;
};

static const char *const openers[] = {
    "emory",      "EMORY",      "mem",   "Mem",    "MEM",      "rss",     "RSS",
    "uss",        "pss",        "peak_", "_gb",    "_mb",      "_GB",     "_MB",
    "ram_",       "_ram",       "RAM",   "VRAM",   "llocated", "eserved", "vram",
    "WorkingSet", "_bytes.all", " MiB",  "orking", "Private",  "eap",     NULL};

static const struct od_view comma = {",", 1};

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

/* "512 MB" is one cell where single blanks part them. */
static void take_unit(struct od_view *row, struct od_view *cell)
{
    struct od_view rest = *row;
    od_view_skip_blanks(&rest);
    size_t n = 0;
    while (n < rest.n && od_is_letter(rest.p[n]))
        n++;
    bool ends = n == rest.n || rest.p[n] == ' ';
    if (cell->n == 0 || !od_is_digit(cell->p[cell->n - 1]) || !ends || n < 2 ||
        !od_memory_is_unit(od_view_head(rest, n)))
        return;
    cell->n = (size_t)(rest.p + n - cell->p);
    *row = od_view_from(rest, n);
}

/* The next cell, without its quotes: a comma may stand between them. by: what parts cells. */
static bool next_cell(struct od_view *row, struct od_view by, struct od_view *ret_cell)
{
    while (row->n > 0 && (row->p[0] == ' ' || (row->p[0] == '\t' && by.p[0] != '\t')))
        *row = od_view_from(*row, 1);
    if (!od_view_take(row, OD_VIEW("\""))) {
        if (!cut(row, by, ret_cell))
            return false;
        *ret_cell = od_view_trim(*ret_cell);
        if (by.n == 1 && by.p[0] == ' ')
            take_unit(row, ret_cell);
        return true;
    }
    size_t end = od_view_find_char(*row, '"', 0);
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

/* Without the blanks and bars about it. */
static struct od_view row_of(struct od_view text, struct od_view by)
{
    text = od_view_trim(text);
    if (is_bar(by) && od_view_take(&text, by) && od_view_ends(text, by))
        text.n -= by.n;
    return od_view_trim(text);
}

/* "10:00:01 120044": of a single column, behind somebody's time. */
static struct od_view row_in(const struct table *t, struct od_view text)
{
    struct od_view row = row_of(text, t->by);
    const char *gap = t->n == 1 && row.n > 0 ? od_find_last(row.p, ' ', row.n) : NULL;
    size_t at = gap ? (size_t)(gap - row.p) : 0;
    double time;
    return gap && od_daytime_parse(od_view_head(row, at), &time) ? od_view_from(row, at + 1) : row;
}

static size_t count_cells(struct od_view row, struct od_view by)
{
    size_t n = 0;
    struct od_view cell;
    bool empty = row.n > 0 && od_view_ends(row, by);
    while (next_cell(&row, by, &cell))
        n++;
    return n + empty;
}

/* Of memory: a size, or a share of the whole. */
static bool is_size(enum od_field field)
{
    return field == OD_F_SHARE || (field != OD_F_NONE && od_field_type(field) == OD_T_BYTES);
}

/* --- opening --- */

static bool is_smi(struct od_view row)
{
    static const char *const names[] = {
        "memory.used",     "memory.free", "memory.total", "memory.reserved", "used_memory [",
        "used_gpu_memory", NULL};
    return od_view_has_any(row, names);
}

/* begin: of the line it stands in */
static bool name_columns(struct table *t, struct od_view row, const char *begin)
{
    struct od_view cell;
    bool sizes = false;
    t->n = 0;
    while (t->n < COLUMNS_MAX && next_cell(&row, t->by, &cell)) {
        struct od_csv_column column = {0};
        cell = od_view_head(cell, od_view_find(cell, OD_VIEW(" of "), 0)); /* "RSS of grid" */
        if (cell.n > 0 && cell.n < NAME_MAX)
            column = t->smi ? od_csv_column_of_smi(cell) : od_csv_column_of(cell);
        sizes = sizes || is_size(column.field);
        column.start = (size_t)(cell.p - begin);
        column.stop = column.start + cell.n;
        t->columns[t->n++] = column;
    }
    return sizes && t->n > 1;
}

/* " -x" of a command; Weights & Biases joins the names of run and column by " - ". */
static bool has_option(struct od_view cell)
{
    size_t at = od_view_find(cell, OD_VIEW(" -"), 0);
    return at != OD_VIEW_NONE && !od_view_starts(od_view_from(cell, at), OD_VIEW(" - "));
}

/* A clause of a sentence, or its end. */
static bool is_prose(struct od_view cell)
{
    enum { WORDS_MAX = 8 };
    size_t words = 1;
    for (size_t i = 0; i < cell.n; i++)
        words += cell.p[i] == ' ';
    return words > WORDS_MAX || (words > 1 && strchr(".!?", cell.p[cell.n - 1]) != NULL);
}

/* A heading is short words between commas; a line of a log with numbers is none. */
static bool looks_like_heading(struct od_view row, struct od_view by)
{
    static const char *const times[] = {"time", "Time", "timestamp", "Timestamp",
                                        "date", "Date", "hour",      NULL};
    struct od_view cell;
    size_t n = 0;
    bool timed = false;
    while (next_cell(&row, by, &cell)) {
        double number;
        timed |= n == 0 && od_view_eq_any(cell, times);
        if (cell.n == 0 && n == 0 && is_bar(by)) {
            n++; /* names of rows need none */
            continue;
        }
        if (cell.n == 0 || cell.n >= NAME_MAX || od_num_parse_double(cell, &number) ||
            od_view_find_char(cell, '=', 0) != OD_VIEW_NONE ||
            od_view_find_char(cell, ':', 0) != OD_VIEW_NONE || cell.p[0] == '$' ||
            od_view_has(cell, OD_VIEW(" / ")) || /* of docker stats, which has its rule */
            has_option(cell) || is_prose(cell))
            return false;
        n++;
    }
    return n > (by.n == 2 && !timed ? 2U : 1U);
}

/* What a shell or a program was asked for, again and again, and which column comes of it without a
 * heading. */
static struct od_view printed_by(struct od_view text)
{
    static const struct {
        const char *command, *asked;
        struct od_view column;
    } known[] = {{"ps ", "rss=", {"rss_kb", 6}},
                 {"cat ", "/memory.current", {"used_memory_bytes", 17}},
                 {"cat ", "/memory.usage_in_bytes", {"used_memory_bytes", 17}},
                 {"cat ", "/memory.peak", {"peak_memory_bytes", 17}},
                 {"memory_get_usage", "()", {"used_memory_bytes", 17}},
                 {"memory_info().", "rss", {"rss_bytes", 9}},
                 {"memoryUsage().", "rss", {"rss_bytes", 9}}};
    for (size_t i = 0; i < OD_COUNT_OF(known); i++)
        if (od_view_has(text, od_view_of(known[i].asked)) &&
            od_view_has(text, od_view_of(known[i].command)))
            return known[i].column;
    return (struct od_view){0};
}

/* "nvidia-smi --query-gpu=timestamp,memory.used --format=csv,noheader -l 5" */
static struct od_view query_of(struct od_view text)
{
    static const struct od_view options[] = {{"--query-gpu=", 12}, {"--query-compute-apps=", 21}};
    bool queries = od_view_has(text, OD_VIEW("--query-"));
    for (size_t i = 0; i < OD_COUNT_OF(options); i++) {
        size_t at = queries ? od_view_find(text, options[i], 0) : OD_VIEW_NONE;
        if (at == OD_VIEW_NONE || !od_view_has(text, OD_VIEW("noheader")))
            continue;
        struct od_view names = od_view_from(text, at + options[i].n);
        size_t n = 0;
        while (n < names.n && names.p[n] != ' ' && names.p[n] != '"' && names.p[n] != '\'')
            n++;
        return od_view_head(names, n);
    }
    return (struct od_view){0};
}

/* The columns of a command that the line echoes; names.n = 0: of none. */
struct echo {
    struct od_view names;
    bool smi;
};

static struct echo echo_of(struct od_view text)
{
    struct echo echo = {query_of(text), true};
    return echo.names.n > 0 ? echo : (struct echo){printed_by(text), false};
}

/* Does something count beside them? Words of a sentence are no heading. */
static bool counts(struct od_view row)
{
    struct od_view word;
    for (size_t n = 0; n < COLUMNS_MAX && od_view_cut(&row, ' ', &word); n++)
        if (od_csv_column_counts(word))
            return true;
    return false;
}

/* It has signs that no names between blanks have. */
static bool is_sentence(struct od_view text)
{
    for (size_t i = 0; i < text.n; i++)
        switch (text.p[i]) {
        case ',':
        case ';':
        case '!':
        case '?':
        case '\'':
        case '"':
        case '`':
        case '=':
        case ':':
        case '$':
        case '<':
        case '>':
            return true;
        case '.':
            if (i + 1 == text.n || text.p[i + 1] == ' ')
                return true;
        }
    return false;
}

static bool is_of_tool(struct od_view heading)
{
    struct od_columns_words words;
    od_columns_split(heading, &words);
    return od_columns_tool_of(&words);
}

static bool open_parted(struct table *t, const struct od_line *line, const struct echo *echo,
                        struct od_view by)
{
    bool echoed = echo->names.n > 0;
    struct od_view names = echoed ? echo->names : row_of(line->text, by);
    bool single = od_view_starts(names, OD_VIEW("memory.")) && count_cells(names, by) == 1;
    bool words = by.n == 1 && by.p[0] == ' ';
    if (words && is_sentence(names))
        return false;
    if (!echoed && !single && (!looks_like_heading(names, by) || (words && !counts(names))))
        return false;
    struct table fresh = {.by = by, .smi = is_smi(names) || (echoed && echo->smi)};
    if (!name_columns(&fresh, names, echoed ? names.p : line->text.p) &&
        !((echoed || single) && fresh.n == 1 && is_size(fresh.columns[0].field)))
        return false;
    if (by.n == 2 && is_of_tool(names)) /* its own reader knows them better */
        return false;
    fresh.open = true;
    fresh.heading = od_view_hash(names);
    fresh.again = t->heading == fresh.heading;
    if (fresh.again) {
        fresh.started = t->started;
        fresh.start = t->start;
    }
    *t = fresh;
    return true;
}

static bool open_table(struct table *t, const struct od_line *line)
{
    /* Two blanks are a gap between columns. */
    static const struct od_view parts[] = {{",", 1}, {"|", 1},  {";", 1}, {"\t", 1},
                                           {"│", 3}, {"  ", 2}, {" ", 1}};
    struct od_view text = od_view_trim(line->text);
    const struct echo echo = echo_of(text);
    bool whole = echo.names.n > 0 || od_view_starts(text, OD_VIEW("memory.")); /* of one column */
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++) {
        bool parted = od_view_find_char(text, parts[i].p[0], 0) != OD_VIEW_NONE;
        if ((whole || (parted && od_view_has(text, parts[i]))) &&
            open_parted(t, line, &echo, parts[i]))
            return true;
    }
    return false;
}

/* --- rows of nvidia-smi without a heading --- */

/* "0, 4096 MiB, 16384 MiB" and nothing else: its first number. */
static bool is_counted(struct od_view text, uint64_t *ret_number)
{
    struct od_view row = od_view_trim(text), first, second, third;
    return row.n <= OD_CSV_SWEEP_TEXT && count_cells(row, comma) == 3 &&
           next_cell(&row, comma, &first) && od_num_parse_u64(first, ret_number) &&
           next_cell(&row, comma, &second) && od_view_ends(second, OD_VIEW(" MiB")) &&
           next_cell(&row, comma, &third) && od_view_ends(third, OD_VIEW(" MiB"));
}

/* "0, NVIDIA A100, 4096 MiB, 40960 MiB": up to three sizes between whatever else was asked for. */
static bool read_bare(struct table *t, struct od_view row, struct sizes *ret_sizes)
{
    struct od_view cell;
    uint64_t number;
    bool counted = is_counted(row, &number);
    *t = (struct table){.smi = true, .by = comma};
    ret_sizes->n = 0;
    row = od_view_trim(row);
    while (t->n < COLUMNS_MAX && next_cell(&row, comma, &cell)) {
        struct od_csv_column *column = &t->columns[t->n];
        uint64_t n;
        double seconds;
        *column = (struct od_csv_column){0};
        if (od_view_ends(cell, OD_VIEW(" MiB"))) {
            if (ret_sizes->n == SIZES_MAX || !od_num_parse_u64(od_view_head(cell, cell.n - 4),
                                                               &ret_sizes->bytes[ret_sizes->n++]))
                return false;
            *column = (struct od_csv_column){.field = OD_F_IN_USE, .space = "device"};
        } else if (t->n == 0 && od_daytime_parse(cell, &seconds))
            column->field = OD_F_ELAPSED;
        else if (t->n <= 1 && od_num_parse_u64(cell, &n) && (n < DEVICES_MAX || counted))
            column->field = OD_F_DEVICE;
        else if (od_view_has(cell, OD_VIEW(": ")))
            return false; /* "error: out of memory, free: 1,024 MiB" */
        t->n++;
    }
    return ret_sizes->n > 0 && t->n > 1;
}

/* Have the two rows cells of the same kinds? */
static bool is_alike(const struct table *a, const struct table *b)
{
    bool alike = a->n == b->n;
    for (size_t i = 0; alike && i < a->n; i++)
        alike = a->columns[i].field == b->columns[i].field;
    return alike;
}

/*
 * Which size is which, by what they were at first and are now. Of two, one is in use, the smaller
 * at first; the other is the whole, which stays, or what is free, which goes as that comes. Of
 * three, the largest is the whole; `nvidia-smi` documents it as "total, free, used". False while
 * nothing has moved that would tell.
 */
static bool name_sizes(const struct sizes *first, const struct sizes *now,
                       enum od_field fields[SIZES_MAX])
{
    const uint64_t *a = first->bytes, *b = now->bytes;
    size_t whole = 0;
    fields[0] = fields[1] = fields[2] = OD_F_IN_USE;
    if (now->n < 2)
        return true;
    for (size_t i = 1; i < now->n; i++)
        whole = b[i] > b[whole] ? i : whole;
    if (now->n == SIZES_MAX) {
        size_t one = whole == 0 ? 1 : 0, other = 3 - whole - one;
        bool used_last = whole == 0 || a[other] <= a[one];
        fields[whole] = OD_F_CAPACITY;
        fields[used_last ? one : other] = OD_F_FREE;
        return true;
    }
    size_t used = a[0] <= a[1] ? 0 : 1, rest = 1 - used;
    bool moved = a[used] != b[used], stayed = a[rest] == b[rest];
    uint64_t before = a[0] + a[1], sum = b[0] + b[1];
    bool shared = (before < sum ? sum - before : before - sum) <= sum / SAME_SUM;
    fields[rest] = moved && stayed ? OD_F_CAPACITY : moved && shared ? OD_F_FREE : OD_F_NONE;
    return moved;
}

/* --- rows --- */

/* In bytes; the first number of a column whose name has no unit tells it. */
static struct od_bytes size_of(struct od_csv_column *column, struct od_view cell)
{
    struct od_bytes bytes = {0};
    double number;
    const char *unit = NULL;
    if (column->unit[0] == '\0' && od_num_parse_double(cell, &number))
        unit = od_measure_unit_of_part(number, column->field == OD_F_RSS    ? OD_MEASURED_PAGES
                                               : column->field == OD_F_PEAK ? OD_MEASURED_PEAK
                                                                            : OD_MEASURED);
    if (unit) {
        memcpy(column->unit, unit, strlen(unit) + 1);
        column->guessed = true;
    }
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

static void set_time(struct table *t, const struct od_csv_column *column, struct od_view cell,
                     struct od_event *event)
{
    double seconds;
    if (column->seconds > 0 ? !od_num_parse_double(cell, &seconds)
                            : !od_daytime_parse(cell, &seconds))
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

/* Rows of one moment are of several devices, in their order: the second is of device 1. Of one
 * moment are those of one time, or of one heading that comes again and again. */
static void set_ordinal(struct table *t, struct od_event *event)
{
    const double same_moment = 0.05;
    double now = 0;
    bool timed = od_event_number(event, OD_F_ELAPSED, &now);
    if (!t->smi || (!timed && !t->again) || od_event_get(event, OD_F_DEVICE) ||
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

/* "61 %" */
static struct od_view without_sign(struct od_view cell)
{
    bool sign = od_view_ends(cell, OD_VIEW("%"));
    return od_view_trim(od_view_head(cell, cell.n - sign));
}

static void set_cell(struct table *t, struct od_csv_column *column, struct od_view cell,
                     struct od_event *event)
{
    uint64_t n;
    double percent;
    if (column->field == OD_F_SHARE) {
        if (od_num_parse_double(without_sign(cell), &percent) && percent >= 0 && percent <= 100)
            od_event_set_number(event, OD_F_SHARE, percent / 100);
    } else if (is_size(column->field)) {
        od_event_set_known(event, column->field, size_of(column, cell));
        event->unit_guessed = event->unit_guessed || column->guessed;
    } else if (column->field == OD_F_ELAPSED)
        set_time(t, column, cell, event);
    else if (column->field == OD_F_DEVICE)
        set_device(cell, event);
    else if (od_field_type(column->field) == OD_T_TEXT)
        od_event_set_text(event, column->field, cell);
    else if (od_num_parse_u64(cell, &n))
        od_event_set_count(event, column->field, n);
}

/* Whose memory: a table may hold both the machine's and that of several devices. */
struct owner {
    const char *space;
    struct od_count device;
};

static bool is_of(const struct od_csv_column *column, const struct owner *owner)
{
    return strcmp(column->space, owner->space) == 0 &&
           column->device.known == owner->device.known && column->device.n == owner->device.n;
}

/* Where gaps part columns, a cell stands below its name; an empty one would be a wider gap. */
static bool is_below(const struct table *t, const struct od_csv_column *column, struct od_view cell,
                     const struct od_line *line)
{
    size_t start = (size_t)(cell.p - line->text.p);
    return t->by.n != 2 || (start < column->stop && start + cell.n > column->start);
}

/* The cells of one owner. */
static bool emit(struct table *t, const struct od_line *line, const struct owner *owner,
                 const struct od_sink *sink)
{
    struct od_event event;
    od_measure_begin(&event, "memory_csv", line, owner->space);
    char number[21];
    struct od_view row = row_in(t, line->text), cell;
    bool sizes = false;
    for (size_t i = 0; i < t->n && next_cell(&row, t->by, &cell); i++) {
        struct od_csv_column *column = &t->columns[i];
        bool of_other = is_size(column->field) && !is_of(column, owner);
        if (column->field == OD_F_NONE || cell.n == 0 || of_other ||
            !is_below(t, column, cell, line))
            continue;
        if (column->field == OD_F_GROUP && od_event_get(&event, OD_F_GROUP))
            od_event_set_text(&event, OD_F_PROCESS, cell); /* a container of the pod */
        else if (!od_event_get(&event, column->field))
            set_cell(t, column, cell, &event);
        sizes = sizes || (is_size(column->field) && od_event_get(&event, column->field));
    }
    if (sizes) {
        if (owner->device.known && !od_event_get(&event, OD_F_DEVICE))
            od_event_set_text(&event, OD_F_DEVICE,
                              od_view_of(od_num_print_u64(owner->device.n, number)));
        set_ordinal(t, &event);
        od_sink_put(sink, &event);
    }
    return sizes;
}

static bool take_row(struct table *t, const struct od_line *line, const struct od_sink *sink)
{
    bool taken = false;
    if (count_cells(row_in(t, line->text), t->by) != t->n)
        return false;
    for (size_t i = 0; i < t->n; i++) {
        const struct od_csv_column *column = &t->columns[i];
        bool first = is_size(column->field);
        struct owner owner = {column->space, column->device};
        for (size_t j = 0; j < i && first; j++)
            first = !is_size(t->columns[j].field) || !is_of(&t->columns[j], &owner);
        if (first)
            taken |= emit(t, line, &owner, sink);
    }
    return taken;
}

/* The rows kept open a table: it is known, or has to be guessed, what their sizes are. */
static void take_kept(struct csv *s, enum od_csv_first first, const struct od_sink *sink)
{
    struct od_csv_sweep *sweep = &s->sweep;
    struct table *t = &s->table;
    struct sizes before, now;
    enum od_field fields[SIZES_MAX];
    bool told = false, good = sweep->n > 1 && read_bare(t, sweep->lines[0].text, &before);
    for (size_t i = 1; i < sweep->n && good && !told; i++)
        told = read_bare(t, sweep->lines[i].text, &now) && name_sizes(&before, &now, fields);
    if (!good) {
        sweep->n = 0;
        return;
    }
    for (size_t i = 0, seen = 0; i < t->n; i++)
        if (t->columns[i].field == OD_F_IN_USE)
            t->columns[i].field = fields[seen++];
    if (first != OD_CSV_UNTOLD)
        t->columns[0].field = first == OD_CSV_COUNT ? OD_F_STEP : OD_F_DEVICE;
    t->open = true;
    for (size_t i = 0; i < sweep->n; i++)
        (void)take_row(t, &sweep->lines[i], sink);
    sweep->n = 0;
}

/* A row that begins with a number: of the device, or a count. */
static enum od_take take_counted(struct csv *s, const struct od_line *line, uint64_t number,
                                 const struct od_sink *sink)
{
    enum od_csv_first first = od_csv_sweep_add(&s->sweep, line, number);
    if (first != OD_CSV_UNTOLD)
        take_kept(s, first, sink);
    return OD_TAKE_ALL;
}

/* A row of another kind: kept until some have moved. */
static enum od_take take_bare(struct csv *s, const struct od_line *line, const struct od_sink *sink)
{
    struct od_csv_sweep *sweep = &s->sweep;
    struct table one, kept;
    struct sizes first, now;
    enum od_field fields[SIZES_MAX];
    if (line->text.n > OD_CSV_SWEEP_TEXT || !read_bare(&one, line->text, &now))
        return OD_TAKE_NONE;
    if (sweep->n > 0 && (!read_bare(&kept, sweep->lines[0].text, &first) || !is_alike(&one, &kept)))
        sweep->n = 0;
    od_csv_sweep_keep(sweep, line);
    if (sweep->n > 1 && (name_sizes(&first, &now, fields) || sweep->n == OD_CSV_SWEEP_MAX))
        take_kept(s, OD_CSV_UNTOLD, sink);
    return OD_TAKE_ALL;
}

static enum od_take take_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct csv *s = state;
    struct table *t = &s->table;
    uint64_t number;
    if (t->open && take_row(t, line, sink))
        return OD_TAKE_ALL;
    if (open_table(t, line))
        return OD_TAKE_SHARE;
    if (t->open)
        return OD_TAKE_NONE;
    if (!od_view_has(line->text, OD_VIEW(" MiB")))
        return OD_TAKE_NONE;
    if (is_counted(line->text, &number))
        return take_counted(s, line, number, sink);
    return take_bare(s, line, sink);
}

/* No heading, and no row without one. */
static bool is_silent(struct od_view text)
{
    struct table table = {0};
    struct sizes sizes;
    const struct od_line line = {.text = text};
    return !open_table(&table, &line) && !od_num_has_long(text) &&
           (!od_view_has(text, OD_VIEW(" MiB")) || !read_bare(&table, text, &sizes));
}

static bool is_open(const void *state)
{
    return ((const struct csv *)state)->table.open;
}

static void end(void *state, const struct od_sink *sink)
{
    struct csv *s = state;
    uint64_t number;
    bool counted = s->sweep.n > 0 && is_counted(s->sweep.lines[0].text, &number);
    if (s->sweep.n > 0)
        take_kept(s, counted ? od_csv_sweep_guess(&s->sweep) : OD_CSV_UNTOLD, sink);
    s->table.open = false;
}

const struct od_reader od_reader_memory_csv = {
    .name = "memory_csv",
    .literals = openers,
    .state_size = sizeof(struct csv),
    .foreign_max = FOREIGN_MAX,
    .silent = is_silent,
    .line = take_line,
    .is_open = is_open,
    .end = end,
};
