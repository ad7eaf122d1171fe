/* The report as the contract's JSON: `json` on many lines, `jsonl` the same on one. */
#include "report/json_parts.h"
#include "report/plan.h"
#include "report/rows.h"

extern const struct od_format od_format_json;
extern const struct od_format od_format_jsonl;

static void add_inputs(struct od_json_report *out)
{
    struct od_json *json = &out->json;
    od_json_array(json, "inputs");
    for (size_t i = 0; i < out->report->nsources; i++) {
        struct od_input_times times;
        struct od_row_input row = od_row_of_input(out->report->sources[i], &times);
        od_json_object(json, NULL);
        od_json_row(json, od_fields_input, &row);
        od_json_end(json);
    }
    od_json_end(json);
}

static void add_outcome(struct od_json_report *out)
{
    const struct od_diagnosis *diagnosis = out->report->diagnosis;
    od_json_str(&out->json, "outcome", od_outcome_name(od_outcome_shown(&diagnosis->failure->run)));
    od_json_str(&out->json, "outcome_reason", diagnosis->failure->run.why);
    if (od_json_null_if(&out->json, "outcome_at", diagnosis->failure->run.at.line == 0))
        return;
    od_json_object_inline(&out->json, "outcome_at");
    od_json_line(out, diagnosis->failure->run.at);
    od_json_end(&out->json);
}

static void add_incidents(struct od_json_report *out)
{
    const struct od_case *c = out->report->c;
    od_json_array(&out->json, "incidents");
    for (size_t i = 0; i < c->incidents.n; i++)
        od_json_incident(out, &c->incidents.items[i]);
    od_json_end(&out->json);
}

static void add_allocators(struct od_json_report *out)
{
    const struct od_case *c = out->report->c;
    od_json_array(&out->json, "allocators");
    for (size_t i = 0; i < c->allocators.n; i++)
        od_json_allocator(out, c->allocators.items[i]);
    od_json_end(&out->json);
}

/* The batch that the sizes in use were read at. */
static void add_attribution(struct od_json_report *out)
{
    const struct od_attribution *attribution = out->report->attribution;
    struct od_json *json = &out->json;
    od_json_object(json, "attribution");
    od_json_count(json, "batch", attribution->batch);
    od_json_str(json, "certainty",
                attribution->batch.known ? od_certainty_name(attribution->batch_certainty) : NULL);
    od_json_str(json, "basis", attribution->batch_basis);
    od_json_end(json);
}

static void add_parameters_range(struct od_json *json, const struct od_model *model)
{
    uint64_t n = model->parameters.n, slack = model->parameters_slack;
    if (!model->parameters.known || slack == 0)
        return;
    od_json_array_inline(json, "parameters_range");
    od_json_u64(json, NULL, n > slack ? n - slack : 0);
    od_json_u64(json, NULL, n + slack);
    od_json_end(json);
}

static void add_models(struct od_json_report *out)
{
    const struct od_case *c = out->report->c;
    struct od_json *json = &out->json;
    od_json_array(json, "models");
    OD_FOR_EACH (const struct od_model, model, c->models) {
        od_json_object_inline(json, NULL);
        od_json_text_or_null(json, "name", model->name);
        od_json_str(json, "format", od_model_format_name(model->format));
        od_json_count(json, "parameters", model->parameters);
        add_parameters_range(json, model);
        od_json_u64(json, "layers", model->layers.n);
        od_json_bool(json, "complete", model->complete);
        od_json_line(out, model->at);
        od_json_end(json);
    }
    od_json_end(json);
}

static void add_diagnosis(struct od_json_report *out)
{
    const struct od_diagnosis *diagnosis = out->report->diagnosis;
    od_json_array(&out->json, "diagnosis");
    for (size_t i = 0; i < diagnosis->findings.n; i++)
        od_json_finding(out, &diagnosis->findings.items[i]);
    od_json_end(&out->json);
    if (diagnosis->failure->run.outcome == OD_OUTCOME_MEMORY_FAILURE)
        od_json_double(&out->json, "cause_not_in_log", diagnosis->unexplained);
    else
        od_json_null(&out->json, "cause_not_in_log");
}

static void add_conflicts(struct od_json_report *out)
{
    const struct od_case *c = out->report->c;
    od_json_array(&out->json, "conflicts");
    OD_FOR_EACH (const struct od_conflict, conflict, c->conflicts) {
        od_json_object(&out->json, NULL);
        od_json_str(&out->json, "code", conflict->code);
        od_json_line(out, conflict->at);
        od_json_text(&out->json, "message", conflict->message);
        od_json_end(&out->json);
    }
    od_json_end(&out->json);
}

static void render(const struct od_report *report, const struct od_report_options *options,
                   bool pretty, struct od_buf *to)
{
    struct od_json_report out = {
        .json = {.to = to, .pretty = pretty, .redactor = options->redactor},
        .report = report,
        .chunks = options->chunks,
        .samples = options->samples};
    od_json_object(&out.json, NULL);
    od_json_str(&out.json, "schema", "oomdoctor.report/1");
    od_json_str(&out.json, "version", report->version);
    add_inputs(&out);
    add_outcome(&out);
    add_incidents(&out);
    add_allocators(&out);
    add_attribution(&out);
    od_json_series(&out);
    add_models(&out);
    od_json_settings(&out);
    od_json_states(&out);
    od_json_account(&out);
    add_diagnosis(&out);
    od_json_software(&out);
    od_json_plan(&out);
    od_json_phases(&out);
    od_json_host(&out);
    od_json_after(&out);
    add_conflicts(&out);
    od_json_count(&out.json, "unknown_lines", report->unknown_lines);
    od_json_end(&out.json);
    od_buf_add_char(to, '\n');
}

static void render_json(const struct od_report *report, const struct od_report_options *options,
                        struct od_buf *to)
{
    render(report, options, true, to);
}

static void render_jsonl(const struct od_report *report, const struct od_report_options *options,
                         struct od_buf *to)
{
    render(report, options, false, to);
}

static void plan_json(const struct od_plan_report *report, const struct od_report_options *options,
                      struct od_buf *to)
{
    od_plan_json(report,
                 &(struct od_json){.to = to, .pretty = true, .redactor = options->redactor});
}

static void plan_jsonl(const struct od_plan_report *report, const struct od_report_options *options,
                       struct od_buf *to)
{
    od_plan_json(report, &(struct od_json){.to = to, .redactor = options->redactor});
}

const struct od_format od_format_json = {.name = "json", .report = render_json, .plan = plan_json};
const struct od_format od_format_jsonl = {
    .name = "jsonl", .report = render_jsonl, .plan = plan_jsonl};
