#include "case/series_fold.h"

#include "base/map.h"
#include "case/device.h"
#include "case/series_builder.h"
#include "case/series_key.h"

#include <math.h>

enum {
    NAME_MAX_BYTES = 200,
    SOURCES_MAX = 256,
    LATEST = 4,
    TABLE_LINES = 100, /* most lines of a table from the clock above it */
};

/* Counters of one source. */
struct source_marks {
    uint32_t source;
    uint32_t marks[OD_MARKED_END];
    double epoch, step;        /* latest values */
    double began;              /* first printed time in seconds since 1970 */
    double clock_began, clock; /* time at the start of lines: first and latest; NaN = none */
    double stated;             /* time from a line that contains nothing else */
    uint64_t stated_line;      /* and that line */
    /* The latest lines with marks, and the counts above each of them, because a value that waits
     * for another line arrives late. */
    struct {
        uint64_t line;
        uint32_t above[OD_MARKED_END];
    } latest[LATEST];
    size_t nlatest;
};

/* The latest series of one key: index + 1 for each metric, 0 = none. */
struct od_keyed {
    uint16_t builders[OD_SERIES_METRIC_END];
};

struct od_series_folder {
    struct od_arena *arena, *scratch; /* arena: names; scratch: one event */
    struct od_map keys;               /* -> address of a struct od_keyed */
    OD_VEC(struct od_series_builder *) builders;
    size_t most; /* points stored for each series */
    OD_VEC(struct source_marks) sources;
    struct od_buf key;
};

struct od_series_folder *od_series_folder_new(void)
{
    struct od_series_folder *folder = od_mem_alloc(1, sizeof *folder);
    folder->arena = od_arena_new();
    folder->scratch = od_arena_new();
    folder->most = OD_SERIES_POINTS;
    return folder;
}

void od_series_folder_free(struct od_series_folder *folder)
{
    for (size_t i = 0; i < folder->builders.n; i++)
        od_series_builder_free(folder->builders.items[i]);
    od_vec_done(&folder->builders);
    od_vec_done(&folder->sources);
    od_map_done(&folder->keys);
    od_buf_done(&folder->key);
    od_arena_free(folder->scratch);
    od_arena_free(folder->arena);
    od_mem_free(folder);
}

static struct source_marks *marks_of(struct od_series_folder *folder, uint32_t source)
{
    for (size_t i = folder->sources.n; i-- > 0;)
        if (folder->sources.items[i].source == source)
            return &folder->sources.items[i];
    if (folder->sources.n == SOURCES_MAX)
        return NULL;
    struct source_marks fresh = {.source = source,
                                 .epoch = (double)NAN,
                                 .step = (double)NAN,
                                 .began = (double)NAN,
                                 .clock_began = (double)NAN,
                                 .clock = (double)NAN,
                                 .stated = (double)NAN};
    od_vec_push(&folder->sources, fresh);
    return &folder->sources.items[folder->sources.n - 1];
}

static void count_marks(struct source_marks *marks, const struct od_event *event,
                        enum od_series_phase phase)
{
    static const enum od_series_mark of_phase[] = {
        [OD_SERIES_PHASE_VALIDATION] = OD_MARKED_VALIDATION,
        [OD_SERIES_PHASE_LOAD] = OD_MARKED_LOAD,
        [OD_SERIES_PHASE_CHECKPOINT] = OD_MARKED_CHECKPOINT};
    struct od_count epoch = od_event_count(event, OD_F_EPOCH);
    struct od_count step = od_event_count(event, OD_F_STEP);
    if (step.known)
        marks->step = (double)step.n;
    if (phase != OD_SERIES_PHASE_NONE && phase != OD_SERIES_PHASE_TRAIN) {
        size_t slot = marks->nlatest++ % LATEST;
        marks->latest[slot].line = event->at.line;
        memcpy(marks->latest[slot].above, marks->marks, sizeof marks->marks);
        marks->marks[of_phase[phase]]++;
    }
    if (!epoch.known)
        return;
    if ((double)epoch.n < marks->epoch || (double)epoch.n > marks->epoch)
        marks->marks[OD_MARKED_EPOCH]++;
    marks->epoch = (double)epoch.n;
}

/* The counts above that line. */
static const uint32_t *marks_above(const struct source_marks *marks, uint64_t line)
{
    const uint32_t *found = marks->marks;
    uint64_t first = UINT64_MAX;
    for (size_t i = 0; i < LATEST && i < marks->nlatest; i++)
        if (marks->latest[i].line > line && marks->latest[i].line < first) {
            first = marks->latest[i].line;
            found = marks->latest[i].above;
        }
    return found;
}

