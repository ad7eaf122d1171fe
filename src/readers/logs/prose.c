/*
 * Memory amounts stated in prose: "RAM goes from 1.12 GB to 61 GB", "1.12 GB -> 61 GB", "it starts
 * with 1.12 GB and reaches 61 GB", and a Markdown table of phases before and after a change, whose
 * unit may only be in its heading: "| Phase | Before | After | Saved |", "| Validation | 40 GB | 2
 * GB | 38 GB |". They become remarks named "course" and "phase", which are neither measurements nor
 * failures.
 */
#include "facts/number.h"
#include "readers/reader.h"

#include <stdio.h>

enum { LINE_MOST = 1200, CELLS_MOST = 6, NAME_MOST = 80, ROW_GAP = 2 /* a rule of dashes */ };

struct prose {
    unsigned before, after, saved; /* column numbers, from 1; 0 = no table is open */
    uint32_t source;
    uint64_t line; /* line of the latest row */
    char unit[4];  /* "GB" from "Before (GB)"; "" = each number has its own unit */
};

static const char *const openers[] = {"Before |",    "before |",     "BEFORE |",    "Old |",
                                      "old |",       "Before (",     "before (",    " starts with ",
                                      " starts at ", " began with ", " begins at ", "nitial ",
                                      NULL};
static const char *const numbered[] = {" to ", "\xe2\x86\x92", "->", "| ", NULL};

static struct od_event event_of(const struct od_line *line, const char *name)
{
    struct od_event event = {.kind = OD_EV_REMARK,
                             .at = line->at,
                             .line = line,
                             .excerpt = od_view_trim(line->text),
                             .rule = "prose"};
    od_event_set_text(&event, OD_F_NAME, od_view_of(name));
    return event;
}

/* --- a table --- */

static size_t cells_of(struct od_view text, struct od_view cells[CELLS_MOST])
{
    struct od_view cell;
    size_t n = 0;
    text = od_view_trim(text);
    if (!od_view_take(&text, OD_VIEW("|")))
        return 0;
    while (n < CELLS_MOST && od_view_cut(&text, '|', &cell))
        cells[n++] = od_view_trim(cell);
    return n;
}

static unsigned column_of(const struct od_view *cells, size_t n, const char *const *words)
{
    for (size_t i = 1; i < n; i++) {
        char lower[NAME_MOST];
        if (od_view_has_any(od_view_lowered(cells[i], lower, sizeof lower), words))
            return (unsigned)i;
    }
    return 0;
}

static bool open_table(struct prose *p, const struct od_line *line, const struct od_view *cells,
                       size_t n)
{
    static const char *const before[] = {"before", "old", "was", NULL};
    static const char *const after[] = {"after", "new", "now", NULL};
    static const char *const saved[] = {"saved", "saving", "saves", "diff", "reduc", NULL};
    unsigned was = column_of(cells, n, before), is = column_of(cells, n, after);
    if (was == 0 || is == 0)
        return false;
    *p = (struct prose){was, is, column_of(cells, n, saved), line->at.source, line->at.line, ""};
    size_t unit = od_view_find_char(cells[was], '(', 0);
    struct od_view word = {0};
    if (unit != OD_VIEW_NONE) {
        struct od_view rest = od_view_from(cells[was], unit + 1);
        (void)od_view_cut(&rest, ')', &word);
    }
    if (word.n > 0 && word.n < sizeof p->unit)
        memcpy(p->unit, word.p, word.n);
    return true;
}

static bool is_bare(struct od_view text)
{
    for (size_t i = 0; i < text.n; i++)
        if (!od_is_digit(text.p[i]) && text.p[i] != '.')
            return false;
    return text.n > 0;
}

