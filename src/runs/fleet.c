#include "runs/fleet_parts.h"
#include "runs/fleet_time.h"

#include "runs/json_in.h"

#define SCHEMA "oomdoctor.fleet/1"

struct od_fleet *od_fleet_new(struct od_arena *arena)
{
    struct od_fleet *fleet = od_mem_alloc(1, sizeof *fleet);
    fleet->arena = arena;
    return fleet;
}

void od_fleet_free(struct od_fleet *fleet)
{
    if (!fleet)
        return;
    od_map_done(&fleet->by_digest);
    od_vec_done(&fleet->runs);
    od_vec_done(&fleet->groups);
    od_mem_free(fleet);
}

bool od_fleet_set_date(struct od_fleet *fleet, const char *day)
{
    fleet->date = day;
    return od_fleet_is_day(day);
}

bool od_fleet_set_since(struct od_fleet *fleet, const char *day)
{
    fleet->since = day;
    return od_fleet_is_day(day);
}

size_t od_fleet_count(const struct od_fleet *fleet)
{
    return fleet->runs.n;
}

/* Must the run be added? Identical logs are one run; the first name in sort order is kept. */
static bool keep(struct od_fleet *fleet, const struct od_row_member *run)
{
    const char *key = run->digest[0] != '\0' ? run->digest : run->name;
    uint64_t *index = od_map_at(&fleet->by_digest, od_view_of(key));
    if (*index > 0) {
        struct od_row_member *known = &fleet->runs.items[*index - 1];
        if (strcmp(run->name, known->name) < 0)
            known->name = od_arena_str(fleet->arena, od_view_of(run->name));
        if (run->date[0] != '\0' && (known->date[0] == '\0' || strcmp(run->date, known->date) < 0))
            known->date = od_arena_str(fleet->arena, od_view_of(run->date));
        return false;
    }
    *index = fleet->runs.n + 1;
    return true;
}

static void add(struct od_fleet *fleet, const struct od_row_member *run)
{
    if (!keep(fleet, run))
        return;
    struct od_row_member own = *run;
    if (own.program[0] == '\0')
        own.program = own.producer;
    for (const struct od_row_field *field = od_fields_member; field->key; field++) {
        const char **text = (const char **)((char *)&own + field->at);
        if (field->kind != OD_KIND_COUNT)
            *text = **text != '\0' ? od_arena_str(fleet->arena, od_view_of(*text)) : "";
    }
    od_vec_push(&fleet->runs, own);
}

static const char *or_empty(const char *text)
{
    return text ? text : "";
}

/* Replaces the batch: "[180,64] float32" -> "[*,64] float32". Runs that differ only in the batch
 * have the same failure. */
static const char *without_batch(struct od_fleet *fleet, const char *tensor)
{
    const char *comma = tensor ? strchr(tensor, ',') : NULL;
    if (!tensor || tensor[0] != '[' || !comma)
        return or_empty(tensor);
    return od_arena_printf(fleet->arena, "[*%s", comma);
}

/* The incident that the signature describes: the first fatal one, otherwise the first. */
static const struct od_run_incident *failure_of(const struct od_run *run)
{
    for (size_t i = 0; i < run->incidents.n; i++)
        if (run->incidents.items[i].fatal)
            return &run->incidents.items[i];
    return run->incidents.n > 0 ? &run->incidents.items[0] : NULL;
}

static bool is_failure(const char *outcome)
{
    return strcmp(outcome, "memory_failure") == 0;
}

bool od_fleet_is_failure(const struct od_row_member *run)
{
    return is_failure(run->outcome);
}

/* Removes the number: "GPU:3" -> "GPU". It does not distinguish failures. */
static const char *sort_of_device(struct od_fleet *fleet, const char *device)
{
    size_t n = device ? strcspn(device, ":") : 0;
    return n > 0 ? od_arena_str(fleet->arena, (struct od_view){device, n}) : "";
}

void od_fleet_add(struct od_fleet *fleet, const struct od_run *run)
{
    const struct od_run_incident *failure = is_failure(run->outcome) ? failure_of(run) : NULL;
    struct od_row_member one = {.digest = or_empty(run->digest),
                                .name = or_empty(run->name),
                                .outcome = run->outcome,
                                .cause = or_empty(run->cause),
                                .action = or_empty(run->action),
                                .action_title = or_empty(run->action_title),
                                .producer = or_empty(run->framework),
                                .program = or_empty(run->program),
                                .kind = "",
                                .device = "",
                                .tensor = "",
                                .first = or_empty(run->first_time),
                                .last = or_empty(run->last_time),
                                .date = od_fleet_day(or_empty(run->first_time), fleet->arena)};
    if (one.date[0] == '\0')
        one.date = or_empty(fleet->date);
    if (failure) {
        one.producer = or_empty(failure->producer);
        one.kind = or_empty(failure->kind);
        one.device = sort_of_device(fleet, failure->device);
        one.tensor = without_batch(fleet, failure->tensor);
    }
    if (is_failure(run->outcome) && run->seconds.known) {
        uint64_t devices = run->devices.known ? run->devices.n : 1;
        one.gpu_seconds.known = !ckd_mul(&one.gpu_seconds.n, run->seconds.n, devices);
    }
    add(fleet, &one);
}

