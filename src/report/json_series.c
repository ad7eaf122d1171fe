/* Series of memory and time as JSON. */
#include "report/json_parts.h"

static void add_range(struct od_json *json, const char *key, double lo, double hi)
{
    od_json_array_inline(json, key);
    od_json_double(json, NULL, lo);
    od_json_double(json, NULL, hi);
    od_json_end(json);
}

static void add_slope(struct od_json *json, const struct od_series *s)
{
    if (!s->slope_known) {
        od_json_null(json, "slope_per_x");
        od_json_null(json, "slope_range");
        return;
    }
    od_json_double(json, "slope_per_x", s->slope);
    add_range(json, "slope_range", s->slope_lo, s->slope_hi);
}

static void add_end(struct od_json_report *out, const struct od_series *s)
{
    struct od_json *json = &out->json;
    if (!s->exhausts_known) {
        od_json_null(json, "exhausts_at");
        return;
    }
    od_json_object_inline(json, "exhausts_at");
    od_json_double(json, "x", s->exhausts_x);
    add_range(json, "range", s->exhausts_lo, s->exhausts_hi);
    od_json_line(out, s->limit_at);
    od_json_end(json);
}

static void add_samples(struct od_json_report *out, const struct od_series *s)
{
    struct od_json *json = &out->json;
    if (!out->samples) {
        od_json_null(json, "samples");
        return;
    }
    od_json_array(json, "samples");
    for (size_t i = 0; i < s->nsamples; i++)
        add_range(json, NULL, s->samples[i].x, s->samples[i].value);
    od_json_end(json);
}

/* Always there, so that two reports can be laid over each other: the lowest and the highest of
 * equal stretches, in their order. */
static void add_course(struct od_json *json, const struct od_series *s)
{
    enum { STRETCHES = 24 };
    size_t stretches = s->nsamples < 2 * STRETCHES ? s->nsamples : STRETCHES;
    od_json_array_inline(json, "course");
    for (size_t i = 0; i < stretches; i++) {
        size_t from = s->nsamples * i / stretches, to = s->nsamples * (i + 1) / stretches;
        size_t low = from, high = from;
        for (size_t k = from; k < to; k++) {
            low = s->samples[k].value < s->samples[low].value ? k : low;
            high = s->samples[k].value > s->samples[high].value ? k : high;
        }
        size_t first = low < high ? low : high, second = low < high ? high : low;
        add_range(json, NULL, s->samples[first].x, s->samples[first].value);
        if (second != first)
            add_range(json, NULL, s->samples[second].x, s->samples[second].value);
    }
    od_json_end(json);
}

static void add_series(struct od_json_report *out, const struct od_series *s)
{
    static const char *const units[] = {[OD_SERIES_BYTES] = "bytes",
                                        [OD_SERIES_PERCENT] = "percent",
                                        [OD_SERIES_SECONDS] = "seconds"};
    struct od_json *json = &out->json;
    od_json_object(json, NULL);
    od_json_str(json, "metric", od_series_metric_name(s->metric));
    od_json_text_or_null(json, "device", s->device);
    od_json_count(json, "rank", s->rank);
    od_json_count(json, "pid", s->pid);
    od_json_text_or_null(json, "process", s->process);
    od_json_text_or_null(json, "name", s->name);
    od_json_text_or_null(json, "producer", s->producer);
    od_json_str(json, "unit", units[od_series_metric_unit(s->metric)]);
    if (s->unit_guessed)
        od_json_bool(json, "unit_guessed", true);
    od_json_u64(json, "points", s->points);
    add_samples(out, s);
    add_course(json, s);
    od_json_double(json, "first", s->first);
    od_json_double(json, "last", s->last);
    od_json_double(json, "min", s->min);
    od_json_double(json, "max", s->max);
    od_json_str(json, "x", od_series_x_name(s->x));
    od_json_str(json, "trend", od_trend_name(s->trend));
    if (s->step_line > 0)
        od_json_u64(json, "step_line", s->step_line);
    add_slope(json, s);
    od_json_str(json, "phase", od_series_phase_name(s->phase));
    if (s->limit_known)
        od_json_double(json, "limit", s->limit);
    else
        od_json_null(json, "limit");
    add_end(out, s);
    od_json_count(json, "line_first", od_count_of(s->at.line));
    od_json_count(json, "line_last", od_count_of(s->last_at.line));
    if (out->report->nsources > 1)
        od_json_u64(json, "source", s->at.source);
    od_json_end(json);
}

void od_json_series(struct od_json_report *out)
{
    const struct od_case *c = out->report->c;
    od_json_array(&out->json, "series");
    for (size_t i = 0; i < c->series.n; i++)
        add_series(out, &c->series.items[i]);
    od_json_end(&out->json);
}
