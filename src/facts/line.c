#include "facts/line.h"

struct od_kept {
    const void *owner;
    void *what;
    struct od_kept *next;
};

void **od_line_kept(const struct od_line *line, const void *owner)
{
    struct od_shape_memory *memory = line->memory;
    if (!memory)
        return NULL;
    struct od_kept *kept = memory->first;
    while (kept && kept->owner != owner)
        kept = kept->next;
    if (!kept) {
        kept = OD_NEW(memory->arena, struct od_kept);
        *kept = (struct od_kept){.owner = owner, .next = memory->first};
        memory->first = kept;
    }
    return &kept->what;
}

void od_line_keep(struct od_kept_line *to, const struct od_line *line)
{
    size_t n = od_excerpt_keep(od_view_trim(line->text), OD_EXCERPT, to->room);
    struct od_view stamp = line->stamp;
    if (stamp.n > OD_STAMP_KEPT)
        stamp.n = 0;
    to->line = *line;
    to->line.memory = NULL;
    to->line.text = (struct od_view){to->room, n};
    to->line.stamp = (struct od_view){to->room + n, stamp.n};
    if (stamp.n > 0)
        memcpy(to->room + n, stamp.p, stamp.n);
}
