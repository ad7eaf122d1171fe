#include "failure/level.h"

/* Does the series measure the whole machine, not one process or container? */
static bool tells_level(const struct od_series *s)
{
    if (s->process.n > 0)
        return false;
    return s->metric == OD_SERIES_HOST_SHARE || s->metric == OD_SERIES_HOST_FREE ||
           (s->metric == OD_SERIES_HOST_USED && s->limit_known && s->limit > 0);
}

/* The kernel kills when some megabytes are left, and a process cannot take this much at once. */
static const double plenty_free = 4.0 * 1024 * 1024 * 1024;

static struct od_host_level level_at(const struct od_series *s, const struct od_point *point)
{
    struct od_host_level level = {.share = point->value / 100,
                                  .said = {.at = s->at, .text = s->said}};
    if (s->metric == OD_SERIES_HOST_USED) {
        level.share = point->value / s->limit;
        level.used = od_bytes_exact((uint64_t)point->value);
        level.capacity = od_bytes_exact((uint64_t)s->limit);
    }
    if (s->metric == OD_SERIES_HOST_FREE) {
        bool plenty = point->value >= plenty_free;
        level.free = od_bytes_exact((uint64_t)point->value);
        level.share = s->limit_known && s->limit > 0 ? 1 - point->value / s->limit
                      : plenty                       ? OD_HOST_HALF_FREE
                                                     : -1;
    }
    if (point->line == s->last_at.line)
        level.said = (struct od_evidence){.at = s->last_at, .text = s->last_said};
    return level;
}

struct od_host_level od_host_level_near(const struct od_case *c, const struct od_prov *at)
{
    struct od_host_level level = {.share = -1};
    uint64_t nearest = 0;
    OD_FOR_EACH (const struct od_series, s, c->series) {
        for (size_t k = 0; s->at.source == at->source && tells_level(s) && k < s->nsamples; k++) {
            uint64_t line = s->samples[k].line;
            bool later = line >= at->line;
            bool nearer = nearest == 0 ||
                          (later ? level.later && line < nearest : level.later || line > nearest);
            if (line == nearest && s->metric == OD_SERIES_HOST_FREE)
                level.free = od_bytes_exact((uint64_t)s->samples[k].value);
            if (!nearer)
                continue;
            nearest = line;
            level = level_at(s, &s->samples[k]);
            level.later = later;
        }
    }
    return level;
}

struct od_bytes od_host_level_free(const struct od_host_level *level)
{
    return level->free.known ? level->free : od_bytes_sub(level->capacity, level->used);
}
