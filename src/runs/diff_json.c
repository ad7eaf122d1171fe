#include "report/json_write.h"
#include "runs/diff.h"

static void add_run(struct od_json *json, const char *key, const struct od_run *run)
{
    od_json_object(json, key);
    od_json_str(json, "name", run->name);
    od_json_str(json, "outcome", run->outcome);
    od_json_str(json, "cause", run->cause);
    od_json_object(json, "peaks");
    od_json_count(json, "device_peak_bytes", run->device_peak);
    od_json_count(json, "device_limit_bytes", run->device_limit);
    od_json_count(json, "host_peak_bytes", run->host_peak);
    od_json_count(json, "host_limit_bytes", run->host_limit);
    od_json_end(json);
    od_json_count(json, "batch_size", run->batch);
    od_json_count(json, "largest_batch", run->largest_batch);
    od_json_end(json);
}

static void add_saved(struct od_json *json, const struct od_diff_bytes *one)
{
    if (!one->old.known || !one->new.known)
        od_json_null(json, "saved_bytes");
    else
        od_json_double(json, "saved_bytes", (double)one->old.n - (double)one->new.n);
}

static void add_one(struct od_json *json, const char *key, const struct od_diff_bytes *one)
{
    od_json_object_inline(json, key);
    od_json_str(json, "name", one->name);
    od_json_count(json, "old_bytes", one->old);
    od_json_count(json, "new_bytes", one->new);
    add_saved(json, one);
}

static void add_bytes(struct od_json *json, const char *key, const struct od_diff_bytes *list,
                      size_t n)
{
    od_json_array(json, key);
    for (size_t i = 0; i < n; i++) {
        add_one(json, NULL, &list[i]);
        od_json_end(json);
    }
    od_json_end(json);
}

static void add_phases(struct od_json *json, const struct od_diff *diff)
{
    od_json_array(json, "phases");
    OD_FOR_EACH (const struct od_diff_phase, phase, diff->phases) {
        add_one(json, NULL, &phase->bytes);
        od_json_str(json, "old_basis", phase->old_basis);
        od_json_str(json, "new_basis", phase->new_basis);
        od_json_end(json);
    }
    od_json_end(json);
    if (od_json_null_if(json, "phases_sum", diff->phases.n == 0))
        return;
    add_one(json, "phases_sum", &diff->phases_sum);
    od_json_end(json);
}

static void add_settings(struct od_json *json, const struct od_diff *diff)
{
    od_json_array(json, "settings");
    OD_FOR_EACH (const struct od_diff_setting, one, diff->settings) {
        od_json_object_inline(json, NULL);
        od_json_str(json, "name", one->name);
        od_json_str(json, "old", one->old);
        od_json_str(json, "new", one->new);
        od_json_end(json);
    }
    od_json_end(json);
}

static void add_incidents(struct od_json *json, const char *key,
                          const struct od_run_incident *const *list, size_t n)
{
    od_json_array(json, key);
    for (size_t i = 0; i < n; i++) {
        od_json_object_inline(json, NULL);
        od_json_str(json, "kind", list[i]->kind);
        od_json_str(json, "producer", list[i]->producer);
        od_json_str(json, "device", list[i]->device);
        od_json_count(json, "requested_bytes", list[i]->requested);
        od_json_str(json, "tensor", list[i]->tensor);
        od_json_u64(json, "count", list[i]->count);
        od_json_end(json);
    }
    od_json_end(json);
}

static void add_one_series(struct od_json *json, const char *key,
                           const struct od_run_series *series)
{
    if (od_json_null_if(json, key, !series || !series->known))
        return;
    od_json_object_inline(json, key);
    od_json_u64(json, "points", series->points);
    od_json_double(json, "first", series->first);
    od_json_double(json, "last", series->last);
    od_json_double(json, "min", series->min);
    od_json_double(json, "max", series->max);
    od_json_str(json, "trend", series->trend);
    if (series->slope_known)
        od_json_double(json, "slope_per_x", series->slope);
    else
        od_json_null(json, "slope_per_x");
    od_json_end(json);
}

static void add_series(struct od_json *json, const struct od_diff *diff)
{
    od_json_array(json, "series");
    OD_FOR_EACH (const struct od_diff_series, one, diff->series) {
        od_json_object(json, NULL);
        od_json_str(json, "metric", one->metric);
        od_json_str(json, "device", one->device);
        add_one_series(json, "old", one->old);
        add_one_series(json, "new", one->new);
        od_json_end(json);
    }
    od_json_end(json);
}

void od_diff_json(const struct od_diff *diff, struct od_json *json)
{
    od_json_object(json, NULL);
    od_json_str(json, "schema", "oomdoctor.diff/1");
    add_run(json, "old", diff->old);
    add_run(json, "new", diff->new);
    od_json_str(json, "verdict", od_diff_verdict_name(diff->verdict));
    od_json_str(json, "why", diff->why);
    add_settings(json, diff);
    add_bytes(json, "peaks", diff->peaks.items, diff->peaks.n);
    add_phases(json, diff);
    add_bytes(json, "sizes", diff->sizes.items, diff->sizes.n);
    od_json_object(json, "incidents");
    add_incidents(json, "gone", diff->gone.items, diff->gone.n);
    add_incidents(json, "new", diff->fresh.items, diff->fresh.n);
    add_incidents(json, "same", diff->same.items, diff->same.n);
    od_json_end(json);
    add_series(json, diff);
    od_json_end(json);
    od_buf_add_char(json->to, '\n');
}
