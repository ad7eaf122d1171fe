/* The table of phases as JSON. */
#include "diagnose/kept.h"
#include "report/json_parts.h"
#include "report/rows.h"

/* What was to be given back and stayed. */
static void add_kept(struct od_json_report *out)
{
    struct od_kept kept;
    if (!od_kept_of(out->report->c, &kept))
        return;
    od_json_object(&out->json, "kept");
    od_json_double(&out->json, "bytes", kept.bytes);
    od_json_array_inline(&out->json, "after");
    for (size_t i = 0; i < kept.nreleases; i++)
        od_json_text(&out->json, NULL, kept.releases[i]);
    od_json_end(&out->json);
    od_json_str(&out->json, "why", kept.why);
    od_json_u64(&out->json, "line", kept.at.line);
    od_json_end(&out->json);
}

/* Memory that prose states; there only where it does. */
static void add_stated(struct od_json_report *out)
{
    const struct od_case *c = out->report->c;
    if (c->stated.n == 0)
        return;
    od_json_array(&out->json, "stated");
    OD_FOR_EACH (const struct od_stated, one, c->stated) {
        od_json_object_inline(&out->json, NULL);
        od_json_text_or_null(&out->json, "phase", one->phase);
        od_json_bytes(&out->json, "before_bytes", one->before);
        od_json_bytes(&out->json, "after_bytes", one->after);
        od_json_bytes(&out->json, "saved_bytes", one->saved);
        od_json_u64(&out->json, "line", one->at.line);
        od_json_end(&out->json);
    }
    od_json_end(&out->json);
}

void od_json_phases(struct od_json_report *out)
{
    const struct od_phases *phases = out->report->phases;
    od_json_array(&out->json, "phases");
    for (size_t i = 0; phases && i < phases->n; i++) {
        od_json_object_inline(&out->json, NULL);
        struct od_row_phase row = od_row_of_phase(&phases->rows[i]);
        od_json_row(&out->json, od_fields_phase, &row);
        od_json_end(&out->json);
    }
    od_json_end(&out->json);
    add_kept(out);
    add_stated(out);
}
