#include "case/series_fold.h"

#include "base/map.h"
#include "case/device.h"
#include "case/series_draft.h"

#include <assert.h>
#include <math.h>

enum {
    NAME_MAX_BYTES = 200,
    SOURCES_MAX = 256,
    LATEST = 4,
};

/* Counters of one input. */
struct source_marks {
    uint32_t source;
    uint32_t marks[OD_MARKED_END];
    double epoch, step;        /* the latest */
    double began;              /* the first time since 1970 that was measured at */
    double clock_began, clock; /* that lines begin with: the first, the latest; NaN = none */
    double stated;             /* a line said the time and nothing else */
    /* The latest lines with marks, and what was counted above them: a number that waited for
     * another of its words is told late. */
    struct {
        uint64_t line;
        uint32_t above[OD_MARKED_END];
    } latest[LATEST];
    size_t nlatest;
};

/* The latest series of one key: index + 1 by metric, 0 = none. */
struct keyed {
    uint16_t drafts[OD_SERIES_METRIC_END];
};

struct od_series_folder {
    struct od_arena *arena, *scratch; /* names; one event */
    struct od_map keys;               /* -> the address of a struct keyed */
    OD_VEC(struct od_series_draft *) drafts;
    OD_VEC(struct source_marks) sources;
    struct od_buf key;
};

struct od_series_folder *od_series_folder_new(void)
{
    struct od_series_folder *folder = od_mem_alloc(1, sizeof *folder);
    folder->arena = od_arena_new();
    folder->scratch = od_arena_new();
    return folder;
}

void od_series_folder_free(struct od_series_folder *folder)
{
    for (size_t i = 0; i < folder->drafts.n; i++)
        od_series_draft_free(folder->drafts.items[i]);
    od_vec_done(&folder->drafts);
    od_vec_done(&folder->sources);
    od_map_done(&folder->keys);
    od_buf_done(&folder->key);
    od_arena_free(folder->scratch);
    od_arena_free(folder->arena);
    od_mem_free(folder);
}

/* --- marks --- */

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

