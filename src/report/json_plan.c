/* The plan inside a report: what fits, and what each remedy would give. What the answer does not
 * know is null. */
#include "report/json_parts.h"
#include "report/options_table.h"
#include "report/rows.h"

static const struct od_answer no_answer = {.recommended_fits = -1};

static const struct od_answer *answer_of(const struct od_json_report *out)
{
    return out->report->answer ? out->report->answer : &no_answer;
}

static void add_batch(struct od_json_report *out)
{
    const struct od_answer *answer = answer_of(out);
    struct od_json *json = &out->json;
    od_json_object(json, "batch");
    if (answer->batch.known)
        od_json_u64(json, "current", answer->batch.n);
    else
        od_json_setting(out, "current", OD_SETTING_BATCH_SIZE);
    struct od_row_batch row = od_row_of_batch(out->report->answer);
    od_json_row(json, od_fields_batch, &row);
    od_json_range(json, "range",
                  (struct od_bytes){.lo = answer->lo.n,
                                    .hi = answer->hi.n,
                                    .known = answer->lo.known && answer->hi.known});
    od_json_end(json);
}

static void add_precision(struct od_json_report *out)
{
    const struct od_precision_advice *advice = &out->report->precision;
    od_json_object(&out->json, "precision");
    if (advice->current.n > 0)
        od_json_text(&out->json, "current", advice->current);
    else
        od_json_setting(out, "current", OD_SETTING_PRECISION);
    od_json_str(&out->json, "recommended", advice->recommended);
    od_json_bytes(&out->json, "saves_bytes", advice->saves);
    od_json_count(&out->json, "largest_batch", advice->batch);
    od_json_str(&out->json, "why", advice->why);
    od_json_end(&out->json);
}

static void add_workers(struct od_json_report *out)
{
    const struct od_worker_advice *advice = &out->report->workers;
    od_json_object(&out->json, "workers");
    if (advice->current.known)
        od_json_count(&out->json, "current", advice->current);
    else
        od_json_setting(out, "current", OD_SETTING_WORKERS);
    od_json_count(&out->json, "recommended", advice->recommended);
    od_json_count(&out->json, "largest_that_fits", advice->most);
    od_json_count(&out->json, "to_try", advice->fewer);
    od_json_str(&out->json, "why", advice->why);
    od_json_end(&out->json);
}

static void add_memory(struct od_json_report *out)
{
    const struct od_answer *answer = answer_of(out);
    struct od_json *json = &out->json;
    od_json_object(json, "memory");
    od_json_bytes(json, "fixed_bytes", answer->fixed);
    od_json_bytes(json, "per_sample_bytes", answer->per_sample);
    od_json_bytes(json, "limit_bytes", answer->limit);
    od_json_str(json, "basis", answer->memory_basis);
    od_json_end(json);
}

static void add_edit(struct od_json *json, const struct od_edit *edit)
{
    if (od_json_null_if(json, "edit", !edit->from))
        return;
    od_json_object(json, "edit");
    od_json_count(json, "line", od_count_of(edit->at.line));
    od_json_str(json, "from", edit->from);
    od_json_str(json, "to", edit->to);
    od_json_end(json);
}

/* The text of a remedy repeats what the log does not say, for consumers that show only the text. */
static void add_how(struct od_json_report *out, const struct od_remedy_how *how)
{
    struct od_json *json = &out->json;
    struct od_buf text = {0};
    od_buf_add_str(&text, how->text);
    if (how->needs)
        od_buf_printf(&text, " (%s.)", how->needs);
    od_json_object(json, NULL);
    od_json_str(json, "framework", how->framework);
    od_json_str(json, "software", how->title[0] != '\0' ? how->title : NULL);
    od_json_text(json, "text", od_buf_view(&text));
    od_json_str(json, "code", how->code);
    od_json_str(json, "needs", how->needs);
    add_edit(json, &how->edit);
    od_json_end(json);
    od_buf_done(&text);
}

static void add_action(struct od_json_report *out, size_t i)
{
    const struct od_remedy *remedy = &out->report->remedies->list[i];
    const struct od_answer_action *action = &remedy->action;
    struct od_json *json = &out->json;
    od_json_object(json, NULL);
    struct od_row_action row = od_row_of_action(remedy);
    od_json_row(json, od_fields_action, &row);
    if (action->option)
        od_json_change(json, &answer_of(out)->options[0].workload, action->option);
    else
        od_json_null(json, "change");
    od_json_array(json, "how");
    for (size_t k = 0; k < remedy->nhow; k++)
        add_how(out, &remedy->how[k]);
    od_json_end(json);
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

/* The program that failed and its libraries; the user's program comes first. */
void od_json_software(struct od_json_report *out)
{
    od_json_array(&out->json, "software");
    for (size_t i = 0; i < out->report->diagnosis->failure->stack.n; i++) {
        struct od_row_software row = od_row_of_software(out->report, i);
        od_json_object(&out->json, NULL);
        od_json_row(&out->json, od_fields_software, &row);
        od_json_end(&out->json);
    }
    od_json_end(&out->json);
}

void od_json_plan(struct od_json_report *out)
{
    struct od_json *json = &out->json;
    const struct od_remedies *remedies = out->report->remedies;
    if (od_json_null_if(json, "plan", !remedies))
        return;
    od_json_object(json, "plan");
    add_batch(out);
    add_precision(out);
    add_workers(out);
    add_memory(out);
    od_json_array(json, "actions");
    for (size_t i = 0; i < remedies->n; i++)
        add_action(out, i);
    od_json_end(json);
    od_json_options(json, answer_of(out)->options, answer_of(out)->noptions);
    add_vain(json, remedies);
    od_json_end(json);
}
