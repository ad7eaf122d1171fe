/* Incidents and findings as JSON. */
#include "report/json_parts.h"

/* What the tensor takes in each type that it may have; none where its bytes are known. */
static void add_types(struct od_json *json, const struct od_tensor *tensor)
{
    static const enum od_dtype types[] = {OD_FLOAT32, OD_FLOAT16, OD_BFLOAT16};
    od_json_array(json, "candidates");
    for (size_t i = 0; i < OD_COUNT_OF(types); i++) {
        struct od_bytes bytes = od_shape_bytes(&tensor->shape, types[i]);
        if (tensor->dtype != OD_DTYPE_UNKNOWN || tensor->bytes.known || !bytes.known)
            continue;
        od_json_object(json, NULL);
        od_json_str(json, "dtype", od_dtype_name(types[i]));
        od_json_bytes(json, "bytes", bytes);
        od_json_end(json);
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
    add_types(json, tensor);
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
    od_json_array_inline(json, "signs");
    for (size_t i = 0; i < finding->nsigns; i++)
        od_json_str(json, NULL, od_clue_name(finding->signs[i]));
    od_json_end(json);
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
