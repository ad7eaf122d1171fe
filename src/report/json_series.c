/* Series of memory and time as JSON. */
#include "report/json_parts.h"
#include "report/rows.h"

static void add_range(struct od_json *json, const char *key, double lo, double hi)
{
    od_json_array_inline(json, key);
    od_json_double(json, NULL, lo);
    od_json_double(json, NULL, hi);
    od_json_end(json);
}

static void add_slope(struct od_json *json, const struct od_series *s)
{
    if (od_json_null_if(json, "slope_range", !s->slope_known))
        return;
    add_range(json, "slope_range", s->slope_lo, s->slope_hi);
}

static void add_end(struct od_json_report *out, const struct od_series *s)
{
    struct od_json *json = &out->json;
    if (od_json_null_if(json, "exhausts_at", !s->exhausts_known))
        return;
    od_json_object_inline(json, "exhausts_at");
    od_json_double(json, "x", s->exhausts_x);
    add_range(json, "range", s->exhausts_lo, s->exhausts_hi);
    od_json_line(out, s->limit_at);
    od_json_end(json);
}

static void add_samples(struct od_json_report *out, const struct od_series *s)
{
    struct od_json *json = &out->json;
    if (od_json_null_if(json, "samples", !out->samples))
        return;
    od_json_array(json, "samples");
    for (size_t i = 0; i < s->nsamples; i++)
        add_range(json, NULL, s->samples[i].x, s->samples[i].value);
    od_json_end(json);
}

/* Always there, so that two reports can be laid over each other. */
static void add_course(struct od_json *json, const struct od_series *s)
{
    struct od_point course[OD_RUN_STATES_MAX];
    size_t n = od_run_state_of(s, course);
    od_json_array_inline(json, "course");
    for (size_t i = 0; i < n; i++)
        add_range(json, NULL, course[i].x, course[i].value);
    od_json_end(json);
}

static void add_series(struct od_json_report *out, const struct od_series *s)
{
    struct od_json *json = &out->json;
    struct od_row_series row = od_row_of_series(s);
    od_json_object(json, NULL);
    od_json_row(json, od_fields_series, &row);
    if (s->unit_guessed)
        od_json_bool(json, "unit_guessed", true);
    add_samples(out, s);
    add_course(json, s);
    if (s->step_line > 0)
        od_json_u64(json, "step_line", s->step_line);
    add_slope(json, s);
    add_end(out, s);
    od_json_source(out, s->at);
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