static double as_axis(struct od_count count)
{
    return count.known ? (double)count.n : (double)NAN;
}

/* An event with the data that all of its numbers share. */
struct entry {
    const struct od_event *event;
    struct od_line_clock *clock;
    struct source_marks *marks; /* NULL if there are too many sources */
    struct od_series_key *series_key;
    bool pointed; /* the point is complete except for its value */
    struct od_fold_point point;
};

/* Seconds since the first clock of the source by the clock on the event's line; NaN = none. A clock
 * without a date starts again at midnight. */
static double by_clock(const struct entry *entry)
{
    static const double day = 86400;
    struct source_marks *marks = entry->marks;
    double now;
    if (!entry->event->line || !marks)
        return (double)NAN;
    if (!od_line_clock_read(entry->clock, entry->event->line, &now)) {
        bool near = entry->event->at.line - marks->stated_line <= TABLE_LINES;
        return near ? marks->stated : (double)NAN;
    }
    if (isnan(marks->clock_began))
        marks->clock_began = marks->clock = now;
    if (now < day && now < marks->clock - day / 2)
        now += day * ceil((marks->clock - day / 2 - now) / day);
    marks->clock = now;
    return now - marks->clock_began;
}

/* Seconds since the measurement began. Some tools print seconds since 1970, recognized by their
 * size. */
static double seconds_of(const struct entry *entry)
{
    static const double since_1970 = 6e8;
    const struct od_event *event = entry->event;
    struct source_marks *marks = entry->marks;
    double elapsed;
    if (!od_event_number(event, OD_F_ELAPSED, &elapsed) ||
        !isfinite(elapsed)) /* steps are a better axis */
        return od_event_count(event, OD_F_STEP).known ? (double)NAN : by_clock(entry);
    if (elapsed < since_1970)
        return elapsed;
    if (!marks)
        return (double)NAN;
    if (isnan(marks->began))
        marks->began = elapsed;
    return elapsed - marks->began;
}

/* Appends one text of a key. Most texts are empty. */
static void add_key_text(struct od_buf *key, size_t which, struct od_view text)
{
    if (text.n == 0)
        return;
    od_buf_add_char(key, (char)which);
    od_buf_add(key, od_view_head(text, NAME_MAX_BYTES));
    od_buf_add_char(key, '\0');
}

static struct od_count count_or(struct od_count said, struct od_count of_lane)
{
    return said.known ? said : of_lane;
}

static struct od_view kept(struct od_series_folder *folder, struct od_view text)
{
    return text.n > 0 ? od_arena_view(folder->arena, od_view_head(text, NAME_MAX_BYTES))
                      : (struct od_view){0};
}

static struct od_view device_of(struct od_series_folder *folder, const struct od_event *event,
                                bool host)
{
    return host ? (struct od_view){0}
                : od_device_normal(folder->scratch, od_event_text(event, OD_F_DEVICE));
}

static struct od_view name_of(const struct entry *entry)
{
    struct od_view name = od_event_text(entry->event, OD_F_NAME);
    return name.n == 0 && entry->series_key->phase != OD_SERIES_PHASE_NONE
               ? od_view_of(od_series_phase_name(entry->series_key->phase))
               : name;
}

static void write_key(struct od_series_folder *folder, const struct entry *entry, bool host)
{
    const struct od_event *event = entry->event;
    const struct od_place *place = od_place_of(event);
    struct od_buf *key = &folder->key;
    struct od_count rank = count_or(od_event_count(event, OD_F_RANK), place->rank);
    struct od_count pid = count_or(od_event_count(event, OD_F_PID), place->pid);
    key->n = 0;
    const uint64_t numbers[] = {
        host,
        event->at.source,
        rank.known,
        rank.n,
        pid.known,
        pid.n,
        (uint64_t)entry->series_key->phase,
    };
    od_buf_add(key, (struct od_view){.p = (const char *)numbers, .n = sizeof numbers});
    const struct od_view texts[] = {device_of(folder, event, host),
                                    od_event_text(event, OD_F_PRODUCER),
                                    od_event_text(event, OD_F_PROCESS),
                                    name_of(entry),
                                    od_event_text(event, OD_F_GROUP),
                                    place->host,
                                    od_view_of(event->rule)};
    for (size_t i = 0; i < OD_COUNT_OF(texts); i++)
        add_key_text(key, i, texts[i]);
}

