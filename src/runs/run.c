#include "runs/run.h"

#include "report/rows.h"
#include "report/words.h"
#include "runs/json_in.h"

#include <xxhash.h>

#define SCHEMA "oomdoctor.report/"

/* Builds a run from rows (report/record.h), which come from JSON or from a report in memory. */
struct reading {
    struct od_arena *arena;
    struct od_run *run;
};

static void raise_count(struct od_count *to, struct od_count value)
{
    if (value.known && (!to->known || value.n > to->n))
        *to = value;
}

/* Copies a text, cut to the maximum; NULL if unknown. */
static const char *text_of(struct reading *r, struct od_view text)
{
    return text.n > 0 ? od_arena_str(r->arena, od_view_head(text, OD_RUN_TEXT_MAX)) : NULL;
}

static struct od_count count_of(struct od_bytes bytes)
{
    return (struct od_count){.n = bytes.n, .known = bytes.known};
}

/* Is it a setting of the run, and not one that appears in printed advice? */
static bool is_of_run(struct od_view name)
{
    static const char *const advice[] = {"advised_", "found_", "said_", "rank_process", NULL};
    return !od_view_starts_any(name, advice);
}

static void take_setting(struct reading *r, struct od_view name, const char *text)
{
    const char *kept = text_of(r, name);
    if (!is_of_run(name) || !kept || !text || od_run_setting(r->run, kept) ||
        r->run->settings.n == OD_RUN_SETTINGS_MAX)
        return;
    struct od_run_setting setting = {.name = kept, .value = text};
    od_vec_push(&r->run->settings, setting);
}

static void take_phase(struct reading *r, const struct od_row_phase *row)
{
    struct od_run_phase phase = {.name = text_of(r, row->name),
                                 .bytes = count_of(row->bytes),
                                 .basis = text_of(r, row->basis)};
    if (phase.name && r->run->phases.n < OD_RUN_LIST_MAX)
        od_vec_push(&r->run->phases, phase);
}

/* Writes a tensor as "[180,64,224,224] float32". */
static const char *tensor_text(struct reading *r, const struct od_row_tensor *tensor)
{
    if (!tensor->shape.known)
        return NULL;
    const char *shape = od_words_shape(r->arena, &tensor->shape, ",");
    return text_of(
        r, od_view_of(od_arena_printf(r->arena, "%s%s%.*s", shape, tensor->dtype.n > 0 ? " " : "",
                                      (int)tensor->dtype.n, tensor->dtype.p)));
}

static bool is_host(const struct od_run_incident *incident)
{
    static const char *const kinds[] = {"host_alloc_failed", "host_oom_kill",    "cgroup_oom_kill",
                                        "job_limit_kill",    "pressure_kill",    "shm_exhausted",
                                        "worker_killed",     "unexplained_kill", NULL};
    return od_is_among(incident->kind, kinds);
}

struct incident_rows {
    struct od_row_incident incident;
    struct od_row_tensor tensor;
    struct od_row_process process;
};

/* Updates peaks and limits from an incident. */
static void take_peaks(struct od_run *run, const struct incident_rows *rows, bool host)
{
    const struct od_row_incident *row = &rows->incident;
    struct od_count *peak = host ? &run->host_peak : &run->device_peak;
    struct od_count *limit = host ? &run->host_limit : &run->device_limit;
    raise_count(peak, count_of(row->in_use_bytes));
    raise_count(peak, count_of(row->peak_bytes));
    if (!host)
        raise_count(&run->device_reserved, count_of(row->reserved_bytes));
    raise_count(peak, count_of(rows->process.rss_bytes));
    raise_count(limit, count_of(row->limit_bytes.known ? row->limit_bytes : row->capacity_bytes));
}

