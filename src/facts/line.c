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
