/*
 * Pictures on a page of text. The bar of a memory:
 *
 *   GPU 0, 9.63 GiB
 *   ████████████████████▓▓▓▓▓▓░░░|
 *                             ├──────┤ request 768 MiB
 *   █ activations 7.90 GiB  ▓ weights 612 MiB  ░ free 978 MiB
 *
 * and the course of a run:
 *
 *   62.0 GiB ┤╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌╌▁▃▅▇
 *   31.0 GiB ┤           ▁▁▃▃▅▅▇▇████████
 *          0 ┤▁▃▃▅▅▇▇████████████████████
 *             step 1            step 3,800
 */
#include "report/page.h"

#include <math.h>

enum { WIDTH_MOST = 120, ROWS = 5, EIGHTHS = 8 };

static const struct od_stroke fills[OD_FILLS][OD_SHADES] = {
    [OD_FILL_USED] = {{{"█", 3}, '#'}, {{"▙", 3}, '@'}, {{"▄", 3}, '$'}},
    [OD_FILL_BASE] = {{{"▓", 3}, '%'}, {{"▚", 3}, '&'}, {{"▗", 3}, '+'}},
    [OD_FILL_HELD] = {{{"▒", 3}, '='}, {{"▖", 3}, '-'}, {{"▘", 3}, '~'}},
    [OD_FILL_OTHERS] = {{{"▞", 3}, 'x'}, {{"▌", 3}, '|'}, {{"▝", 3}, '^'}},
    [OD_FILL_FREE] = {{{"░", 3}, '.'}, {{"·", 2}, ','}, {{" ", 1}, ' '}},
};

static const enum od_tone tones[OD_FILLS] = {[OD_FILL_OTHERS] = OD_BAD, [OD_FILL_FREE] = OD_GOOD};

static size_t width_of(const struct od_page *page)
{
    size_t width = page->columns - 2 * (size_t)OD_TEXT_INDENT;
    return width < WIDTH_MOST ? width : (size_t)WIDTH_MOST;
}

/* The columns that a mark takes. The length of a bad mark is rounded up, so that a request which
 * does not fit never looks as if it did. */
static size_t mark_cells(const struct od_mark *mark, size_t width)
{
    if (mark->length >= 1)
        return width;
    double exact = mark->length * (double)width;
    double cells = mark->tone == OD_BAD ? ceil(exact) : round(exact);
    return cells < 1 ? 1 : (size_t)cells;
}

/* The first cell of a mark: it is at least one cell wide and moves left until it fits. */
static size_t place(const struct od_mark *mark, size_t width, size_t *ret_length)
{
    double start = round(mark->start * (double)width);
    size_t n = mark_cells(mark, width);
    size_t at = start < 0 ? 0 : (size_t)start;
    *ret_length = n > width ? width : n;
    return at + *ret_length > width ? width - *ret_length : at;
}

static void draw_mark(const struct od_page *page, struct od_glyphs *line,
                      const struct od_mark *mark, size_t length)
{
    if (length == 1) {
        od_glyphs_draw(page, line, mark->tone, (struct od_stroke){OD_VIEW("╵"), '^'}, 1);
        return;
    }
    od_glyphs_draw(page, line, mark->tone, (struct od_stroke){OD_VIEW("├"), '<'}, 1);
    od_glyphs_draw(page, line, mark->tone, (struct od_stroke){OD_VIEW("─"), '-'}, length - 2);
    if (mark->length > 1)
        od_glyphs_draw(page, line, mark->tone, (struct od_stroke){OD_VIEW("→"), '>'}, 1);
    else
        od_glyphs_draw(page, line, mark->tone, (struct od_stroke){OD_VIEW("┤"), '>'}, 1);
}

/* Draws the mark in its columns, and its label after it, before it, or on a separate line, wherever
 * there is room. */
