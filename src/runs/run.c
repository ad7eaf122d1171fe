#include "runs/run.h"

#include "base/buf.h"
#include "base/mem.h"
#include "runs/json_in.h"

#include <string.h>
#include <xxhash.h>

#define SCHEMA "oomdoctor.report/"

struct reading {
    struct od_arena *arena;
    struct od_run *run;
};

static void raise_count(struct od_count *to, struct od_count value)
{
    if (value.known && (!to->known || value.n > to->n))
        *to = value;
}

static const char *text_of(struct reading *r, const json_t *object, const char *key)
{
    return od_json_in_text(object, key, r->arena);
}

/* A value of any kind as a text: settings are texts, numbers, booleans or lists of them. */
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

static void take_setting(struct reading *r, const char *name, const json_t *value)
{
    const char *text = value_text(r, value);
    name = od_arena_str(r->arena, od_view_head(od_view_of(name), OD_RUN_TEXT_MAX));
    if (!text || od_run_setting(r->run, name) || r->run->settings.n == OD_RUN_SETTINGS_MAX)
        return;
    struct od_run_setting setting = {.name = name, .value = text};
    od_vec_push(&r->run->settings, setting);
}

/* "said" tells where each of them was read; names that the program has for itself stand only there.
 * The last word counts. */
static void read_said(struct reading *r, const json_t *said)
{
    for (size_t i = json_array_size(said); i-- > 0;) {
        const json_t *item = json_array_get(said, i);
        const char *name = json_string_value(json_object_get(item, "name"));
        if (name)
            take_setting(r, name, json_object_get(item, "value"));
    }
}

static void read_settings(struct reading *r, const json_t *root)
{
    const char *key;
    json_t *value;
    json_object_foreach(json_object_get(root, "settings"), key, value)
    {
        if (strcmp(key, "said") != 0)
            take_setting(r, key, value);
    }
    read_said(r, json_object_get(json_object_get(root, "settings"), "said"));
    r->run->framework = od_run_setting(r->run, "framework");
}

static void read_phases(struct reading *r, const json_t *root)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(root, "phases"), i, item)
    {
        if (i == OD_RUN_LIST_MAX)
            return;
        struct od_run_phase phase = {.name = text_of(r, item, "name"),
                                     .bytes = od_json_in_count(item, "bytes"),
                                     .basis = text_of(r, item, "basis")};
        if (phase.name)
            od_vec_push(&r->run->phases, phase);
    }
}

/* "[180,64,224,224] float32" */
static const char *tensor_text(struct reading *r, const json_t *tensor)
{
    const json_t *shape = json_object_get(tensor, "shape");
    const char *dtype = od_json_in_text(tensor, "dtype", r->arena);
    if (!json_is_array(shape))
        return NULL;
    struct od_buf text = {0};
    size_t i;
    json_t *dim;
    json_array_foreach(shape, i, dim)
    {
        od_buf_add_char(&text, i == 0 ? '[' : ',');
        if (json_is_integer(dim))
            od_buf_printf(&text, "%lld", (long long)json_integer_value(dim));
        else
            od_buf_add_char(&text, '?');
    }
    od_buf_add_str(&text, i == 0 ? "[]" : "]");
    if (dtype)
        od_buf_printf(&text, " %s", dtype);
    const char *kept = od_arena_str(r->arena, od_view_head(od_buf_view(&text), OD_RUN_TEXT_MAX));
    od_buf_done(&text);
    return kept;
}

static bool is_host(const struct od_run_incident *incident)
{
    static const char *const kinds[] = {"host_alloc_failed", "host_oom_kill",   "cgroup_oom_kill",
                                        "job_limit_kill",    "pressure_kill",   "shm_exhausted",
                                        "worker_killed",     "unexplained_kill"};
    for (size_t i = 0; i < OD_COUNT_OF(kinds); i++)
        if (strcmp(incident->kind, kinds[i]) == 0)
            return true;
    return false;
}

/* What an incident says of peaks and limits. */
static void take_peaks(struct reading *r, const json_t *item, bool host)
{
    struct od_count *peak = host ? &r->run->host_peak : &r->run->device_peak;
    struct od_count *limit = host ? &r->run->host_limit : &r->run->device_limit;
    raise_count(peak, od_json_in_count(item, "in_use_bytes"));
    raise_count(peak, od_json_in_count(item, "peak_bytes"));
    if (!host)
        raise_count(&r->run->device_reserved, od_json_in_count(item, "reserved_bytes"));
    raise_count(peak, od_json_in_count(json_object_get(item, "process"), "rss_bytes"));
    struct od_count said = od_json_in_count(item, "limit_bytes");
    raise_count(limit, said.known ? said : od_json_in_count(item, "capacity_bytes"));
}

