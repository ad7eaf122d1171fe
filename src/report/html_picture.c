/* The picture next to the headline of an HTML page: our own SVG in the colors of the page. */
#include "report/html_parts.h"

#include <math.h>

enum { WIDE = 960, TALL = 240 };

/* The shades of page.css weaken a color. */
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
    od_buf_add_str(to, "<polygon class=\"area\" points=\"");
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
