/* The plan as JSON: every documented field, null when unknown. */
#include "report/plan.h"

#include "report/json_parts.h"
#include "report/options_table.h"
#include "report/plan_parts.h"

static void add_number(struct od_json *json, const char *key, uint64_t n, bool known)
{
    od_json_count(json, key, (struct od_count){.n = n, .known = known});
}

/* Predictions always have their interval, exact numbers one without width. */
static void add_predicted(struct od_json *json, const char *key, const char *range_key,
                          struct od_bytes bytes)
{
    add_number(json, key, bytes.n, bytes.known);
    od_json_range(json, range_key, bytes);
}

static void add_probability(struct od_json *json, const char *key, double p)
{
    if (p < 0)
        od_json_null(json, key);
    else
        od_json_double(json, key, p);
}

static void add_model(struct od_json *json, const struct od_plan *plan)
{
    const struct od_model *model = plan->request.workload.model;
    const struct od_estimate *e = &plan->estimate;
    od_json_object(json, "model");
    od_json_text_or_null(json, "name", model->name);
    od_json_str(json, "format", od_model_format_name(model->format));
    od_json_u64(json, "parameters", e->parameters);
    od_json_u64(json, "trainable", e->trainable);
    add_predicted(json, "parameter_bytes", "parameter_bytes_range", e->parameter_bytes);
    add_number(json, "layers", model->layers.n, model->layers.n > 0);
    od_json_array_inline(json, "unknown_layers");
    for (size_t i = 0; i < e->unknown_layers.n; i++)
        od_json_text(json, NULL, e->unknown_layers.items[i]);
    od_json_end(json);
    add_number(json, "line", model->at.line, model->at.line > 0);
    od_json_bool(json, "complete", model->complete);
    od_json_end(json);
}

static void add_layers(struct od_json *json, const struct od_plan *plan)
{
    const struct od_model *model = plan->estimate.model;
    od_json_array(json, "layer_table");
    OD_FOR_EACH (const struct od_layer_estimate, row, plan->estimate.layers) {
        if (row->layer >= model->layers.n)
            continue;
        const struct od_layer *layer = &model->layers.items[row->layer];
        od_json_object_inline(json, NULL);
        od_json_text_or_null(json, "name", layer->name);
        od_json_str(json, "kind", od_layer_kind_name(layer->kind));
        od_json_shape(json, "output_shape", &layer->output);
        od_json_count(json, "parameters", layer->parameters);
        od_json_u64(json, "output_bytes_per_sample", row->output_bytes);
        od_json_u64(json, "saved_bytes_per_sample", row->saved_bytes);
        od_json_end(json);
    }
    od_json_end(json);
}

static void add_config(struct od_json *json, const struct od_workload *w, struct od_arena *arena)
{
    od_json_object(json, "config");
    add_number(json, "batch_size", w->batch, !w->model->traced.known);
    od_json_str(json, "precision", od_precision_name(w->precision));
    od_json_str(json, "optimizer", w->inference ? NULL : od_optimizer_name(w->optimizer));
    od_json_str(json, "checkpointing",
                od_checkpointing_name(w->checkpointing, w->checkpoint_every, arena));
    od_json_u64(json, "accumulation", w->accumulation);
    od_json_u64(json, "world_size", w->world_size);
    od_json_str(json, "sharding", od_plan_sharding(w));
    add_number(json, "lora_rank", w->lora_rank, w->lora_rank > 0);
    add_number(json, "quantize_bits", w->quantize_bits, w->quantize_bits > 0);
    add_number(json, "sequence_length", w->sequence, w->sequence > 0);
    static const char *const lengths[] = {NULL, "fixed", "varied"};
    od_json_str(json, "lengths", lengths[w->lengths]);
    od_json_range(json, "image_size",
                  (struct od_bytes){.lo = w->image_h, .hi = w->image_w, .known = w->image_h > 0});
    od_json_str(json, "framework", od_framework_name(w->framework));
    od_json_str(json, "metric", od_metric_name(w->metric));
    od_json_bool(json, "training", !w->inference);
    od_json_end(json);
}

