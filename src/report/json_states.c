/* Numbers about memory that came without a complaint, as JSON: an extension of the contract. */
#include "report/json_parts.h"

static void add_state(struct od_json_report *out, const struct od_memory_state *state)
{
    struct od_json *json = &out->json;
    od_json_object(json, NULL);
    od_json_text_or_null(json, "name", state->name);
    od_json_text_or_null(json, "producer", state->producer);
    od_json_text_or_null(json, "device", state->device);
    od_json_text_or_null(json, "op", state->op);
    od_json_count(json, "count", state->count);
    od_json_bytes(json, "requested_bytes", state->requested);
    od_json_bytes(json, "capacity_bytes", state->capacity);
    od_json_bytes(json, "limit_bytes", state->limit);
    od_json_bytes(json, "in_use_bytes", state->in_use);
    od_json_bytes(json, "reserved_bytes", state->reserved);
    od_json_bytes(json, "free_bytes", state->free);
    od_json_bytes(json, "peak_bytes", state->peak);
    od_json_shape(json, "shape", &state->shape);
    od_json_str(json, "dtype", od_dtype_name(state->dtype));
    od_json_line(out, state->said.at);
    od_json_end(json);
}

void od_json_states(struct od_json_report *out)
{
    const struct od_case *c = out->report->c;
    od_json_array(&out->json, "memory_states");
    for (size_t i = 0; i < c->states.n; i++)
        add_state(out, &c->states.items[i]);
    od_json_end(&out->json);
    od_json_u64(&out->json, "memory_state_count", c->state_count);
}
