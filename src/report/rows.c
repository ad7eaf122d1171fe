#include "report/rows.h"

#include <math.h>

#define OD_RECORD(record, type) const struct od_row_field od_fields_##record[] = {
#define OD_FIELD(record, key, kind, schema, words, value) \
    {#key, OD_KIND_##kind, offsetof(struct od_row_##record, key)},
#define OD_RECORD_END(record) \
    {                         \
        0                     \
    }                         \
    }                         \
    ;
#include "report/fields.def"

const struct od_answer od_no_answer = {.recommended_fits = -1};

struct od_real od_real_if(bool known, double n)
{
    known &= isfinite(n) != 0;
    return (struct od_real){.n = known ? n : 0, .known = known};
}

struct od_real od_real_of(double n)
{
    return od_real_if(true, n);
}

struct od_real od_real_of_probability(double p)
{
    return od_real_if(p >= 0, (double)(int)(p * 1000 + 0.5) / 1000);
}

const char *od_series_unit(const struct od_series *series)
{
    static const char *const units[] = {[OD_SERIES_BYTES] = "bytes",
                                        [OD_SERIES_PERCENT] = "percent",
                                        [OD_SERIES_SECONDS] = "seconds"};
    return units[od_series_metric_unit(series->metric)];
}

struct od_row_input od_input_row(const struct od_source *source, struct od_input_times *times)
{
    int64_t span = od_clock_span(&source->clock);
    return (struct od_row_input){
        .name = od_view_of(source->name),
        .digest = od_view_of(source->digest),
        .bytes = od_count_of(source->bytes),
        .lines = od_count_of(source->lines),
        .format = od_view_of(source->format),
        .complete = od_tri_of(source->complete),
        .unreadable_lines = od_count_of(source->unreadable_lines),
        .first_time = od_view_of(od_time_print(source->clock.first, times->first)),
        .last_time = od_view_of(od_time_print(source->clock.last, times->last)),
        .seconds = od_count_if(span >= 0, (uint64_t)span)};
}

struct od_view od_role_of_size(const struct od_report *report, const struct od_allocator *allocator,
                               size_t i)
{
    const struct od_holding *holding = od_holding_of(report->attribution, allocator);
    bool told = holding && holding->sizes[i].n > 0;
    return od_view_of(told ? od_role_name(holding->sizes[i].list[0].role) : NULL);
}

size_t od_run_state_of(const struct od_series *s, struct od_point course[static OD_RUN_STATES_MAX])
{
    enum { STRETCHES = OD_RUN_STATES_MAX / 2 };
    size_t stretches = s->nsamples < OD_RUN_STATES_MAX ? s->nsamples : STRETCHES, n = 0;
    for (size_t i = 0; i < stretches; i++) {
        size_t from = s->nsamples * i / stretches, to = s->nsamples * (i + 1) / stretches;
        size_t low = from, high = from;
        for (size_t k = from; k < to; k++) {
            low = s->samples[k].value < s->samples[low].value ? k : low;
            high = s->samples[k].value > s->samples[high].value ? k : high;
        }
        course[n++] = s->samples[low < high ? low : high];
        if (low != high)
            course[n++] = s->samples[low < high ? high : low];
    }
    return n;
}

/* The i-th part, with the driver's part first. */
static const struct od_software_part *part_at(const struct od_software_used *stack, size_t i)
{
    size_t driver = 0;
    while (driver < stack->n && stack->parts[driver].software != stack->driver)
        driver++;
    if (driver == stack->n || i > driver)
        return &stack->parts[i];
    return &stack->parts[i == 0 ? driver : i - 1];
}

struct od_row_software od_software_row(const struct od_report *report, size_t i)
{
    const struct od_software_used *stack = &report->diagnosis->failure->stack;
    const struct od_incident *failure = report->diagnosis->failure->run.ended;
    const struct od_software_part *part = part_at(stack, i);
    return (struct od_row_software){
        .name = od_view_of(part->software->name),
        .sort = od_view_of(od_sort_words[part->software->sort]),
        .version = od_software_used_version(report->c, stack, part->software),
        .line = part->said ? od_count_of(part->said->at.line) : (struct od_count){0},
        .incident = part->near > 0 && failure ? od_count_of(failure->id) : (struct od_count){0}};
}
