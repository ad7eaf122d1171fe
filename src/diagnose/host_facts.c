/* Facts about hosts (section of that name in rules/facts.def). */
#include "diagnose/taker.h"

#include "case/run_state.h"
#include "failure/level.h"
#include "failure/timeline.h"
#include "fit/loader.h"
#include "rules/software.h"

/* Does the log mention a device of the run? */
static bool has_device(const struct od_case *c)
{
    OD_FOR_EACH (const struct od_series, s, c->series)
        if (!od_series_metric_is_host(s->metric) && !od_series_metric_is_unowned(s->metric))
            return true;
    return c->devices.n > 0 || c->allocators.n > 0;
}

/*
 * Number of samples of an array whose first dimension is at least a thousand and far larger than
 * the others (twice as large for pictures and volumes). Batches are smaller, and labels are
 * computed from data.
 */
static struct od_count samples_of(const struct od_tensor *tensor)
{
    enum { SAMPLES = 1000, FAR_MORE = 4, DIMS = 2 };
    const struct od_shape *shape = &tensor->shape;
    uint64_t largest = 0;
    if (shape->n < DIMS || shape->dims[0] == OD_DIM_UNKNOWN || tensor->dtype == OD_BOOL)
        return (struct od_count){0};
    for (uint32_t i = 1; i < shape->n; i++) {
        if (shape->dims[i] == OD_DIM_UNKNOWN)
            return (struct od_count){0};
        largest = shape->dims[i] > largest ? shape->dims[i] : largest;
    }
    uint64_t more = shape->n > DIMS ? 2 : FAR_MORE;
    return shape->dims[0] >= SAMPLES && shape->dims[0] / more >= largest
               ? od_count_of(shape->dims[0])
               : (struct od_count){0};
}

/* Memory in use at the failure, otherwise the memory that the failed process held. */
static struct od_bytes ram_held(const struct taker *t)
{
    return t->incident->in_use.known ? t->incident->in_use : t->failure->account.victim.bytes;
}

/* Checks whether all data is kept in memory: memory grows with the data read, and the run has left
 * the step with the progress bar. Before a twentieth is read, most memory belongs to the program
 * itself. */
static void take_whole(const struct taker *t, const struct od_doing *doing)
{
    static const double least_done = 0.05, most_done = 0.95;
    struct od_bytes held = ram_held(t);
    if (!held.known)
        held = t->incident->limit.known ? t->incident->limit
                                        : t->facts->profile.values[OD_FACT_HEAP].number;
    double done = doing->total.n > 0 ? (double)doing->done.n / (double)doing->total.n : 0;
    if (done < least_done || !held.known)
        return;
    double begun = done + 1 / (double)doing->total.n;
    double whole = (double)held.n / begun;
    if (begun > most_done || !(whole < (double)INT64_MAX))
        return;
    take_count(t, OD_FACT_DONE_COUNT, doing->done);
    take_count(t, OD_FACT_TOTAL_COUNT, doing->total);
    take_bytes(t, OD_FACT_WHOLE, od_bytes_exact((uint64_t)whole));
}

static void take_doing(const struct taker *t)
{
    static const char *const words[] = {
        [OD_DOING_TRAINING] = "training", [OD_DOING_VALIDATION] = "validation",
        [OD_DOING_LOAD] = "load",         [OD_DOING_RESTORE] = "restore",
        [OD_DOING_DATA] = "data",
    };
    const struct od_doing *doing = t->failure->doing;
    if (!doing)
        return;
    struct od_evidence line = {.at = doing->at, .text = {doing->said.p, doing->said.n}};
    t->facts->profile.values[OD_FACT_DOING] = od_fact_word(OD_FACT_DOING, words[doing->what]);
    t->facts->said[OD_FACT_DOING] = copy_line(t, line);
    if (doing->what == OD_DOING_DATA)
        take_whole(t, doing);
}

/* Does the series show resident memory of a process, not a heap, from before the incident? */
static bool is_rss_before(const struct od_series *s, const struct od_incident *inc)
{
    return s->metric == OD_SERIES_HOST_RSS && !od_view_eq_str(s->process, "heap") &&
           s->last_at.source == inc->at.source && s->last_at.line <= inc->at.line;
}