void od_fleet_join(struct od_fleet *fleet, const struct od_fleet *other)
{
    for (size_t i = 0; i < other->runs.n; i++)
        add(fleet, &other->runs.items[i]);
}

static void add_member(struct od_fleet *fleet, const json_t *item)
{
    struct od_row_member one;
    od_json_in_row(item, od_fields_member, fleet->arena, &one);
    if (!od_fleet_is_day(one.date)) /* an invalid date must not be compared with days */
        one.date = or_empty(fleet->date);
    if (one.outcome[0] != '\0')
        add(fleet, &one);
}

bool od_fleet_add_json(struct od_fleet *fleet, struct od_view json, const char *name,
                       struct od_diags *diags)
{
    json_t *root = od_json_in_load(json, name, diags);
    if (!root)
        return false;
    const char *schema = json_string_value(json_object_get(root, "schema"));
    bool ours = schema && strcmp(schema, SCHEMA) == 0;
    size_t i;
    json_t *item;
    if (!ours)
        od_diags_say(diags, OD_ERROR, "%s is not a fleet report of oomdoctor (%s)", name, SCHEMA);
    else
        json_array_foreach(json_object_get(root, "members"), i, item) add_member(fleet, item);
    json_decref(root);
    return ours;
}

static int by_signature(const struct od_row_member *x, const struct od_row_member *y)
{
    const char *const pairs[][2] = {{x->outcome, y->outcome}, {x->producer, y->producer},
                                    {x->kind, y->kind},       {x->cause, y->cause},
                                    {x->tensor, y->tensor},   {x->device, y->device}};
    for (size_t i = 0; i < OD_COUNT_OF(pairs); i++) {
        int order = strcmp(pairs[i][0], pairs[i][1]);
        if (order != 0)
            return order;
    }
    return 0;
}

static int by_program(const struct od_row_member *x, const struct od_row_member *y)
{
    int order = strcmp(x->outcome, y->outcome);
    order = order != 0 ? order : strcmp(x->program, y->program);
    order = order != 0 ? order : strcmp(x->cause, y->cause);
    return order != 0 ? order : strcmp(x->device, y->device);
}

static int by_name(int order, const struct od_row_member *x, const struct od_row_member *y)
{
    order = order != 0 ? order : strcmp(x->name, y->name);
    return order != 0 ? order : strcmp(x->digest, y->digest);
}

static int by_signature_and_name(const void *a, const void *b)
{
    return by_name(by_signature(a, b), a, b);
}

static int by_program_and_name(const void *a, const void *b)
{
    return by_name(by_program(a, b), a, b);
}

static int by_cost(const void *a, const void *b)
{
    const struct od_fleet_group *x = a, *y = b;
    if (x->gpu_seconds.n != y->gpu_seconds.n)
        return x->gpu_seconds.n < y->gpu_seconds.n ? 1 : -1;
    if (x->count != y->count)
        return x->count < y->count ? 1 : -1;
    return by_signature(x->runs, y->runs);
}

static void join(struct od_buf *to, const char *text)
{
    if (text[0] != '\0')
        od_buf_printf(to, "%s%s", to->n > 0 ? " | " : "", text);
}

static const char *signature_of(struct od_fleet *fleet, const struct od_row_member *run)
{
    struct od_buf text = {0};
    join(&text, run->producer);
    join(&text, run->cause);
    join(&text, run->tensor);
    join(&text, run->device);
    return od_arena_take(fleet->arena, &text);
}

bool od_fleet_has_devices(const struct od_fleet *fleet)
{
    bool any = false;
    OD_FOR_EACH (const struct od_row_member, run, fleet->runs) {
        if (!od_fleet_is_failure(run))
            continue;
        if (run->device[0] == '\0' || strcmp(run->device, "CPU") == 0)
            return false;
        any = true;
    }
    return any;
}

/* Chooses the most frequent action; of equal ones, the first in sort order. The loop is short,
 * because groups are small or few. */
