#include "readers/measures/table_tools.h"

#include "readers/measures/memory_words.h"

static const struct od_table_tool tools[] = {
#include "readers/measures/table_tools.inc"
};

enum { STAMP_WORDS = 6 };

static bool is_count(struct od_view text)
{
    uint64_t n;
    return od_num_parse_u64(text, &n);
}

static bool is_number(struct od_view text)
{
    double n;
    return od_num_parse_double(text, &n);
}

static bool is_size(struct od_view text)
{
    return od_table_size(text, "B").known;
}

static bool has_char(struct od_view text, char c)
{
    return od_view_find_char(text, c, 0) != OD_VIEW_NONE;
}

/* "Rl+", "S", "D": the state of a process. */
static bool is_state(struct od_view text)
{
    return text.n > 0 && text.n <= 4 && memchr("RSDZTtXI", text.p[0], 8);
}

static bool is_ps_row(const struct od_view *w, size_t n)
{
    return n >= 11 && is_count(w[1]) && is_number(w[2]) && has_char(w[3], '.') && is_number(w[3]) &&
           is_count(w[4]) && is_count(w[5]) && is_state(w[7]) && has_char(w[9], ':');
}

void od_table_take_unit(struct od_view *rest, struct od_view *cell)
{
    struct od_view after = *rest;
    if (cell->n == 0 || !od_is_digit(cell->p[cell->n - 1]))
        return;
    (void)od_view_take(&after, OD_VIEW(" "));
    struct od_view word = od_view_take_letters(&after);
    bool ends = after.n == 0 || after.p[0] == ' ' || after.p[0] == '\t';
    if (ends && word.n > 1 && od_memory_is_unit(word)) {
        cell->n = (size_t)(word.p + word.n - cell->p);
        *rest = after;
    }
}

void od_table_words(struct od_view text, struct od_table_cells *to)
{
    to->n = 0;
    od_view_skip_blanks(&text);
    while (text.n > 0 && to->n < OD_TABLE_CELLS) {
        size_t n = od_until_any(text, 0, " \t");
        struct od_view word = od_view_head(text, n);
        text = od_view_from(text, n);
        od_table_take_unit(&text, &word);
        to->items[to->n++] = word;
        od_view_skip_blanks(&text);
    }
    /* free in other languages */
    static const char *const memory[] = {"Speicher:", "Memoria:", "Память:", "内存：", NULL};
    if (to->n > 0 && od_view_eq_any(to->items[0], memory))
        to->items[0] = OD_VIEW("Mem:");
    /* "Sep 23 01:53:44 Mem:  ...": a time that the user added before a row of free or ps. */
    bool row = is_ps_row(to->items, to->n);
    for (size_t i = 1; i <= STAMP_WORDS && i < to->n && !row; i++) {
        const struct od_view *after = to->items + i;
        row = is_ps_row(after, to->n - i) || od_view_eq_str(after[0], "Mem:");
        if (row)
            memmove(to->items, after, (to->n -= i) * sizeof *after);
    }
}

size_t od_table_at(const struct od_table_cells *cells, struct od_view text)
{
    size_t i = 0;
    while (i < cells->n && !od_view_eq(cells->items[i], text))
        i++;
    return i;
}

const struct od_table_tool *od_table_tool_of(const struct od_table_cells *heading)
{
    for (size_t i = 0; i < OD_COUNT_OF(tools); i++) {
        size_t j = 0;
        while (j < 3 && tools[i].must[j].n > 0 &&
               od_table_at(heading, tools[i].must[j]) < heading->n)
            j++;
        if (j == 3 || tools[i].must[j].n == 0)
            return &tools[i];
    }
    return NULL;
}

struct od_bytes od_table_size(struct od_view text, const char *unit)
{
    struct od_bytes bytes = {0};
    double number;
    if (od_num_parse_double(text, &number)) {
        if (unit)
            (void)od_bytes_parse_unit(text, od_view_of(unit), OD_UNIT_BINARY, &bytes);
        return bytes;
    }
    char last[4] = {0};
    if (text.n < 2)
        return bytes;
    last[0] = text.p[text.n - 1];
    if (strchr("kmgt", last[0])) {
        last[0] = (char)(last[0] - 'a' + 'A');
        (void)od_bytes_parse_unit(od_view_head(text, text.n - 1), od_view_of(last), OD_UNIT_BINARY,
                                  &bytes);
    } else if (od_is_digit(text.p[0]))
        (void)od_bytes_parse(text, OD_UNIT_BINARY, &bytes);
    return bytes;
}

/* --- rows without a heading --- */

static bool is_top_row(const struct od_view *w, size_t n)
{
    return n >= 12 && is_count(w[0]) && is_number(w[3]) && is_size(w[4]) && is_size(w[5]) &&
           is_size(w[6]) && w[7].n == 1 && is_state(w[7]) && is_number(w[8]) && is_number(w[9]) &&
           has_char(w[10], ':');
}

/* The version of free that prints these six numbers: used + free + cache is the total, but before
 * 2014 used included the cache. */
static const char *heading_of_free(const struct od_table_cells *w)
{
    double n[6];
    if (w->n != 7 || !od_view_eq_str(w->items[0], "Mem:"))
        return NULL;
    for (size_t i = 0; i < OD_COUNT_OF(n); i++) {
        if (!is_size(w->items[i + 1]))
            return NULL;
        n[i] = (double)od_table_size(w->items[i + 1], "B").n;
    }
    double slack = 0.03 * n[0], all = n[1] + n[2] + n[4] - n[0], old = n[1] + n[2] - n[0];
    if (all <= slack && all >= -slack)
        return "total used free shared buff/cache available";
    if (old <= slack && old >= -slack)
        return "total used free shared buffers cached";
    /* since 2022, used = total - available */
    double most = n[1] + n[5] - n[0];
    return most <= slack && most >= -slack ? "total used free shared buff/cache available" : NULL;
}

const char *od_table_heading_for(const struct od_table_cells *row)
{
    return is_ps_row(row->items, row->n) ? "USER PID %CPU %MEM VSZ RSS TTY STAT START TIME COMMAND"
           : is_top_row(row->items, row->n)
               ? "PID USER PR NI VIRT RES SHR S %CPU %MEM TIME+ COMMAND"
               : heading_of_free(row);
}
