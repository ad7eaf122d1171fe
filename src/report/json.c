/*
 * Writes reports and plans as JSON: `json` on many lines, `jsonl` on one. The fields are rows of
 * fields.def; this file has the functions that these rows call.
 */
#include "diagnose/kept.h"
#include "estimate/objective.h"
#include "plan/changes.h"
#include "plan/compare.h"
#include "report/json_parts.h"
#include "report/plan.h"
#include "report/rows.h"

#include <math.h>

extern const struct od_format od_format_json;
extern const struct od_format od_format_jsonl;

enum { HOLDERS_MOST = 100 };

struct planned_layer {
    const struct od_layer *layer;
    const struct od_layer_estimate *estimate;
};

/* ---- facts of the log ---- */

static bool is_tensor(const struct od_tensor *tensor)
{
    return tensor->shape.known || tensor->op.n > 0;
}

static bool is_process(const struct od_process *process)
{
    return process->pid.known || process->name.n > 0 || process->rss.known;
}

static struct od_view text_of(const struct od_checkpoint_text *text)
{
    return (struct od_view){text->p, text->n};
}

static const struct od_kept *kept_of(const struct od_report *report, struct od_kept *room)
{
    return od_kept_of(report->c, &report->diagnosis->failure->stack, room) ? room : NULL;
}

/* The bytes of the tensor in each type that it may have; none if its bytes are known. */
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

static void add_numbers(struct od_json *json, const struct od_finding *finding)
{
    od_json_object(json, "numbers");
    for (size_t i = 0; i < finding->nnumbers && i < OD_FINDING_NUMBERS; i++)
        od_json_double(json, finding->numbers[i].name, finding->numbers[i].value);
    od_json_end(json);
}

static void add_interval(struct od_json *json, const char *key, bool known, double lo, double hi)
{
    if (od_json_null_if(json, key, !known))
        return;
    od_json_array_inline(json, key);
    od_json_double(json, NULL, lo);
    od_json_double(json, NULL, hi);
    od_json_end(json);
}

static void add_samples(struct od_json_report *out, const struct od_series *s)
{
    if (od_json_null_if(out->json, "samples", !out->samples))
        return;
    od_json_array(out->json, "samples");
    for (size_t i = 0; i < s->nsamples; i++)
        add_interval(out->json, NULL, true, s->samples[i].x, s->samples[i].value);
    od_json_end(out->json);
}

/* Always written, so that two reports can be compared. */
static void add_course(struct od_json *json, const struct od_series *s)
{
    struct od_point course[OD_RUN_STATES_MAX];
    size_t n = od_run_state_of(s, course);
    od_json_array_inline(json, "course");
    for (size_t i = 0; i < n; i++)
        add_interval(json, NULL, true, course[i].x, course[i].value);
    od_json_end(json);
}

/* Numbers are written as numbers, so that consumers need not parse "32". */
static void add_setting(struct od_json *json, const char *key, const struct od_documented *setting)
{
    if (setting->number.known)
        od_json_count(json, key, setting->number);
    else
        od_json_text_or_null(json, key, setting->value);
}

/* "current": the value of the answer, otherwise the setting in the log. */
static void add_current(struct od_json_report *out, struct od_count known, enum od_setting_id id)
{
    struct od_documented setting;
    if (known.known)
        od_json_count(out->json, "current", known);
    for (size_t i = 0; !known.known && od_documented_at(out->report->c, i, &setting); i++)
        if (setting.id == id)
            add_setting(out->json, "current", &setting);
}

static void put_said(struct od_json_report *out, const struct od_setting *v);

/* The framework among the programs of the failure, where the log does not state it as a setting. */
static struct od_view framework_of(const struct od_software_used *stack)
{
    enum od_framework framework;
    OD_FOR_EACH_OF (const struct od_software_part, part, stack->parts, stack->n)
        if (od_framework_find(od_view_of(part->software->name), &framework))
            return od_view_of(part->software->name);
    return (struct od_view){0};
}

