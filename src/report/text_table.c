/* Tables on a page of text. Columns are as wide as needed; the widest shrink until all fit. */
#include "report/page.h"

#include <math.h>

enum { GAP = 2, BAR_LEAST = 6, BAR_MOST = 28, COLUMN_LEAST = 3, WORDS_LEAST = 12 };

struct widths {
    size_t of[OD_COLUMNS_MAX];
};

static size_t cell_columns(const struct od_page *page, struct od_view text)
{
    struct od_glyphs glyphs = {0};
    od_glyphs_add(page, &glyphs, OD_PLAIN, text);
    size_t columns = od_glyphs_columns(&glyphs, 0, glyphs.n);
    od_vec_done(&glyphs);
    return columns;
}

static size_t natural_width(const struct od_page *page, const struct od_table *table, size_t i)
{
    size_t width = cell_columns(page, od_view_of(table->columns[i].title));
    for (const struct od_row *row = table->first; row; row = row->next) {
        size_t columns = cell_columns(page, row->cells[i].text);
        width = columns > width ? columns : width;
    }
    return width;
}

static size_t sum_of(const struct od_table *table, const struct widths *widths)
{
    size_t sum = 0;
    for (size_t i = 0; i < table->ncolumns; i++)
        sum += widths->of[i] > 0 ? widths->of[i] + GAP : 0;
    return sum > 0 ? sum - GAP : 0;
}

/* Shrinks the widest column by one: columns of words first, then columns of numbers. */
static bool narrow(const struct od_table *table, struct widths *widths)
{
    for (int pass = 0; pass < 2; pass++) {
        size_t *widest = NULL;
        for (size_t i = 0; i < table->ncolumns; i++) {
            bool may =
                pass > 0 ? widths->of[i] > COLUMN_LEAST
                         : table->columns[i].kind == OD_COLUMN_LEFT && widths->of[i] > WORDS_LEAST;
            if (may && (!widest || widths->of[i] > *widest))
                widest = &widths->of[i];
        }
        if (widest) {
            (*widest)--;
            return true;
        }
    }
    return false;
}

static void fit(const struct od_page *page, const struct od_table *table, struct widths *widths,
                const char *title)
{
    size_t room = page->columns - OD_TEXT_INDENT;
    bool joins = title && table->ncolumns > 0 && table->columns[0].title[0] == '\0';
    size_t least = joins ? cell_columns(page, od_view_of(title)) : 0;
    least = least > OD_TEXT_INDENT ? least - OD_TEXT_INDENT : 0;
    for (size_t i = 0; i < table->ncolumns; i++) {
        bool bar = table->columns[i].kind == OD_COLUMN_BAR;
        size_t width = bar ? 0 : natural_width(page, table, i);
        if (i == 0 && width < least)
            width = least;
        widths->of[i] = width < room ? width : room;
    }
    while (sum_of(table, widths) > room && narrow(table, widths))
        ;
    for (size_t i = 0; i < table->ncolumns; i++) {
        size_t used = sum_of(table, widths) + GAP;
        if (table->columns[i].kind != OD_COLUMN_BAR || used + BAR_LEAST > room)
            continue;
        widths->of[i] = room - used > BAR_MOST ? BAR_MOST : room - used;
    }
}

static const struct od_view eighths[] = {{"▏", 3}, {"▎", 3}, {"▍", 3}, {"▌", 3},
                                         {"▋", 3}, {"▊", 3}, {"▉", 3}};

/* Draws whole cells, then eighths; on an ASCII page only whole cells. */
static void draw_bar(const struct od_page *page, struct od_glyphs *line, const struct od_cell *cell,
                     size_t width)
{
    double part = cell->part > 0 ? cell->part : 0;
    part = part > 1 ? 1 : part;
    size_t steps = (size_t)lround(part * (double)width * (page->unicode ? 8 : 1));
    if (!page->unicode) {
        od_glyphs_draw(page, line, cell->tone, (struct od_stroke){OD_VIEW("#"), '#'}, steps);
        return;
    }
    if (steps == 0 && part > 0)
        steps = 1;
    od_glyphs_draw(page, line, cell->tone, (struct od_stroke){OD_VIEW("█"), '#'}, steps / 8);
    if (steps % 8 > 0)
        od_glyphs_draw(page, line, cell->tone, (struct od_stroke){eighths[steps % 8 - 1], '#'}, 1);
}

