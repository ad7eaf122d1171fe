#include "failure/found.h"

#include "failure/failure.h"

const struct od_setting *od_found_said(const struct od_case *c, const struct od_failure *failure,
                                       enum od_setting_id what, bool bounds)
{
    const struct od_setting *found = NULL;
    OD_FOR_EACH (const struct od_setting, setting, c->settings)
        if (setting->id == what && (bounds || !od_tries_are_bounds(failure, setting)) &&
            (!found || od_is_written_name(setting->value) || !od_is_written_name(found->value)))
            found = setting;
    return found;
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

/* Excludes the failed process if its memory is known. One of many processes of a name is no holder:
 * the server restarts it if a person ends it. */
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

/* Does the series measure all memory in use on a device, in the source of the failure? */
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
    /* idle: only a desktop or a context; full: too little is free for a request */
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

static const char at_failure[] = "at the failure"; /* name in rules/measured_device.yaml */

/* Does the series measure the failed device, or one without a number? */
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
        /* the memory of the device is released after the failure */
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
