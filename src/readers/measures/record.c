#include "readers/measures/record.h"

#include "base/log_prefix.h"
#include "facts/segment.h"
#include "readers/measures/table_column.h"
#include "readers/measures/template.h"

#include "readers/measures/record_lists.inc"

enum { ROWS_MOST = 64, LINE_MOST = 200, KEY_MOST = 48, NAME_MOST = 64 };

enum form { BLANK, RULE, ROW, OPENING, CLOSING, OTHER };

struct row {
    enum form form;
    bool outer;  /* it is not indented */
    bool begins; /* "- pid: 812", "{": the first line of an item of a list */
    struct od_view key, value;
};

static struct od_view without(struct od_view text, const char *const *around)
{
    for (size_t n = text.n + 1; text.n < n;) {
        n = text.n;
        text = od_view_trim(text);
        (void)od_view_take_any(&text, around);
        for (size_t i = 0; around[i]; i++)
            if (od_view_ends(text, od_view_of(around[i])))
                text.n -= strlen(around[i]);
    }
    return text;
}

static bool is_of_key(char c)
{
    return od_is_word(c) || (c && strchr(" .-/%()[]#+", c));
}

/* "rss: 1.2 GB", "\"rss\": 120,", "rss │ 120", "{rss,120}", "rss   120 kB", "anon 4096" */
static void cut_row(struct od_view text, struct row *row)
{
    bool tuple = od_view_take(&text, OD_VIEW("{")), quoted = od_view_take(&text, OD_VIEW("\""));
    size_t n = od_past(text, 0, is_of_key);
    size_t gap = od_view_find(od_view_head(text, n), OD_VIEW("  "), 0);
    bool one = od_view_find_char(od_view_head(text, n), ' ', 0) < n;
    if (gap != OD_VIEW_NONE)
        n = gap;
    else if (n == text.n && one)
        n = (size_t)(od_find_last(text.p, ' ', n) - text.p);
    row->key = od_view_trim(od_view_head(text, n));
    struct od_view rest = od_view_from(text, n);
    bool apart = od_view_starts(rest, OD_VIEW(" "));
    quoted = quoted && od_view_take(&rest, OD_VIEW("\""));
    od_view_skip_blanks(&rest);
    bool sign = od_view_take_any(&rest, signs) || (tuple && od_view_take(&rest, OD_VIEW(",")));
    row->value = without(rest, quotes);
    bool number = apart && row->value.n > 0 && od_is_digit(row->value.p[0]);
    bool named = row->key.n > 0 && row->key.n <= KEY_MOST && od_is_letter(row->key.p[0]);
    bool cells =
        od_view_has_any(row->value, bars) || od_view_find_char(row->value, '|', 0) != OD_VIEW_NONE;
    if (named && (sign || number) && !cells)
        row->form = ROW;
}

/* Length of the common prefix of two lines, up to a blank. Digits of a time may differ. */
static size_t common_prefix(struct od_view a, struct od_view b)
{
    size_t end = 0, i = 0;
    bool timed = od_log_begins_with_time(od_view_from(a, a.n > 0 && a.p[0] == '['));
    for (; i < a.n && i < b.n && i < LINE_MOST; i++) {
        if (a.p[i] != b.p[i] && !(timed && od_is_digit(a.p[i]) && od_is_digit(b.p[i])))
            break;
        end = a.p[i] == ' ' ? i + 1 : end;
    }
    return end;
}

static struct row read_row(struct od_view prefix, struct od_view line)
{
    if (prefix.n > 0 && common_prefix(prefix, line) < prefix.n)
        return (struct row){.form = od_view_trim(line).n == 0 ? BLANK : OTHER};
    line = od_view_from(line, prefix.n);
    struct row row = {.form = OTHER, .outer = line.n > 0 && line.p[0] != ' ' && line.p[0] != '\t'};
    struct od_view text = without(line, frames);
    row.begins = od_view_take(&text, OD_VIEW("- "));
    (void)od_view_take(&text, OD_VIEW("STAT "));
    if (text.n == 0)
        row.form = od_view_trim(line).n == 0 ? BLANK : RULE;
    else if (od_past_any(text, 0, "-=_+*#") == text.n)
        row.form = RULE;
    else if (od_past_any(text, 0, "}])") == text.n)
        row.form = CLOSING;
    else if (strchr("{[(", text.p[text.n - 1]) && text.n < LINE_MOST) {
        row.form = OPENING;
        row.begins = row.begins || text.n == 1;
    } else if (text.n < LINE_MOST)
        cut_row(text, &row);
    return row;
}

