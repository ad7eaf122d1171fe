#include "facts/around.h"

#include "facts/excerpt.h"

enum { WINDOW = 2 * OD_AROUND_LINES + 1, WINDOWS = OD_AROUND_FIRST + OD_AROUND_LAST };

struct kept_line {
    size_t n;
    char text[OD_AROUND_TEXT];
};

struct window {
    struct od_prov at;
    struct kept_line lines[WINDOW]; /* the line of the place is in the middle */
};

struct od_around {
    uint32_t head_source;
    size_t nhead; /* bytes */
    char head[OD_AROUND_HEAD];
    size_t n; /* number of all places */
    struct window windows[WINDOWS];
};

struct od_around *od_around_new(void)
{
    /* elements are zeroed when they are first used */
    struct od_around *around = od_mem_resize(NULL, 1, sizeof *around);
    around->n = around->nhead = 0;
    return around;
}

void od_around_free(struct od_around *around)
{
    od_mem_free(around);
}

static void keep_line(struct kept_line *kept, struct od_view line)
{
    while (line.n > 0 && (line.p[line.n - 1] == '\n' || line.p[line.n - 1] == '\r'))
        line.n--;
    kept->n = od_excerpt_keep(line, OD_AROUND_TEXT, kept->text);
}

/* Start of the line that ends directly before that byte. */
static size_t line_before(struct od_view bytes, size_t end)
{
    size_t start = end - 1;
    while (start > 0 && bytes.p[start - 1] != '\n')
        start--;
    return start;
}

static void keep_before(struct window *window, struct od_view bytes, size_t at)
{
    for (size_t i = 1; i <= OD_AROUND_LINES && at > 0; i++) {
        size_t start = line_before(bytes, at);
        keep_line(&window->lines[OD_AROUND_LINES - i],
                  (struct od_view){bytes.p + start, at - start});
        at = start;
    }
}

static void keep_behind(struct window *window, struct od_view bytes, size_t at)
{
    for (size_t i = 0; i <= OD_AROUND_LINES && at < bytes.n; i++) {
        size_t end = od_view_find_char(bytes, '\n', at);
        end = end == OD_VIEW_NONE ? bytes.n : end + 1;
        keep_line(&window->lines[OD_AROUND_LINES + i], (struct od_view){bytes.p + at, end - at});
        at = end;
    }
}

void od_around_keep(struct od_around *around, struct od_prov at, struct od_view line,
                    struct od_view bytes)
{
    if (!around)
        return;
    size_t i = around->n < WINDOWS
                   ? around->n
                   : OD_AROUND_FIRST + (around->n - OD_AROUND_FIRST) % OD_AROUND_LAST;
    struct window *window = &around->windows[i];
    around->n++;
    window->at = at;
    for (size_t k = 0; k < WINDOW; k++)
        window->lines[k].n = 0;
    size_t start = (size_t)(line.p - bytes.p);
    keep_before(window, bytes, start);
    keep_behind(window, bytes, start);
}

struct od_view od_around_find(const struct od_around *around, struct od_prov at)
{
    if (!around)
        return (struct od_view){0};
    size_t n = around->n < WINDOWS ? around->n : WINDOWS;
    OD_FOR_EACH_OF (const struct window, window, around->windows, n) {
        uint64_t line = at.line + OD_AROUND_LINES;
        if (window->at.source != at.source || line < window->at.line ||
            line - window->at.line >= WINDOW)
            continue;
        const struct kept_line *kept = &window->lines[line - window->at.line];
        if (kept->n > 0)
            return (struct od_view){kept->text, kept->n};
    }
    return (struct od_view){0};
}

static struct od_view head_of(const struct od_around *around, uint32_t source)
{
    bool has = around && around->head_source == source;
    return has ? (struct od_view){around->head, around->nhead} : (struct od_view){0};
}

struct od_view od_around_line(const struct od_around *around, struct od_prov at)
{
    struct od_view line = od_around_find(around, at), head = head_of(around, at.source);
    if (line.n == 0 && at.offset < head.n) {
        head = od_view_from(head, (size_t)at.offset);
        (void)od_view_cut(&head, '\n', &line);
    }
    return od_view_trim(line);
}

void od_around_keep_head(struct od_around *around, uint32_t source, struct od_view bytes)
{
    if (!around || around->nhead > 0)
        return;
    struct od_view head = od_view_head(bytes, OD_AROUND_HEAD);
    const char *end = head.n < bytes.n ? od_find_last(head.p, '\n', head.n) : NULL;
    if (end)
        head.n = (size_t)(end - head.p) + 1;
    around->head_source = source;
    around->nhead = head.n;
    if (head.n > 0)
        memcpy(around->head, head.p, head.n);
}

struct od_around_walk od_around_walk(const struct od_around *around, uint32_t source)
{
    return (struct od_around_walk){
        around, {.source = source, .nlines = 1}, head_of(around, source)};
}

bool od_around_next(struct od_around_walk *walk, struct od_view *ret_line)
{
    const struct od_around *around = walk->around;
    struct od_prov *at = &walk->at;
    size_t n = !around ? 0 : around->n < WINDOWS ? around->n : WINDOWS;
    uint64_t next = UINT64_MAX;
    if (od_view_cut(&walk->head, '\n', ret_line)) {
        at->offset = (uint64_t)(ret_line->p - head_of(around, at->source).p);
        at->line++;
        return true;
    }
    for (size_t i = 0; i < n; i++) {
        const struct window *window = &around->windows[i];
        for (uint64_t k = 0; window->at.source == at->source && k < WINDOW; k++) {
            uint64_t line = window->at.line + k - OD_AROUND_LINES;
            if (window->at.line + k <= OD_AROUND_LINES || line <= at->line || line >= next ||
                window->lines[k].n == 0)
                continue;
            next = line;
            *ret_line = (struct od_view){window->lines[k].text, window->lines[k].n};
        }
    }
    at->line = next;
    return next != UINT64_MAX;
}
