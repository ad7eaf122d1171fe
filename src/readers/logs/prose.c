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

static bool is_of_memory(struct od_view text)
{
    static const char *const words[] = {"memory", "Memory", "RAM", "RSS", "GPU", "VRAM", NULL};
    return od_view_has_any(text, words);
}

/* The text between two places, without the marks around it. */
static struct od_view between(struct od_view text, size_t start, size_t end)
{
    struct od_view part = od_view_from(od_view_head(text, end), start);
    while (part.n > 0 && strchr(" `*~", part.p[0]))
        part = od_view_from(part, 1);
    while (part.n > 0 && strchr(" `*~", part.p[part.n - 1]))
        part.n--;
    return part;
}

static bool ends_with(struct od_view text, const char *const *words)
{
    while (*words && !od_view_ends(text, od_view_of(*words)))
        words++;
    return *words != NULL;
}

/* What two sizes and the words around them say: "1.12 GB -> 61 GB", "706.5 to 726.1 MB", "from 1.12
 * GB at the start to 61 GB", "starts with 1.12 GB ... reaches 61 GB", "initial RAM 1.12 GB, peak 61
 * GB". A line of a log starts with its time or its level. */
static bool read_sentence(const struct od_line *line, const struct od_sink *sink)
{
    static const char *const arrows[] = {"to", "\xe2\x86\x92", "->", NULL},
                             *const to[] = {" to", NULL}, *const from[] = {"from", NULL};
    static const char *const starts[] = {" starts with ", " starts at ", " began with ",
                                         " begins at ",   "nitial ",     NULL};
    static const char *const ends[] = {" reaches ", " reached ",  " reaching ", " peak",
                                       " ends at ", " ended at ", " final ",    NULL};
    static const char *const host[] = {"RAM", "RSS", NULL}, *const device[] = {"GPU", "VRAM", NULL};
    struct od_view text = od_view_trim(line->text);
    struct od_number number, last = {0};
    struct od_bytes first = {0}, least = {0}, most = {0};
    bool begun = false, started = false;
    if (text.n == 0 || od_is_digit(text.p[0]) || text.p[0] == '[' || od_view_count(text, ' ') < 5 ||
        !is_of_memory(text))
        return false;
    for (size_t i = 0; i < text.n && !(least.known && most.known); i = number.end) {
        number = (struct od_number){.end = i + 1};
        if (!od_number_begins(text, i) || !od_number_take(text, i, &number))
            continue;
        struct od_view joint = between(text, last.end, number.start);
        struct od_bytes before = last.bytes;
        if (last.end > 0 && !before.known && last.end == last.digits_end)
            (void)od_bytes_parse_unit(between(text, last.start, last.end),
                                      between(text, number.digits_end, number.end), OD_UNIT_BINARY,
                                      &before);
        bool change = od_view_eq_any(joint, arrows) || (begun && ends_with(joint, to));
        if (change && before.known && number.bytes.known) {
            least = before;
            most = number.bytes;
        }
        bool starting = od_view_has_any(joint, starts);
        first = starting && !started ? number.bytes : first;
        started |= starting;
        if (first.known && od_view_has_any(joint, ends) && number.bytes.n > first.n) {
            least = first;
            most = number.bytes;
        }
        begun = ends_with(joint, from);
        last = number;
    }
    if (!least.known || !most.known)
        return false;
    struct od_event event = event_of(line, "course");
    if (od_view_has_any(text, host) && !od_view_has_any(text, device))
        od_event_set_text(&event, OD_F_SPACE, OD_VIEW("host"));
    od_event_set_bytes(&event, OD_F_IN_USE, least);
    od_event_set_bytes(&event, OD_F_PEAK, most);
    od_sink_put(sink, &event);
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
