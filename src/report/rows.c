#include "report/rows.h"

#include <math.h>

static struct od_real real_of(double n, bool known)
{
    return (struct od_real){.n = n, .known = known && isfinite(n)};
}

/* 0 says that there is none. */
static struct od_count counted(uint64_t n)
{
    return (struct od_count){.n = n, .known = n > 0};
}

static enum od_tri tri_of(bool yes)
{
    return yes ? OD_YES : OD_NO;
}

struct od_row_input od_row_of_input(const struct od_source *source, struct od_input_times *times)
{
    int64_t span = od_clock_span(&source->clock);
    return (struct od_row_input){
        .name = od_view_of(source->name),
        .digest = od_view_of(source->digest),
        .bytes = od_count_of(source->bytes),
        .lines = od_count_of(source->lines),
        .format = od_view_of(source->format),
        .complete = tri_of(source->complete),
        .unreadable_lines = od_count_of(source->unreadable_lines),
        .first_time = od_view_of(od_time_print(source->clock.first, times->first)),
        .last_time = od_view_of(od_time_print(source->clock.last, times->last)),
        .seconds = span < 0 ? (struct od_count){0} : od_count_of((uint64_t)span)};
}

struct od_row_incident od_row_of_incident(const struct od_incident *incident)
{
    return (struct od_row_incident){.id = od_count_of(incident->id),
                                    .kind = od_view_of(od_incident_kind_name(incident->kind)),
                                    .producer = incident->producer,
                                    .line = counted(incident->at.line),
                                    .time = incident->stamp,
                                    .count = od_count_of(incident->count),
                                    .fatal = incident->fatal,
                                    .device = incident->device,
                                    .rank = incident->rank,
                                    .allocator = incident->allocator,
                                    .unified = incident->unified,
                                    .requested_bytes = incident->requested,
                                    .capacity_bytes = incident->capacity,
                                    .limit_bytes = incident->limit,
                                    .in_use_bytes = incident->in_use,
                                    .reserved_bytes = incident->reserved,
                                    .free_bytes = incident->free,
                                    .peak_bytes = incident->peak,
                                    .echo_of = counted(incident->echo_of)};
}

struct od_row_tensor od_row_of_tensor(const struct od_tensor *tensor)
{
    return (struct od_row_tensor){.shape = tensor->shape,
                                  .dtype = od_view_of(od_dtype_name(tensor->dtype)),
                                  .bytes = tensor->bytes,
                                  .op = tensor->op};
}

struct od_row_process od_row_of_process(const struct od_process *process)
{
    return (struct od_row_process){.pid = process->pid,
                                   .name = process->name,
                                   .rss_bytes = process->rss,
                                   .virtual_bytes = process->virtual};
}

static struct od_count either(struct od_count a, struct od_count b)
{
    return a.known ? a : b;
}

struct od_row_stats od_row_of_stats(const struct od_allocator *a)
{
    const struct od_allocator_stats *stats = &a->dump.stats;
    return (struct od_row_stats){.limit_bytes = either(stats->limit, a->limit),
                                 .in_use_bytes = either(stats->in_use, a->in_use),
                                 .max_in_use_bytes = stats->max_in_use,
                                 .num_allocs = stats->num_allocs,
                                 .max_alloc_bytes = stats->max_alloc,
                                 .reserved_bytes = stats->reserved,
                                 .peak_reserved_bytes = stats->peak_reserved};
}

struct od_row_size od_row_of_size(const struct od_size *size)
{
    return (struct od_row_size){.bytes = od_count_of(size->bytes),
                                .count = od_count_of(size->count),
                                .total_bytes = od_count_of(size->total)};
}

struct od_view od_role_of_size(const struct od_report *report, const struct od_allocator *allocator,
                               size_t i)
{
    const struct od_holding *holding = od_holding_of(report->attribution, allocator);
    bool told = holding && holding->sizes[i].n > 0;
    return od_view_of(told ? od_role_name(holding->sizes[i].list[0].role) : NULL);
}