struct od_bytes od_take_last_rss(const struct od_case *c, const struct od_incident *inc)
{
    const struct od_series *last = NULL;
    OD_FOR_EACH (const struct od_series, s, c->series)
        if (is_rss_before(s, inc) && (!last || s->last_at.line > last->last_at.line))
            last = s;
    return last && last->last > 0 ? od_bytes_exact((uint64_t)last->last) : (struct od_bytes){0};
}

/* The largest resident memory of one process of the run before the failure. Unknown if none was
 * printed, or if it grew. */
static struct od_bytes steady_rss(const struct taker *t)
{
    static const double grown = 1.25; /* relative to the first value */
    double most = 0;
    OD_FOR_EACH (const struct od_series, s, t->c->series) {
        if (!is_rss_before(s, t->incident))
            continue;
        if (s->max > grown * s->first)
            return (struct od_bytes){0};
        most = s->max > most ? s->max : most;
    }
    return most > 0 ? od_bytes_exact((uint64_t)most) : (struct od_bytes){0};
}

/* Number of processes that a setting of the failed program starts, each with its own memory. */
static struct od_count started_workers(const struct taker *t)
{
    struct od_count found = od_failure_setting(t->c, OD_SETTING_WORKERS, &t->incident->at);
    const struct od_software_used *stack = &t->failure->stack;
    for (size_t i = 0; i < stack->n && !found.known; i++) {
        const struct od_assigned *set = od_assigned_of_knob(
            t->c->assigned, stack->parts[i].software, "workers", &t->incident->at);
        uint64_t n;
        if (set && od_num_parse_u64(set->value, &n))
            found = od_count_of(n);
    }
    return found;
}

static void take_steady(const struct taker *t, struct od_count workers)
{
    struct od_bytes each = steady_rss(t);
    uint64_t total;
    if (!each.known) /* the killed process */
        each = t->failure->account.victim.bytes;
    if (workers.n < 2 || !each.known || ckd_mul(&total, each.n, workers.n))
        return;
    take_count(t, OD_FACT_WORKERS, workers);
    take_bytes(t, OD_FACT_WORKER_EACH, each);
    take_bytes(t, OD_FACT_WORKERS_TOGETHER, od_bytes_exact(total));
}

/* Computes the workers' memory from the batch size. A worker may hold more than the log shows. */
static void take_loader(const struct taker *t)
{
    const struct od_loader_question question = {
        .c = t->c, .failure = t->failure, .ended = t->incident, .arena = t->context->arena};
    struct od_loader loader;
    struct od_bytes limit = t->failure->account.limit.bytes;
    const char *basis;
    od_loader_of(&question, &loader);
    if (!limit.known)
        limit = od_loader_memory(&question, &basis);
    if (!loader.batch.known || !loader.workers.known || !limit.known)
        return;
    struct od_bytes held = od_loading_ram(&loader.loading, loader.workers.n);
    take_truth(t, OD_FACT_LOADER_SMALL, held.known && held.hi < limit.lo / 10);
}

static void take_workers(const struct taker *t)
{
    const struct od_incident *worker = od_failure_find(t->c, OD_INC_WORKER_KILLED);
    struct od_count workers = started_workers(t);
    const struct od_alike *alike = &t->failure->alike;
    take_steady(t, workers);
    take_loader(t);
    if (alike->count > 0) {
        /* the failed process is one of them, though it is larger than the others */
        bool larger = alike->failed == OD_ALIKE_LARGER;
        double victim = larger ? od_held_bytes(&t->failure->account.victim) : 0;
        take_count(t, OD_FACT_ALIKE_PROCESSES, od_count_of(alike->count + larger));
        take_text(t, OD_FACT_ALIKE, od_arena_str(t->context->arena, alike->name));
        take_bytes(t, OD_FACT_ALIKE_HELD, od_bytes_exact((uint64_t)(alike->bytes + victim)));
        take_truth(t, OD_FACT_ALIKE_SHARED, alike->shared);
    }
    take_truth(t, OD_FACT_VICTIM_IS_WORKER,
               worker && worker->process.pid.known &&
                   worker->process.pid.n == t->incident->process.pid.n);
    if (t->failure->of_network && !od_failure_is_server(t->failure))
        take_text(t, OD_FACT_LOADERS,
                  workers.known ? od_arena_printf(t->context->arena, "%llu workers",
                                                  (unsigned long long)workers.n)
                                : "Workers");
}

/* --- limits of groups --- */