static struct od_bytes size_in(const struct prose *p, const struct od_view *cells, size_t n,
                               unsigned column)
{
    static const char *const marks[] = {"**", "~", "*", "-", "\xe2\x88\x92", NULL};
    struct od_bytes bytes = {0};
    if (column == 0 || column >= n)
        return bytes;
    struct od_view text = cells[column];
    for (size_t i = 0; marks[i]; i++) {
        struct od_view mark = od_view_of(marks[i]);
        (void)od_view_take(&text, mark);
        if (od_view_ends(text, mark))
            text = od_view_head(text, text.n - mark.n);
    }
    char whole[NAME_MOST];
    text = od_view_trim(text);
    if (p->unit[0] != '\0' && is_bare(text) && text.n < sizeof whole - sizeof p->unit) {
        int length = snprintf(whole, sizeof whole, "%.*s %s", (int)text.n, text.p, p->unit);
        text = (struct od_view){whole, (size_t)length};
    }
    if (text.n == 0 || !od_bytes_parse(text, OD_UNIT_BINARY, &bytes))
        return (struct od_bytes){0};
    return bytes;
}

static bool read_row(struct prose *p, const struct od_line *line, const struct od_sink *sink)
{
    struct od_view cells[CELLS_MOST];
    size_t n = cells_of(line->text, cells);
    if (n < 3)
        return false;
    if (p->before == 0 || p->source != line->at.source || line->at.line > p->line + ROW_GAP)
        return open_table(p, line, cells, n);
    p->line = line->at.line;
    struct od_bytes before = size_in(p, cells, n, p->before);
    struct od_bytes after = size_in(p, cells, n, p->after);
    if (!before.known || !after.known)
        return true;
    struct od_event event = event_of(line, "phase");
    od_event_set_text(&event, OD_F_MESSAGE, od_view_head(cells[0], NAME_MOST));
    od_event_set_bytes(&event, OD_F_IN_USE, before);
    od_event_set_bytes(&event, OD_F_PEAK, after);
    od_event_set_bytes(&event, OD_F_FREE, size_in(p, cells, n, p->saved));
    od_sink_put(sink, &event);
    return true;
}

/* --- a sentence --- */

enum { SIZES_MOST = 16 };

struct sizes {
    struct od_view text;
    struct od_number list[SIZES_MOST];
    size_t n;
};

static void find_sizes(struct od_view text, struct sizes *ret_sizes)
{
    struct od_number number;
    *ret_sizes = (struct sizes){.text = text};
    for (size_t i = 0; i < text.n && ret_sizes->n < SIZES_MOST; i++) {
        if (!od_number_begins(text, i))
            continue;
        if (od_number_take(text, i, &number))
            ret_sizes->list[ret_sizes->n++] = number;
        i = number.end - 1;
    }
}

static struct od_view between(const struct sizes *s, size_t start, size_t end)
{
    struct od_view part = od_view_from(od_view_head(s->text, end), start);
    while (part.n > 0 && strchr(" `*~", part.p[0]))
        part = od_view_from(part, 1);
    while (part.n > 0 && strchr(" `*~", part.p[part.n - 1]))
        part.n--;
    return part;
}

/* Reads "706.5" before "726.1 MB" with the unit of the other number. */
static struct od_bytes with_unit_of(const struct sizes *s, size_t i, size_t other)
{
    const struct od_number *number = &s->list[i], *unit = &s->list[other];
    struct od_bytes bytes = number->bytes;
    if (!bytes.known && number->end == number->digits_end)
        (void)od_bytes_parse_unit(
            od_view_from(od_view_head(s->text, number->digits_end), number->start),
            between(s, unit->digits_end, unit->end), OD_UNIT_BINARY, &bytes);
    return bytes;
}

static bool is_of_memory(struct od_view text)
{
    static const char *const words[] = {"memory", "Memory", "RAM", "RSS", "GPU", "VRAM", NULL};
    return od_view_has_any(text, words);
}

