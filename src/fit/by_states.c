/*
 * Uses peaks printed while a batch trained: two batches define a line; one batch does so if the
 * constant part is known. Saved activations are linear in the batch; library workspaces and the
 * pool's slack change the slope by some percent.
 */
#include "fit/facts.h"

#include "plan/largest_batch.h"

#include <math.h>

enum { TRIED_MOST = 8 };

struct tried {
    uint64_t batch;
    double peak;
};

struct table {
    struct tried list[TRIED_MOST];
    size_t n;
};

static bool is_peak(const struct od_series *series)
{
    return series->metric == OD_SERIES_DEVICE_PEAK || series->metric == OD_SERIES_DEVICE_RESERVED ||
           series->metric == OD_SERIES_DEVICE_USED || series->metric == OD_SERIES_MEMORY_PEAK;
}

/* The last batch size printed before a line of a source; 0 = none. */
static uint64_t batch_at(const struct od_case *c, uint32_t source, uint64_t line)
{
    uint64_t batch = 0, value;
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        if (setting->id == OD_SETTING_BATCH_SIZE && setting->said.at.source == source &&
            setting->said.at.line <= line && od_num_parse_u64(setting->value, &value) &&
            value < OD_BATCH_MOST)
            batch = value;
    return batch;
}

static void add_point(struct table *table, uint64_t batch, double peak)
{
    for (size_t i = 0; i < table->n; i++) {
        if (table->list[i].batch == batch) {
            if (peak > table->list[i].peak)
                table->list[i].peak = peak;
            return;
        }
    }
    if (table->n < TRIED_MOST)
        table->list[table->n++] = (struct tried){batch, peak};
}

/* The last batch size printed before the failure if the failed tensor contradicts it, otherwise 0.
 * Later measurements then belong to a run with unknown batch size. */
static uint64_t misstated(const struct od_fit_facts *facts)
{
    const struct od_prov *at = &facts->failure->incident->at;
    uint64_t stated = batch_at(facts->q->c, at->source, at->line);
    return facts->batch.known && stated != facts->batch.n * facts->shares ? stated : 0;
}

/* Number of points that show the need of a batch: one if memory grows in each step. */
static size_t as_needed(const struct od_series *series)
{
    bool grows = series->trend == OD_TREND_LEAK || series->trend == OD_TREND_STAIRCASE;
    return grows && series->nsamples > 1 ? 1 : series->nsamples;
}

/* Collects the points of one metric. */
static void gather(const struct od_fit_facts *facts, enum od_series_metric metric,
                   struct table *table)
{
    const struct od_case *c = facts->q->c;
    uint64_t wrong = misstated(facts);
    OD_FOR_EACH (const struct od_series, series, c->series) {
        if (series->metric != metric || !is_peak(series))
            continue;
        OD_FOR_EACH_OF (const struct od_point, point, series->samples, as_needed(series)) {
            uint64_t batch = batch_at(c, series->at.source, point->line);
            bool other = batch == wrong &&
                         od_fit_same_run(facts, &(struct od_prov){.source = series->at.source,
                                                                  .line = point->line});
            if (batch > 0 && point->value > 0 && batch % facts->shares == 0 && !other)
                add_point(table, batch / facts->shares, point->value);
        }
    }
}

/* Collects peaks from tables of torch.cuda.memory_summary(). The table for the failed batch may
 * have been printed in the middle of its step, because of the failure. */
static void gather_summaries(const struct od_fit_facts *facts, struct table *table)
{
    const struct od_case *c = facts->q->c;
    OD_FOR_EACH (const struct od_memory_state, state, c->states) {
        if (!od_view_eq_str(state->name, "memory_summary") || !state->peak.known)
            continue;
        uint64_t batch = batch_at(c, state->said.at.source, state->said.at.line);
        bool tried = facts->batch.known && batch == facts->batch.n * facts->shares;
        if (batch > 0 && !tried && batch % facts->shares == 0)
            add_point(table, batch / facts->shares, (double)state->peak.n);
    }
}

/* Finds the smallest and the largest batch. */
static bool ends_of(const struct table *table, struct tried *ret_low, struct tried *ret_high)
{
    if (table->n < 2)
        return false;
    *ret_low = *ret_high = table->list[0];
    for (size_t i = 1; i < table->n; i++) {
        if (table->list[i].batch < ret_low->batch)
            *ret_low = table->list[i];
        if (table->list[i].batch > ret_high->batch)
            *ret_high = table->list[i];
    }
    return ret_high->batch > ret_low->batch && ret_high->peak > ret_low->peak;
}

