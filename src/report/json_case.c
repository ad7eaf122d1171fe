/* Incidents, findings and settings as JSON. */
#include "report/json_parts.h"

void od_json_shape(struct od_json *json, const char *key, const struct od_shape *shape)
{
    if (!shape->known) {
        od_json_null(json, key);
        return;
    }
    od_json_array_inline(json, key);
    for (uint32_t i = 0; i < shape->n && i < OD_SHAPE_MAX; i++) {
        if (shape->dims[i] == OD_DIM_UNKNOWN)
            od_json_null(json, NULL);
        else
            od_json_u64(json, NULL, shape->dims[i]);
    }
    od_json_end(json);
}

static void add_tensor(struct od_json *json, const struct od_tensor *tensor)
{
    if (!tensor->shape.known && tensor->op.n == 0) {
        od_json_null(json, "tensor");
        return;
    }
    od_json_object(json, "tensor");
    od_json_shape(json, "shape", &tensor->shape);
    od_json_str(json, "dtype", od_dtype_name(tensor->dtype));
    od_json_bytes(json, "bytes", tensor->bytes);
    od_json_text_or_null(json, "op", tensor->op);
    od_json_end(json);
}

static void add_amounts(struct od_json *json, const struct od_incident *incident)
{
    od_json_bytes(json, "requested_bytes", incident->requested);
    od_json_bytes(json, "capacity_bytes", incident->capacity);
    od_json_bytes(json, "limit_bytes", incident->limit);
    od_json_bytes(json, "in_use_bytes", incident->in_use);
    od_json_bytes(json, "reserved_bytes", incident->reserved);
    od_json_bytes(json, "free_bytes", incident->free);
    od_json_bytes(json, "peak_bytes", incident->peak);
}

static void add_process(struct od_json *json, const struct od_process *process)
{
    if (!process->pid.known && process->name.n == 0 && !process->rss.known) {
        od_json_null(json, "process");
        return;
    }
    od_json_object(json, "process");
    od_json_count(json, "pid", process->pid);
    od_json_text_or_null(json, "name", process->name);
    od_json_bytes(json, "rss_bytes", process->rss);
    od_json_bytes(json, "virtual_bytes", process->virtual);
    od_json_end(json);
}

static void add_others(struct od_json *json, const struct od_incident *incident)
{
    od_json_array(json, "others");
    for (size_t i = 0; i < incident->others.n; i++) {
        const struct od_tenant *tenant = &incident->others.items[i];
        od_json_object_inline(json, NULL);
        od_json_count(json, "pid", tenant->pid);
        od_json_text_or_null(json, "name", tenant->name);
        od_json_bytes(json, "bytes", tenant->bytes);
        od_json_end(json);
    }
    od_json_end(json);
}

static void add_frame(struct od_json *json, const struct od_frame *frame)
{
    if (!frame) {
        od_json_null(json, "frame");
        return;
    }
    od_json_object_inline(json, "frame");
    od_json_text_or_null(json, "file", frame->file);
    od_json_count(json, "line", frame->line);
    od_json_text_or_null(json, "function", frame->function);
    od_json_end(json);
}

void od_json_incident(struct od_json_report *out, const struct od_incident *incident)
{
    struct od_json *json = &out->json;
    od_json_object(json, NULL);
    od_json_u64(json, "id", incident->id);
    od_json_str(json, "kind", od_incident_kind_name(incident->kind));
    od_json_text_or_null(json, "producer", incident->producer);
    od_json_line(out, incident->at);
    od_json_text_or_null(json, "time", incident->stamp);
    od_json_u64(json, "count", incident->count);
    od_json_tri(json, "fatal", incident->fatal);
    od_json_text_or_null(json, "device", incident->device);
    od_json_count(json, "rank", incident->rank);
    od_json_text_or_null(json, "allocator", incident->allocator);
    od_json_tri(json, "unified", incident->unified);
    add_amounts(json, incident);
    add_tensor(json, &incident->tensor);
    add_process(json, &incident->process);
    add_others(json, incident);
    add_frame(json, incident->frame);
    if (incident->echo_of == 0)
        od_json_null(json, "echo_of");
    else
        od_json_u64(json, "echo_of", incident->echo_of);
    od_json_evidence(out, incident->evidence.items, incident->evidence.n);
    od_json_end(json);
}