static void choose_action(struct od_fleet_group *group)
{
    struct od_map counts = {0};
    for (size_t i = 0; i < group->count; i++)
        if (group->runs[i].action[0] != '\0')
            (*od_map_at(&counts, od_view_of(group->runs[i].action)))++;
    uint64_t best = 0;
    OD_FOR_EACH_OF (const struct od_row_member, run, group->runs, group->count) {
        const uint64_t *n = od_map_get(&counts, od_view_of(run->action));
        if (n && (*n > best || (*n == best && strcmp(run->action, group->action) < 0))) {
            best = *n;
            group->action = run->action;
            group->action_title = run->action_title;
        }
    }
    od_map_done(&counts);
}

static int by_count(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* The median; of an even number the lower one, which is the time of an actual run. */
static struct od_count median_of(const struct od_fleet_group *group)
{
    OD_VEC(uint64_t) seconds = {0};
    for (size_t i = 0; i < group->count; i++)
        if (group->runs[i].gpu_seconds.known)
            od_vec_push(&seconds, group->runs[i].gpu_seconds.n);
    struct od_count median = {0};
    if (seconds.n > 0) {
        qsort(seconds.items, seconds.n, sizeof *seconds.items, by_count);
        median = od_count_of(seconds.items[(seconds.n - 1) / 2]);
    }
    od_vec_done(&seconds);
    return median;
}

static void finish(struct od_fleet *fleet, struct od_fleet_group *group)
{
    group->signature = signature_of(fleet, group->runs);
    group->fingerprint = od_fleet_fingerprint(group->runs, fleet->arena);
    group->first = group->last = group->action = group->action_title = "";
    OD_FOR_EACH_OF (const struct od_row_member, run, group->runs, group->count) {
        if (run->first[0] != '\0' &&
            (group->first[0] == '\0' || strcmp(run->first, group->first) < 0))
            group->first = run->first;
        if (strcmp(run->last, group->last) > 0)
            group->last = run->last;
        if (run->gpu_seconds.known &&
            !ckd_add(&group->gpu_seconds.n, group->gpu_seconds.n, run->gpu_seconds.n))
            group->gpu_seconds.known = true;
    }
    group->median = median_of(group);
    choose_action(group);
}

struct order {
    int (*alike)(const struct od_row_member *x, const struct od_row_member *y);
    int (*whole)(const void *a, const void *b); /* qsort order; equal runs by name */
};

static void group_by(struct od_fleet *fleet, const struct order *order)
{
    fleet->groups.n = 0;
    if (fleet->runs.n == 0)
        return;
    qsort(fleet->runs.items, fleet->runs.n, sizeof *fleet->runs.items, order->whole);
    od_map_done(&fleet->by_digest); /* no longer valid, because sorting changes indexes; no run is
                                     * added after this */
    for (size_t i = 0; i < fleet->runs.n;) {
        struct od_fleet_group group = {.runs = &fleet->runs.items[i], .count = 1};
        while (i + group.count < fleet->runs.n &&
               order->alike(group.runs, &group.runs[group.count]) == 0)
            group.count++;
        i += group.count;
        if (!od_fleet_is_failure(group.runs))
            continue;
        finish(fleet, &group);
        od_vec_push(&fleet->groups, group);
    }
    if (fleet->groups.n > 0)
        qsort(fleet->groups.items, fleet->groups.n, sizeof *fleet->groups.items, by_cost);
}

void od_fleet_group(struct od_fleet *fleet)
{
    group_by(fleet, &(struct order){by_signature, by_signature_and_name});
    od_fleet_compare(fleet);
}

void od_fleet_group_by_program(struct od_fleet *fleet)
{
    group_by(fleet, &(struct order){by_program, by_program_and_name});
}

const char *const od_fleet_outcome_names[] = {"memory_failure", "survived", "other_failure",
                                              "no_failure",     "unknown",  NULL};

size_t od_fleet_outcomes(const struct od_fleet *fleet, const char *outcome)
{
    size_t n = 0;
    for (size_t i = 0; i < fleet->runs.n; i++)
        n += strcmp(fleet->runs.items[i].outcome, outcome) == 0;
    return n;
}

size_t od_fleet_statuses(const struct od_fleet *fleet, const char *status)
{
    size_t n = 0;
    for (size_t i = 0; i < fleet->groups.n; i++) {
        const char *one = fleet->groups.items[i].status;
        n += one && strcmp(one, status) == 0;
    }
    return n;
}

struct od_count od_fleet_seconds(const struct od_fleet *fleet)
{
    struct od_count sum = {0};
    for (size_t i = 0; i < fleet->groups.n; i++) {
        const struct od_count *one = &fleet->groups.items[i].gpu_seconds;
        if (one->known && !ckd_add(&sum.n, sum.n, one->n))
            sum.known = true;
    }
    return sum;
}
