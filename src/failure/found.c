#include "failure/found.h"

#include "failure/failure.h"

bool od_found_is_a_name(struct od_view value)
{
    for (size_t i = 0; i < value.n; i++)
        if (strchr("_-=(.", value.p[i]))
            return true;
    return false;
}

/* A batch that worked is an upper bound of what fits, and the advice for the batch size states it
 * anyway. */
static bool is_a_bound(const struct od_case *c, const struct od_setting *found)
{
    for (size_t i = 0; i < c->settings.n; i++)
        if (c->settings.items[i].id == OD_SETTING_BATCH_WORKED &&
            od_prov_distance(&c->settings.items[i].said.at, &found->said.at) == 0)
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

bool od_found_worked_with(const struct od_case *c, const struct od_setting *setting)
{
    for (size_t i = 0; i < c->settings.n; i++)
        if (c->settings.items[i].id == OD_SETTING_FOUND_WORKED &&
            od_prov_distance(&c->settings.items[i].said.at, &setting->said.at) == 0)
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

/* "--tiles" of "--tiles=4" and "--tiles 4", "limit(" of "limit(N)". */
static struct od_view form_of(struct od_view value)
{
    size_t n = 0;
    while (n < value.n && !strchr("= (", value.p[n]))
        n++;
    return od_view_head(value, n + (n < value.n && value.p[n] == '('));
}

static bool is_form(struct od_view value, const char *form)
{
    struct od_view fixed = form ? od_knob_fixed(form) : (struct od_view){0};
    return fixed.n > 0 && od_view_eq(form_of(value), form_of(fixed));
}

/* A flag that has the name of the setting is meant, whatever program takes it. */
static bool is_meant(const struct od_setting *setting, const char *name, const struct od_knob *knob)
{
    struct od_view value = setting->value, flag = form_of(value);
    while (flag.n > 0 && flag.p[0] == '-')
        flag = od_view_from(flag, 1);
    if (od_view_eq_str(value, name) || (value.p[0] == '-' && od_view_eq_str(flag, name)))
        return true;
    return knob && (is_form(value, knob->flag) || is_form(value, knob->key) ||
                    is_form(value, knob->env) || is_form(value, knob->set));
}

bool od_found_failed(const struct od_case *c, struct od_view name)
{
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        if (setting->id == OD_SETTING_FOUND_FAILED && od_view_eq(form_of(setting->value), name))
            return true;
    return false;
}

int od_found_of(const struct od_case *c, const char *name, const struct od_knob *knob)
{
    bool vain = false;
    OD_FOR_EACH (const struct od_setting, setting, c->settings) {
        bool worked = setting->id == OD_SETTING_FOUND_WORKED,
             failed = setting->id == OD_SETTING_FOUND_FAILED;
        if ((!worked && !failed) || !is_meant(setting, name, knob))
            continue;
        if (worked && !is_a_bound(c, setting))
            return 1;
        vain = vain || strcmp(name, "batch") != 0 || is_least(c, setting);
    }
    bool batch = strcmp(name, "batch") == 0 && od_case_setting(c, OD_SETTING_BATCH_WORKED).n > 0;
    return vain && !batch ? -1 : 0;
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
