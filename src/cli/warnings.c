#include "cli/warnings.h"

#include "cli/command.h"
#include "fit/pending_memory.h"

size_t od_print_warnings(const struct od_case *c, const char *name, struct od_map *said)
{
    size_t warned = 0;
    struct od_arena *arena = od_arena_new();
    const struct od_pending_memory *coming = od_pending_memory_of(c, arena);
    for (size_t i = 0; i < coming->n; i++) {
        uint64_t *times = od_map_at(said, od_view_of(coming->list[i].key));
        if (coming->list[i].fits == OD_YES || (*times)++ > 0)
            continue;
        od_complain("%s%s%s", name ? name : "", name ? ": " : "", coming->list[i].text);
        warned++;
    }
    od_arena_free(arena);
    return warned;
}
