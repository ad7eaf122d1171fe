#include "case/series.h"
#include "runs/run.h"

static struct od_count most_of(const struct od_run *run, enum od_series_metric metric)
{
    static const double beyond = 0x1p62;
    const char *word = od_series_metric_name(metric);
    struct od_count most = {0};
    OD_FOR_EACH (const struct od_run_series, s, run->series)
        if (s->known && strcmp(s->metric, word) == 0 && s->max > (double)most.n && s->max < beyond)
            most = od_count_of((uint64_t)s->max);
    return most;
}

struct od_run_peaks od_run_peaks(const struct od_run *run)
{
    struct od_run_peaks peaks = {.allocated = most_of(run, OD_SERIES_DEVICE_PEAK),
                                 .reserved = most_of(run, OD_SERIES_DEVICE_RESERVED)};
    if (!peaks.allocated.known)
        peaks.allocated = most_of(run, OD_SERIES_MEMORY_PEAK);
    if (!peaks.allocated.known && !peaks.reserved.known)
        peaks.device = most_of(run, OD_SERIES_DEVICE_USED);
    return peaks;
}
