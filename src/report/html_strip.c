/* The strip of an address space on a page of HTML: an SVG of ours, words beside it. */
#include "report/html_parts.h"

/* Five looks are enough for the eye, and runs of one look are one rectangle. */
enum { LOOK_NONE, LOOK_FREE, LOOK_SOME, LOOK_MOST, LOOK_FULL };

static const char *const looks[] = {"gap", "hole", "some", "most", "full"};

static unsigned look_of(const struct od_strip *strip, size_t i)
{
    if (((double)i + 0.5) / OD_STRIP_CELLS >= strip->taken)
        return LOOK_NONE;
    uint8_t use = strip->cells[i];
    if (use == 0)
        return LOOK_FREE;
    if (use == 255)
        return LOOK_FULL;
    return use < 128 ? LOOK_SOME : LOOK_MOST;
}

static void add_cells(struct od_buf *to, const struct od_strip *strip)
{
    for (size_t i = 0; i < OD_STRIP_CELLS;) {
        unsigned look = look_of(strip, i);
        size_t end = i + 1;
        while (end < OD_STRIP_CELLS && look_of(strip, end) == look)
            end++;
        od_buf_printf(to, "<rect class=\"%s\" x=\"%zu\" width=\"%zu\" height=\"40\"/>", looks[look],
                      i, end - i);
        i = end;
    }
}

/* Borders nearer to each other than a cell are one line. */
static void add_borders(struct od_buf *to, const struct od_strip *strip)
{
    double last = -1;
    for (size_t i = 0; i < strip->nborders; i++) {
        double x = strip->borders[i] * OD_STRIP_CELLS;
        if (x - last < 1)
            continue;
        od_buf_printf(to, "<rect class=\"border\" x=\"%.1f\" y=\"40\" width=\"1.5\" height=\"6\"/>",
                      x);
        last = x;
    }
}

static const char *look_of_mark(const struct od_mark *mark)
{
    return mark->tone == OD_BAD ? "over" : mark->tone == OD_GOOD ? "room" : "ask";
}

void od_html_mark(struct od_buf *to, const struct od_mark *mark)
{
    double length = mark->length > 1 ? 1 : mark->length;
    double start = mark->start + length > 1 ? 1 - length : mark->start;
    double width = length * OD_STRIP_CELLS;
    od_buf_printf(to,
                  "<div class=\"mark%s\"><svg viewBox=\"0 0 %d 10\" preserveAspectRatio=\"none\" "
                  "aria-hidden=\"true\"><rect class=\"%s\" x=\"%.1f\" width=\"%.1f\" "
                  "height=\"10\"/></svg><p class=\"%s\">",
                  start + length / 2 > 0.5 ? " end" : "", OD_STRIP_CELLS, look_of_mark(mark),
                  start * OD_STRIP_CELLS, width < 2 ? 2 : width, look_of_mark(mark));
    od_markup_text(to, od_view_of(mark->label));
    od_buf_add_str(to, "</p></div>\n");
}

void od_html_key(struct od_buf *to, const char *look, struct od_view words)
{
    od_buf_printf(to,
                  "<span><svg class=\"key\" viewBox=\"0 0 10 10\" aria-hidden=\"true\"><rect "
                  "class=\"%s\" width=\"10\" height=\"10\"/></svg> ",
                  look);
    od_markup_text(to, words);
    od_buf_add_str(to, "</span>\n");
}

void od_html_strip(struct od_buf *to, const struct od_strip *strip)
{
    char text[OD_BYTES_TEXT];
    od_bytes_print_u64(strip->bytes < 0x1p63 ? (uint64_t)strip->bytes : UINT64_MAX, text);
    od_buf_printf(to,
                  "<figure class=\"strip\">\n<svg viewBox=\"0 0 %d 46\" "
                  "preserveAspectRatio=\"none\" role=\"img\" aria-label=\"The address space of %s "
                  "from its first to its last byte",
                  OD_STRIP_CELLS, text);
    for (const struct od_mark *mark = strip->first; mark; mark = mark->next) {
        od_buf_add_str(to, "; ");
        od_markup_text(to, od_view_of(mark->label));
    }
    od_buf_add_str(to, "\">");
    add_cells(to, strip);
    add_borders(to, strip);
    od_buf_add_str(to, "</svg>\n");
    for (const struct od_mark *mark = strip->first; mark; mark = mark->next)
        od_html_mark(to, mark);
    od_buf_add_str(to, "<figcaption>");
    od_html_key(to, "full", OD_VIEW("in use"));
    od_html_key(to, "most", OD_VIEW("in part"));
    od_html_key(to, "hole", OD_VIEW("free"));
    if (strip->taken < 1)
        od_html_key(to, "gap", OD_VIEW("not reserved"));
    od_buf_printf(to, "<span>%s in all</span></figcaption>\n</figure>\n", text);
}
