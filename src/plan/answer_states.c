/*
 * Peaks that were printed while a batch trained: two batches give a straight line, one batch gives
 * it where what does not grow is known. Saved activations are a straight line in the batch; the
 * libraries' workspace and the pool's slack bend it by some percent.
 */
#include "plan/answer_facts.h"

#include "diagnose/timeline.h"
#include "plan/largest_batch.h"

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
           series->metric == OD_SERIES_DEVICE_USED;
}

/* The batch in force at a line of a source; 0 = none was said before. */
static uint64_t batch_at(const struct od_case *c, uint32_t source, uint64_t line)
{
    uint64_t batch = 0, value;
    for (size_t i = 0; i < c->settings.n; i++) {
        const struct od_setting *setting = &c->settings.items[i];
        if (setting->said.at.source == source && setting->said.at.line <= line &&
            od_view_eq_str(setting->name, "batch_size") &&
            od_num_parse_u64(setting->value, &value) && value < OD_BATCH_MOST)
            batch = value;
    }
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

/* Of the metric that is best for it: allocated before reserved before used, one metric alone. */
static void gather(const struct od_answer_facts *facts, enum od_series_metric metric,
                   struct table *table)
{
    const struct od_case *c = facts->q->c;
    for (size_t i = 0; i < c->series.n; i++) {
        const struct od_series *series = &c->series.items[i];
        if (series->metric != metric || !is_peak(series))
            continue;
        for (size_t k = 0; k < series->nsamples; k++) {
            const struct od_point *point = &series->samples[k];
            uint64_t batch = batch_at(c, series->at.source, point->line);
            if (batch > 0 && point->value > 0 && batch % facts->shares == 0)
                add_point(table, batch / facts->shares, point->value);
        }
    }
}

/* The two that lie farthest apart. */
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

static bool from_line(const struct od_answer_facts *facts, double fixed, double per_sample,
                      struct od_answer_found *ret_found)
{
    double median = ((double)facts->limit - fixed) / per_sample;
    if (median <= 0 || (facts->failed > 0 && median > (double)facts->failed * 1.5))
        return false;
    ret_found->median = median * 0.97;
    ret_found->lo = median * 0.85;
    ret_found->hi = median * 1.1;
    ret_found->fixed = od_bytes_exact((uint64_t)fixed);
    return true;
}

bool od_answer_by_states(const struct od_answer_facts *facts, struct od_answer_found *ret_found)
{
    static const enum od_series_metric metrics[] = {
        OD_SERIES_DEVICE_PEAK, OD_SERIES_DEVICE_RESERVED, OD_SERIES_DEVICE_USED};
    for (size_t i = 0; i < OD_COUNT_OF(metrics) && facts->limit > 0; i++) {
        struct table table = {0};
        struct tried low, high;
        gather(facts, metrics[i], &table);
        *ret_found = (struct od_answer_found){0};
        if (ends_of(&table, &low, &high)) {
            double slope = (high.peak - low.peak) / (double)(high.batch - low.batch);
            double fixed = low.peak - slope * (double)low.batch;
            ret_found->basis = od_arena_printf(
                facts->arena, "the peaks printed at batches of %llu and %llu make a straight line",
                (unsigned long long)low.batch, (unsigned long long)high.batch);
            ret_found->memory_basis = "where the line through the two peaks starts, and its slope";
            if (fixed >= 0 && from_line(facts, fixed, slope, ret_found))
                return true;
        } else if (table.n == 1 && facts->fixed.known &&
                   table.list[0].peak > (double)facts->fixed.n * 1.05) {
            double fixed = (double)facts->fixed.n;
            ret_found->basis = od_arena_printf(
                facts->arena,
                "the peak printed at a batch of %llu, less what does not grow with it",
                (unsigned long long)table.list[0].batch);
            if (from_line(facts, fixed, (table.list[0].peak - fixed) / (double)table.list[0].batch,
                          ret_found))
                return true;
        }
    }
    return false;
}