static void put_mark(const struct od_page *page, const struct od_mark *mark, size_t width)
{
    struct od_glyphs line = {0};
    struct od_glyphs label = {0};
    size_t length;
    size_t at = place(mark, width, &length);
    od_glyphs_add(page, &label, mark->tone, od_view_of(mark->label));
    size_t need = od_glyphs_columns(&label, 0, label.n);
    bool behind = at + length + 1 + need <= width;
    bool before = !behind && need + 1 <= at;
    od_glyphs_blank(&line, OD_TEXT_INDENT + (before ? at - need - 1 : at));
    if (before) {
        od_glyphs_add(page, &line, mark->tone, od_view_of(mark->label));
        od_glyphs_blank(&line, 1);
    }
    draw_mark(page, &line, mark, length);
    if (!before && !behind) {
        od_page_line(page, &line);
        line.n = 0;
        size_t room = width > need ? width - need : 0;
        od_glyphs_blank(&line, OD_TEXT_INDENT + (at < room ? at : room));
    } else if (behind) {
        od_glyphs_blank(&line, 1);
    }
    if (!before)
        od_glyphs_add(page, &line, mark->tone, od_view_of(mark->label));
    od_page_line(page, &line);
    od_vec_done(&line);
    od_vec_done(&label);
}

static void put_title(const struct od_page *page, const char *title)
{
    struct od_glyphs line = {0};
    od_glyphs_blank(&line, OD_TEXT_INDENT);
    od_glyphs_add(page, &line, OD_PLAIN, od_view_of(title));
    od_page_line(page, &line);
    od_vec_done(&line);
}

/* Draws the parts. Even the smallest part is visible; rounding only shortens parts. */
static void put_parts(const struct od_page *page, const struct od_bar *bar, size_t width)
{
    struct od_glyphs line = {0};
    size_t drawn = 0, end_of_whole = (size_t)lround(bar->whole * (double)width);
    double at = 0;
    od_glyphs_blank(&line, OD_TEXT_INDENT);
    for (const struct od_bar_part *part = bar->first; part; part = part->next) {
        at += part->length;
        size_t end = (size_t)lround(fmin(at, bar->whole) * (double)width);
        if (end == drawn && end < end_of_whole)
            end++;
        if (end > drawn)
            od_glyphs_draw(page, &line, tones[part->fill], fills[part->fill][part->shade],
                           end - drawn);
        drawn = end > drawn ? end : drawn;
    }
    if (drawn < end_of_whole)
        od_glyphs_blank(&line, end_of_whole - drawn);
    od_glyphs_draw(page, &line, OD_DIM, (struct od_stroke){OD_VIEW("▏"), '|'}, 1);
    od_page_line(page, &line);
    od_vec_done(&line);
}

/* Writes the legend; an entry is never split between two lines. */
static void put_key(const struct od_page *page, const struct od_bar *bar, size_t width)
{
    struct od_glyphs line = {0};
    od_glyphs_blank(&line, OD_TEXT_INDENT);
    for (const struct od_bar_part *part = bar->first; part; part = part->next) {
        struct od_glyphs entry = {0};
        if (part->again)
            continue;
        od_glyphs_draw(page, &entry, tones[part->fill], fills[part->fill][part->shade], 1);
        od_glyphs_blank(&entry, 1);
        od_glyphs_add(page, &entry, OD_PLAIN, part->label);
        size_t used = od_glyphs_columns(&line, 0, line.n);
        if (used > OD_TEXT_INDENT &&
            used + 2 + od_glyphs_columns(&entry, 0, entry.n) > width + OD_TEXT_INDENT) {
            od_page_line(page, &line);
            line.n = 0;
            od_glyphs_blank(&line, OD_TEXT_INDENT);
        } else if (used > OD_TEXT_INDENT) {
            od_glyphs_blank(&line, 2);
        }
        od_text_copy(&line, &entry, 0, entry.n);
        od_vec_done(&entry);
    }
    od_page_line(page, &line);
    od_vec_done(&line);
}

void od_text_bar(const struct od_page *page, const struct od_bar *bar)
{
    size_t width = width_of(page);
    put_title(page, bar->title);
    put_parts(page, bar, width);
    if (bar->request.label)
        put_mark(page, &bar->request, width);
    put_key(page, bar, width);
}

static const struct od_view eighths[] = {{"▁", 3}, {"▂", 3}, {"▃", 3}, {"▄", 3},
                                         {"▅", 3}, {"▆", 3}, {"▇", 3}, {"█", 3}};
static const char eighths_ascii[] = {'_', '.', ',', '-', '=', '+', '*', '#'};

/* The level in a column: negative in a forecast, NaN if there is none. */
static double level_at(const struct od_plot *curve, size_t i, size_t width)
{
    size_t drawn = (size_t)lround(curve->drawn * (double)width);
    if (i < drawn) {
        size_t from = i * curve->n / drawn, to = (i + 1) * curve->n / drawn;
        double level = curve->levels[from];
        for (size_t k = from; k < to; k++)
            level = fmax(level, curve->levels[k]);
        return level;
    }
    double last = curve->levels[curve->n - 1];
    double part = (double)(i - drawn + 1) / (double)(width - drawn);
    return -(last + (curve->forecast - last) * part);
}