static void add_device(struct od_json *json, const char *key, const struct od_plan_device *device)
{
    od_json_object(json, key);
    od_json_str(json, "name", device->name);
    add_number(json, "bytes", device->bytes, device->name != NULL);
    add_number(json, "usable_bytes", device->usable_bytes, device->name != NULL);
    od_json_end(json);
}

static void add_breakdown(struct od_json *json, const struct od_breakdown *breakdown)
{
    struct od_plan_part parts[OD_PLAN_PARTS];
    od_plan_parts(breakdown, parts);
    od_json_object(json, "breakdown");
    for (size_t i = 0; i < OD_PLAN_PARTS; i++)
        add_number(json, parts[i].field, parts[i].part->bytes.n, parts[i].part->bytes.known);
    od_json_end(json);
}

static void add_why(struct od_json *json, const struct od_plan_report *report)
{
    struct od_plan_part parts[OD_PLAN_PARTS];
    if (!report->why)
        return;
    od_plan_parts(&report->plan->estimate.breakdown, parts);
    od_json_object(json, "why");
    for (size_t i = 0; i < OD_PLAN_PARTS; i++)
        od_json_str(json, parts[i].field, parts[i].part->why);
    od_json_end(json);
}

static void add_longest(struct od_json *json, const struct od_largest_sequence *longest)
{
    if (!longest->known)
        return;
    od_json_object(json, "largest_sequence");
    od_json_u64(json, "expected", longest->expected);
    od_json_u64(json, "safe", longest->safe);
    od_json_bool(json, "limited_by_model", longest->limited);
    od_json_end(json);
}

static void add_largest(struct od_json *json, const struct od_largest_batch *largest)
{
    od_json_object(json, "largest_batch");
    add_number(json, "expected", largest->expected, largest->known);
    add_number(json, "safe", largest->safe, largest->known);
    od_json_range(json, "range",
                  (struct od_bytes){.lo = largest->lo, .hi = largest->hi, .known = largest->known});
    add_number(json, "power_of_two", largest->power_of_two, largest->known);
    add_number(json, "multiple_of_8", largest->multiple_of_8, largest->known);
    od_json_end(json);
}

/* Only of a transformer that serves; unknown is null. */
static void add_serving(struct od_json *json, const struct od_plan *plan)
{
    const struct od_kv_cache *cache = &plan->estimate.cache;
    const struct od_workload *w = &plan->request.workload;
    const struct od_plan_device *device = &plan->request.device;
    const struct od_largest_batch *mean = &plan->largest, *whole = &plan->largest_whole;
    if (!cache->known)
        return;
    od_json_object(json, "serving");
    od_json_u64(json, "running", w->batch);
    add_number(json, "prompt_length", w->prompt, w->prompt > 0);
    add_number(json, "mean_sequence_length", w->mean_sequence, w->mean_sequence > 0);
    od_json_u64(json, "longest_sequence_length", cache->longest);
    add_number(json, "block_tokens", w->kv_block, cache->paged);
    add_predicted(json, "blocks", "blocks_range", cache->blocks);
    od_json_u64(json, "kv_bytes_per_token", cache->token_bytes);
    add_predicted(json, "kv_bytes", "kv_bytes_range", cache->bytes);
    add_predicted(json, "kv_waste_bytes", "kv_waste_bytes_range", cache->waste);
    add_number(json, "reservable_bytes", device->usable_bytes, device->name != NULL);
    add_number(json, "largest_running", mean->expected, mean->known);
    add_number(json, "largest_running_safe", mean->safe, mean->known);
    add_number(json, "largest_running_at_longest", whole->expected, whole->known);
    od_json_end(json);
}

static void add_texts(struct od_json *json, const char *key, const char *const *texts, size_t n)
{
    od_json_array(json, key);
    for (size_t i = 0; i < n; i++)
        od_json_str(json, NULL, texts[i]);
    od_json_end(json);
}

