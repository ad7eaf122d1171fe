#include "failure/found.h"

#include "facts/setting_number.h"
#include "failure/failure.h"

bool od_found_is_a_name(struct od_view value)
{
    for (size_t i = 0; i < value.n; i++)
        if (strchr("_-=(.", value.p[i]))
            return true;
    return false;
}

bool od_found_worked_with(const struct od_case *c, const struct od_setting *setting)
{
    OD_FOR_EACH (const struct od_setting, found, c->settings)
        if (found->id == OD_SETTING_FOUND_WORKED &&
            od_prov_distance(&found->said.at, &setting->said.at) == 0)
            return true;
    return false;
}

/* Is it the smallest batch that failed? A batch that failed proves nothing about smaller ones. */
static bool is_least(const struct od_case *c, const struct od_setting *failed)
{
    uint64_t n;
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        struct od_view value = setting->value;
        if (setting->id == OD_SETTING_BATCH_FAILED &&
            od_prov_distance(&setting->said.at, &failed->said.at) == 0 &&
            od_num_take_u64(&value, &n) && n > 1)
            return false;
    }
    return true;
}

/* Where another value is set for what the text says to work; NULL = nowhere. */
static const struct od_assigned *now_of(const struct od_case *c, const struct od_setting *worked)
{
    const struct od_stated_value said = od_stated_read(worked->value);
    double to = od_setting_value(said.number, NULL);
    for (size_t i = 0; said.name.n > 0 && c->assigned && i < c->assigned->n; i++) {
        const struct od_assigned *now = &c->assigned->items[i];
        double value = od_setting_value(now->value, NULL);
        if (od_is_same_setting(now->name, said.name) && value > 0 && (value < to || value > to) &&
            od_prov_distance(&now->at, &worked->said.at) > 0)
            return now;
    }
    return NULL;
}

/* A batch that worked is an upper bound of what fits, and the advice for the batch size states it
 * anyway; so does that for a setting which has another value. */
static bool is_a_bound(const struct od_case *c, const struct od_setting *found)
{
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        if (od_prov_distance(&setting->said.at, &found->said.at) == 0 &&
            (setting->id == OD_SETTING_BATCH_WORKED ||
             (setting->id == OD_SETTING_BOUND_WORKED && now_of(c, setting))))
            return true;
    return false;
}

const struct od_setting *od_found_said(const struct od_case *c, enum od_setting_id what,
                                       bool bounds)
{
    const struct od_setting *found = NULL;
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        if (setting->id == what && (bounds || !is_a_bound(c, setting)) &&
            (!found || od_found_is_a_name(setting->value) || !od_found_is_a_name(found->value)))
            found = setting;
    return found;
}

/* --- what is stated of one setting --- */

/* Is it a form or a value of that knob in a program of the failure? *ret_unit: of its number. */
static bool is_form_of(const struct od_stack *stack, const char *knob_name, struct od_view name,
                       const char **ret_unit)
{
    for (size_t i = 0; stack && i < stack->n; i++) {
        const struct od_knob *knob = od_software_knob(stack->parts[i].software, knob_name);
        if (knob && (od_knob_sets(knob, name) || od_knob_is_called(knob, name))) {
            *ret_unit = knob->unit;
            return true;
        }
    }
    return false;
}

/* A number without a name belongs to the name before it, the most of a memory to each of its
 * limits, and a share to the setting of a share. "num_workers" is one of the workers, as far as a
 * value fails or is set already. */
struct od_bounds od_found_bounds(const struct od_case *c, const struct od_stack *stack,
                                 const char *name, bool memory)
{
    struct od_bounds bounds = {0};
    bool batch = strcmp(name, "batch") == 0, share = strcmp(name, "memory_fraction") == 0;
    const struct od_setting *own = NULL; /* the last that named it */
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        const struct od_stated_value said = od_stated_read(setting->value);
        const char *unit = NULL;
        bool most = setting->id == OD_SETTING_BOUND_MOST,
             worked = setting->id == OD_SETTING_BOUND_WORKED;
        bool bound =
            setting->id >= OD_SETTING_BOUND_FAILED && setting->id <= OD_SETTING_BOUND_WORKED;
        bool helped = setting->id == OD_SETTING_FOUND_WORKED,
             vain = setting->id == OD_SETTING_FOUND_FAILED;
        if (!bound && !helped && !vain)
            continue;
        bool is =
            said.name.n > 0
                ? is_form_of(stack, name, said.name, &unit) ||
                      (worked ? od_is_same_setting(said.name, od_view_of(name))
                              : od_has_word(said.name, name))
                : bound && ((own && od_prov_distance(&own->said.at, &setting->said.at) <= 1) ||
                            (most ? memory : share && said.number.p[0] == '0'));
        if (said.name.n > 0)
            own = is ? setting : NULL;
        if (is && bound && said.number.n > 0)
            od_bounds_add(&bounds, (enum od_bound)(setting->id - OD_SETTING_BOUND_FAILED),
                          said.number, unit, setting->said.at.line);
        if (is && helped && !is_a_bound(c, setting))
            bounds.changed = 1;
        if (is && vain && bounds.changed == 0 && (!batch || is_least(c, setting)))
            bounds.changed = -1;
    }
    if (batch && bounds.changed < 0 && od_case_setting(c, OD_SETTING_BATCH_WORKED).n > 0)
        bounds.changed = 0;
    return bounds;
}

