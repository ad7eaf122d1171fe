/* The plan inside a report: what to do. Its numbers come with the planner; until then they are
 * unknown. */
#include "report/json_parts.h"

static void add_batch(struct od_json_report *out)
{
    static const char *const unknown[] = {"largest_that_fits", "range", "recommended",
                                          "accumulation", "basis"};
    od_json_object(&out->json, "batch");
    od_json_setting(out, "current", "batch_size");
    for (size_t i = 0; i < OD_COUNT_OF(unknown); i++)
        od_json_null(&out->json, unknown[i]);
    od_json_end(&out->json);
}

static void add_choice(struct od_json_report *out, const char *name)
{
    od_json_object(&out->json, name);
    od_json_setting(out, "current", name);
    od_json_null(&out->json, "recommended");
    od_json_end(&out->json);
}

static void add_memory(struct od_json *json)
{
    od_json_object(json, "memory");
    od_json_null(json, "fixed_bytes");
    od_json_null(json, "per_sample_bytes");
    od_json_null(json, "basis");
    od_json_end(json);
}

/* What a way needs and the log does not say stands in its text, too, for those who show only that.
 */
static void add_how(struct od_json *json, const struct od_remedy_how *how)
{
    struct od_buf text = {0};
    od_buf_add_str(&text, how->advice->text);
    if (how->needs)
        od_buf_printf(&text, " (%s.)", how->needs);
    od_json_object(json, NULL);
    od_json_str(json, "framework", how->advice->framework);
    od_json_text(json, "text", od_buf_view(&text));
    od_json_str(json, "code", how->advice->code);
    od_json_str(json, "needs", how->needs);
    od_json_end(json);
    od_buf_done(&text);
}

static void add_action(struct od_json *json, const struct od_remedy *remedy)
{
    od_json_object(json, NULL);
    od_json_str(json, "id", remedy->advice->id);
    od_json_str(json, "title", remedy->advice->title);
    od_json_str(json, "cause", od_cause_name(remedy->finding->cause));
    od_json_null(json, "saves_bytes");
    od_json_null(json, "predicted_peak_bytes");
    od_json_null(json, "fits_probability");
    od_json_str(json, "cost", remedy->advice->cost);
    od_json_str(json, "figures", remedy->figures);
    od_json_array(json, "how");
    for (size_t i = 0; i < remedy->nhow; i++)
        add_how(json, &remedy->how[i]);
    od_json_end(json);
    od_json_str(json, "source", remedy->advice->source);
    od_json_end(json);
}

static void add_vain(struct od_json *json, const struct od_remedies *remedies)
{
    od_json_array(json, "does_not_help");
    for (size_t i = 0; i < remedies->nvain; i++) {
        od_json_object(json, NULL);
        od_json_str(json, "title", remedies->vain[i]->title);
        od_json_str(json, "why", remedies->vain[i]->why);
        od_json_end(json);
    }
    od_json_end(json);
}

void od_json_plan(struct od_json_report *out)
{
    struct od_json *json = &out->json;
    const struct od_remedies *remedies = out->report->remedies;
    if (!remedies) {
        od_json_null(json, "plan");
        return;
    }
    od_json_object(json, "plan");
    add_batch(out);
    add_choice(out, "precision");
    add_choice(out, "workers");
    add_memory(json);
    od_json_array(json, "actions");
    for (size_t i = 0; i < remedies->n; i++)
        add_action(json, &remedies->list[i]);
    od_json_end(json);
    add_vain(json, remedies);
    od_json_end(json);
}
