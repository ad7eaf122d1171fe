/*
 * Pictures in an HTML page. Each is a separate image, so that its names and styles do not collide
 * with the page or another picture, and nothing in it can be executed or loaded (SVG 2, "secure
 * static mode").
 */
#include "base/digest.h"
#include "report/html_parts.h"

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
