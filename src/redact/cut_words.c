#include "redact/cut_words.h"

enum { CUT_LEAST = 100 }; /* shorter texts are never cut in a report */

static const struct od_view mark = {"\xe2\x80\xa6", 3}, dots = {"...", 3};

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* Offset of the next cut, and the length of its mark. */
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

/* Removes the last words up to one far enough from the cut. Words that mark a value as secret
 * ("Authorization: Token") may have been cut off. */
static struct od_view without_end(struct od_view text, size_t end)
{
    size_t at = 0, next = od_view_find(text, mark, 0);
    size_t most = next == OD_VIEW_NONE ? text.n : next;
    while (at < most && (at < end || !is_blank(text.p[at])))
        at++;
    return od_view_from(text, at);
}

struct od_view od_without_cut_words(struct od_view text, size_t end, struct od_buf *to)
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
        text = without_end(text, end);
    }
    od_buf_add(to, text);
    return od_buf_view(to);
}
