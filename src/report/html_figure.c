/*
 * Pictures on a page of HTML: each an image of its own, so that neither its names nor its styles
 * meet those of the page or of another picture.
 */
#include "report/html_parts.h"

static void add_base64(struct od_buf *to, struct od_view bytes)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (; bytes.n > 0; bytes = od_view_from(bytes, 3)) {
        unsigned group = 0;
        for (size_t i = 0; i < 3; i++)
            group = group << 8 | (i < bytes.n ? (unsigned char)bytes.p[i] : 0U);
        for (size_t i = 0; i < 4; i++)
            od_buf_add_char(to, i <= bytes.n ? letters[group >> (18 - 6 * i) & 63] : '=');
    }
}

void od_html_figure(struct od_buf *to, const struct od_picture *picture)
{
    od_buf_add_str(to, "<figure class=\"picture\">\n<img alt=\"");
    od_html_text(to, od_view_of(picture->figure->alt));
    od_buf_add_str(to, "\" src=\"data:image/svg+xml;base64,");
    add_base64(to, picture->svg);
    od_buf_add_str(to, "\">\n<figcaption>");
    od_html_text(to, od_view_of(picture->figure->title));
    od_buf_add_str(to, "</figcaption>\n</figure>\n");
}