static enum od_series_phase phase_of(const struct od_event *event)
{
    static const enum od_series_phase phases[] = {OD_SERIES_PHASE_TRAIN, OD_SERIES_PHASE_VALIDATION,
                                                  OD_SERIES_PHASE_LOAD, OD_SERIES_PHASE_CHECKPOINT};
    struct od_view text = od_event_text(event, OD_F_PHASE);
    for (size_t i = 0; text.n > 0 && i < OD_COUNT_OF(phases); i++)
        if (od_view_eq_str(text, od_series_phase_name(phases[i])))
            return phases[i];
    return OD_SERIES_PHASE_NONE;
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

/* What was counted above that line. */
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

/* --- points --- */

static double as_axis(struct od_count count)
{
    return count.known ? (double)count.n : (double)NAN;
}

/* A field that is a point of a series. */
struct measured {
    enum od_field field;
    enum od_series_metric metric;
    uint16_t *draft; /* where its latest series stands in a struct keyed; NULL = not asked yet */
};

enum { ROUTE_TEXTS = 8, ROUTE_MEASURES = 8, ROUTES_MOST = 8 };

/*
 * Where the numbers of an event go. All that one rule or reader makes of lines that differ in
 * digits alone, with the same words and of the same process, goes the same way: it is found once.
 */
struct route {
    struct route *next;
    enum od_event_kind kind;
    uint64_t has;
    uint32_t source;
    const struct od_place *place;
    struct od_count rank, pid;
    struct {
        size_t at; /* in the fields */
        enum od_field field;
        struct od_view text;
    } texts[ROUTE_TEXTS]; /* of its key */
    size_t ntexts;
    enum od_series_phase phase;
    bool host;
    struct measured measured[ROUTE_MEASURES];
    size_t nmeasured;
    struct keyed *keyed[2]; /* of what is a device's or nobody's, and of what is a host's */
};

/* What the numbers of one event have in common. */
struct told {
    const struct od_event *event;
    struct od_line_clock *clock;
    struct source_marks *marks; /* NULL: there are too many sources */
    struct route *route;
    bool pointed; /* the point is made, but for its value */
    struct od_fold_point point;
};

/* Seconds since the first clock of the source, by the one that stands on the event's line; NaN for
 * none. A clock without a date begins anew at midnight. */
static double by_clock(const struct told *told)
{
    static const double day = 86400;
    struct source_marks *marks = told->marks;
    double now;
    if (!told->event->line || !marks)
        return (double)NAN;
    if (!od_line_clock_read(told->clock, told->event->line, &now))
        return marks->stated; /* above a table */
    if (isnan(marks->clock_began))
        marks->clock_began = marks->clock = now;
    if (now < day && now < marks->clock - day / 2)
        now += day * ceil((marks->clock - day / 2 - now) / day);
    marks->clock = now;
    return now - marks->clock_began;
}

/* Seconds since the measuring began; some tools print those since 1970, told by their size. */
static double seconds_of(const struct told *told)
{
    static const double since_1970 = 6e8;
    const struct od_event *event = told->event;
    struct source_marks *marks = told->marks;
    double elapsed;
    if (!od_event_number(event, OD_F_ELAPSED, &elapsed) ||
        !isfinite(elapsed)) /* steps are better */
        return od_event_count(event, OD_F_STEP).known ? (double)NAN : by_clock(told);
    if (elapsed < since_1970)
        return elapsed;
    if (!marks)
        return (double)NAN;
    if (isnan(marks->began))
        marks->began = elapsed;
    return elapsed - marks->began;
}

/* --- series --- */

/* One of the texts of a key. Most are empty. */
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

static struct od_view name_of(const struct told *told)
{
    struct od_view name = od_event_text(told->event, OD_F_NAME);
    return name.n == 0 && told->route->phase != OD_SERIES_PHASE_NONE
               ? od_view_of(od_series_phase_name(told->route->phase))
               : name;
}

static const struct od_place *place_of(const struct od_event *event)
{
    static const struct od_place nowhere;
    return event->line && event->line->place ? event->line->place : &nowhere;
}

static void write_key(struct od_series_folder *folder, const struct told *told, bool host)
{
    const struct od_event *event = told->event;
    const struct od_place *place = place_of(event);
    struct od_buf *key = &folder->key;
    struct od_count rank = count_or(od_event_count(event, OD_F_RANK), place->rank);
    struct od_count pid = count_or(od_event_count(event, OD_F_PID), place->pid);
    key->n = 0;
    const uint64_t numbers[] = {
        host, event->at.source, rank.known, rank.n, pid.known, pid.n, (uint64_t)told->route->phase,
    };
    od_buf_add(key, (struct od_view){.p = (const char *)numbers, .n = sizeof numbers});
    const struct od_view texts[] = {device_of(folder, event, host),
                                    od_event_text(event, OD_F_PRODUCER),
                                    od_event_text(event, OD_F_PROCESS),
                                    name_of(told),
                                    od_event_text(event, OD_F_GROUP),
                                    place->host,
                                    od_view_of(event->rule)};
    for (size_t i = 0; i < OD_COUNT_OF(texts); i++)
        add_key_text(key, i, texts[i]);
}

static struct keyed *keyed_of(struct od_series_folder *folder, struct told *told, bool host)
{
    struct keyed **keyed = &told->route->keyed[host];
    if (*keyed)
        return *keyed;
    write_key(folder, told, host);
    uint64_t *kept = od_map_at(&folder->keys, od_buf_view(&folder->key));
    if (*kept == 0)
        *kept = (uintptr_t)OD_NEW(folder->arena, struct keyed);
    return *keyed = (struct keyed *)(uintptr_t)*kept;
}

static struct od_view words_of(const struct od_event *event)
{
    struct od_view text = event->line ? event->line->text : event->excerpt;
    return od_view_head(text, OD_SERIES_SAID_MAX);
}

static bool is_start(const struct od_event *event)
{
    static const double soon = 10; /* seconds: of what measures once in so many */
    double elapsed;
    return od_event_number(event, OD_F_ELAPSED, &elapsed) && elapsed <= soon;
}

static struct od_series_draft *new_draft(struct od_series_folder *folder, const struct told *told,
                                         enum od_series_metric metric)
{
    const struct od_event *event = told->event;
    const struct od_place *place = place_of(event);
    struct od_view said = words_of(event);
    if (folder->drafts.n == OD_SERIES_MAX)
        return NULL;
    struct od_series s = {
        .metric = metric,
        .device = kept(folder, device_of(folder, event, od_series_metric_is_host(metric))),
        .producer = kept(folder, od_event_text(event, OD_F_PRODUCER)),
        .process = kept(folder, od_event_text(event, OD_F_PROCESS)),
        .name = kept(folder, name_of(told)),
        .rank = count_or(od_event_count(event, OD_F_RANK), place->rank),
        .pid = count_or(od_event_count(event, OD_F_PID), place->pid),
        .at = event->at,
        .from_start = is_start(event),
        .unit_guessed = event->unit_guessed,
        .said = said.n > 0 ? od_arena_view(folder->arena, said) : said,
    };
    struct od_series_draft *d = od_series_draft_new(&s);
    od_vec_push(&folder->drafts, d);
    return d;
}

struct measure {
    double value, grain;
};

static void make_point(struct told *told)
{
    const struct od_event *event = told->event;
    const struct source_marks *marks = told->marks;
    struct od_fold_point point = {.step = as_axis(od_event_count(event, OD_F_STEP)),
                                  .epoch = as_axis(od_event_count(event, OD_F_EPOCH)),
                                  .seconds = seconds_of(told),
                                  .line = event->at.line,
                                  .phase = told->route->phase};
    bool alone = marks && isnan(point.epoch) && isnan(point.step); /* on a line of its own */
    point.step_above = alone ? marks->step : (double)NAN;
    if (alone)
        point.epoch = marks->epoch;
    if (marks)
        memcpy(point.marks, marks_above(marks, point.line), sizeof point.marks);
    told->point = point;
    told->pointed = true;
}

static bool fold_value(struct od_series_folder *folder, struct told *told,
                       struct measured *measured, const struct measure *measure)
{
    if (!told->pointed)
        make_point(told);
    told->point.value = measure->value;
    if (!measured->draft)
        measured->draft = &keyed_of(folder, told, od_series_metric_is_host(measured->metric))
                               ->drafts[measured->metric];
    uint16_t *index = measured->draft;
    struct od_series_draft *d = *index > 0 ? folder->drafts.items[*index - 1] : NULL;
    if (!d || od_series_draft_begins_anew(d, &told->point)) {
        d = new_draft(folder, told, measured->metric);
        if (!d)
            return false;
        *index = (uint16_t)folder->drafts.n;
    }
    d->grain = fmax(d->grain, measure->grain);
    od_series_draft_take_limit(d, told->event, measure->value);
    od_series_draft_add(d, &told->point, told->event->at, words_of(told->event));
    return true;
}

/* Is it said that nobody knows whose memory it is? */
static bool is_unowned_event(const struct od_event *event)
{
    return od_view_eq_str(od_event_text(event, OD_F_SPACE), "unknown");
}

/* Where nothing says whose memory it is, it is the device's: that is what frameworks print. */
static bool is_host_event(struct od_series_folder *folder, const struct od_event *event)
{
    struct od_view space = od_event_text(event, OD_F_SPACE);
    struct od_view device = od_event_text(event, OD_F_DEVICE);
    if (space.n > 0)
        return od_view_eq_str(space, "host") || od_view_eq_str(space, "pinned");
    return od_event_text(event, OD_F_GROUP).n > 0 ||
           (device.n > 0 && od_view_eq_str(od_device_normal(folder->scratch, device), "CPU"));
}

/* False where the field says nothing that can be a point. */
static bool measure_of(const struct od_event *event, enum od_field field,
                       struct measure *ret_measure)
{
    const struct od_field_value *value = od_event_find(event, field);
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

static bool fold_measures(struct od_series_folder *folder, struct told *told)
{
    struct route *route = told->route;
    bool ok = true;
    for (size_t i = 0; i < route->nmeasured; i++) {
        struct measure measure;
        if (measure_of(told->event, route->measured[i].field, &measure))
            ok &= fold_value(folder, told, &route->measured[i], &measure);
    }
    return ok;
}

/* --- routes --- */

static void add_measured(struct route *route, const struct od_event *event, enum od_field field,
                         enum od_series_metric metric)
{
    if (event->has >> field & 1)
        route->measured[route->nmeasured++] = (struct measured){field, metric, NULL};
}

/* A share alone is one; beside a size it tells the whole of it. */
static bool has_bytes(const struct od_event *event)
{
    size_t i = 0;
    while (i < event->nfields && od_field_type(event->fields[i].field) != OD_T_BYTES)
        i++;
    return i < event->nfields;
}

static void add_counted(struct route *route, const struct od_event *event)
{
    static const struct {
        enum od_series_metric in_use, free, peak;
    } of[] = {{OD_SERIES_DEVICE_USED, OD_SERIES_DEVICE_FREE, OD_SERIES_DEVICE_PEAK},
              {OD_SERIES_HOST_USED, OD_SERIES_HOST_FREE, OD_SERIES_HOST_PEAK},
              {OD_SERIES_MEMORY_USED, OD_SERIES_MEMORY_FREE, OD_SERIES_MEMORY_PEAK}};
    size_t owner = is_unowned_event(event) ? 2 : route->host;
    add_measured(route, event, OD_F_IN_USE, of[owner].in_use);
    add_measured(route, event, OD_F_FREE, of[owner].free);
    add_measured(route, event, OD_F_PEAK, of[owner].peak);
    if (!route->host)
        add_measured(route, event, OD_F_RESERVED, OD_SERIES_DEVICE_RESERVED);
    add_measured(route, event, OD_F_RSS, OD_SERIES_HOST_RSS);
    add_measured(route, event, OD_F_VIRTUAL, OD_SERIES_HOST_VIRTUAL);
    if (!has_bytes(event))
        add_measured(route, event, OD_F_SHARE,
                     route->host ? OD_SERIES_HOST_SHARE : OD_SERIES_DEVICE_SHARE);
    add_measured(route, event, OD_F_SECONDS, OD_SERIES_STEP_SECONDS);
}

static struct route route_for(struct od_series_folder *folder, const struct od_event *event)
{
    struct route route = {.kind = event->kind,
                          .has = event->has,
                          .source = event->at.source,
                          .place = place_of(event),
                          .rank = od_event_count(event, OD_F_RANK),
                          .pid = od_event_count(event, OD_F_PID),
                          .phase = phase_of(event),
                          .host = is_host_event(folder, event)};
    /* What a scheduler says at the end is a point, too; a watchdog says what the machine had in use
     * when it killed. */
    if (event->kind == OD_EV_PRESSURE_KILLED)
        add_measured(&route, event, OD_F_IN_USE, OD_SERIES_HOST_USED);
    else if (event->kind != OD_EV_MEMORY_STATE)
        add_counted(&route, event);
    else if (route.host)
        add_measured(&route, event, OD_F_PEAK, OD_SERIES_HOST_PEAK);
    return route;
}

static bool is_of_key(enum od_field field)
{
    return field == OD_F_PRODUCER || field == OD_F_SPACE || field == OD_F_DEVICE ||
           field == OD_F_PROCESS || field == OD_F_GROUP || field == OD_F_PHASE ||
           field == OD_F_NAME;
}

static struct route *keep_route(struct od_series_folder *folder, const struct od_event *event)
{
    static_assert(ROUTE_TEXTS > 7, "one of each field of the key");
    struct od_arena *arena = event->line->memory->arena;
    struct route *kept = OD_NEW(arena, struct route);
    *kept = route_for(folder, event);
    for (size_t i = 0; i < event->nfields; i++) {
        if (!is_of_key(event->fields[i].field))
            continue;
        kept->texts[kept->ntexts].at = i;
        kept->texts[kept->ntexts].field = event->fields[i].field;
        kept->texts[kept->ntexts++].text = od_arena_view(arena, event->fields[i].as.text);
    }
    return kept;
}

static bool goes(const struct route *route, const struct od_event *event)
{
    struct od_count rank = od_event_count(event, OD_F_RANK), pid = od_event_count(event, OD_F_PID);
    bool same = route->has == event->has && route->kind == event->kind &&
                route->source == event->at.source && route->place == place_of(event) &&
                route->rank.n == rank.n && route->pid.n == pid.n;
    for (size_t i = 0; same && i < route->ntexts; i++) {
        const struct od_field_value *said = &event->fields[route->texts[i].at];
        struct od_view text = route->texts[i].text;
        same = said->field == route->texts[i].field && said->as.text.n == text.n &&
               (text.n == 0 || memcmp(said->as.text.p, text.p, text.n) == 0);
    }
    return same;
}

/* Of all that a rule says of a shape of lines, in one log. */
struct routes {
    uint64_t log;
    struct route *first;
    size_t n;
};

/* Of this event, perhaps into room. */
static struct route *route_of(struct od_series_folder *folder, const struct od_event *event,
                              struct route *room)
{
    void **kept = event->line ? od_line_kept(event->line, event->rule) : NULL;
    struct routes *routes = kept ? *kept : NULL;
    if (kept && !routes)
        *kept = routes = OD_NEW(event->line->memory->arena, struct routes);
    if (routes && routes->log != event->line->memory->log)
        *routes = (struct routes){.log = event->line->memory->log};
    struct route *route = routes ? routes->first : NULL;
    while (route && !goes(route, event))
        route = route->next;
    if (route)
        return route;
    if (!routes || routes->n == ROUTES_MOST) {
        *room = route_for(folder, event);
        return room;
    }
    route = keep_route(folder, event);
    route->next = routes->first;
    routes->first = route;
    routes->n++;
    return route;
}

/* --- events --- */

/* What may have ended the process that was measured. */
static bool is_breakdown(enum od_event_kind kind)
{
    return kind == OD_EV_ALLOC_FAILED || kind == OD_EV_EXCEPTION || kind == OD_EV_CRASH ||
           kind == OD_EV_KILLED;
}

static void look_for_an_end(struct od_series_folder *folder, const struct od_event *event)
{
    bool started = event->kind == OD_EV_RUN_STARTED, broke = is_breakdown(event->kind);
    for (size_t i = 0; (started || broke) && i < folder->drafts.n; i++) {
        struct od_series_draft *draft = folder->drafts.items[i];
        bool ours = draft->series.at.source == event->at.source;
        draft->started_anew |= ours && started;
        draft->broke_down |= ours && broke;
    }
}

bool od_series_fold(struct od_series_folder *folder, const struct od_event *event,
                    struct od_line_clock *clock)
{
    bool counts = event->kind == OD_EV_PROGRESS || event->kind == OD_EV_SAMPLE;
    look_for_an_end(folder, event);
    if (!counts && event->kind != OD_EV_MEMORY_STATE && event->kind != OD_EV_PRESSURE_KILLED)
        return true;
    struct route room;
    struct told told = {.event = event,
                        .clock = clock,
                        .marks = marks_of(folder, event->at.source),
                        .route = route_of(folder, event, &room)};
    if (counts && told.marks) {
        count_marks(told.marks, event, told.route->phase);
        if (od_view_eq_str(od_event_text(event, OD_F_NAME), "clock"))
            told.marks->stated = by_clock(&told);
    }
    bool ok = fold_measures(folder, &told);
    od_arena_reset(folder->scratch);
    return ok;
}

/* --- the end --- */

static int by_first_point(const void *a, const void *b)
{
    const struct od_series *x = a, *y = b;
    if (x->at.source != y->at.source)
        return x->at.source < y->at.source ? -1 : 1;
    if (x->at.line != y->at.line)
        return x->at.line < y->at.line ? -1 : 1;
    return (int)x->metric - (int)y->metric;
}

/* A rule that knows the program has read the same numbers: what their unit may be is not asked. */
static bool is_known_better(const struct od_series_folder *folder, const struct od_series *s)
{
    for (size_t i = 0; s->unit_guessed && i < folder->drafts.n; i++) {
        const struct od_series *other = &folder->drafts.items[i]->series;
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
    for (size_t i = 0; i < folder->drafts.n; i++) {
        struct od_series s = od_series_draft_end(folder->drafts.items[i], arena);
        /* A program that runs without the device prints 0 for it: nothing was measured. */
        bool measured = s.max > 0 || !od_series_metric_is_bytes(s.metric);
        if (measured && !is_known_better(folder, &s))
            od_vec_push(ret_series, s);
    }
    if (ret_series->n > 1)
        qsort(ret_series->items, ret_series->n, sizeof *ret_series->items, by_first_point);
}