static void take_incident(struct reading *r, const struct incident_rows *rows)
{
    const struct od_row_incident *row = &rows->incident;
    struct od_run_incident incident = {
        .kind = text_of(r, row->kind),
        .producer = text_of(r, row->producer),
        .device = text_of(r, row->device),
        .time = text_of(r, row->time),
        .tensor = tensor_text(r, &rows->tensor),
        .op = text_of(r, rows->tensor.op),
        .requested = count_of(row->requested_bytes),
        .count = row->count.known ? row->count.n : 1,
        .fatal = row->fatal == OD_YES,
    };
    if (!incident.kind || r->run->incidents.n == OD_RUN_LIST_MAX)
        return;
    take_peaks(r->run, rows, is_host(&incident));
    od_vec_push(&r->run->incidents, incident);
}

static void take_stats(struct od_run *run, const struct od_row_stats *stats)
{
    raise_count(&run->device_peak, stats->max_in_use_bytes);
    raise_count(&run->device_peak, stats->in_use_bytes);
    raise_count(&run->device_limit, stats->limit_bytes);
}

/* Adds a size. False if it is unknown, which ends the list. */
static bool take_size(struct reading *r, const struct od_row_size *row, struct od_view role)
{
    if (r->run->sizes.n == OD_RUN_LIST_MAX || !row->bytes.known || !row->count.known ||
        !row->total_bytes.known)
        return false;
    struct od_run_size size = {.bytes = row->bytes.n,
                               .count = row->count.n,
                               .total = row->total_bytes.n,
                               .role = text_of(r, role)};
    od_vec_push(&r->run->sizes, size);
    return true;
}

static bool is_reserve(const struct od_run_series *series)
{
    return series->known && strcmp(series->metric, "device_reserved_bytes") == 0;
}

bool od_run_raises_peak(const struct od_run *run, const struct od_run_series *series, bool device)
{
    static const char *const metrics[2][3] = {
        {"host_rss_bytes", "host_used_bytes", "host_peak_bytes"},
        {"device_used_bytes", "device_peak_bytes", ""},
    };
    for (size_t i = 0; series->known && i < OD_COUNT_OF(metrics[0]); i++)
        if (strcmp(series->metric, metrics[device][i]) == 0)
            return true;
    return device && run->peak_is_reserved && is_reserve(series);
}

static void take_series_peak(struct od_run *run, const struct od_run_series *series)
{
    struct od_count max = od_count_of(series->max > 0 ? (uint64_t)series->max : 0);
    if (series->max < 0)
        return;
    if (od_run_raises_peak(run, series, true))
        raise_count(&run->device_peak, max);
    if (od_run_raises_peak(run, series, false))
        raise_count(&run->host_peak, max);
    if (is_reserve(series))
        raise_count(&run->device_reserved, max);
}

/* Takes reserved memory, an upper bound, as peak if no use is known. */
static void settle_peak(struct od_run *run)
{
    run->peak_is_reserved = !run->device_peak.known && run->device_reserved.known;
    if (run->peak_is_reserved)
        run->device_peak = run->device_reserved;
}

static void take_series(struct reading *r, const struct od_row_series *row,
                        const struct od_run_point *course, size_t ncourse)
{
    struct od_run_series series = {.metric = text_of(r, row->metric),
                                   .device = text_of(r, row->device),
                                   .name = text_of(r, row->name),
                                   .process = text_of(r, row->process),
                                   .rank = row->rank,
                                   .trend = text_of(r, row->trend),
                                   .points = row->points.n,
                                   .known = row->first.known && row->last.known && row->min.known &&
                                            row->max.known,
                                   .first = row->first.n,
                                   .last = row->last.n,
                                   .min = row->min.n,
                                   .max = row->max.n,
                                   .slope_known = row->slope_per_x.known,
                                   .slope = row->slope_per_x.n,
                                   .x = text_of(r, row->x),
                                   .course = course,
                                   .ncourse = ncourse,
                                   .limit_known = row->limit.known,
                                   .limit = row->limit.n};
    if (!series.metric || r->run->series.n == OD_RUN_LIST_MAX)
        return;
    take_series_peak(r->run, &series);
    od_vec_push(&r->run->series, series);
}

