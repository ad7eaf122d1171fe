/* The table of phases as JSON. */
#include "report/json_parts.h"

void od_json_phases(struct od_json_report *out)
{
    const struct od_phases *phases = out->report->phases;
    od_json_array(&out->json, "phases");
    for (size_t i = 0; phases && i < phases->n; i++) {
        od_json_object_inline(&out->json, NULL);
        od_json_text(&out->json, "name", phases->rows[i].name);
        od_json_bytes(&out->json, "bytes", phases->rows[i].bytes);
        od_json_str(&out->json, "basis", phases->rows[i].basis);
        od_json_end(&out->json);
    }
    od_json_end(&out->json);
}