/* YARN also counts address space that a container only reserved. Is that so in this message? */
static bool counts_virtual(const struct taker *t)
{
    OD_FOR_EACH (const struct od_setting, setting, t->c->settings)
        if (od_view_eq_str(setting->name, "limit_of_virtual") &&
            (od_view_eq_str(setting->value, "virtual memory used") ||
             od_view_eq_str(setting->value, "virtual memory limits")) &&
            od_prov_distance(&setting->said.at, &t->incident->at) == 0)
            return true;
    return false;
}

/* Can this limit have ended the run, given the highest host memory in the log? */
static bool can_be_reached(const struct od_case *c, struct od_bytes held, struct od_bytes limit)
{
    static const double reached = 0.9; /* logs often lack the last growth before a kill */
    static const double beyond =
        1.02; /* at a higher use, the limit is one of a slot or of one process */
    double most = (double)held.n;
    OD_FOR_EACH (const struct od_series, series, c->series)
        if (od_series_metric_is_host(series->metric) && od_series_metric_is_bytes(series->metric) &&
            !od_series_metric_is_free(series->metric) && series->max > most)
            most = series->max;
    return most <= 0 || (most >= reached * (double)limit.lo && most <= beyond * (double)limit.hi);
}

/* Sets the limit from a setting of the program: "-Xmx6g", "GOMEMLIMIT=2GiB". */
static void take_heap(const struct taker *t, struct od_bytes limit)
{
    const struct od_setting *set =
        od_case_find_setting_at(t->c, OD_SETTING_HEAP_LIMIT, &t->incident->at);
    const struct od_setting *machine =
        od_case_find_setting_at(t->c, OD_SETTING_MACHINE_MEMORY, &t->incident->at);
    const struct od_set_amount *allowed = &t->failure->account.allowed;
    struct od_amount heap = {allowed->bytes, OD_SCOPE_RUNTIME},
                     around = {t->incident->limit.known ? t->incident->limit : limit,
                               OD_SCOPE_GROUP};
    if (allowed->size) {
        take_assigned(t, OD_FACT_ALLOWED, allowed->size);
        take_text(t, OD_FACT_ALLOWED, od_set_amount_words(allowed, t->context->arena));
        around.bytes = t->failure->account.limit.bytes;
    } else if (!set || !od_setting_size(set, &heap.bytes)) {
        return;
    }
    take_amount(t, OD_FACT_HEAP, heap.bytes, heap.scope);
    if (!around.bytes.known && machine && od_setting_size(machine, &around.bytes))
        around.scope = OD_SCOPE_MACHINE;
    take_bytes(t, OD_FACT_HEAP_AROUND, around.bytes);
    if (set && od_amount_less(around, heap) == OD_YES)
        take_line(t, OD_FACT_HEAP_EXCEEDS, &set->said);
}

/* Names the part: "files in memory (/dev/shm, tmpfs)", "the kernel's own objects (slab)". */
static const char *part_words(enum od_holding_kind kind)
{
    return kind == OD_HELD_FILES         ? "files in memory (/dev/shm, tmpfs)"
           : kind == OD_HELD_SLAB        ? "the kernel's own objects (slab)"
           : kind == OD_HELD_PAGE_TABLES ? "page tables"
           : kind == OD_HELD_HUGE        ? "huge pages"
                                         : "drivers and other memory of no process";
}

/* Compares the need and the available memory that the run printed before it failed. */
static void take_foreseen(const struct taker *t, struct od_bytes limit)
{
    const struct od_setting *foreseen = od_case_find_setting_at(t->c, OD_SETTING_FORESEEN_MEMORY,
                                                                &t->incident->at),
                            *machine = od_case_find_setting_at(t->c, OD_SETTING_MACHINE_MEMORY,
                                                               &t->incident->at);
    struct od_bytes need, around = t->incident->limit.known ? t->incident->limit : limit;
    if (!foreseen || !od_setting_size(foreseen, &need))
        return;
    if (!around.known && machine)
        (void)od_setting_size(machine, &around);
    take_amount(t, OD_FACT_FORESEEN, need, OD_SCOPE_MACHINE);
    t->facts->said[OD_FACT_FORESEEN] = &foreseen->said;
    take_bytes(t, OD_FACT_HEAP_AROUND, around);
}