static void move_to(struct od_glyphs *line, size_t column)
{
    size_t used = od_glyphs_columns(line, 0, line->n);
    if (used < column)
        od_glyphs_blank(line, column - used);
}

/* One row of cells that may each take several lines. */
struct cells {
    size_t out; /* outdent of the first column, in characters */
    struct od_glyphs text[OD_COLUMNS_MAX];
    struct od_wrap wrap[OD_COLUMNS_MAX];
};

static bool put_cells_line(const struct od_page *page, const struct od_table *table,
                           const struct widths *widths, struct cells *cells, bool first)
{
    struct od_glyphs line = {0};
    size_t column = OD_TEXT_INDENT;
    bool any = first;
    for (size_t i = 0; i < table->ncolumns; i++) {
        struct od_wrap *wrap = &cells->wrap[i];
        size_t out = i == 0 ? cells->out : 0;
        if (widths->of[i] == 0)
            continue;
        if (od_glyphs_wrap(&cells->text[i], widths->of[i] + out, wrap)) {
            size_t used = od_glyphs_columns(&cells->text[i], wrap->start, wrap->end);
            bool right = table->columns[i].kind == OD_COLUMN_RIGHT && used < widths->of[i];
            move_to(&line, column - out + (right ? widths->of[i] - used : 0));
            for (size_t g = wrap->start; g < wrap->end; g++)
                od_vec_push(&line, cells->text[i].items[g]);
            any = true;
        }
        column += widths->of[i] + GAP;
    }
    if (any)
        od_page_line(page, &line);
    od_vec_done(&line);
    return any;
}

static void put_cells(const struct od_page *page, const struct od_table *table,
                      const struct widths *widths, struct cells *cells)
{
    bool first = true;
    while (put_cells_line(page, table, widths, cells, first))
        first = false;
    for (size_t i = 0; i < table->ncolumns; i++)
        od_vec_done(&cells->text[i]);
}

static void put_row(const struct od_page *page, const struct od_table *table,
                    const struct widths *widths, const struct od_row *row)
{
    struct cells cells = {0};
    for (size_t i = 0; i < table->ncolumns; i++) {
        const struct od_cell *cell = &row->cells[i];
        if (table->columns[i].kind == OD_COLUMN_BAR)
            draw_bar(page, &cells.text[i], cell, widths->of[i]);
        else
            od_glyphs_add(page, &cells.text[i], cell->tone, cell->text);
    }
    put_cells(page, table, widths, &cells);
}

/* Is there room for the title in the heading of the first column? */
static bool has_room(const struct od_page *page, const struct od_table *table,
                     const struct widths *widths, const char *title)
{
    return title && table->ncolumns > 0 && table->columns[0].title[0] == '\0' &&
           table->columns[0].kind == OD_COLUMN_LEFT &&
           cell_columns(page, od_view_of(title)) <= widths->of[0] + OD_TEXT_INDENT;
}

static void put_head(const struct od_page *page, const struct od_table *table,
                     const struct widths *widths, const char *joined)
{
    struct cells cells = {.out = joined ? OD_TEXT_INDENT : 0};
    bool any = joined != NULL;
    for (size_t i = 0; i < table->ncolumns; i++) {
        struct od_view title = od_view_of(table->columns[i].title);
        any = any || title.n > 0;
        od_glyphs_add(page, &cells.text[i], OD_DIM, title);
    }
    if (joined)
        od_glyphs_add(page, &cells.text[0], OD_STRONG, od_view_of(joined));
    if (any)
        put_cells(page, table, widths, &cells);
    for (size_t i = 0; i < table->ncolumns; i++)
        od_vec_done(&cells.text[i]);
}

void od_text_table(const struct od_page *narrow, const struct od_table *table, const char *title)
{
    struct od_page whole = *narrow;
    const struct od_page *page = &whole;
    whole.columns = narrow->wide > narrow->columns ? narrow->wide : narrow->columns;
    struct widths widths = {0};
    fit(page, table, &widths, title);
    bool joined = has_room(page, table, &widths, title);
    if (title && !joined)
        od_text_title(page, title);
    put_head(page, table, &widths, joined ? title : NULL);
    for (const struct od_row *row = table->first; row; row = row->next)
        put_row(page, table, &widths, row);
}