/* --- from peaks to a batch --- */

/* Error of a printed peak relative to the step's true need: small for live tensors, larger for the
 * pool with its slack and the device with its libraries. */
static double slack_of(enum od_series_metric metric)
{
    return metric == OD_SERIES_DEVICE_PEAK ? 0.01 : 0.03;
}

/* Fits a line through two peaks with errors. The error grows with the distance of the limit. */
static bool from_line(const struct od_fit_facts *facts, const struct tried *low,
                      const struct tried *high, double slack, struct od_hypothesis *ret_found)
{
    static const double pool_slack = 0.95, steps = 1.02, believable = 1.5, flat = 0.2;
    double between = (double)(high->batch - low->batch), limit = (double)facts->limit;
    double slope = (high->peak - low->peak) / between;
    double off = slack * (high->peak + low->peak) / between;
    double fixed = low->peak - slope * (double)low->batch;
    double start = (double)high->batch, room = limit - high->peak;
    double middle = start + room / slope;
    if (fixed < 0 || middle <= 0 || off > (1 - flat) * slope ||
        (facts->failed > 0 && middle > (double)facts->failed * believable))
        return false;
    double steep = slope + off, shallow = slope - off;
    ret_found->median = middle * (1 + pool_slack) / 2;
    ret_found->lo = (start + room / (room > 0 ? steep : shallow)) * pool_slack;
    ret_found->hi = (start + room / (room > 0 ? shallow : steep)) * steps;
    ret_found->fixed = (struct od_bytes){
        .n = (uint64_t)fixed,
        .lo = (uint64_t)fmax(0, high->peak - steep * (double)high->batch),
        .hi = (uint64_t)(high->peak - shallow * (double)high->batch),
        .known = true,
    };
    ret_found->basis = od_arena_printf(
        facts->arena, "a straight line through the peaks printed at batch sizes %llu and %llu",
        (unsigned long long)low->batch, (unsigned long long)high->batch);
    ret_found->memory_basis = "intercept and slope of the line through the two peaks";
    return true;
}

/* Uses a single peak. Its constant part may be none to most, which bounds the batch. */
static bool from_one(const struct od_fit_facts *facts, const struct tried *one, double slack,
                     struct od_hypothesis *ret_found)
{
    static const double pool_slack = 0.95, widest = 3, most_of_peak = 0.75;
    double batch = (double)one->batch, peak = one->peak, limit = (double)facts->limit;
    double fixed_hi = most_of_peak * peak;
    if (limit <= fixed_hi)
        return false;
    double least = batch * limit / peak;
    double most = batch * (limit - fixed_hi) / (peak - fixed_hi);
    double lo = fmin(least, most) * (1 - slack) * pool_slack;
    double hi = fmax(least, most) * (1 + slack);
    double top = facts->batch.known && (double)facts->batch.n < hi ? (double)facts->batch.n : hi;
    if (lo <= 0 || lo >= top || top > widest * lo)
        return false;
    ret_found->median = sqrt(lo * top);
    ret_found->lo = lo;
    ret_found->hi = top;
    ret_found->basis = od_arena_printf(
        facts->arena,
        "the peak printed at batch size %llu; the log does not show how much of it grows with the "
        "batch size",
        (unsigned long long)one->batch);
    ret_found->memory_basis =
        "the parameters with their optimizer state; the rest of the peak is for samples";
    return true;
}

bool od_fit_by_states(const struct od_fit_facts *facts, struct od_hypothesis *ret_found)
{
    static const enum od_series_metric metrics[] = {
        OD_SERIES_DEVICE_PEAK, OD_SERIES_DEVICE_RESERVED, OD_SERIES_DEVICE_USED,
        OD_SERIES_MEMORY_PEAK}; /* in a run that failed on a device, this is the device's memory */
    for (size_t i = 0; i < OD_COUNT_OF(metrics) && facts->limit > 0; i++) {
        struct table table = {0};
        struct tried low, high;
        gather(facts, metrics[i], &table);
        if (metrics[i] == OD_SERIES_DEVICE_PEAK)
            gather_summaries(facts, &table);
        *ret_found = (struct od_hypothesis){.off = -1};
        double slack = slack_of(metrics[i]);
        if (ends_of(&table, &low, &high)
                ? from_line(facts, &low, &high, slack, ret_found)
                : table.n == 1 && from_one(facts, &table.list[0], slack, ret_found))
            return true;
    }
    return false;
}
