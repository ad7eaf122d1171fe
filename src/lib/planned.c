#include "lib/planned.h"

#include "lib/runs.h"
#include "runs/json_in.h"

static bool take_row(const json_t *one, struct od_plan_compared_row *ret_row)
{
    const char *word = json_string_value(json_object_get(one, "metric"));
    const json_t *range = json_object_get(one, "peak_bytes_range");
    struct od_count peak = od_json_in_count(one, "peak_bytes");
    json_int_t lo = json_integer_value(json_array_get(range, 0));
    json_int_t hi = json_integer_value(json_array_get(range, 1));
    if (!word || !od_metric_find(od_view_of(word), &ret_row->metric) || !peak.known ||
        peak.n == 0 || lo < 0 || hi < 0)
        return false;
    ret_row->planned =
        (struct od_bytes){.n = peak.n, .lo = (uint64_t)lo, .hi = (uint64_t)hi, .known = true};
    ret_row->still = od_json_in_count(one, "still_bytes");
    return true;
}

bool od_planned_read(const char *name, struct od_plan_compared *ret_compared)
{
    struct od_buf text = {0};
    json_t *plan = od_run_load_json(name, OD_VIEW("\"oomdoctor.plan/"), &text)
                       ? od_json_in_parse(od_buf_view(&text))
                       : NULL;
    const char *schema = json_string_value(json_object_get(plan, "schema"));
    const json_t *peaks = json_object_get(plan, "peaks");
    struct od_plan_compared c = {0};
    bool ours = schema && strcmp(schema, "oomdoctor.plan/1") == 0;
    for (size_t i = 0; ours && i < json_array_size(peaks) && c.nrows < OD_COUNT_OF(c.rows); i++)
        c.nrows += take_row(json_array_get(peaks, i), &c.rows[c.nrows]);
    if (ours)
        c.expected = od_json_in_count(json_object_get(plan, "largest_batch"), "expected");
    json_decref(plan);
    od_buf_done(&text);
    *ret_compared = c;
    return c.nrows > 0;
}

bool od_planned_measure(struct od_plan_compared *compared, const struct od_run *run,
                        struct od_diags *diags)
{
    struct od_run_peaks peaks = od_run_peaks(run);
    const struct od_plan_measured measured = {peaks.allocated, peaks.reserved, peaks.device};
    od_plan_measure(compared, &measured, run->name);
    if (compared->nrows == 0)
        od_diags_add(diags, &(struct od_diag){.severity = OD_ERROR,
                                              .file = run->name,
                                              .message = "the log shows no peak of device memory",
                                              .help = "print torch.cuda.max_memory_allocated() and "
                                                      "memory_reserved() after some steps"});
    return compared->nrows > 0;
}