/* Every documented setting, and under "said" all settings that the log states. */
static void add_settings(struct od_json_report *out)
{
    struct od_documented setting;
    od_json_object(out->json, "settings");
    for (size_t i = 0; od_documented_at(out->report->c, i, &setting); i++) {
        if (setting.id == OD_SETTING_FRAMEWORK && setting.value.n == 0)
            setting.value = framework_of(&out->report->diagnosis->failure->stack);
        add_setting(out->json, od_setting_name(setting.id), &setting);
    }
    od_json_array(out->json, "said");
    OD_FOR_EACH (const struct od_setting, said, out->report->c->settings) {
        od_json_object_inline(out->json, NULL);
        put_said(out, said);
        od_json_end(out->json);
    }
    od_json_end(out->json);
    od_json_end(out->json);
}

static bool is_whole(const struct od_allocator *a)
{
    return a->has_chunks && a->chunks_complete;
}

static struct od_count last_line(struct od_prov at)
{
    return od_count_if(at.line > 0, at.line + (at.nlines > 0 ? at.nlines - 1 : 0));
}

/* The announced size, otherwise the sum of the chunks if the list is complete. */
static struct od_count region_bytes(const struct od_dump *dump, const struct od_region *region)
{
    if (region->announced.known)
        return od_count_of(region->announced.n);
    if (!region->ended || region->first_chunk > dump->chunks.n ||
        region->nchunks > dump->chunks.n - region->first_chunk)
        return (struct od_count){0};
    uint64_t sum = 0;
    for (size_t i = 0; i < region->nchunks; i++) {
        if (ckd_add(&sum, sum, dump->chunks.items[region->first_chunk + i].bytes))
            return (struct od_count){0};
    }
    return od_count_of(sum);
}

static struct od_count tally_of(const struct od_allocator *a, bool known)
{
    uint64_t count = 0;
    bool counted = !ckd_add(&count, a->in_use_count, a->free_count);
    return od_count_if(known && counted, count);
}

static struct od_real fragmentation_of(const struct od_allocator *a)
{
    return od_real_if(is_whole(a) && a->free_bytes > 0,
                      1.0 - (double)a->largest_free_bytes / (double)a->free_bytes);
}

/* The candidates for a size of the allocator that is being written. */
static const struct od_size_candidates *candidates_of(const struct od_json_report *out,
                                                      const struct od_size *size)
{
    static const struct od_size_candidates none = {0};
    const struct od_holding *holding = od_holding_of(out->report->attribution, out->allocator);
    return holding ? &holding->sizes[size - out->allocator->sizes] : &none;
}

static void add_roles(struct od_json *json, const struct od_holding *holding)
{
    od_json_array(json, "roles");
    for (unsigned role = 0; role < OD_ROLES; role++) {
        if (holding->bytes_by_role[role] == 0)
            continue;
        od_json_object_inline(json, NULL);
        od_json_str(json, "role", od_role_name((enum od_role)role));
        od_json_u64(json, "bytes", holding->bytes_by_role[role]);
        od_json_end(json);
    }
    od_json_end(json);
}

static size_t places_of(const struct od_dump *dump)
{
    size_t n = 0;
    while (n < OD_HISTORY_PLACES && dump->history_places[n].n > 0)
        n++;
    return n;
}

static void add_history(struct od_json *json, const struct od_dump *dump)
{
    od_json_array(json, "points");
    OD_FOR_EACH (const struct od_history_point, p, dump->history) {
        od_json_array_inline(json, NULL);
        od_json_u64(json, NULL, p->event);
        od_json_u64(json, NULL, p->allocated);
        od_json_u64(json, NULL, p->reserved);
        for (size_t k = 0; k < places_of(dump); k++)
            od_json_u64(json, NULL, p->held[k]);
        od_json_end(json);
    }
    od_json_end(json);
}

static const struct od_chunk_details *details_of(const struct od_dump *dump,
                                                 const struct od_chunk *chunk)
{
    static const struct od_chunk_details none = {0};
    bool known = chunk->details > 0 && chunk->details <= dump->details.n;
    return known ? &dump->details.items[chunk->details - 1] : &none;
}

/* ---- remedies and plans ---- */

/* Fields of a plan's config with their new values; null for an unknown option. */
static void add_change(struct od_json_report *out, const struct od_plan_option *option)
{
    struct od_change changes[OD_CHANGES_MAX];
    if (od_json_null_if(out->json, "change", !option))
        return;
    size_t n = od_plan_changes(out->asked, &option->workload, out->arena, changes);
    od_json_object_inline(out->json, "change");
    for (size_t i = 0; i < n; i++) {
        if (changes[i].word)
            od_json_str(out->json, changes[i].field, changes[i].word);
        else
            od_json_u64(out->json, changes[i].field, changes[i].number);
    }
    od_json_end(out->json);
}