static void draw_point(const struct od_page *page, struct od_glyphs *line,
                       const struct od_plot *curve, double level, size_t row)
{
    bool forecast = level < 0;
    double steps = fabs(level) * ROWS * EIGHTHS - (double)((ROWS - 1 - row) * EIGHTHS);
    if (forecast && steps > 0 && (steps <= EIGHTHS || row == 0))
        od_glyphs_draw(page, line, OD_BAD, (struct od_stroke){OD_VIEW("·"), ':'}, 1);
    else if (!forecast && steps >= 0.5) {
        size_t full = steps >= EIGHTHS ? EIGHTHS - 1 : (size_t)fmax(round(steps) - 1, 0);
        od_glyphs_draw(page, line, curve->grows ? OD_BAD : OD_PLAIN,
                       (struct od_stroke){eighths[full], eighths_ascii[full]}, 1);
    } else if (row == 0 && curve->limit >= 0) {
        od_glyphs_draw(page, line, OD_DIM, (struct od_stroke){OD_VIEW("╌"), '~'}, 1);
    } else {
        od_glyphs_blank(line, 1);
    }
}

static size_t label_columns(const struct od_page *page, const struct od_plot *curve)
{
    const char *labels[] = {curve->top, curve->half, curve->bottom};
    size_t most = 0;
    for (size_t i = 0; i < OD_COUNT_OF(labels); i++) {
        struct od_glyphs words = {0};
        od_glyphs_add(page, &words, OD_DIM, od_view_of(labels[i]));
        size_t columns = od_glyphs_columns(&words, 0, words.n);
        most = columns > most ? columns : most;
        od_vec_done(&words);
    }
    return most;
}

static void put_row(const struct od_page *page, const struct od_plot *curve, size_t row,
                    size_t labels, size_t width)
{
    struct od_glyphs line = {0}, words = {0};
    const char *label = row == 0          ? curve->top
                        : row == ROWS / 2 ? curve->half
                        : row == ROWS - 1 ? curve->bottom
                                          : "";
    od_glyphs_add(page, &words, OD_DIM, od_view_of(label));
    od_glyphs_blank(&line, OD_TEXT_INDENT + labels - od_glyphs_columns(&words, 0, words.n));
    od_text_copy(&line, &words, 0, words.n);
    od_glyphs_blank(&line, 1);
    od_glyphs_draw(page, &line, OD_DIM, (struct od_stroke){OD_VIEW("┤"), '|'}, 1);
    for (size_t i = 0; i < width; i++)
        draw_point(page, &line, curve, level_at(curve, i, width), row);
    od_page_line(page, &line);
    od_vec_done(&words);
    od_vec_done(&line);
}

static void put_ends(const struct od_page *page, const struct od_plot *curve, size_t labels,
                     size_t width)
{
    struct od_glyphs line = {0}, to = {0};
    od_glyphs_blank(&line, OD_TEXT_INDENT + labels + 2);
    od_glyphs_add(page, &line, OD_DIM, od_view_of(curve->from));
    if (curve->note) {
        od_glyphs_blank(&line, 3);
        od_glyphs_add(page, &line, OD_BAD, od_view_of(curve->note));
    }
    od_glyphs_add(page, &to, OD_DIM, od_view_of(curve->to));
    size_t end = OD_TEXT_INDENT + labels + 2 + width;
    size_t used = od_glyphs_columns(&line, 0, line.n), need = od_glyphs_columns(&to, 0, to.n);
    if (used + 2 + need <= end) {
        od_glyphs_blank(&line, end - need - used);
        od_text_copy(&line, &to, 0, to.n);
    }
    od_page_line(page, &line);
    od_vec_done(&to);
    od_vec_done(&line);
}

void od_text_plot(const struct od_page *page, const struct od_plot *curve)
{
    size_t labels = label_columns(page, curve), all = width_of(page);
    size_t width = all > labels + 2 + 8 ? all - labels - 2 : 8;
    put_title(page, curve->title);
    for (size_t row = 0; row < ROWS; row++)
        put_row(page, curve, row, labels, width);
    put_ends(page, curve, labels, width);
}
