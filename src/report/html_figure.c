/*
 * Pictures on a page of HTML: each an image of its own, so that neither its names nor its styles
 * meet those of the page or of another picture, and nothing that might stand in it is run or loaded
 * (SVG 2, "secure static mode").
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