static void take_finding(struct reading *r, const struct od_row_finding *row)
{
    struct od_run *run = r->run;
    run->cause = text_of(r, row->cause);
    run->code = text_of(r, row->code);
    run->certainty = text_of(r, row->certainty);
    run->summary = text_of(r, row->summary);
    run->probability = row->probability.known ? row->probability.n : -1;
}

static void take_plan(struct reading *r, const struct od_row_batch *batch, struct od_count current,
                      const struct od_row_action *action)
{
    r->run->batch = current;
    r->run->largest_batch = batch->largest_that_fits;
    r->run->recommended_batch = batch->recommended;
    r->run->action = text_of(r, action->id);
    r->run->action_title = text_of(r, action->title);
}

/* Takes the first program that users start themselves. */
static void take_software(struct reading *r, const struct od_row_software *row)
{
    static const char *const libraries[] = {"library",  "array",        "runtime", "scheduler",
                                            "platform", "orchestrator", NULL};
    if (!r->run->program && row->incident.known && !od_view_eq_any(row->sort, libraries))
        r->run->program = text_of(r, row->name);
}

/* Takes the earliest and latest time of several inputs. Time stamps of one format sort as text. */
static void take_time(struct reading *r, const struct od_row_input *row)
{
    struct od_run *run = r->run;
    const char *first = text_of(r, row->first_time), *last = text_of(r, row->last_time);
    if (first && (!run->first_time || strcmp(first, run->first_time) < 0))
        run->first_time = first;
    if (last && (!run->last_time || strcmp(last, run->last_time) > 0))
        run->last_time = last;
    raise_count(&run->seconds, row->seconds);
}

/* Joins digests; replaces a list that is too long by its own digest. */
static const char *joined(struct reading *r, const char *digests, const char *next)
{
    const char *all = od_arena_printf(r->arena, "%s %s", digests, next);
    if (strlen(all) <= OD_RUN_TEXT_MAX)
        return all;
    XXH128_hash_t hash = XXH3_128bits(all, strlen(all));
    return od_arena_printf(r->arena, "xxh3:%016llx%016llx", (unsigned long long)hash.high64,
                           (unsigned long long)hash.low64);
}

/* Adds an input's digest. Digests are sorted, so that the order of logs does not matter. */
static void take_input(struct reading *r, const struct od_row_input *row, bool first)
{
    struct od_run *run = r->run;
    const char *digest = text_of(r, row->digest);
    if (first) {
        run->name = text_of(r, row->name);
        run->complete = true;
        run->digest = "";
    }
    take_time(r, row);
    if (digest)
        run->digest = run->digest[0] == '\0' ? digest : joined(r, run->digest, digest);
    run->complete = run->complete && row->complete == OD_YES;
}

static bool seen_before(const struct od_run *run, size_t i)
{
    for (size_t k = 0; k < i; k++)
        if (run->incidents.items[k].device &&
            strcmp(run->incidents.items[k].device, run->incidents.items[i].device) == 0)
            return true;
    return false;
}

static void count_devices(struct od_run *run)
{
    const char *world = od_run_setting(run, od_setting_name(OD_SETTING_WORLD_SIZE));
    uint64_t n;
    if (world && od_num_parse_u64(od_view_of(world), &n) && n > 0) {
        run->devices = od_count_of(n);
        return;
    }
    for (size_t i = 0; i < run->incidents.n && i < 64; i++) {
        const char *device = run->incidents.items[i].device;
        if (device && strcmp(device, "CPU") != 0 && !seen_before(run, i))
            run->devices = od_count_of(run->devices.n + 1);
    }
}

static void finish(struct reading *r)
{
    r->run->framework = od_run_setting(r->run, od_setting_name(OD_SETTING_FRAMEWORK));
    settle_peak(r->run);
    count_devices(r->run);
}

static struct reading begin(struct od_arena *arena)
{
    struct reading r = {.arena = arena, .run = OD_NEW(arena, struct od_run)};
    r.run->digest = "";
    r.run->complete = true;
    r.run->outcome = "unknown";
    r.run->probability = -1;
    return r;
}