/* The step's text and its condition, for consumers that only show this text. */
static const char *how_text(struct od_json_report *out, const struct od_remedy_how *how)
{
    return how->needs ? od_arena_printf(out->arena, "%s (%s.)", how->text, how->needs) : how->text;
}

static const struct planned_layer *layer_at(struct od_json_report *out, const struct od_plan *plan,
                                            size_t i)
{
    static const struct od_layer none = {0};
    const struct od_model *model = plan->estimate.model;
    struct planned_layer *row = OD_NEW(out->arena, struct planned_layer);
    row->estimate = &plan->estimate.layers.items[i];
    row->layer =
        row->estimate->layer < model->layers.n ? &model->layers.items[row->estimate->layer] : &none;
    return row;
}

static const struct od_workload *recommended(const struct od_plan *plan)
{
    return &plan->options[plan->recommendation.option].workload;
}

static const char *lengths_of(const struct od_workload *workload)
{
    static const char *const lengths[] = {NULL, "fixed", "varied"};
    return lengths[workload->lengths];
}

static void add_changed(struct od_json *json, const struct od_plan_report *report)
{
    od_json_object_inline(json, "changed");
    for (const char *const *name = report->changed; *name; name++) {
        od_json_array_inline(json, *name);
        od_json_str(json, NULL, od_knob_said(&report->before->request, *name));
        od_json_str(json, NULL, od_knob_said(&report->plan->request, *name));
        od_json_end(json);
    }
    od_json_end(json);
}

#define OD_ROWS "report/fields.def"
#include "report/fields_put.def"

void od_json_real(struct od_json *json, const char *key, struct od_real real)
{
    if (!od_json_null_if(json, key, !real.known))
        od_json_double(json, key, real.n);
}

void od_json_predicted(struct od_json *json, const char *key, const char *range_key,
                       struct od_bytes bytes)
{
    od_json_count(json, key, od_count_of_bytes(bytes));
    od_json_range(json, range_key, bytes);
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

void od_json_member(struct od_json *json, const struct od_row_member *member)
{
    put_member(&(struct od_json_report){.json = json}, member);
}

void od_json_compared(struct od_json *json, const struct od_plan_compared *compared)
{
    od_json_object(json, "measured");
    put_measured(&(struct od_json_report){.json = json}, compared);
    od_json_end(json);
}

static void render(const struct od_report *report, const struct od_report_options *options,
                   struct od_buf *to)
{
    struct od_json json = {.to = to, .pretty = !options->one_line, .redactor = options->redactor};
    const struct od_plan_option *asked = od_answer_or_none(report)->options;
    struct od_json_report out = {.json = &json,
                                 .arena = od_arena_new(),
                                 .report = report,
                                 .asked = asked ? &asked->workload : NULL,
                                 .chunks = options->chunks,
                                 .samples = options->samples};
    od_json_object(&json, NULL);
    put_report(&out, report);
    od_json_end(&json);
    od_buf_add_char(to, '\n');
    od_arena_free(out.arena);
}

void od_plan_json(const struct od_plan_report *report, struct od_json *json)
{
    struct od_plan_compared expected;
    struct od_json_report out = {.json = json,
                                 .arena = od_arena_new(),
                                 .asked = &report->plan->options[0].workload,
                                 .expected = &expected};
    od_plan_expect(report->plan, out.arena, &expected);
    od_json_object(json, NULL);
    put_planned(&out, report);
    od_json_end(json);
    od_buf_add_char(json->to, '\n');
    od_arena_free(out.arena);
}

static void render_plan(const struct od_plan_report *report,
                        const struct od_report_options *options, struct od_buf *to)
{
    od_plan_json(
        report,
        &(struct od_json){.to = to, .pretty = !options->one_line, .redactor = options->redactor});
}

const struct od_format od_format_json = {.name = "json", .report = render, .plan = render_plan};
const struct od_format od_format_jsonl = {
    .name = "jsonl", .report = render, .plan = render_plan, .one_line = true};
