/* Parts of an HTML page: words, tables, our own pictures, and figures drawn by gnuplot. */
#include "report/html_parts.h"

#include "base/digest.h"

#include <math.h>

void od_html_line_id(struct od_buf *to, struct od_prov at)
{
    od_buf_printf(to, "L%u-%" PRIu64, at.source + 1, at.line);
}

/* Is it a right-to-left letter? These would reverse the surrounding text. */
static bool turns(struct od_view text)
{
    static const struct {
        uint32_t first, last;
    } ranges[] = {
        {0x590, 0x8FF}, {0xFB1D, 0xFDFF}, {0xFE70, 0xFEFF}, {0x10800, 0x10FFF}, {0x1E800, 0x1EFFF}};
    while (text.n > 0) {
        uint32_t code;
        text = od_view_from(text, od_text_decode(text, &code));
        for (size_t i = 0; i < OD_COUNT_OF(ranges); i++) {
            if (code >= ranges[i].first && code <= ranges[i].last)
                return true;
        }
    }
    return false;
}

static void add_isolated(struct od_buf *to, struct od_view text)
{
    bool isolate = turns(text);
    od_buf_add_str(to, isolate ? "<bdi>" : "");
    od_markup_text(to, text);
    od_buf_add_str(to, isolate ? "</bdi>" : "");
}

static const struct {
    const char *open, *close;
} tones[OD_TONES] = {
    [OD_PLAIN] = {"", ""},
    [OD_STRONG] = {"<strong>", "</strong>"},
    [OD_CODE] = {"<code>", "</code>"},
    [OD_DIM] = {"<span class=\"dim\">", "</span>"},
    [OD_GOOD] = {"<span class=\"good\">", "</span>"},
    [OD_BAD] = {"<span class=\"bad\">", "</span>"},
};

void od_html_words(struct od_buf *to, const struct od_doc *doc, const struct od_span *span)
{
    if (span->text.n == 0)
        return;
    bool link = span->at.line > 0 && od_doc_has_line(doc, span->at);
    if (link) {
        od_buf_add_str(to, "<a href=\"#");
        od_html_line_id(to, span->at);
        od_buf_add_str(to, "\">");
        add_isolated(to, span->text);
        od_buf_add_str(to, "</a>");
        return;
    }
    od_buf_add_str(to, tones[span->tone].open);
    add_isolated(to, span->text);
    od_buf_add_str(to, tones[span->tone].close);
}

/* ---- tables: they scroll inside their own frame where the page is narrow ---- */

static void add_bar(struct od_buf *to, const struct od_cell *cell)
{
    double part = cell->part < 0 ? 0 : cell->part > 1 ? 1 : cell->part;
    od_buf_printf(to,
                  "<svg class=\"bar\" viewBox=\"0 0 1000 10\" preserveAspectRatio=\"none\" "
                  "aria-hidden=\"true\"><rect class=\"%s\" width=\"%.0f\" height=\"10\"/></svg>",
                  cell->tone == OD_GOOD  ? "free"
                  : cell->tone == OD_DIM ? "rest"
                  : cell->tone == OD_BAD ? "over"
                                         : "used",
                  part * 1000);
}

static void add_cell(struct od_buf *to, const struct od_doc *doc, const struct od_table *table,
                     const struct od_row *row, size_t i)
{
    const struct od_cell *cell = &row->cells[i];
    enum od_column_kind kind = table->columns[i].kind;
    const char *tag = i == 0 && kind == OD_COLUMN_LEFT ? "th" : "td";
    od_buf_printf(to, "<%s%s%s>", tag, *tag == 't' && tag[1] == 'h' ? " scope=\"row\"" : "",
                  kind == OD_COLUMN_RIGHT ? " class=\"n\"" : "");
    if (kind == OD_COLUMN_BAR && !row->total)
        add_bar(to, cell);
    od_html_words(to, doc,
                  &(struct od_span){.tone = cell->tone, .text = cell->text, .at = cell->at});
    od_buf_printf(to, "</%s>", tag);
}

static void add_head(struct od_buf *to, const struct od_table *table)
{
    od_buf_add_str(to, "<thead><tr>");
    OD_FOR_EACH_OF (const struct od_column, column, table->columns, table->ncolumns) {
        if (column->title[0] == '\0') {
            od_buf_add_str(to, "<td></td>");
            continue;
        }
        od_buf_printf(to, "<th scope=\"col\"%s>",
                      column->kind == OD_COLUMN_RIGHT ? " class=\"n\"" : "");
        od_markup_text(to, od_view_of(column->title));
        od_buf_add_str(to, "</th>");
    }
    od_buf_add_str(to, "</tr></thead>\n");
}