static void read_incidents(struct reading *r, const json_t *root)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(root, "incidents"), i, item)
    {
        if (i == OD_RUN_LIST_MAX)
            return;
        const json_t *tensor = json_object_get(item, "tensor");
        struct od_count count = od_json_in_count(item, "count");
        struct od_run_incident incident = {
            .kind = text_of(r, item, "kind"),
            .producer = text_of(r, item, "producer"),
            .device = text_of(r, item, "device"),
            .time = text_of(r, item, "time"),
            .tensor = tensor_text(r, tensor),
            .op = text_of(r, tensor, "op"),
            .requested = od_json_in_count(item, "requested_bytes"),
            .count = count.known ? count.n : 1,
            .fatal = json_is_true(json_object_get(item, "fatal")),
        };
        if (!incident.kind)
            continue;
        take_peaks(r, item, is_host(&incident));
        od_vec_push(&r->run->incidents, incident);
    }
}

static void read_sizes(struct reading *r, const json_t *allocator)
{
    size_t i;
    json_t *item;
    r->run->sizes.n = 0;
    json_array_foreach(json_object_get(allocator, "sizes"), i, item)
    {
        struct od_count bytes = od_json_in_count(item, "bytes");
        struct od_count count = od_json_in_count(item, "count");
        struct od_count total = od_json_in_count(item, "total_bytes");
        if (i == OD_RUN_LIST_MAX || !bytes.known || !count.known || !total.known)
            return;
        const json_t *best = json_array_get(json_object_get(item, "candidates"), 0);
        struct od_run_size size = {
            .bytes = bytes.n, .count = count.n, .total = total.n, .role = text_of(r, best, "role")};
        od_vec_push(&r->run->sizes, size);
    }
}

static void read_allocators(struct reading *r, const json_t *root)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(root, "allocators"), i, item)
    {
        const json_t *stats = json_object_get(item, "stats");
        raise_count(&r->run->device_peak, od_json_in_count(stats, "max_in_use_bytes"));
        raise_count(&r->run->device_peak, od_json_in_count(stats, "in_use_bytes"));
        raise_count(&r->run->device_limit, od_json_in_count(stats, "limit_bytes"));
        if (json_array_size(json_object_get(item, "sizes")) > 0)
            read_sizes(r, item);
    }
}

/* What no size and no time can be is not known. */
static bool number_in(const json_t *value, double *ret_number)
{
    double number = json_number_value(value);
    if (!json_is_number(value) || number >= 9e18 || number <= -9e18)
        return false;
    *ret_number = number;
    return true;
}