static struct od_keyed *keyed_of(struct od_series_folder *folder, struct entry *entry, bool host)
{
    struct od_keyed **keyed = &entry->series_key->keyed[host];
    if (*keyed)
        return *keyed;
    write_key(folder, entry, host);
    uint64_t *kept = od_map_at(&folder->keys, od_buf_view(&folder->key));
    if (*kept == 0)
        *kept = (uintptr_t)OD_NEW(folder->arena, struct od_keyed);
    return *keyed = (struct od_keyed *)(uintptr_t)*kept;
}

static struct od_view words_of(const struct od_event *event)
{
    return event->line ? event->line->text : event->excerpt;
}

static bool is_start(const struct od_event *event)
{
    static const double soon = 10; /* seconds between two measurements of a periodic tool */
    double elapsed;
    return od_event_number(event, OD_F_ELAPSED, &elapsed) && elapsed <= soon;
}

/* The owner: a process, or a container, pod or job. For a device the group is its serial number. */
static struct od_view owner_of(const struct od_event *event, enum od_series_metric metric)
{
    struct od_view process = od_event_text(event, OD_F_PROCESS);
    return process.n == 0 &&
                   (od_series_metric_is_host(metric) || od_series_metric_is_unowned(metric))
               ? od_event_text(event, OD_F_GROUP)
               : process;
}

static void limit_points(struct od_series_folder *folder)
{
    size_t n = folder->builders.n;
    bool less = n * folder->most > (size_t)OD_SERIES_FULL * OD_SERIES_POINTS;
    folder->most /= less ? 2 : 1;
    for (size_t i = less ? 0 : n - 1; i < n; i++)
        od_sampled_limit(&folder->builders.items[i]->points, folder->most);
}

static struct od_series_builder *new_builder(struct od_series_folder *folder,
                                             const struct entry *entry,
                                             enum od_series_metric metric)
{
    const struct od_event *event = entry->event;
    const struct od_place *place = od_place_of(event);
    struct od_view said = words_of(event);
    if (folder->builders.n == OD_SERIES_MAX)
        return NULL;
    struct od_series s = {
        .metric = metric,
        .device = kept(folder, device_of(folder, event, od_series_metric_is_host(metric))),
        .listed = od_event_count(event, OD_F_PID).known,
        .placed = od_event_text(event, OD_F_SPACE).n > 0,
        .producer = kept(folder, od_event_text(event, OD_F_PRODUCER)),
        .process = kept(folder, owner_of(event, metric)),
        .name = kept(folder, name_of(entry)),
        .rank = count_or(od_event_count(event, OD_F_RANK), place->rank),
        .pid = count_or(od_event_count(event, OD_F_PID), place->pid),
        .at = event->at,
        .from_start = is_start(event),
        .unit_guessed = event->unit_guessed,
        .said = said.n > 0 ? od_arena_view(folder->arena, said) : said,
    };
    struct od_series_builder *d = od_series_builder_new(&s);
    od_vec_push(&folder->builders, d);
    limit_points(folder);
    return d;
}

struct measure {
    double value, grain;
};

static void make_point(struct entry *entry)
{
    const struct od_event *event = entry->event;
    const struct source_marks *marks = entry->marks;
    struct od_fold_point point = {.step = as_axis(od_event_count(event, OD_F_STEP)),
                                  .epoch = as_axis(od_event_count(event, OD_F_EPOCH)),
                                  .seconds = seconds_of(entry),
                                  .line = event->at.line,
                                  .phase = entry->series_key->phase};
    /* the point is on a line of its own */
    bool alone = marks && isnan(point.epoch) && isnan(point.step);
    point.step_above = alone ? marks->step : (double)NAN;
    if (alone)
        point.epoch = marks->epoch;
    if (marks)
        memcpy(point.marks, marks_above(marks, point.line), sizeof point.marks);
    entry->point = point;
    entry->pointed = true;
}

static bool fold_value(struct od_series_folder *folder, struct entry *entry,
                       struct od_built_series *measured, const struct measure *measure)
{
    if (!entry->pointed)
        make_point(entry);
    entry->point.value = measure->value;
    if (!measured->builder)
        measured->builder = &keyed_of(folder, entry, od_series_metric_is_host(measured->metric))
                                 ->builders[measured->metric];
    uint16_t *index = measured->builder;
    struct od_series_builder *d = *index > 0 ? folder->builders.items[*index - 1] : NULL;
    if (!d || od_series_builder_begins_anew(d, &entry->point)) {
        d = new_builder(folder, entry, measured->metric);
        if (!d)
            return false;
        *index = (uint16_t)folder->builders.n;
    }
    d->series.grain = fmax(d->series.grain, measure->grain);
    od_series_builder_take_limit(d, entry->event, measure->value);
    od_series_builder_add(d, &entry->point, entry->event->at, words_of(entry->event));
    return true;
}

