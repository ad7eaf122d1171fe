/* What several parts of the JSON report write. */
#include "report/json_parts.h"

void od_json_source(struct od_json_report *out, struct od_prov at)
{
    if (out->report->nsources > 1)
        od_json_u64(&out->json, "source", at.source);
}

void od_json_line(struct od_json_report *out, struct od_prov at)
{
    od_json_count(&out->json, "line", (struct od_count){.n = at.line, .known = at.line > 0});
    od_json_source(out, at);
}

void od_json_evidence(struct od_json_report *out, const struct od_evidence *evidence, size_t n)
{
    od_json_array(&out->json, "evidence");
    for (size_t i = 0; i < n; i++) {
        od_json_object_inline(&out->json, NULL);
        od_json_line(out, evidence[i].at);
        od_json_text(&out->json, "text", evidence[i].text);
        od_json_end(&out->json);
    }
    od_json_end(&out->json);
}

void od_json_shape(struct od_json *json, const char *key, const struct od_shape *shape)
{
    if (od_json_null_if(json, key, !shape->known))
        return;
    od_json_array_inline(json, key);
    for (uint32_t i = 0; i < shape->n && i < OD_SHAPE_MAX; i++) {
        if (shape->dims[i] == OD_DIM_UNKNOWN)
            od_json_null(json, NULL);
        else
            od_json_u64(json, NULL, shape->dims[i]);
    }
    od_json_end(json);
}
