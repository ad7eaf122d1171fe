/* Incidents and findings as JSON. */
#include "report/json_parts.h"
#include "report/rows.h"

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
    if (od_json_null_if(json, "tensor", !tensor->shape.known && tensor->op.n == 0))
        return;
    od_json_object(json, "tensor");
    struct od_row_tensor row = od_row_of_tensor(tensor);
    od_json_row(json, od_fields_tensor, &row);
    add_types(json, tensor);
    od_json_end(json);
}

static void add_process(struct od_json *json, const struct od_process *process)
{
    if (od_json_null_if(json, "process",
                        !process->pid.known && process->name.n == 0 && !process->rss.known))
        return;
    od_json_object(json, "process");
    struct od_row_process row = od_row_of_process(process);
    od_json_row(json, od_fields_process, &row);
    od_json_end(json);
}

static void add_others(struct od_json *json, const struct od_incident *incident)
{
    od_json_array(json, "others");
    OD_FOR_EACH (const struct od_tenant, tenant, incident->others) {
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
    if (od_json_null_if(json, "frame", !frame))
        return;
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
    struct od_row_incident row = od_row_of_incident(incident);
    od_json_row(json, od_fields_incident, &row);
    od_json_source(out, incident->at);
    add_tensor(json, &incident->tensor);
    add_process(json, &incident->process);
    add_others(json, incident);
    add_frame(json, incident->frame);
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
    struct od_row_finding row = od_row_of_finding(finding);
    od_json_row(json, od_fields_finding, &row);
    od_json_array_inline(json, "signs");
    for (size_t i = 0; i < finding->nsigns; i++)
        od_json_str(json, NULL, finding->signs[i].name);
    od_json_end(json);
    size_t n = finding->nevidence < OD_FINDING_EVIDENCE ? finding->nevidence : OD_FINDING_EVIDENCE;
    od_json_evidence(out, finding->evidence, n);
    add_numbers(json, finding);
    od_json_end(json);
}