/* ---- from a report in memory ---- */

static void take_settings(struct reading *r, const struct od_case *c)
{
    char digits[21];
    struct od_documented setting;
    for (size_t i = 0; od_documented_at(c, i, &setting); i++)
        take_setting(r, od_view_of(od_setting_name(setting.id)),
                     text_of(r, setting.number.known
                                    ? od_view_of(od_num_print_u64(setting.number.n, digits))
                                    : setting.value));
    for (size_t i = c->settings.n; i-- > 0;)
        take_setting(r, c->settings.items[i].name, text_of(r, c->settings.items[i].value));
}

static void take_allocator(struct reading *r, const struct od_report *report,
                           const struct od_allocator *a)
{
    struct od_row_stats stats = od_row_of_stats(a);
    take_stats(r->run, &stats);
    if (a->nsizes > 0)
        r->run->sizes.n = 0;
    for (size_t i = 0; i < a->nsizes; i++) {
        struct od_row_size row = od_row_of_size(&a->sizes[i]);
        if (!take_size(r, &row, od_role_of_size(report, a, i)))
            return;
    }
}

static void take_one_series(struct reading *r, const struct od_series *s)
{
    struct od_point course[OD_RUN_STATES_MAX];
    size_t n = od_run_state_of(s, course);
    struct od_row_series row = od_row_of_series(s);
    struct od_run_point *points = OD_NEW_N(r->arena, n + 1, struct od_run_point);
    for (size_t i = 0; i < n; i++)
        points[i] = (struct od_run_point){.x = course[i].x, .value = course[i].value};
    take_series(r, &row, points, n);
}

static void take_case(struct reading *r, const struct od_report *report)
{
    const struct od_case *c = report->c;
    take_settings(r, c);
    for (size_t i = 0; report->phases && i < report->phases->n; i++) {
        struct od_row_phase row = od_row_of_phase(&report->phases->rows[i]);
        take_phase(r, &row);
    }
    for (size_t i = 0; i < c->allocators.n; i++)
        take_allocator(r, report, c->allocators.items[i]);
    OD_FOR_EACH (const struct od_incident, incident, c->incidents) {
        struct incident_rows rows = {od_row_of_incident(incident),
                                     od_row_of_tensor(&incident->tensor),
                                     od_row_of_process(&incident->process)};
        take_incident(r, &rows);
    }
    for (size_t i = 0; i < c->series.n; i++)
        take_one_series(r, &c->series.items[i]);
}

struct od_run *od_run_of_report(const struct od_report *report, struct od_arena *arena)
{
    struct reading r = begin(arena);
    const struct od_remedies *remedies = report->remedies;
    struct od_row_action action = {0};
    struct od_row_batch batch = od_row_of_batch(od_answer_or_none(report));
    for (size_t i = 0; i < report->nsources; i++) {
        struct od_input_times times;
        struct od_row_input row = od_input_row(report->sources[i], &times);
        take_input(&r, &row, i == 0);
    }
    r.run->outcome = od_outcome_name(od_outcome_shown(&report->diagnosis->failure->run));
    take_case(&r, report);
    if (report->diagnosis->findings.n > 0) {
        struct od_row_finding finding = od_row_of_finding(&report->diagnosis->findings.items[0]);
        take_finding(&r, &finding);
    }
    for (size_t i = 0; i < report->diagnosis->failure->stack.n; i++) {
        struct od_row_software row = od_software_row(report, i);
        take_software(&r, &row);
    }
    if (remedies && remedies->n > 0)
        action = od_row_of_action(&remedies->list[0]);
    if (remedies)
        take_plan(&r, &batch, od_current_batch(report), &action);
    finish(&r);
    return r.run;
}

/* Writes a setting's value as text: a text, number, boolean or list of these. */
static const char *value_text(struct reading *r, const json_t *value)
{
    if (!value || json_is_null(value))
        return NULL;
    if (json_is_string(value))
        return od_json_in_string(value, r->arena);
    char dumped[OD_RUN_TEXT_MAX];
    size_t n =
        json_dumpb(value, dumped, sizeof dumped, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS);
    if (n > sizeof dumped)
        n = sizeof dumped;
    return od_arena_str(r->arena, (struct od_view){.p = dumped, .n = n});
}

