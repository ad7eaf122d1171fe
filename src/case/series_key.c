#include "case/series_key.h"

#include "case/device.h"

#include <assert.h>

const struct od_place *od_place_of(const struct od_event *event)
{
    static const struct od_place nowhere;
    return event->line && event->line->place ? event->line->place : &nowhere;
}

static bool is_count(enum od_event_kind kind)
{
    return kind == OD_EV_PROGRESS || kind == OD_EV_SAMPLE;
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

/* Does the event state that the memory's place is unknown? */
static bool is_unowned_event(const struct od_event *event)
{
    return od_view_eq_str(od_event_text(event, OD_F_SPACE), "unknown");
}

/* Without a place the memory is the device's, because that is what frameworks print. */
static bool is_host_event(struct od_arena *scratch, const struct od_event *event)
{
    struct od_view space = od_event_text(event, OD_F_SPACE);
    struct od_view device = od_event_text(event, OD_F_DEVICE);
    if (space.n > 0)
        return od_view_eq_str(space, "host") || od_view_eq_str(space, "pinned");
    return od_event_text(event, OD_F_GROUP).n > 0 ||
           (device.n > 0 && od_view_eq_str(od_device_normal(scratch, device), "CPU"));
}

/* ---- what the run is doing ---- */

static enum od_doing_what doing_of(const struct od_event *event, struct od_view phase)
{
    struct od_view name = od_event_text(event, OD_F_NAME);
    if (od_view_eq_str(name, "done"))
        return OD_DOING_NOTHING;
    if (od_view_eq_str(phase, "load"))
        return od_view_eq_str(name, "checkpoint") ? OD_DOING_RESTORE : OD_DOING_LOAD;
    return od_view_eq_str(phase, "validation") ? OD_DOING_VALIDATION
           : od_view_eq_str(phase, "data")     ? OD_DOING_DATA
                                               : OD_DOING_NOTHING;
}

static void set_course(struct od_series_key *series_key, const struct od_event *event)
{
    struct od_view phase = od_event_text(event, OD_F_PHASE);
    series_key->training = phase.n == 0 || od_view_eq_str(phase, "train");
    series_key->validation = od_view_eq_str(phase, "validation");
    series_key->doing = event->kind == OD_EV_PROGRESS && series_key->training
                            ? OD_DOING_TRAINING
                            : doing_of(event, phase);
}

/* ---- the event's measurements ---- */

static void add_measured(struct od_series_key *series_key, const struct od_event *event,
                         enum od_field field, enum od_series_metric metric)
{
    if (event->has >> field & 1)
        series_key->measured[series_key->nmeasured++] =
            (struct od_built_series){field, metric, NULL};
}

/* A share by itself is a measurement; beside a size it gives the total. */
static bool has_bytes(const struct od_event *event)
{
    size_t i = 0;
    while (i < event->nfields && od_field_type(event->fields[i].field) != OD_T_BYTES)
        i++;
    return i < event->nfields;
}

static void add_counted(struct od_series_key *series_key, const struct od_event *event)
{
    static const struct {
        enum od_series_metric in_use, free, peak;
    } of[] = {{OD_SERIES_DEVICE_USED, OD_SERIES_DEVICE_FREE, OD_SERIES_DEVICE_PEAK},
              {OD_SERIES_HOST_USED, OD_SERIES_HOST_FREE, OD_SERIES_HOST_PEAK},
              {OD_SERIES_MEMORY_USED, OD_SERIES_MEMORY_FREE, OD_SERIES_MEMORY_PEAK}};
    size_t owner = is_unowned_event(event) ? 2 : series_key->host;
    add_measured(series_key, event, OD_F_IN_USE, of[owner].in_use);
    add_measured(series_key, event, OD_F_FREE, of[owner].free);
    add_measured(series_key, event, OD_F_PEAK, of[owner].peak);
    if (!series_key->host)
        add_measured(series_key, event, OD_F_RESERVED, OD_SERIES_DEVICE_RESERVED);
    add_measured(series_key, event, OD_F_RSS, OD_SERIES_HOST_RSS);
    add_measured(series_key, event, OD_F_VIRTUAL, OD_SERIES_HOST_VIRTUAL);
    if (!has_bytes(event))
        add_measured(series_key, event, OD_F_SHARE,
                     series_key->host ? OD_SERIES_HOST_SHARE : OD_SERIES_DEVICE_SHARE);
    add_measured(series_key, event, OD_F_SECONDS, OD_SERIES_STEP_SECONDS);
}

static struct od_series_key key_for(const struct od_event *event, struct od_arena *scratch)
{
    struct od_series_key series_key = {.kind = event->kind,
                                       .has = event->has,
                                       .source = event->at.source,
                                       .place = od_place_of(event),
                                       .rank = od_event_count(event, OD_F_RANK),
                                       .pid = od_event_count(event, OD_F_PID),
                                       .phase = phase_of(event),
                                       .host = is_host_event(scratch, event)};
    if (is_count(event->kind))
        set_course(&series_key, event);
    /* a scheduler's final amount is a point, too, and a guard reports the memory in use when it
     * killed */
    if (event->kind == OD_EV_PRESSURE_KILLED)
        add_measured(&series_key, event, OD_F_IN_USE, OD_SERIES_HOST_USED);
    else if (event->kind != OD_EV_MEMORY_STATE)
        add_counted(&series_key, event);
    else if (series_key.host)
        add_measured(&series_key, event, OD_F_PEAK, OD_SERIES_HOST_PEAK);
    return series_key;
}

static bool is_of_key(enum od_field field)
{
    return field == OD_F_PRODUCER || field == OD_F_SPACE || field == OD_F_DEVICE ||
           field == OD_F_PROCESS || field == OD_F_GROUP || field == OD_F_PHASE ||
           field == OD_F_NAME;
}

/* Copies the texts into the series_key. False if they do not fit. */
static bool copy_texts(const struct od_event *event, struct od_series_key *series_key)
{
    static_assert(OD_SERIES_KEY_TEXTS > 7, "one of each field of the key");
    size_t used = 0;
    for (size_t i = 0; i < event->nfields; i++) {
        struct od_view text = event->fields[i].as.text;
        if (!is_of_key(event->fields[i].field))
            continue;
        if (text.n > sizeof series_key->bytes - used)
            return false;
        if (text.n > 0)
            memcpy(series_key->bytes + used, text.p, text.n);
        series_key->texts[series_key->ntexts].at = i;
        series_key->texts[series_key->ntexts].field = event->fields[i].field;
        series_key->texts[series_key->ntexts++].text =
            (struct od_view){series_key->bytes + used, text.n};
        used += text.n;
    }
    return true;
}

static bool goes(const struct od_series_key *series_key, const struct od_event *event)
{
    bool same = series_key->place == od_place_of(event) && series_key->has == event->has &&
                series_key->kind == event->kind && series_key->source == event->at.source &&
                series_key->rank.n == od_event_count(event, OD_F_RANK).n &&
                series_key->pid.n == od_event_count(event, OD_F_PID).n;
    for (size_t i = 0; same && i < series_key->ntexts; i++) {
        const struct od_field_value *said = &event->fields[series_key->texts[i].at];
        struct od_view text = series_key->texts[i].text;
        same = said->field == series_key->texts[i].field && said->as.text.n == text.n &&
               (text.n == 0 || memcmp(said->as.text.p, text.p, text.n) == 0);
    }
    return same;
}

/* The series_key kept for lines of this shape; NULL = nothing may be stored. */
static struct od_series_key *kept_for(const struct od_event *event)
{
    void **kept = event->line ? od_line_kept(event->line, event->rule) : NULL;
    if (kept && !*kept)
        *kept = OD_NEW(event->line->memory->arena, struct od_series_key);
    return kept ? *kept : NULL;
}

struct od_series_key *od_series_key_of(const struct od_event *event, struct od_arena *scratch,
                                       struct od_series_key *room)
{
    if (!is_count(event->kind) && event->kind != OD_EV_MEMORY_STATE &&
        event->kind != OD_EV_PRESSURE_KILLED)
        return NULL;
    struct od_series_key *kept = kept_for(event);
    if (kept && kept->whole && kept->log == event->line->memory->log && goes(kept, event))
        return kept;
    struct od_series_key *series_key = kept ? kept : room;
    *series_key = key_for(event, scratch);
    series_key->whole = kept && copy_texts(event, series_key);
    series_key->log = kept ? event->line->memory->log : 0;
    return series_key;
}
