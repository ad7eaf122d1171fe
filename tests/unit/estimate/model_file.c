#include "model_file.h"

#include "base/mem.h"
#include "models/file_reader.h"

#include <string.h>

static void keep(void *self, const struct od_event *event)
{
    struct model_file *m = self;
    if (event->kind != OD_EV_MODEL)
        return;
    m->emitted = true;
    m->model = *event->model;
}

struct model_file model_file_read(struct od_view bytes)
{
    struct model_file m = {.diags = od_diags_new()};
    char *copy = od_mem_alloc(bytes.n + 1, 1);
    if (bytes.n > 0)
        memcpy(copy, bytes.p, bytes.n);
    struct od_view exact = {copy, bytes.n};
    const char *word = NULL;
    const struct od_file_reader *reader = od_file_reader_find(od_view_head(exact, 512), &word);
    const struct od_sink sink = {keep, &m};
    if (reader) {
        struct od_arena *arena = od_arena_new();
        const struct od_file file = {
            .bytes = exact, .name = "model", .diags = m.diags, .sink = &sink, .arena = arena};
        m.bid = true;
        (void)reader->read(&file);
        od_arena_free(arena);
    }
    od_mem_free(copy);
    return m;
}
