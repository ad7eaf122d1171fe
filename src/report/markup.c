#include "report/markup.h"

static const char *entity_of(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void od_markup_text(struct od_buf *to, struct od_view text)
{
    struct od_buf visible = {0};
    od_text_visible(text, &visible);
    for (size_t i = 0; i < visible.n; i++) {
        const char *entity = entity_of(visible.p[i]);
        if (entity)
            od_buf_add_str(to, entity);
        else
            od_buf_add_char(to, visible.p[i]);
    }
    od_buf_done(&visible);
}