static void add_numbers(struct od_json *json, const struct od_finding *finding)
{
    od_json_object(json, "numbers");
    for (size_t i = 0; i < finding->nnumbers && i < OD_FINDING_NUMBERS; i++)
        od_json_double(json, finding->numbers[i].name, finding->numbers[i].value);
    od_json_end(json);
}

void od_json_finding(struct od_json_report *out, const struct od_finding *finding)
{
    struct od_json *json = &out->json;
    od_json_object(json, NULL);
    od_json_str(json, "cause", od_cause_name(finding->cause));
    od_json_str(json, "code", od_cause_code(finding->cause));
    od_json_str(json, "certainty", od_certainty_name(finding->certainty));
    od_json_double(json, "probability", finding->probability);
    if (finding->incident == 0)
        od_json_null(json, "incident");
    else
        od_json_u64(json, "incident", finding->incident);
    od_json_str(json, "summary", finding->summary);
    size_t n = finding->nevidence < OD_FINDING_EVIDENCE ? finding->nevidence : OD_FINDING_EVIDENCE;
    od_json_evidence(out, finding->evidence, n);
    add_numbers(json, finding);
    od_json_end(json);
}

enum setting_type { TEXT, NUMBER };

struct setting {
    const char *name; /* the contract's */
    enum setting_type type;
    const char *also[5]; /* what programs call it */
};

static const struct setting settings[] = {
    {"model", TEXT, {NULL}},
    {"batch_size",
     NUMBER,
     {"per_device_train_batch_size", "train_batch_size", "train_micro_batch_size_per_gpu",
      "micro_batch_size"}},
    {"global_batch_size", NUMBER, {"total_train_batch_size", "total_batch_size", "ims_per_batch"}},
    {"precision", TEXT, {"mixed_precision", "dtype"}},
    {"optimizer", TEXT, {"optim"}},
    {"workers", NUMBER, {"num_workers", "dataloader_num_workers"}},
    {"world_size", NUMBER, {"num_gpus", "nproc_per_node"}},
    {"sequence_length", NUMBER, {"seq_length", "max_seq_length", "max_seq_len", "max_length"}},
    {"image_size", TEXT, {"img_size", "imgsz", "input_size"}},
    {"prefetch", NUMBER, {"prefetch_factor"}},
    {"accumulation", NUMBER, {"gradient_accumulation_steps", "accumulate_grad_batches"}},
    {"checkpointing", TEXT, {"gradient_checkpointing", "activation_checkpointing"}},
    {"sharding", TEXT, {"zero_stage"}},
    {"allocator_options",
     TEXT,
     {"gpu_allocator", "allow_growth", "preallocate", "gpu_memory_fraction"}},
    {"framework", TEXT, {NULL}},
    {"framework_version", TEXT, {NULL}},
};

static struct od_view value_of(const struct od_case *c, const struct setting *setting)
{
    struct od_view value = od_case_setting(c, setting->name);
    for (size_t i = 0; value.n == 0 && i < OD_COUNT_OF(setting->also) && setting->also[i]; i++)
        value = od_case_setting(c, setting->also[i]);
    return value;
}

/* A number where it is one, so that nobody has to parse "32". */
static void add_setting(struct od_json_report *out, const char *key, const struct setting *setting)
{
    struct od_view value = value_of(out->report->c, setting);
    uint64_t number;
    if (setting->type == NUMBER && od_num_parse_u64(value, &number))
        od_json_u64(&out->json, key, number);
    else
        od_json_text_or_null(&out->json, key, value);
}

void od_json_setting(struct od_json_report *out, const char *key, const char *name)
{
    for (size_t i = 0; i < OD_COUNT_OF(settings); i++) {
        if (od_view_eq_str(od_view_of(name), settings[i].name)) {
            add_setting(out, key, &settings[i]);
            return;
        }
    }
    od_json_null(&out->json, key);
}

void od_json_settings(struct od_json_report *out)
{
    struct od_json *json = &out->json;
    const struct od_case *c = out->report->c;
    od_json_object(json, "settings");
    for (size_t i = 0; i < OD_COUNT_OF(settings); i++)
        add_setting(out, settings[i].name, &settings[i]);
    od_json_array(json, "said");
    for (size_t i = 0; i < c->settings.n; i++) {
        const struct od_setting *said = &c->settings.items[i];
        od_json_object_inline(json, NULL);
        od_json_text(json, "name", said->name);
        od_json_text(json, "value", said->value);
        od_json_line(out, said->said.at);
        od_json_end(json);
    }
    od_json_end(json);
    od_json_end(json);
}
