#include "case/series.h"

#define METRIC_NAME(constant, word, unit) [OD_SERIES_##constant] = word,
#define METRIC_UNIT(constant, word, unit) [OD_SERIES_##constant] = OD_SERIES_##unit,

const char *od_series_metric_name(enum od_series_metric metric)
{
    static const char *const names[] = {OD_SERIES_METRICS(METRIC_NAME)};
    return names[metric];
}

enum od_series_unit od_series_metric_unit(enum od_series_metric metric)
{
    static const enum od_series_unit units[] = {OD_SERIES_METRICS(METRIC_UNIT)};
    return units[metric];
}

bool od_series_metric_is_bytes(enum od_series_metric metric)
{
    return od_series_metric_unit(metric) == OD_SERIES_BYTES;
}

bool od_series_metric_is_host(enum od_series_metric metric)
{
    return metric == OD_SERIES_HOST_RSS || metric == OD_SERIES_HOST_USED ||
           metric == OD_SERIES_HOST_FREE || metric == OD_SERIES_HOST_PEAK ||
           metric == OD_SERIES_HOST_VIRTUAL || metric == OD_SERIES_HOST_SHARE;
}

bool od_series_metric_is_unowned(enum od_series_metric metric)
{
    return metric == OD_SERIES_MEMORY_USED || metric == OD_SERIES_MEMORY_PEAK ||
           metric == OD_SERIES_MEMORY_FREE;
}

bool od_series_metric_is_free(enum od_series_metric metric)
{
    return metric == OD_SERIES_DEVICE_FREE || metric == OD_SERIES_HOST_FREE ||
           metric == OD_SERIES_MEMORY_FREE;
}

bool od_series_is_same(const struct od_series *a, const struct od_series *b)
{
    return a->metric == b->metric && a->at.source == b->at.source &&
           od_view_eq(a->device, b->device) && od_view_eq(a->producer, b->producer) &&
           od_view_eq(a->process, b->process) && a->rank.known == b->rank.known &&
           a->rank.n == b->rank.n && a->pid.known == b->pid.known && a->pid.n == b->pid.n;
}

const char *od_series_x_name(enum od_series_x x)
{
    static const char *const names[] = {[OD_X_STEP] = "step",
                                        [OD_X_EPOCH] = "epoch",
                                        [OD_X_SECONDS] = "seconds",
                                        [OD_X_LINE] = "line"};
    return names[x];
}

const char *od_series_each(const struct od_series *s, double *ret_scale)
{
    static const char *const words[] = {
        [OD_X_STEP] = "a step", [OD_X_EPOCH] = "an epoch", [OD_X_LINE] = "a line"};
    static const struct {
        double seconds;
        const char *words;
    } times[] = {{86400, "a day"}, {3600, "an hour"}, {60, "a minute"}, {1, "a second"}};
    double span = s->nsamples > 1 ? s->samples[s->nsamples - 1].x - s->samples[0].x : 0;
    size_t i = 0;
    *ret_scale = 1;
    if (s->x != OD_X_SECONDS)
        return words[s->x];
    while (i + 1 < OD_COUNT_OF(times) && span < 2 * times[i].seconds)
        i++;
    *ret_scale = times[i].seconds;
    return times[i].words;
}

const char *od_trend_name(enum od_trend trend)
{
    static const char *const names[] = {
        [OD_TREND_FLAT] = "flat",      [OD_TREND_LEAK] = "leak", [OD_TREND_STAIRCASE] = "staircase",
        [OD_TREND_WARMUP] = "warmup",  [OD_TREND_STEP] = "step", [OD_TREND_SPIKY] = "spiky",
        [OD_TREND_UNCLEAR] = "unclear"};
    return names[trend];
}

const char *od_series_phase_name(enum od_series_phase phase)
{
    static const char *const names[] = {[OD_SERIES_PHASE_NONE] = NULL,
                                        [OD_SERIES_PHASE_TRAIN] = "train",
                                        [OD_SERIES_PHASE_VALIDATION] = "validation",
                                        [OD_SERIES_PHASE_LOAD] = "load",
                                        [OD_SERIES_PHASE_CHECKPOINT] = "checkpoint"};
    return names[phase];
}