/* "12 CSV files of 3 GB each": what is read, and the memory for it. */
static void take_data(const struct taker *t, struct od_bytes limit)
{
    const struct od_prov *at = &t->incident->at;
    const struct od_setting *count = od_case_find_setting_at(t->c, OD_SETTING_DATA_COUNT, at),
                            *each = od_case_find_setting_at(t->c, OD_SETTING_DATA_EACH, at),
                            *machine = od_case_find_setting_at(t->c, OD_SETTING_MACHINE_MEMORY, at);
    struct od_bytes size, room = t->incident->limit.known ? t->incident->limit : limit;
    uint64_t n, whole;
    if (!count || !each || od_prov_cmp(&count->said.at, &each->said.at) != 0 ||
        !od_num_parse_u64(count->value, &n) || !od_setting_size(each, &size) ||
        ckd_mul(&whole, n, size.n))
        return;
    if (!room.known && machine)
        (void)od_setting_size(machine, &room);
    take_count(t, OD_FACT_DATA_COUNT, od_count_of(n));
    take_bytes(t, OD_FACT_DATA_EACH, size);
    take_bytes(t, OD_FACT_DATA_STATED, od_bytes_exact(whole));
    t->facts->said[OD_FACT_DATA_STATED] = &count->said;
    take_bytes(t, OD_FACT_HEAP_AROUND, room);
}

static void take_limits(const struct taker *t)
{
    const struct od_account *account = &t->failure->account;
    const struct od_held *part = od_account_largest_part(account);
    struct od_bytes limit = t->failure->stated_limit;
    take_foreseen(t, limit);
    take_data(t, limit);
    if (can_be_reached(t->c, ram_held(t), limit))
        take_amount(t, OD_FACT_STATED_LIMIT, limit, OD_SCOPE_GROUP);
    if (od_incident_is_far_below(t->incident, limit))
        take_amount(t, OD_FACT_UNREACHED_LIMIT, limit, OD_SCOPE_GROUP);
    take_heap(t, limit);
    take_truth(t, OD_FACT_PART_IS_FILES, part && part->kind == OD_HELD_FILES);
    take_truth(t, OD_FACT_PART_IS_HUGE, part && part->kind == OD_HELD_HUGE);
    take_text(t, OD_FACT_PART, part ? part_words(part->kind) : NULL);
    if (part)
        take_bytes(t, OD_FACT_PART_HELD, part->bytes);
}

/* Sets how full the machine was at the measurement nearest to the failure. */
static void take_level(const struct taker *t)
{
    struct od_arena *arena = t->context->arena;
    struct od_host_level level = od_host_level_near(t->c, &t->incident->at);
    bool before = !level.later && level.share >= 0;
    take_truth(t, OD_FACT_MACHINE_FULL, level.share >= OD_HOST_NEARLY_FULL);
    take_truth(t, OD_FACT_MACHINE_HALF_FREE, before && level.share <= OD_HOST_HALF_FREE);
    t->facts->said[OD_FACT_MACHINE_FULL] = copy_line(t, level.said);
    t->facts->said[OD_FACT_MACHINE_HALF_FREE] = t->facts->said[OD_FACT_MACHINE_FULL];
    take_text(t, OD_FACT_FULLNESS,
              level.used.known
                  ? od_arena_printf(arena, "%s of the machine's %s",
                                    od_bytes_text(arena, level.used),
                                    od_bytes_text(arena, level.capacity))
                  : od_arena_printf(arena, "%.0f %% of the machine's memory", 100 * level.share));
    take_text(t, OD_FACT_MEASURED_BY,
              od_prov_distance(&level.said.at, &t->incident->at) == 0 ? "the message itself"
              : level.later                                           ? "the next printed value"
                                                                      : "the last printed value");
}

static void take_settings(const struct taker *t)
{
    uint64_t jobs;
    if (od_num_parse_u64(od_case_setting(t->c, OD_SETTING_JOBS), &jobs))
        take_count(t, OD_FACT_JOBS, od_count_of(jobs));
    struct od_view model = od_case_setting(t->c, OD_SETTING_MODEL);
    take_text(t, OD_FACT_MODEL_NAME, od_arena_str(t->context->arena, model));
}

static void take_rows(const struct taker *t)
{
    const struct od_account *account = &t->failure->account;
    const struct od_incident *inc = t->incident;
    const struct od_software *driver = t->failure->stack.driver;
#define OD_TAKEN_HOST
#include "diagnose/taken.def"
}

void od_take_host(const struct taker *t)
{
    if (!od_incident_kind_is_host(t->incident->kind))
        return;
    take_rows(t);
    take_limits(t);
    take_settings(t);
    take_level(t);
    od_take_own_limit(t);
    take_doing(t);
    take_workers(t);
}
