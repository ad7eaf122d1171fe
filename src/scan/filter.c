#include "scan/filter.h"

#include "config.h"

#include "base/arena.h"
#include "base/mem.h"
#include "scan/filter_engine.h"

/* The library is up to twice as fast, and takes as long to start as our own takes for a quarter of
 * this. */
enum { LARGE = 64 << 20 };

struct od_filter {
    const struct od_filter_methods *methods;
    void *engine;
    struct od_arena *arena;
    struct od_view *literals; /* copies */
    size_t n;
    size_t until_large; /* bytes; 0 = the engine stays */
};

static bool start(struct od_filter *filter, const struct od_filter_methods *methods)
{
    void *engine = methods->create(filter->literals, filter->n);
    if (!engine)
        return false;
    if (filter->engine)
        filter->methods->destroy(filter->engine);
    filter->methods = methods;
    filter->engine = engine;
    return true;
}

static void start_large(struct od_filter *filter)
{
    filter->until_large = 0;
#ifdef HAVE_HS
    /* It refuses processors that are too old for it, and an empty list. */
    if (filter->n > 0)
        (void)start(filter, &od_filter_hs);
#endif
}

struct od_filter *od_filter_new(const struct od_view *literals, size_t n,
                                enum od_filter_engine engine)
{
    struct od_filter *filter = od_mem_alloc(1, sizeof *filter);
    filter->arena = od_arena_new();
    filter->literals = OD_NEW_N(filter->arena, n + 1, struct od_view);
    filter->n = n;
    for (size_t i = 0; i < n; i++)
        filter->literals[i] = od_arena_view(filter->arena, literals[i]);
    (void)start(filter, &od_filter_portable);
    filter->until_large = engine == OD_FILTER_BEST ? LARGE : 0;
    if (engine == OD_FILTER_LARGE)
        start_large(filter);
    return filter;
}

void od_filter_free(struct od_filter *filter)
{
    if (!filter)
        return;
    filter->methods->destroy(filter->engine);
    od_arena_free(filter->arena);
    od_mem_free(filter);
}

void od_filter_scan(struct od_filter *filter, struct od_view text,
                    void (*hit)(void *self, struct od_filter_hit hit), void *self)
{
    const struct od_filter_sink sink = {.hit = hit, .self = self};
    if (text.n == 0)
        return;
    if (filter->until_large > text.n)
        filter->until_large -= text.n;
    else if (filter->until_large > 0)
        start_large(filter);
    filter->methods->scan(filter->engine, text, &sink);
}

const char *od_filter_engine_name(const struct od_filter *filter)
{
    return filter->methods->name;
}
