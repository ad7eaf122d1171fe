/*
 * Memory amounts stated in prose: "RAM goes from 1.12 GB to 61 GB", "1.12 GB -> 61 GB", "it starts
 * with 1.12 GB and reaches 61 GB", and a Markdown table of phases before and after a change, whose
 * unit may only be in its heading: "| Phase | Before | After | Saved |", "| Validation | 40 GB | 2
 * GB | 38 GB |". They become remarks named "course" and "phase", which are neither measurements nor
 * failures.
 */
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

/* Reads "706.5" before "726.1 MB" with the unit of the other number. */
static bool size_like(struct od_view number, struct od_view other, struct od_bytes *ret_bytes)
{
    char whole[NAME_MOST];
    size_t unit = 0;
    if (!is_bare(number))
        return od_bytes_parse(number, OD_UNIT_BINARY, ret_bytes);
    while (unit < other.n && !od_is_letter(other.p[unit]))
        unit++;
    other = od_view_from(other, unit);
    for (unit = 0; unit < other.n && od_is_letter(other.p[unit]);)
        unit++;
    int length = snprintf(whole, sizeof whole, "%.*s %.*s", (int)od_view_head(number, 32).n,
                          number.p, (int)od_view_head(other, 32 < unit ? 32 : unit).n, other.p);
    return od_bytes_parse((struct od_view){whole, (size_t)length}, OD_UNIT_BINARY, ret_bytes);
}

/* The size at the end of text, if another size follows it. */
static bool size_before(struct od_view text, struct od_view after, struct od_bytes *ret_bytes)
{
    size_t start;
    text = od_view_trim(text);
    while (text.n > 0 && (text.p[text.n - 1] == '`' || text.p[text.n - 1] == '*'))
        text.n--;
    for (start = text.n; start > 0 && text.n - start < 16; start--) {
        char c = text.p[start - 1];
        if (!od_is_alnum(c) && c != '.' && c != ' ' && c != ',')
            break;
        if (start >= 2 && c == ' ' && !od_is_digit(text.p[start - 2]))
            break;
    }
    return size_like(od_view_trim(od_view_from(text, start)), after, ret_bytes);
}

static bool size_behind(struct od_view text, struct od_bytes *ret_bytes)
{
    size_t n = 0;
    while (text.n > 0 &&
           (text.p[0] == ' ' || text.p[0] == '`' || text.p[0] == '*' || text.p[0] == '~'))
        text = od_view_from(text, 1);
    while (n < text.n && (od_is_digit(text.p[n]) || text.p[n] == '.' || text.p[n] == ' '))
        n++;
    while (n < text.n && od_is_letter(text.p[n]))
        n++;
    return n > 0 && od_bytes_parse(od_view_head(text, n), OD_UNIT_BINARY, ret_bytes);
}

/* "from 1.12 GB at the start to 61 GB": other words may be between the two. */
static bool from_to(struct od_view text, size_t at, struct od_bytes *ret_from)
{
    size_t from = od_view_find(text, OD_VIEW("from "), 0);
    return from != OD_VIEW_NONE && from < at && size_behind(od_view_from(text, from + 5), ret_from);
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

/* The first size after one of the words; false if there is none. */
static bool size_after(struct od_view text, const char *const *words, struct od_bytes *ret_bytes)
{
    for (size_t i = 0; words[i]; i++) {
        size_t at = od_view_find(text, od_view_of(words[i]), 0);
        if (at == OD_VIEW_NONE)
            continue;
        struct od_view rest = od_view_from(text, at + strlen(words[i]));
        size_t digit = 0;
        while (digit < rest.n && !od_is_digit(rest.p[digit]) && rest.p[digit] != '.')
            digit++;
        if (size_behind(od_view_from(rest, digit), ret_bytes))
            return true;
    }
    return false;
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

/* "starts with 1.12 GB ... reaches 61 GB", "initial RAM 1.12 GB, peak 61 GB" */
static bool read_start_and_end(const struct od_line *line, const struct od_sink *sink)
{
    static const char *const starts[] = {" starts with ", " starts at ", " began with ",
                                         " begins at ",   "nitial ",     NULL};
    static const char *const ends[] = {" reaches ", " reached ",  " reaching ", " peak",
                                       " ends at ", " ended at ", " final ",    NULL};
    struct od_bytes from = {0}, to = {0};
    if (!size_after(line->text, starts, &from) || !size_after(line->text, ends, &to) ||
        to.n <= from.n)
        return false;
    say_course(line, sink, from, to);
    return true;
}

static bool read_sentence(const struct od_line *line, const struct od_sink *sink)
{
    static const char *const arrows[] = {" to ", "\xe2\x86\x92", "->", NULL};
    struct od_view text = line->text;
    struct od_bytes from = {0}, to = {0};
    if (!is_sentence(text) || !is_of_memory(text))
        return false;
    for (size_t i = 0; arrows[i]; i++) {
        struct od_view arrow = od_view_of(arrows[i]);
        size_t at = od_view_find(text, arrow, 0);
        if (at == OD_VIEW_NONE || !size_behind(od_view_from(text, at + arrow.n), &to) ||
            (!size_before(od_view_head(text, at), od_view_from(text, at + arrow.n), &from) &&
             !from_to(text, at, &from)))
            continue;
        say_course(line, sink, from, to);
        return true;
    }
    return read_start_and_end(line, sink);
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