/* Returns false if the field cannot be a point. */
static bool measure_of(const struct od_event *event, enum od_field field,
                       struct measure *ret_measure)
{
    const struct od_field_value *value = od_event_get(event, field);
    if (field == OD_F_SECONDS) {
        *ret_measure = (struct measure){.value = value->as.number};
        return isfinite(value->as.number) && value->as.number >= 0;
    }
    if (field == OD_F_SHARE) {
        double percent = 100 * value->as.number, whole = floor(percent + 0.5);
        *ret_measure = (struct measure){percent, fabs(percent - whole) < 1e-6 ? 1 : 0.1};
        return value->as.number >= 0 && value->as.number <= 1;
    }
    struct od_bytes bytes = value->as.bytes;
    *ret_measure = (struct measure){(double)bytes.n, (double)(bytes.hi - bytes.lo) / 1.5};
    return bytes.known;
}

static bool fold_measures(struct od_series_folder *folder, struct entry *entry)
{
    struct od_series_key *series_key = entry->series_key;
    bool ok = true;
    for (size_t i = 0; i < series_key->nmeasured; i++) {
        struct measure measure;
        if (measure_of(entry->event, series_key->measured[i].field, &measure))
            ok &= fold_value(folder, entry, &series_key->measured[i], &measure);
    }
    return ok;
}

/* Events that may have ended the measured process, or follow its end. */
static bool is_breakdown(enum od_event_kind kind)
{
    return kind == OD_EV_ALLOC_FAILED || kind == OD_EV_EXCEPTION || kind == OD_EV_CRASH ||
           kind == OD_EV_KILLED || kind == OD_EV_PROCESS_STARTED;
}

static void look_for_an_end(struct od_series_folder *folder, const struct od_event *event)
{
    bool started = event->kind == OD_EV_RUN_STARTED, broke = is_breakdown(event->kind);
    for (size_t i = 0; (started || broke) && i < folder->builders.n; i++) {
        struct od_series_builder *builder = folder->builders.items[i];
        bool ours = builder->series.at.source == event->at.source;
        builder->started_anew |= ours && started;
        builder->broke_down |= ours && broke;
    }
}

bool od_series_fold(struct od_series_folder *folder, const struct od_event *event,
                    struct od_series_key *series_key, struct od_line_clock *clock)
{
    bool counts = event->kind == OD_EV_PROGRESS || event->kind == OD_EV_SAMPLE;
    look_for_an_end(folder, event);
    if (!series_key)
        return true;
    struct entry entry = {.event = event,
                          .clock = clock,
                          .marks = marks_of(folder, event->at.source),
                          .series_key = series_key};
    if (counts && entry.marks) {
        count_marks(entry.marks, event, entry.series_key->phase);
        if (od_view_eq_str(od_event_text(event, OD_F_NAME), "clock")) {
            entry.marks->stated = by_clock(&entry);
            entry.marks->stated_line = event->at.line;
        }
    }
    bool ok = fold_measures(folder, &entry);
    od_arena_reset(folder->scratch);
    return ok;
}

static int by_first_point(const void *a, const void *b)
{
    const struct od_series *x = a, *y = b;
    if (x->at.source != y->at.source)
        return x->at.source < y->at.source ? -1 : 1;
    if (x->at.line != y->at.line)
        return x->at.line < y->at.line ? -1 : 1;
    return (int)x->metric - (int)y->metric;
}

/* Has a rule that knows the program read the same numbers with a known unit? */
static bool is_known_better(const struct od_series_folder *folder, const struct od_series *s)
{
    for (size_t i = 0; s->unit_guessed && i < folder->builders.n; i++) {
        const struct od_series *other = &folder->builders.items[i]->series;
        if (!other->unit_guessed && od_series_metric_is_bytes(other->metric) &&
            other->at.source == s->at.source &&
            (other->at.line == s->at.line || other->last_at.line == s->last_at.line))
            return true;
    }
    return false;
}

void od_series_folded(struct od_series_folder *folder, struct od_arena *arena,
                      od_series_list *ret_series)
{
    for (size_t i = 0; i < folder->builders.n; i++) {
        struct od_series s = od_series_builder_end(folder->builders.items[i], arena);
        /* a program that does not use the device prints 0 for it */
        bool measured = s.max > 0 || !od_series_metric_is_bytes(s.metric);
        if (measured && !is_known_better(folder, &s))
            od_vec_push(ret_series, s);
    }
    if (ret_series->n > 1)
        qsort(ret_series->items, ret_series->n, sizeof *ret_series->items, by_first_point);
}
