#include "facts/excerpt.h"

static const struct od_view left_out = {"\xe2\x80\xa6", 3};

enum { WORD = 16 }; /* bytes of a word that is left out whole */

static bool is_within_character(struct od_view text, size_t at)
{
    return at < text.n && ((unsigned char)text.p[at] & 0xc0) == 0x80;
}

/* The first n bytes, or up to WORD bytes less if a word ends there. */
static struct od_view head_of(struct od_view text, size_t n)
{
    for (size_t i = n; i + WORD > n; i--)
        if (text.p[i] == ' ')
            return od_view_head(text, i);
    while (n > 0 && is_within_character(text, n))
        n--;
    return od_view_head(text, n);
}

/* The words in the last n bytes; empty if a word is longer. */
static struct od_view tail_of(struct od_view text, size_t n)
{
    struct od_view tail = od_view_from(text, text.n - n);
    size_t blank = od_view_find_char(tail, ' ', 0);
    return od_view_from(tail, blank == OD_VIEW_NONE ? tail.n : blank);
}

struct od_view od_excerpt_of(struct od_view line, struct od_view part)
{
    line = od_view_trim(line);
    bool within = part.p > line.p && part.p < line.p + line.n;
    size_t start = within ? (size_t)(part.p - line.p) : 0;
    return start + part.n <= OD_EXCERPT ? line : od_view_from(line, start);
}

size_t od_excerpt_keep(struct od_view text, size_t most, char *room)
{
    struct od_view parts[] = {text, {0}, {0}};
    size_t n = 0;
    if (text.n > most) {
        parts[0] = head_of(text, most - OD_EXCERPT_END - left_out.n);
        parts[1] = left_out;
        parts[2] = tail_of(text, OD_EXCERPT_END);
    }
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++) {
        if (parts[i].n > 0)
            memcpy(room + n, parts[i].p, parts[i].n);
        n += parts[i].n;
    }
    return n;
}

struct od_view od_excerpt_cut(struct od_view text, size_t most, char *room)
{
    if (text.n <= most)
        return text;
    return (struct od_view){room, od_excerpt_keep(text, most, room)};
}
