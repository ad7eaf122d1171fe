#include "scan/filter.h"

#include "config.h"

#include "base/mem.h"
#include "scan/filter_engine.h"

struct od_filter {
    const struct od_filter_methods *methods;
    void *engine;
};

static bool start(struct od_filter *filter, const struct od_filter_methods *methods,
                  const struct od_view *literals, size_t n)
{
    filter->methods = methods;
    filter->engine = methods->create(literals, n);
    return filter->engine != NULL;
}

struct od_filter *od_filter_new(const struct od_view *literals, size_t n,
                                enum od_filter_engine engine)
{
    struct od_filter *filter = od_mem_alloc(1, sizeof *filter);
    bool started = false;
#ifdef HAVE_HS
    /* It refuses processors that are too old for it, and an empty list. */
    if (engine == OD_FILTER_BEST && n > 0)
        started = start(filter, &od_filter_hs, literals, n);
#else
    (void)engine;
#endif
    if (!started)
        (void)start(filter, &od_filter_portable, literals, n);
    return filter;
}

void od_filter_free(struct od_filter *filter)
{
    if (!filter)
        return;
    filter->methods->destroy(filter->engine);
    od_mem_free(filter);
}

void od_filter_scan(struct od_filter *filter, struct od_view text,
                    void (*hit)(void *self, struct od_filter_hit hit), void *self)
{
    const struct od_filter_sink sink = {.hit = hit, .self = self};
    if (text.n > 0)
        filter->methods->scan(filter->engine, text, &sink);
}

const char *od_filter_engine_name(const struct od_filter *filter)
{
    return filter->methods->name;
}