/* Does the line separate records, so that it belongs to none? */
static bool is_apart(const struct row *row)
{
    return row->form == BLANK || row->form == OTHER ||
           (row->outer && (row->form == OPENING || row->form == CLOSING));
}

/* Offset of the first row of the record at `at`, after the record that was found last. */
static size_t begin_of(const struct od_record *record, struct od_view log, size_t at)
{
    size_t first = 0;
    if (record->rows.p >= log.p && record->rows.p + record->rows.n <= log.p + at)
        first = (size_t)(record->rows.p - log.p) + record->rows.n;
    struct od_view head = od_view_head(log, at);
    for (size_t i = 0; i < ROWS_MOST && head.n > first; i++) {
        struct row row = read_row(record->prefix, od_line_before(&head));
        if (is_apart(&row))
            return at;
        at = head.n;
    }
    return at > first ? at : first;
}

/* --- owners of a record: process, container, machine --- */

static void take_name(struct od_record *record, const struct row *row, enum od_field field)
{
    struct od_view *to = field == OD_F_PROCESS                ? &record->process
                         : od_view_eq_any(row->key, machines) ? &record->machine
                         : record->group.n > 0                ? &record->process
                                                              : &record->group;
    bool letters = false;
    for (size_t i = 0; i < row->value.n; i++)
        letters = letters || od_is_letter(row->value.p[i]);
    if (to->n == 0 && letters && row->value.n <= NAME_MOST)
        *to = row->value;
}

static void take_count(struct od_count *to, struct od_view value)
{
    if (!to->known && od_num_take_u64(&value, &to->n))
        to->known = value.n == 0 || !od_is_word(value.p[0]);
}

static void take_owner(struct od_record *record, const struct row *row)
{
    struct od_view key = row->key;
    size_t dot = key.n > 0 && od_find_last(key.p, '.', key.n)
                     ? (size_t)(od_find_last(key.p, '.', key.n) - key.p) + 1
                     : 0;
    enum od_field field = od_table_column_of(od_view_from(key, dot)).field;
    if (field == OD_F_PID)
        take_count(&record->pid, row->value);
    else if (field == OD_F_RANK)
        take_count(&record->rank, row->value);
    else if (field == OD_F_DEVICE && od_until_any(row->value, 0, " .") == row->value.n)
        record->device = od_view_from(row->value, od_back(row->value, row->value.n, od_is_digit));
    else if (field == OD_F_PROCESS || field == OD_F_GROUP)
        take_name(record, row, field);
}

/* "[loader-2] memory {", "### /sys/fs/cgroup/batch.slice", "4242:", "-- worker 3 (pid 812) --" */
static void take_heading(struct od_record *record, struct od_view line)
{
    struct od_view text = od_view_trim(line), rest = text;
    struct od_template place;
    uint64_t pid;
    bool marked = text.n > 0 && (strchr("=-#*[", text.p[0]) || strchr(":{[(", text.p[text.n - 1]));
    if (text.n == 0 || text.n > LINE_MOST)
        return;
    if (od_num_take_u64(&rest, &pid) && od_view_take(&rest, OD_VIEW(":")) &&
        (rest.n == 0 || od_view_starts(rest, OD_VIEW("  ")))) {
        record->pid = record->pid.known ? record->pid : od_count_of(pid);
        return;
    }
    if (!marked)
        return;
    od_template_read(text, NULL, &place);
    record->pid = record->pid.known ? record->pid : place.pid.count;
    record->rank = record->rank.known ? record->rank : place.rank.count;
    struct od_view name = od_span_of(text, place.key);
    size_t end = od_view_find_char(text, ']', 0), path = od_view_find(text, OD_VIEW("/cgroup/"), 0);
    if (name.n == 0 && text.p[0] == '[' && end < text.n) {
        name = od_view_part(text, 1, end);
        bool parts = od_view_find_char(name, '-', 0) != OD_VIEW_NONE ||
                     (name.n > 0 && od_is_digit(name.p[name.n - 1]));
        name.n =
            parts && od_is_letter(name.p[0]) && od_past(name, 0, is_of_key) == name.n ? name.n : 0;
    } else if (name.n == 0 && path != OD_VIEW_NONE) {
        name = od_view_from(text, path + strlen("/cgroup/"));
        name.n = od_until_any(name, 0, " :)]");
    }
    record->group = record->group.n > 0 ? record->group : name;
}

