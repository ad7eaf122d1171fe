#include "report/outline_parts.h"

const char *od_outline_name(const struct od_outline *outline, const struct od_allocator *a)
{
    return a->name.n > 0 ? od_arena_str(outline->arena, a->name) : "the allocator";
}
