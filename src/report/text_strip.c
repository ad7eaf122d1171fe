/*
 * The strip of an address space on a page of text:
 *
 *   ██████▓▓████··········░░████████╌╌╌╌
 *               ├ hole ──┤
 *               ├ request ────┤
 */
#include "report/text_parts.h"

#include <math.h>

static const struct od_view shades[] = {{"░", 3}, {"▒", 3}, {"▓", 3}};
static const char shades_ascii[] = {'-', '=', '%'};

/* Mean use of the fine cells that the drawn cell covers, 0 and 255 only when all of them are. */
static unsigned use_of(const struct od_strip *strip, size_t i, size_t width)
{
    size_t from = i * OD_STRIP_CELLS / width;
    size_t to = (i + 1) * OD_STRIP_CELLS / width;
    to = to > from ? to : from + 1;
    unsigned sum = 0;
    for (size_t k = from; k < to && k < OD_STRIP_CELLS; k++)
        sum += strip->cells[k];
    unsigned n = (unsigned)(to - from);
    unsigned mean = sum / n;
    if (mean == 0 && sum > 0)
        return 1;
    return mean;
}

static void draw_cell(const struct od_page *page, struct od_glyphs *line,
                      const struct od_strip *strip, size_t i, size_t width)
{
    unsigned use = use_of(strip, i, width);
    if (((double)i + 0.5) / (double)width >= strip->taken)
        od_glyphs_draw(page, line, OD_DIM, (struct od_stroke){OD_VIEW("╌"), '~'}, 1);
    else if (use == 0)
        od_glyphs_draw(page, line, OD_GOOD, (struct od_stroke){OD_VIEW("·"), '.'}, 1);
    else if (use == 255)
        od_glyphs_draw(page, line, OD_PLAIN, (struct od_stroke){OD_VIEW("█"), '#'}, 1);
    else
        od_glyphs_draw(
            page, line, OD_PLAIN,
            (struct od_stroke){shades[(use - 1) * 3 / 254], shades_ascii[(use - 1) * 3 / 254]}, 1);
}

static void put_cells(const struct od_page *page, const struct od_strip *strip, size_t width)
{
    struct od_glyphs line = {0};
    od_glyphs_blank(&line, OD_TEXT_INDENT);
    for (size_t i = 0; i < width; i++)
        draw_cell(page, &line, strip, i, width);
    od_page_line(page, &line);
    od_vec_done(&line);
}

/* A tick where one region ends and the next begins; none when they all fall on the edges. */
static void put_borders(const struct od_page *page, const struct od_strip *strip, size_t width)
{
    struct od_glyphs line = {0};
    size_t next = 0;
    bool any = false;
    od_glyphs_blank(&line, OD_TEXT_INDENT);
    for (size_t i = 0; i < width; i++) {
        bool tick = false;
        for (; next < strip->nborders && strip->borders[next] * (double)width < (double)i + 1;
             next++)
            tick = true;
        any = any || (tick && i > 0);
        if (tick)
            od_glyphs_draw(page, &line, OD_DIM, (struct od_stroke){OD_VIEW("╵"), '\''}, 1);
        else
            od_glyphs_blank(&line, 1);
    }
    if (any)
        od_page_line(page, &line);
    od_vec_done(&line);
}

/* Cells of a mark: what does not fit is never drawn shorter, what is free never longer. */
static size_t mark_cells(const struct od_mark *mark, size_t width)
{
    if (mark->length >= 1)
        return width;
    double exact = mark->length * (double)width;
    double cells = mark->tone == OD_BAD    ? ceil(exact)
                   : mark->tone == OD_GOOD ? floor(exact)
                                           : round(exact);
    return cells < 1 ? 1 : (size_t)cells;
}

/* The cell of a mark: the width is at least one cell, and it moves left until it fits. */
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

void od_text_mark(const struct od_page *page, const struct od_mark *mark, size_t width)
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

static void put_wrapped(const struct od_page *page, const struct od_glyphs *text, size_t width)
{
    struct od_wrap wrap = {0};
    while (od_glyphs_wrap(text, width, &wrap)) {
        struct od_glyphs line = {0};
        od_glyphs_blank(&line, OD_TEXT_INDENT);
        for (size_t i = wrap.start; i < wrap.end; i++)
            od_vec_push(&line, text->items[i]);
        od_page_line(page, &line);
        od_vec_done(&line);
    }
}

static void put_legend(const struct od_page *page, const struct od_strip *strip, size_t width)
{
    struct od_glyphs line = {0};
    char cell[OD_BYTES_TEXT];
    double bytes = strip->bytes / (double)width;
    od_glyphs_draw(page, &line, OD_DIM, (struct od_stroke){OD_VIEW("█"), '#'}, 1);
    od_glyphs_add(page, &line, OD_DIM, OD_VIEW(" in use  "));
    od_glyphs_draw(page, &line, OD_DIM, (struct od_stroke){shades[1], shades_ascii[1]}, 1);
    od_glyphs_add(page, &line, OD_DIM, OD_VIEW(" in part  "));
    od_glyphs_draw(page, &line, OD_DIM, (struct od_stroke){OD_VIEW("·"), '.'}, 1);
    od_glyphs_add(page, &line, OD_DIM, OD_VIEW(" free"));
    if (strip->taken < 1 && (1 - strip->taken) * (double)width >= 0.5) {
        od_glyphs_add(page, &line, OD_DIM, OD_VIEW("  "));
        od_glyphs_draw(page, &line, OD_DIM, (struct od_stroke){OD_VIEW("╌"), '~'}, 1);
        od_glyphs_add(page, &line, OD_DIM, OD_VIEW(" not reserved"));
    }
    od_bytes_print_u64(bytes < 0x1p63 ? (uint64_t)bytes : UINT64_MAX, cell);
    od_glyphs_add(page, &line, OD_DIM, OD_VIEW("  1 cell = "));
    od_glyphs_add(page, &line, OD_DIM, od_view_of(cell));
    put_wrapped(page, &line, width);
    od_vec_done(&line);
}

void od_text_strip(const struct od_page *page, const struct od_strip *strip)
{
    size_t width = page->columns - 2 * (size_t)OD_TEXT_INDENT;
    put_cells(page, strip, width);
    put_borders(page, strip, width);
    for (const struct od_mark *mark = strip->first; mark; mark = mark->next)
        od_text_mark(page, mark, width);
    put_legend(page, strip, width);
}