static bool number_of(const json_t *object, const char *key, double *ret_number)
{
    return number_in(json_object_get(object, key), ret_number);
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

/* Where no use is said, what the framework kept bounds it. */
static void settle_peak(struct od_run *run)
{
    run->peak_is_reserved = !run->device_peak.known && run->device_reserved.known;
    if (run->peak_is_reserved)
        run->device_peak = run->device_reserved;
}

/* All points where the report lists them, else the few that it always has. */
static void read_course(struct reading *r, const json_t *item, struct od_run_series *series)
{
    const json_t *list = json_object_get(item, "samples");
    if (!json_is_array(list))
        list = json_object_get(item, "course");
    size_t room = json_array_size(list), i;
    room = room < OD_RUN_POINTS_MAX ? room : OD_RUN_POINTS_MAX;
    struct od_run_point *points = OD_NEW_N(r->arena, room + 1, struct od_run_point);
    json_t *pair;
    json_array_foreach(list, i, pair)
    {
        struct od_run_point *point = &points[series->ncourse];
        if (i == room || !number_in(json_array_get(pair, 0), &point->x) ||
            !number_in(json_array_get(pair, 1), &point->value))
            break;
        series->ncourse++;
    }
    series->course = points;
}

static void read_series(struct reading *r, const json_t *root)
{
    size_t i;
    json_t *item;
    json_array_foreach(json_object_get(root, "series"), i, item)
    {
        struct od_count points = od_json_in_count(item, "points");
        struct od_run_series series = {.metric = text_of(r, item, "metric"),
                                       .device = text_of(r, item, "device"),
                                       .name = text_of(r, item, "name"),
                                       .process = text_of(r, item, "process"),
                                       .rank = od_json_in_count(item, "rank"),
                                       .trend = text_of(r, item, "trend"),
                                       .points = points.n};
        if (i == OD_RUN_LIST_MAX || !series.metric)
            return;
        series.known = number_of(item, "first", &series.first) &&
                       number_of(item, "last", &series.last) &&
                       number_of(item, "min", &series.min) && number_of(item, "max", &series.max);
        series.slope_known = number_of(item, "slope_per_x", &series.slope);
        series.limit_known = number_of(item, "limit", &series.limit);
        series.x = text_of(r, item, "x");
        read_course(r, item, &series);
        take_series_peak(r->run, &series);
        od_vec_push(&r->run->series, series);
    }
}

static void read_diagnosis(struct reading *r, const json_t *root)
{
    struct od_run *run = r->run;
    const json_t *best = json_array_get(json_object_get(root, "diagnosis"), 0);
    run->cause = text_of(r, best, "cause");
    run->code = text_of(r, best, "code");
    run->certainty = text_of(r, best, "certainty");
    run->summary = text_of(r, best, "summary");
    if (!number_of(best, "probability", &run->probability))
        run->probability = -1;
}

static void read_plan(struct reading *r, const json_t *root)
{
    const json_t *plan = json_object_get(root, "plan");
    const json_t *batch = json_object_get(plan, "batch");
    const json_t *action = json_array_get(json_object_get(plan, "actions"), 0);
    r->run->batch = od_json_in_count(batch, "current");
    r->run->largest_batch = od_json_in_count(batch, "largest_that_fits");
    r->run->recommended_batch = od_json_in_count(batch, "recommended");
    r->run->action = text_of(r, action, "id");
    r->run->action_title = text_of(r, action, "title");
}

/* Of several inputs the earliest and the latest: stamps of one form sort as texts. */
static void take_time(struct reading *r, const json_t *item)
{
    struct od_run *run = r->run;
    const char *first = text_of(r, item, "first_time");
    const char *last = text_of(r, item, "last_time");
    if (first && (!run->first_time || strcmp(first, run->first_time) < 0))
        run->first_time = first;
    if (last && (!run->last_time || strcmp(last, run->last_time) > 0))
        run->last_time = last;
    raise_count(&run->seconds, od_json_in_count(item, "seconds"));
}

/* Of a run with more inputs than a text holds digests of, the digest of their digests. */
static const char *digest_kept(struct reading *r, struct od_view digests)
{
    if (digests.n <= OD_RUN_TEXT_MAX)
        return od_arena_str(r->arena, digests);
    XXH128_hash_t hash = XXH3_128bits(digests.p, digests.n);
    return od_arena_printf(r->arena, "xxh3:%016llx%016llx", (unsigned long long)hash.high64,
                           (unsigned long long)hash.low64);
}

/* All inputs' digests, in order: the same logs given again are the same run. */
static void read_inputs(struct reading *r, const json_t *root)
{
    struct od_buf digest = {0};
    size_t i;
    json_t *item;
    r->run->complete = true;
    json_array_foreach(json_object_get(root, "inputs"), i, item)
    {
        const char *one = text_of(r, item, "digest");
        if (i == 0 && !r->run->name)
            r->run->name = text_of(r, item, "name");
        take_time(r, item);
        if (one)
            od_buf_printf(&digest, "%s%s", digest.n > 0 ? " " : "", one);
        r->run->complete = r->run->complete && json_is_true(json_object_get(item, "complete"));
    }
    r->run->digest = digest_kept(r, od_buf_view(&digest));
    od_buf_done(&digest);
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
    const char *world = od_run_setting(run, "world_size");
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
    struct reading r = {.arena = arena};
    if (is_ours(root, name, diags)) {
        r.run = OD_NEW(arena, struct od_run);
        read_inputs(&r, root);
        r.run->outcome = text_of(&r, root, "outcome");
        if (!r.run->outcome)
            r.run->outcome = "unknown";
        read_settings(&r, root);
        read_phases(&r, root);
        read_allocators(&r, root);
        read_incidents(&r, root);
        read_series(&r, root);
        settle_peak(r.run);
        read_diagnosis(&r, root);
        read_plan(&r, root);
        count_devices(r.run);
    }
    json_decref(root);
    return r.run;
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
    for (size_t i = 0; i < run->series.n; i++) {
        const struct od_run_series *series = &run->series.items[i];
        size_t n = strlen(series->metric);
        bool bytes = n > 6 && strcmp(series->metric + n - 6, "_bytes") == 0;
        if (bytes && series->trend &&
            (strcmp(series->trend, "leak") == 0 || strcmp(series->trend, "staircase") == 0))
            return true;
    }
    return false;
}
