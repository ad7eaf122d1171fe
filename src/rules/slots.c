#include "rules/slots.h"

/* False at a slot whose value is not known. */
static bool fill(struct od_view rest, od_slot_print *print, const void *with, struct od_buf *to)
{
    for (;;) {
        size_t start = od_view_find_char(rest, '{', 0);
        size_t end = start == OD_VIEW_NONE ? start : od_view_find_char(rest, '}', start);
        if (end == OD_VIEW_NONE)
            break;
        od_buf_add(to, od_view_head(rest, start));
        if (!print(with, (struct od_view){rest.p + start + 1, end - start - 1}, to))
            return false;
        rest = od_view_from(rest, end + 1);
    }
    od_buf_add(to, rest);
    return true;
}

const char *od_slots_print(const char *text, od_slot_print *print, const void *with,
                           struct od_arena *arena)
{
    struct od_view rest = od_view_of(text), line;
    const char *filled = NULL;
    while (!filled && od_view_cut(&rest, '\n', &line)) {
        struct od_buf out = {0};
        if (fill(line, print, with, &out))
            filled = od_arena_str(arena, od_buf_view(&out));
        od_buf_done(&out);
    }
    return filled;
}
