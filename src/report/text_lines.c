#include "report/text_parts.h"

void od_text_setting_done(struct od_text_setting *setting)
{
    od_vec_done(&setting->first);
    od_vec_done(&setting->other);
}

void od_text_copy(struct od_glyphs *to, const struct od_glyphs *from, size_t start, size_t end)
{
    for (size_t i = start; i < end; i++)
        od_vec_push(to, from->items[i]);
}

void od_text_lines(const struct od_page *page, const struct od_glyphs *glyphs,
                   const struct od_text_setting *setting)
{
    struct od_wrap wrap = {0};
    for (size_t i = 0;; i++) {
        const struct od_glyphs *before = i == 0 ? &setting->first : &setting->other;
        size_t indent = od_glyphs_columns(before, 0, before->n);
        if (!od_glyphs_wrap(glyphs, page->columns - indent, &wrap))
            break;
        struct od_glyphs line = {0};
        od_text_copy(&line, before, 0, before->n);
        od_text_copy(&line, glyphs, wrap.start, wrap.end);
        od_page_line(page, &line);
        od_vec_done(&line);
    }
}

void od_text_title(const struct od_page *page, const char *title)
{
    struct od_glyphs glyphs = {0};
    struct od_text_setting plain = {0};
    od_glyphs_add(page, &glyphs, OD_STRONG, od_view_of(title));
    od_text_lines(page, &glyphs, &plain);
    od_vec_done(&glyphs);
    od_text_setting_done(&plain);
}