/* Reads the record whose first row is at that offset of the log. */
static void read_record(struct od_record *record, struct od_view log, size_t at)
{
    uint64_t seen[ROWS_MOST];
    size_t n = 0, begin = at;
    *record = (struct od_record){.prefix = record->prefix};
    while (at < log.n) {
        struct od_view rest = od_view_from(log, at), line;
        (void)od_view_cut(&rest, '\n', &line);
        struct row row = read_row(record->prefix, line);
        bool again = is_apart(&row) || (row.begins && n > 0);
        uint64_t hash = od_view_hash(row.key);
        for (size_t i = 0; i < n && row.form == ROW && row.value.n > 0; i++)
            again = again || seen[i] == hash;
        if (again || n == ROWS_MOST)
            break;
        if (row.form == ROW && row.value.n > 0) {
            seen[n++] = hash;
            take_owner(record, &row);
        }
        at = log.n - rest.n;
    }
    record->rows = od_view_part(log, begin, at);
    struct od_view head = od_view_head(log, begin), above = {0};
    for (size_t i = 0; i < 2 && head.n > 0; i++) {
        above = od_line_before(&head);
        enum form form = read_row(record->prefix, above).form;
        if (form != BLANK && form != RULE)
            break;
    }
    if (record->prefix.n == 0 || common_prefix(record->prefix, above) == record->prefix.n)
        take_heading(record, od_view_from(above, record->prefix.n));
}

/* The prefix that a logger prints, if the line above or below has it, too. */
static struct od_view prefix_of(struct od_view log, size_t at, struct od_view line)
{
    struct od_view head = od_view_head(log, at), rest = od_view_from(log, at + line.n + 1), below;
    if (line.n == 0 || !(od_is_digit(line.p[0]) || line.p[0] == '['))
        return (struct od_view){0};
    size_t n = common_prefix(line, od_line_before(&head));
    (void)od_view_cut(&rest, '\n', &below);
    size_t other = common_prefix(line, below);
    return od_view_head(line, other > n ? other : n);
}

/* --- measurements --- */

static void set_name(struct od_event *event, enum od_field field, struct od_view name)
{
    if (name.n > 0 && od_event_text(event, field).n == 0)
        od_event_set_text(event, field, name);
}

static bool is_within(struct od_view rows, struct od_view line)
{
    return rows.n > 0 && line.p >= rows.p && line.p < rows.p + rows.n;
}

void od_record_own(struct od_record *record, struct od_view log, size_t at, struct od_event *event)
{
    struct od_view rest = od_view_from(log, at), line, space = od_event_text(event, OD_F_SPACE);
    const struct od_place *place = event->line ? event->line->place : NULL;
    (void)od_view_cut(&rest, '\n', &line);
    if (od_event_get(event, OD_F_PID) || od_event_get(event, OD_F_DEVICE) ||
        od_event_get(event, OD_F_GROUP) || (place && (place->rank.known || place->pid.known)))
        return;
    if (!is_within(record->rows, line)) {
        record->prefix = prefix_of(log, at, line);
        if (read_row(record->prefix, line).form != ROW)
            return;
        do
            read_record(record, log, begin_of(record, log, at));
        while (record->rows.n > 0 && !is_within(record->rows, line));
    }
    bool host = od_view_eq_str(space, "host"), device = od_view_eq_str(space, "device");
    bool whole = host && !od_event_get(event, OD_F_RSS) && !od_event_get(event, OD_F_VIRTUAL) &&
                 !od_event_get(event, OD_F_PEAK) && !od_event_get(event, OD_F_PROCESS);
    if (space.n > 0 && !device)
        set_name(event, OD_F_GROUP, record->machine);
    if (whole)
        return;
    if (record->pid.known)
        od_event_set_count(event, OD_F_PID, record->pid.n);
    if (record->rank.known && !od_event_get(event, OD_F_RANK))
        od_event_set_count(event, OD_F_RANK, record->rank.n);
    if (device)
        set_name(event, OD_F_DEVICE, record->device);
    if (space.n > 0 && !device) {
        set_name(event, OD_F_PROCESS, record->process);
        set_name(event, OD_F_GROUP, record->group);
    }
}