struct od_row_series od_row_of_series(const struct od_series *s)
{
    static const char *const units[] = {[OD_SERIES_BYTES] = "bytes",
                                        [OD_SERIES_PERCENT] = "percent",
                                        [OD_SERIES_SECONDS] = "seconds"};
    return (struct od_row_series){.metric = od_view_of(od_series_metric_name(s->metric)),
                                  .device = s->device,
                                  .rank = s->rank,
                                  .pid = s->pid,
                                  .process = s->process,
                                  .name = s->name,
                                  .producer = s->producer,
                                  .unit = od_view_of(units[od_series_metric_unit(s->metric)]),
                                  .points = od_count_of(s->points),
                                  .first = real_of(s->first, true),
                                  .last = real_of(s->last, true),
                                  .min = real_of(s->min, true),
                                  .max = real_of(s->max, true),
                                  .x = od_view_of(od_series_x_name(s->x)),
                                  .trend = od_view_of(od_trend_name(s->trend)),
                                  .slope_per_x = real_of(s->slope, s->slope_known),
                                  .phase = od_view_of(od_series_phase_name(s->phase)),
                                  .limit = real_of(s->limit, s->limit_known),
                                  .line_first = counted(s->at.line),
                                  .line_last = counted(s->last_at.line)};
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

struct od_row_phase od_row_of_phase(const struct od_phase_row *phase)
{
    return (struct od_row_phase){
        .name = phase->name, .bytes = phase->bytes, .basis = od_view_of(phase->basis)};
}

struct od_row_finding od_row_of_finding(const struct od_finding *finding)
{
    return (struct od_row_finding){.cause = od_view_of(od_cause_name(finding->cause)),
                                   .code = od_view_of(od_cause_code(finding->cause)),
                                   .certainty = od_view_of(od_certainty_name(finding->certainty)),
                                   .probability = real_of(finding->probability, true),
                                   .incident = counted(finding->incident),
                                   .summary = od_view_of(finding->summary)};
}

/* To a thousandth; negative says that it is not known. */
static struct od_real probability(double p)
{
    return real_of((double)(int)(p * 1000 + 0.5) / 1000, p >= 0);
}

struct od_row_batch od_row_of_batch(const struct od_answer *answer)
{
    if (!answer)
        return (struct od_row_batch){.is_cause = OD_CANNOT_TELL};
    return (struct od_row_batch){
        .current_certainty =
            od_view_of(answer->batch.known ? od_certainty_name(answer->batch_certainty) : NULL),
        .devices = answer->devices,
        .largest_that_fits = answer->largest,
        .recommended = answer->recommended,
        .recommended_fits_probability = probability(answer->recommended_fits),
        .to_try = answer->to_try,
        .accumulation = answer->accumulation,
        .below = answer->below,
        .worked = answer->worked,
        .is_cause = tri_of(answer->batch_is_cause),
        .basis = od_view_of(answer->basis),
        .narrow = od_view_of(answer->narrow)};
}

struct od_row_action od_row_of_action(const struct od_remedy *remedy)
{
    const struct od_answer_action *action = &remedy->action;
    return (struct od_row_action){.id = od_view_of(remedy->advice->id),
                                  .title = od_view_of(remedy->advice->title),
                                  .cause = od_view_of(od_cause_name(remedy->finding->cause)),
                                  .saves_bytes = action->saves,
                                  .predicted_peak_bytes = action->peak,
                                  .fits_probability = probability(action->fits),
                                  .largest_batch = action->batch,
                                  .what = od_view_of(action->what),
                                  .cost = od_view_of(remedy->cost),
                                  .figures = od_view_of(remedy->figures),
                                  .source = od_view_of(od_remedy_source(remedy))};
}

/* The i-th part, where the one of the driver comes before the others. */
static const struct od_stack_part *part_at(const struct od_stack *stack, size_t i)
{
    size_t driver = 0;
    while (driver < stack->n && stack->parts[driver].software != stack->driver)
        driver++;
    if (driver == stack->n || i > driver)
        return &stack->parts[i];
    return &stack->parts[i == 0 ? driver : i - 1];
}

struct od_row_software od_row_of_software(const struct od_report *report, size_t i)
{
    const struct od_stack *stack = &report->diagnosis->failure->stack;
    const struct od_incident *failure = report->diagnosis->failure->run.ended;
    const struct od_stack_part *part = part_at(stack, i);
    return (struct od_row_software){
        .name = od_view_of(part->software->name),
        .sort = od_view_of(od_sort_words[part->software->sort]),
        .version = od_stack_version(report->c, stack, part->software),
        .line = part->said ? od_count_of(part->said->at.line) : (struct od_count){0},
        .incident = part->near > 0 && failure ? od_count_of(failure->id) : (struct od_count){0}};
}