static void add_recommendation(struct od_json *json, const struct od_plan *plan,
                               struct od_arena *arena)
{
    const struct od_plan_recommendation *r = &plan->recommendation;
    const struct od_workload *w = &plan->options[r->option].workload;
    od_json_object(json, "recommendation");
    add_number(json, "batch_size", r->batch, r->known);
    od_json_str(json, "precision", r->known ? od_precision_name(w->precision) : NULL);
    add_number(json, "accumulation", r->accumulation, r->known);
    od_json_str(json, "checkpointing",
                r->known ? od_checkpointing_name(w->checkpointing, w->checkpoint_every, arena)
                         : NULL);
    od_json_str(json, "optimizer",
                r->known && !w->inference ? od_optimizer_name(w->optimizer) : NULL);
    od_json_count(json, "workers", r->workers);
    od_json_count(json, "prefetch", r->prefetch);
    od_json_tri(json, "pin_memory", r->pin_memory);
    add_texts(json, "why", r->why, r->nwhy);
    od_json_end(json);
}

static void add_before(struct od_json *json, const struct od_plan_report *report)
{
    const struct od_plan *before = report->before;
    if (!before)
        return;
    od_json_object(json, "set");
    od_json_object_inline(json, "changed");
    for (const char *const *name = report->changed; *name; name++) {
        od_json_array_inline(json, *name);
        od_json_str(json, NULL, od_knob_said(&before->request, *name));
        od_json_str(json, NULL, od_knob_said(&report->plan->request, *name));
        od_json_end(json);
    }
    od_json_end(json);
    od_json_object(json, "before");
    add_breakdown(json, &before->estimate.breakdown);
    add_predicted(json, "peak_bytes", "peak_bytes_range", before->estimate.peak);
    add_probability(json, "fits_probability", before->fits);
    add_largest(json, &before->largest);
    od_json_end(json);
    od_json_end(json);
}

static void add_devices(struct od_json *json, const struct od_plan *plan)
{
    od_json_array(json, "devices");
    OD_FOR_EACH_OF (const struct od_plan_fit, fit, plan->devices, plan->ndevices) {
        od_json_object_inline(json, NULL);
        od_json_str(json, "name", fit->device.name);
        od_json_u64(json, "bytes", fit->device.bytes);
        od_json_u64(json, "usable_bytes", fit->device.usable_bytes);
        od_json_double(json, "fits_probability", fit->fits);
        od_json_end(json);
    }
    od_json_end(json);
}

void od_plan_json(const struct od_plan_report *report, struct od_json *json)
{
    const struct od_plan *plan = report->plan;
    const struct od_estimate *e = &plan->estimate;
    struct od_arena *arena = od_arena_new();
    struct od_plan_compared foretold;
    od_plan_foretell(plan, arena, &foretold);
    od_json_object(json, NULL);
    od_json_str(json, "schema", "oomdoctor.plan/1");
    add_model(json, plan);
    add_layers(json, plan);
    add_config(json, &plan->request.workload, arena);
    add_device(json, "device", &plan->request.device);
    add_breakdown(json, &e->breakdown);
    add_why(json, report);
    add_predicted(json, "saved_activation_bytes_per_sample",
                  "saved_activation_bytes_per_sample_range", e->saved_per_sample);
    add_number(json, "batch_bytes", e->batch_bytes.n, e->batch_bytes.known);
    add_predicted(json, "peak_bytes", "peak_bytes_range", e->peak);
    if (e->breakdown.at_limit.known)
        add_predicted(json, "at_limit_bytes", "at_limit_bytes_range", e->at_limit);
    od_json_foretold(json, &foretold);
    add_probability(json, "fits_probability", plan->fits);
    add_largest(json, &plan->largest);
    add_longest(json, &plan->longest);
    add_serving(json, plan);
    od_json_options(json, plan->options, plan->noptions);
    add_recommendation(json, plan, arena);
    od_json_plan_host(json, plan);
    add_devices(json, plan);
    add_before(json, report);
    if (report->compared)
        od_json_compared(json, report->compared);
    add_texts(json, "assumptions", e->assumptions.items, e->assumptions.n);
    od_json_end(json);
    od_buf_add_char(json->to, '\n');
    od_arena_free(arena);
}
