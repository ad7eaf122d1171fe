#include "diagnose/host.h"

bool od_host_has_device(const struct od_case *c)
{
    bool device = c->devices.n > 0 || c->allocators.n > 0;
    for (size_t i = 0; i < c->series.n; i++)
        device = device || !(od_series_metric_is_host(c->series.items[i].metric) ||
                             od_series_metric_is_unowned(c->series.items[i].metric));
    return device;
}

bool od_host_is_rss_before(const struct od_series *s, const struct od_incident *inc)
{
    return s->metric == OD_SERIES_HOST_RSS && !od_view_eq_str(s->process, "heap") &&
           s->last_at.source == inc->at.source && s->last_at.line <= inc->at.line;
}

/* Resident memory of the process, by the last line before the failure that prints it. */
struct od_bytes od_host_last_rss(const struct od_case *c, const struct od_incident *inc)
{
    const struct od_series *last = NULL;
    OD_FOR_EACH (const struct od_series, s, c->series)
        if (od_host_is_rss_before(s, inc) && (!last || s->last_at.line > last->last_at.line))
            last = s;
    return last && last->last > 0 ? od_bytes_exact((uint64_t)last->last) : (struct od_bytes){0};
}

const char *od_host_part_words(enum od_holding_kind kind)
{
    return kind == OD_HELD_FILES         ? "files in memory (/dev/shm, tmpfs)"
           : kind == OD_HELD_SLAB        ? "the kernel's own objects (slab)"
           : kind == OD_HELD_PAGE_TABLES ? "page tables"
           : kind == OD_HELD_HUGE        ? "huge pages"
                                         : "drivers and other memory of no process";
}