/* Is it prose? A line of a log starts with its time or its level. */
static bool is_sentence(struct od_view text)
{
    text = od_view_trim(text);
    return text.n > 0 && !od_is_digit(text.p[0]) && text.p[0] != '[' &&
           od_view_count(text, ' ') >= 5;
}

/* The first number after one of the words, if it is a size. */
static struct od_bytes size_after(const struct sizes *s, const char *const *words)
{
    for (size_t k = 0; words[k]; k++) {
        size_t i = 0, at = od_view_find(s->text, od_view_of(words[k]), 0);
        while (at != OD_VIEW_NONE && i < s->n && s->list[i].start < at)
            i++;
        if (at != OD_VIEW_NONE && i < s->n && s->list[i].bytes.known)
            return s->list[i].bytes;
    }
    return (struct od_bytes){0};
}

static void say_course(const struct od_line *line, const struct od_sink *sink, struct od_bytes from,
                       struct od_bytes to)
{
    static const char *const host[] = {"RAM", "RSS", NULL}, *const device[] = {"GPU", "VRAM", NULL};
    struct od_event event = event_of(line, "course");
    if (od_view_has_any(line->text, host) && !od_view_has_any(line->text, device))
        od_event_set_text(&event, OD_F_SPACE, OD_VIEW("host"));
    od_event_set_bytes(&event, OD_F_IN_USE, from);
    od_event_set_bytes(&event, OD_F_PEAK, to);
    od_sink_put(sink, &event);
}

/* "1.12 GB -> 61 GB"; "from 1.12 GB at the start to 61 GB" */
static bool read_change(const struct sizes *s, const struct od_line *line,
                        const struct od_sink *sink)
{
    static const char *const arrows[] = {"to", "\xe2\x86\x92", "->", NULL};
    for (size_t i = 0; i + 1 < s->n; i++) {
        const struct od_number *next = &s->list[i + 1];
        struct od_view joint = between(s, s->list[i].end, next->start);
        bool from = od_view_ends(between(s, 0, s->list[i].start), OD_VIEW("from"));
        bool change =
            od_view_eq_any(joint, arrows) || (from && od_view_ends(joint, OD_VIEW(" to")));
        struct od_bytes before = with_unit_of(s, i, i + 1);
        if (!change || !next->bytes.known || !before.known)
            continue;
        say_course(line, sink, before, next->bytes);
        return true;
    }
    return false;
}

/* "1.12 GB -> 61 GB", "starts with 1.12 GB ... reaches 61 GB", "initial RAM 1.12 GB, peak 61 GB" */
static bool read_sentence(const struct od_line *line, const struct od_sink *sink)
{
    static const char *const starts[] = {" starts with ", " starts at ", " began with ",
                                         " begins at ",   "nitial ",     NULL};
    static const char *const ends[] = {" reaches ", " reached ",  " reaching ", " peak",
                                       " ends at ", " ended at ", " final ",    NULL};
    struct sizes sizes;
    if (!is_sentence(line->text) || !is_of_memory(line->text))
        return false;
    find_sizes(line->text, &sizes);
    if (read_change(&sizes, line, sink))
        return true;
    struct od_bytes from = size_after(&sizes, starts), to = size_after(&sizes, ends);
    if (!from.known || !to.known || to.n <= from.n)
        return false;
    say_course(line, sink, from, to);
    return true;
}

static enum od_take read_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    if (line->text.n > LINE_MOST)
        return OD_TAKE_NONE;
    bool taken = read_row(state, line, sink) || read_sentence(line, sink);
    return taken ? OD_TAKE_SHARE : OD_TAKE_NONE;
}

static bool is_silent(struct od_view text)
{
    return !od_view_starts(od_view_trim(text), OD_VIEW("|")) && !is_of_memory(text);
}

const struct od_reader od_reader_prose = {
    .name = "prose",
    .literals = openers,
    .numbered = numbered,
    .state_size = sizeof(struct prose),
    .silent = is_silent,
    .line = read_line,
};
