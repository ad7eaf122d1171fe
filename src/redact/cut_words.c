#include "redact/cut_words.h"

enum { CUT_LEAST = 100 }; /* the shortest text that any part of a report cuts */

static const struct od_view mark = {"\xe2\x80\xa6", 3}, dots = {"...", 3};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Where the next cut is, and how long its mark. */
static size_t find_cut(struct od_view text, size_t *ret_n)
{
    size_t at = od_view_find(text, mark, 0);
    *ret_n = mark.n;
    if (at != OD_VIEW_NONE)
        return at;
    if (od_view_ends(text, dots))
        return text.n - (*ret_n = dots.n);
    return OD_VIEW_NONE;
}

struct od_view od_without_cut_words(struct od_view text, struct od_buf *to)
{
    size_t n, at;
    if (text.n < CUT_LEAST || find_cut(text, &n) == OD_VIEW_NONE)
        return text;
    while ((at = find_cut(text, &n)) != OD_VIEW_NONE) {
        size_t kept = at;
        while (kept > 0 && !is_blank(text.p[kept - 1]))
            kept--;
        od_buf_add(to, od_view_head(text, kept));
        od_buf_add(to, (struct od_view){text.p + at, n});
        text = od_view_from(text, at + n);
        if (text.n == 0)
            break;
        while (text.n > 0 && !is_blank(text.p[0]) && !od_view_starts(text, mark))
            text = od_view_from(text, 1);
    }
    od_buf_add(to, text);
    return od_buf_view(to);
}
