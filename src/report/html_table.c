/* Tables on a page of HTML: they scroll inside their own frame where the page is narrow. */
#include "report/html_parts.h"

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

static void add_rows(struct od_buf *to, const struct od_doc *doc, const struct od_table *table,
                     bool total)
{
    const char *tag = total ? "tfoot" : "tbody";
    bool any = false;
    for (const struct od_row *row = table->first; row; row = row->next) {
        if (row->total != total)
            continue;
        if (!any)
            od_buf_printf(to, "<%s>\n", tag);
        any = true;
        od_buf_add_str(to, "<tr>");
        for (size_t i = 0; i < table->ncolumns; i++)
            add_cell(to, doc, table, row, i);
        od_buf_add_str(to, "</tr>\n");
    }
    if (any)
        od_buf_printf(to, "</%s>\n", tag);
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
    add_rows(to, doc, table, false);
    add_rows(to, doc, table, true);
    od_buf_add_str(to, "</table></div>\n");
}