static void read_settings(struct reading *r, const json_t *root)
{
    const char *key;
    json_t *value;
    json_t *settings = json_object_get(root, "settings");
    const json_t *said = json_object_get(settings, "said");
    /* a framework that no line sets belongs to the programs and is no setting */
    json_object_foreach(settings, key, value)
    {
        if (strcmp(key, "said") != 0 && strcmp(key, od_setting_name(OD_SETTING_FRAMEWORK)) != 0)
            take_setting(r, od_view_of(key), value_text(r, value));
    }
    /* "said" has the line of each setting, and settings without a canonical name; the last
     * occurrence counts */
    for (size_t i = json_array_size(said); i-- > 0;) {
        const json_t *item = json_array_get(said, i);
        take_setting(r, od_view_of(json_string_value(json_object_get(item, "name"))),
                     value_text(r, json_object_get(item, "value")));
    }
}

static void read_sizes(struct reading *r, const json_t *sizes)
{
    size_t i;
    json_t *item;
    if (json_array_size(sizes) > 0)
        r->run->sizes.n = 0;
    json_array_foreach(sizes, i, item)
    {
        struct od_row_size row;
        const json_t *best = json_array_get(json_object_get(item, "candidates"), 0);
        od_json_in_row(item, od_fields_size, r->arena, &row);
        if (!take_size(r, &row, od_view_of(json_string_value(json_object_get(best, "role")))))
            return;
    }
}

static bool number_in(const json_t *value, double *ret_number)
{
    struct od_real real = od_json_in_real(value);
    *ret_number = real.n;
    return real.known;
}

/* Reads all points if the report has them, otherwise the few that every report has. */
static void read_series(struct reading *r, const json_t *item)
{
    const json_t *list = json_object_get(item, "samples"), *pair;
    struct od_row_series row;
    if (!json_is_array(list))
        list = json_object_get(item, "course");
    size_t room = json_array_size(list), n = 0;
    room = room < OD_RUN_POINTS_MAX ? room : OD_RUN_POINTS_MAX;
    struct od_run_point *points = OD_NEW_N(r->arena, room + 1, struct od_run_point);
    for (; n < room; n++) {
        pair = json_array_get(list, n);
        if (!number_in(json_array_get(pair, 0), &points[n].x) ||
            !number_in(json_array_get(pair, 1), &points[n].value))
            break;
    }
    od_json_in_row(item, od_fields_series, r->arena, &row);
    take_series(r, &row, points, n);
}

static void read_incident(struct reading *r, const json_t *item)
{
    struct incident_rows rows;
    od_json_in_row(item, od_fields_incident, r->arena, &rows.incident);
    od_json_in_row(json_object_get(item, "tensor"), od_fields_tensor, r->arena, &rows.tensor);
    od_json_in_row(json_object_get(item, "process"), od_fields_process, r->arena, &rows.process);
    take_incident(r, &rows);
}

static void read_allocator(struct reading *r, const json_t *item)
{
    struct od_row_stats stats;
    od_json_in_row(json_object_get(item, "stats"), od_fields_stats, r->arena, &stats);
    take_stats(r->run, &stats);
    read_sizes(r, json_object_get(item, "sizes"));
}

static void read_software(struct reading *r, const json_t *item)
{
    struct od_row_software row;
    od_json_in_row(item, od_fields_software, r->arena, &row);
    take_software(r, &row);
}

static void read_phase(struct reading *r, const json_t *item)
{
    struct od_row_phase row;
    od_json_in_row(item, od_fields_phase, r->arena, &row);
    take_phase(r, &row);
}