const struct od_assigned *od_found_to_restore(const struct od_case *c,
                                              struct od_bound_value *ret_worked)
{
    const struct od_assigned *now = NULL;
    for (size_t i = 0; !now && i < c->settings.n; i++) {
        const struct od_setting *setting = &c->settings.items[i];
        struct od_view to = od_stated_read(setting->value).number;
        now = setting->id == OD_SETTING_BOUND_WORKED ? now_of(c, setting) : NULL;
        *ret_worked =
            (struct od_bound_value){to, setting->said.at.line, od_setting_value(to, NULL)};
    }
    return now;
}

const struct od_setting *od_found_made(const struct od_case *c, const struct od_incident *failure)
{
    enum { ABOVE = 2 }; /* a row of carets may be between the line and the error */
    if (!failure || failure->nframes == 0 ||
        failure->frame != &failure->frames[failure->nframes - 1])
        return NULL;
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        const struct od_prov *at = &setting->said.at;
        if (od_view_eq_str(setting->name, "made_tensor") && at->source == failure->at.source &&
            at->line < failure->at.line && at->line + ABOVE >= failure->at.line)
            return setting;
    }
    return NULL;
}

/* Not the failed process, where what it holds is known. Of many processes of one name, ending one
 * frees little, and the server starts it again. */
struct od_count od_found_holder(const struct od_failure *failure)
{
    enum { WORKERS = 3 };
    const struct od_account *account = &failure->account;
    const struct od_incident *incident = failure->incident;
    const struct od_held *many = od_account_largest(account);
    struct od_held most = {0};
    if (many && many->count.n >= WORKERS)
        return most.pid;
    OD_FOR_EACH_OF (const struct od_held, held, account->holdings, account->n)
        if ((held->kind == OD_HELD_OTHERS || held->kind == OD_HELD_PROCESSES) && held->pid.known &&
            held->bytes.n > most.bytes.n)
            most = *held;
    for (size_t i = 0; incident && !account->own.known && i < incident->others.n; i++)
        if (!most.pid.known || incident->others.items[i].bytes.n > most.bytes.n)
            most = (struct od_held){.pid = incident->others.items[i].pid,
                                    .bytes = incident->others.items[i].bytes};
    return most.pid;
}

/* A measurement of all memory in use on a device, in the same source as the failure. */
static bool is_of_whole(const struct od_series *s, const struct od_incident *failure)
{
    return s->metric == OD_SERIES_DEVICE_USED && s->limit_known && !s->pid.known &&
           s->process.n == 0 && s->at.source == failure->at.source;
}

/* "GPU:1" -> 1 */
static bool number_of_device(struct od_view device, uint64_t *ret_n)
{
    return od_view_take(&device, OD_VIEW("GPU:")) && od_num_parse_u64(device, ret_n);
}

struct od_count od_found_free_device(const struct od_case *c, const struct od_incident *failure)
{
    /* idle: a desktop or a context; full: too little free to matter */
    static const double idle = 0.1, full = 0.9;
    struct od_count found = {0};
    bool taken = failure && failure->device.n > 0;
    for (size_t i = 0; failure && i < c->series.n; i++) {
        const struct od_series *of = &c->series.items[i];
        uint64_t n;
        if (!is_of_whole(of, failure) || !number_of_device(of->device, &n))
            continue;
        taken |= of->last >= full * of->limit;
        if (!found.known && of->max <= idle * of->limit && !od_view_eq(of->device, failure->device))
            found = od_count_of(n);
    }
    return taken ? found : (struct od_count){0};
}

static const char at_failure[] = "at the failure"; /* name used in rules/measured_device.yaml */

/* A measurement of the failed device or of a device without a number. */
static bool is_of_device(const struct od_series *s, const struct od_incident *failure)
{
    return is_of_whole(s, failure) &&
           (s->device.n == 0 || failure->device.n == 0 || od_view_eq(s->device, failure->device));
}

const struct od_series *od_found_full(const struct od_case *c, const struct od_incident *failure)
{
    static const double full = 0.9;
    OD_FOR_EACH (const struct od_series, s, c->series)
        if (is_of_device(s, failure) && s->min >= full * s->limit)
            return s;
    return NULL;
}

const struct od_series *od_found_room(const struct od_case *c, const struct od_incident *failure)
{
    static const double roomy = 0.5;
    const struct od_series *found = NULL;
    for (size_t i = 0; failure && i < c->series.n; i++) {
        const struct od_series *s = &c->series.items[i];
        /* After the failure the device's memory is already released. */
        bool then = s->at.line < failure->at.line || od_view_eq_str(s->name, at_failure);
        if (!is_of_device(s, failure) || !then)
            continue;
        double asked = failure->requested.known ? (double)failure->requested.hi : 0;
        if (s->max > roomy * s->limit || asked > s->limit - s->max)
            return NULL;
        found = s;
    }
    return found;
}

const struct od_series *od_found_room_then(const struct od_case *c,
                                           const struct od_incident *failure)
{
    const struct od_series *room = od_found_room(c, failure);
    bool then = room && (od_incident_says(failure, OD_SAID_OPENING) ||
                         od_view_eq_str(room->name, at_failure));
    return then ? room : NULL;
}
