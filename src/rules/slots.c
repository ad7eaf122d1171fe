#include "rules/slots.h"

const char *const od_claimed_words[OD_CLAIMED_END + 1] = {"cause", "event", "amounts", NULL};

bool od_slots_take_mark(struct od_view *text, enum od_claimed *ret_what)
{
    for (unsigned i = 0; i < OD_CLAIMED_END && text->n > 0 && text->p[0] == '['; i++) {
        struct od_view word = od_view_of(od_claimed_words[i]), rest = od_view_from(*text, 1);
        if (!od_view_starts(rest, word) || rest.n == word.n || rest.p[word.n] != '|')
            continue;
        *text = od_view_from(rest, word.n + 1);
        *ret_what = (enum od_claimed)i;
        return true;
    }
    return false;
}

/* Fills in slots. False if the value of a slot is unknown. Only marks of the text count; values may
 * contain any bytes. */
static bool fill(struct od_view rest, od_slot_print *print, const void *with, struct od_buf *to,
                 struct od_claimed_parts *parts)
{
    struct od_claimed_part part = {0};
    bool open = false;
    while (rest.n > 0) {
        size_t end = rest.p[0] == '{' ? od_view_find_char(rest, '}', 0) : OD_VIEW_NONE;
        if (end != OD_VIEW_NONE) {
            if (!print(with, (struct od_view){rest.p + 1, end - 1}, to))
                return false;
            rest = od_view_from(rest, end + 1);
        } else if (!open && parts->n < OD_CLAIMED_PARTS && od_slots_take_mark(&rest, &part.what)) {
            open = true;
            part.at = to->n;
        } else if (open && rest.p[0] == ']') {
            open = false;
            part.n = to->n - part.at;
            parts->list[parts->n++] = part;
            rest = od_view_from(rest, 1);
        } else {
            od_buf_add_char(to, rest.p[0]);
            rest = od_view_from(rest, 1);
        }
    }
    return true;
}

const char *od_slots_print(const char *text, od_slot_print *print, const void *with,
                           struct od_arena *arena, struct od_claimed_parts *ret_parts)
{
    struct od_view rest = od_view_of(text), line;
    const char *filled = NULL;
    while (!filled && od_view_cut(&rest, '\n', &line)) {
        struct od_buf out = {0};
        struct od_claimed_parts parts = {0};
        if (fill(line, print, with, &out, &parts)) {
            filled = od_arena_str(arena, od_buf_view(&out));
            if (ret_parts)
                *ret_parts = parts;
        }
        od_buf_done(&out);
    }
    return filled;
}

bool od_slots_find(const struct od_slot_word *list, size_t n, struct od_view name,
                   const char **ret_value)
{
    size_t i = 0;
    while (i < n && !od_view_eq_str(name, list[i].name))
        i++;
    *ret_value = i < n ? list[i].value : NULL;
    return i < n;
}