/* The rows up to the first total, and the rest: totals of one memory and of those around it. */
static void add_rows(struct od_buf *to, const struct od_doc *doc, const struct od_table *table)
{
    bool foot = false;
    for (const struct od_row *row = table->first; row; row = row->next) {
        if (row == table->first || (row->total && !foot)) {
            od_buf_add_str(to, row == table->first ? "" : "</tbody>\n");
            od_buf_add_str(to, row->total ? "<tfoot>\n" : "<tbody>\n");
        }
        foot = foot || row->total;
        od_buf_add_str(to, foot && !row->total ? "<tr class=\"part\">" : "<tr>");
        for (size_t i = 0; i < table->ncolumns; i++)
            add_cell(to, doc, table, row, i);
        od_buf_add_str(to, "</tr>\n");
    }
    if (table->first)
        od_buf_add_str(to, foot ? "</tfoot>\n" : "</tbody>\n");
}

void od_html_table(struct od_buf *to, const struct od_doc *doc, const struct od_table *table,
                   const char *label)
{
    const char *caption = table->caption ? table->caption : label;
    od_buf_add_str(to, "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"");
    od_markup_text(to, od_view_of(caption));
    od_buf_printf(to, "\">\n<table%s><caption%s>", table->searched ? " class=\"searched\"" : "",
                  table->caption ? "" : " class=\"unseen\"");
    od_markup_text(to, od_view_of(caption));
    od_buf_add_str(to, "</caption>\n");
    add_head(to, table);
    add_rows(to, doc, table);
    od_buf_add_str(to, "</table></div>\n");
}

/* ---- the picture next to the headline: our own SVG in the colors of the page ---- */

enum { WIDE = 960, TALL = 240 };

/* CSS classes of a part's fill; "second" and "third" are lighter shades (page.css). */
static const char *const looks[OD_FILLS][OD_SHADES] = {
    [OD_FILL_USED] = {"full", "full second", "full third"},
    [OD_FILL_BASE] = {"base", "base second", "base third"},
    [OD_FILL_HELD] = {"some", "some second", "some third"},
    [OD_FILL_OTHERS] = {"over", "over second", "over third"},
    [OD_FILL_FREE] = {"hole", "hole second", "hole third"}};

static void add_parts(struct od_buf *to, const struct od_bar *bar)
{
    double at = 0;
    for (const struct od_bar_part *part = bar->first; part; part = part->next) {
        double width = fmax(part->length * WIDE, 1.5);
        od_buf_printf(to, "<rect class=\"%s\" x=\"%.1f\" width=\"%.1f\" height=\"40\"/>",
                      looks[part->fill][part->shade], at * WIDE, width);
        at += part->length;
    }
    od_buf_printf(to, "<rect class=\"border\" x=\"%.1f\" width=\"2\" height=\"46\"/>",
                  fmin(bar->whole * WIDE, WIDE - 2));
}

static void add_mark(struct od_buf *to, const struct od_mark *mark)
{
    const char *look = mark->tone == OD_BAD ? "over" : "ask";
    double length = mark->length > 1 ? 1 : mark->length;
    double start = mark->start + length > 1 ? 1 - length : mark->start;
    double width = length * WIDE;
    od_buf_printf(to,
                  "<div class=\"mark%s\"><svg viewBox=\"0 0 %d 10\" preserveAspectRatio=\"none\" "
                  "aria-hidden=\"true\"><rect class=\"%s\" x=\"%.1f\" width=\"%.1f\" "
                  "height=\"10\"/></svg><p class=\"%s\">",
                  start + length / 2 > 0.5 ? " end" : "", WIDE, look, start * WIDE,
                  width < 2 ? 2 : width, look);
    od_markup_text(to, od_view_of(mark->label));
    od_buf_add_str(to, "</p></div>\n");
}

static void add_key(struct od_buf *to, const char *look, struct od_view words)
{
    od_buf_printf(to,
                  "<span><svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect "
                  "class=\"%s\" width=\"10\" height=\"10\"/></svg> ",
                  look);
    od_markup_text(to, words);
    od_buf_add_str(to, "</span>\n");
}

void od_html_bar(struct od_buf *to, const struct od_bar *bar)
{
    od_buf_printf(to, "<figure class=\"strip%s\">\n<figcaption class=\"of\">",
                  bar->small ? " small" : "");
    od_markup_text(to, od_view_of(bar->title));
    od_buf_printf(to,
                  "</figcaption>\n<svg viewBox=\"0 0 %d 46\" preserveAspectRatio=\"none\" "
                  "role=\"img\" aria-label=\"Who uses the memory, side by side\">",
                  WIDE);
    add_parts(to, bar);
    od_buf_add_str(to, "</svg>\n");
    if (bar->request.label)
        add_mark(to, &bar->request);
    if (bar->small) {
        od_buf_add_str(to, "</figure>\n");
        return;
    }
    od_buf_add_str(to, "<figcaption>");
    for (const struct od_bar_part *part = bar->first; part; part = part->next)
        if (!part->again)
            add_key(to, looks[part->fill][part->shade], part->label);
    od_buf_add_str(to, "</figcaption>\n</figure>\n");
}

static void add_course(struct od_buf *to, const struct od_plot *curve)
{
    double wide = curve->drawn * WIDE;
    od_buf_add_str(to, curve->grows ? "<polygon class=\"area grows\" points=\""
                                    : "<polygon class=\"area\" points=\"");
    for (size_t i = 0; i < curve->n; i++)
        od_buf_printf(to, "%.1f,%.1f ", wide * (double)i / (double)(curve->n - 1),
                      TALL * (1 - curve->levels[i]));
    od_buf_printf(to, "%.1f,%d 0,%d\"/>", wide, TALL, TALL);
    if (curve->forecast >= 0)
        od_buf_printf(to, "<path class=\"ahead\" d=\"M%.1f %.1fL%d %.1f\"/>", wide,
                      TALL * (1 - curve->levels[curve->n - 1]), WIDE, TALL * (1 - curve->forecast));
    if (curve->limit >= 0)
        od_buf_printf(to, "<path class=\"limit\" d=\"M0 %.1fH%d\"/>", TALL * (1 - curve->limit),
                      WIDE);
    if (curve->failed >= 0)
        od_buf_printf(to, "<path class=\"failed\" d=\"M%.1f 0V%d\"/>",
                      fmin(curve->failed * WIDE, WIDE - 1), TALL);
}

void od_html_plot(struct od_buf *to, const struct od_plot *curve)
{
    od_buf_add_str(to, "<figure class=\"course\">\n<figcaption class=\"of\">");
    od_markup_text(to, od_view_of(curve->title));
    od_buf_add_str(to, "</figcaption>\n<p class=\"axis\"><span>");
    od_markup_text(to, od_view_of(curve->top));
    od_buf_add_str(to, curve->limit >= 0 ? " (limit)" : "");
    od_buf_printf(to,
                  "</span></p>\n<svg viewBox=\"0 0 %d %d\" preserveAspectRatio=\"none\" "
                  "role=\"img\" aria-label=\"Memory over the run\">",
                  WIDE, TALL);
    add_course(to, curve);
    od_buf_add_str(to, "</svg>\n<p class=\"axis\"><span>");
    od_markup_text(to, od_view_of(curve->from));
    od_buf_add_str(to, "</span><span>");
    od_markup_text(to, od_view_of(curve->to));
    od_buf_add_str(to, "</span></p>\n");
    if (curve->note) {
        od_buf_add_str(to, "<p class=\"over\">");
        od_markup_text(to, od_view_of(curve->note));
        od_buf_add_str(to, "</p>\n");
    }
    od_buf_add_str(to, "</figure>\n");
}

/*
 * A figure is a separate image, so that its names and styles do not collide with the page or
 * another figure, and nothing in it can be executed or loaded (SVG 2, "secure static mode").
 */
void od_html_figure(struct od_buf *to, const struct od_picture *picture)
{
    od_buf_add_str(to, "<figure class=\"picture\">\n<img alt=\"");
    od_markup_text(to, od_view_of(picture->figure->alt));
    od_buf_add_str(to, "\" src=\"data:image/svg+xml;base64,");
    od_base64(to, picture->svg);
    od_buf_add_str(to, "\">\n<figcaption>");
    od_markup_text(to, od_view_of(picture->figure->title));
    od_buf_add_str(to, "</figcaption>\n</figure>\n");
}