static void read_lists(struct reading *r, const json_t *root)
{
    static const struct {
        const char *key;
        void (*read)(struct reading *r, const json_t *item);
    } lists[] = {{"phases", read_phase},
                 {"allocators", read_allocator},
                 {"incidents", read_incident},
                 {"software", read_software},
                 {"series", read_series}};
    for (size_t k = 0; k < OD_COUNT_OF(lists); k++) {
        size_t i;
        json_t *item;
        json_array_foreach(json_object_get(root, lists[k].key), i, item) lists[k].read(r, item);
    }
}

static void read_inputs(struct reading *r, const json_t *inputs)
{
    size_t i;
    json_t *item;
    json_array_foreach(inputs, i, item)
    {
        struct od_row_input row;
        od_json_in_row(item, od_fields_input, r->arena, &row);
        take_input(r, &row, i == 0);
    }
}

static void read_judgement(struct reading *r, const json_t *root)
{
    const json_t *plan = json_object_get(root, "plan"), *batch = json_object_get(plan, "batch");
    struct od_row_finding finding;
    struct od_row_batch row;
    struct od_row_action action;
    od_json_in_row(json_array_get(json_object_get(root, "diagnosis"), 0), od_fields_finding,
                   r->arena, &finding);
    od_json_in_row(batch, od_fields_batch, r->arena, &row);
    od_json_in_row(json_array_get(json_object_get(plan, "actions"), 0), od_fields_action, r->arena,
                   &action);
    take_finding(r, &finding);
    take_plan(r, &row, od_json_in_count(batch, "current"), &action);
}

static bool is_ours(const json_t *root, const char *name, struct od_diags *diags)
{
    const char *schema = json_string_value(json_object_get(root, "schema"));
    if (!schema || strncmp(schema, SCHEMA, strlen(SCHEMA)) != 0) {
        od_diags_say(diags, OD_ERROR, "%s is JSON, but not a report of analyze --format json",
                     name);
        return false;
    }
    if (strcmp(schema, SCHEMA "1") != 0) {
        od_diags_say(diags, OD_ERROR, "%s was written by a newer oomdoctor (%s)", name, schema);
        return false;
    }
    return true;
}

struct od_run *od_run_read(struct od_view json, const char *name, struct od_arena *arena,
                           struct od_diags *diags)
{
    json_t *root = od_json_in_load(json, name, diags);
    if (!root)
        return NULL;
    struct od_run *run = NULL;
    if (is_ours(root, name, diags)) {
        struct reading r = begin(arena);
        const char *outcome = od_json_in_text(root, "outcome", arena);
        run = r.run;
        run->outcome = outcome && *outcome ? outcome : run->outcome;
        read_inputs(&r, json_object_get(root, "inputs"));
        read_settings(&r, root);
        read_lists(&r, root);
        read_judgement(&r, root);
        finish(&r);
    }
    json_decref(root);
    return run;
}

void od_run_done(struct od_run *run)
{
    if (!run)
        return;
    od_vec_done(&run->settings);
    od_vec_done(&run->phases);
    od_vec_done(&run->incidents);
    od_vec_done(&run->series);
    od_vec_done(&run->sizes);
}

const char *od_run_setting(const struct od_run *run, const char *name)
{
    for (size_t i = 0; i < run->settings.n; i++)
        if (strcmp(run->settings.items[i].name, name) == 0)
            return run->settings.items[i].value;
    return NULL;
}

bool od_run_leaks(const struct od_run *run)
{
    static const char *const causes[] = {"device_leak", "host_leak", "graph_growth",
                                         "evaluation_accumulates"};
    for (size_t i = 0; run->cause && i < OD_COUNT_OF(causes); i++)
        if (strcmp(run->cause, causes[i]) == 0)
            return true;
    OD_FOR_EACH (const struct od_run_series, series, run->series) {
        size_t n = strlen(series->metric);
        bool bytes = n > 6 && strcmp(series->metric + n - 6, "_bytes") == 0;
        if (bytes && series->trend &&
            (strcmp(series->trend, "leak") == 0 || strcmp(series->trend, "staircase") == 0))
            return true;
    }
    return false;
}
