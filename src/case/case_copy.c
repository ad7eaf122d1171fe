/*
 * Copies that live as long as the case.
 */
#include "case/builder.h"

struct od_view od_case_copy(struct od_case_builder *b, struct od_view text)
{
    if (text.n == 0)
        return (struct od_view){0};
    return od_arena_view(b->arena, od_view_head(text, OD_NAME_MAX));
}

struct od_evidence od_case_copy_evidence(struct od_case_builder *b, const struct od_event *event)
{
    char room[OD_EXCERPT];
    return (struct od_evidence){.at = event->at,
                                .text = od_arena_view(b->arena, od_event_evidence(event, room))};
}

void od_fill_text(struct od_case_builder *b, struct od_view *to, struct od_view from)
{
    if (to->n == 0 && from.n > 0)
        *to = od_case_copy(b, from);
}

void od_fill_bytes(struct od_bytes *to, struct od_bytes from)
{
    if (!to->known)
        *to = from;
}
