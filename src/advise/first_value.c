#include "advise/first_value.h"

#include "advise/remedy.h"
#include "advise/room.h"
#include "rules/start_value.h"

#include <math.h>

/* Share of a container or machine for one process; threads, buffers and code need the rest. */
static const double most_of_room = 0.75;
/* Share of a device for one program; the context and libraries need the rest. */
static const double most_of_device = 0.95;
/* A change of less than 10 % is not worth advising. */
static const double change = 0.9;

/* For a size of each thread or process: half of the memory for all of them. */
static const char halved[] = "limit x 0.5 or machine x 0.5";

/* The formula of the setting's own row; to lower it, otherwise that of the limit it sets. */
static const char *formula_of(const struct od_start_ask *ask)
{
    const struct od_advice_kind *limit = od_remedy_limit(ask->q, ask->knob->name);
    bool own = ask->knob->start || ask->up || !limit || (limit->shown && ask->today <= 0);
    return own ? ask->knob->start : limit->start;
}

static double fact_of(const struct od_start_ask *ask, enum od_start_fact fact)
{
    const struct od_failure *failure = ask->q->diagnosis->failure;
    const struct od_incident *ended = failure->run.ended;
    if (fact == OD_START_MACHINE)
        return od_room_of_machine(ask->q);
    if (failure->account.conflict)
        return 0;
    const struct od_account *account = &failure->account;
    bool place = od_account_is_of_group(account) || account->scope == OD_SCOPE_ADDRESSES;
    if (fact == OD_START_LIMIT)
        return (double)(ended && ended->limit.known ? ended->limit
                        : place                     ? account->limit.bytes
                                                    : failure->stated_limit)
            .n;
    if (!ended)
        return 0;
    switch (fact) {
    case OD_START_DEVICE:
        return (double)failure->capacity.n;
    case OD_START_FREE: /* the process's own memory is available to it */
        return failure->account.own.known ? 0 : (double)ended->free.n;
    case OD_START_REQUEST:
        return (double)ended->requested.n;
    case OD_START_USED:
        return (double)ended->process.rss.n;
    case OD_START_LIMIT:
    case OD_START_MACHINE:
    case OD_START_END:
        break;
    }
    return 0;
}

/* A share in hundredths, rounded down so that it fits. */
static struct od_start_amount share_of(const struct od_start_ask *ask, const struct od_start *start)
{
    if (ask->up)
        return (struct od_start_amount){ask->today < most_of_device ? most_of_device : 0, true};
    double whole = fact_of(ask, start->of), part = fact_of(ask, start->fact);
    if (part <= 0) /* the request must fit besides the process's own memory */
        part = ask->today * whole - fact_of(ask, OD_START_REQUEST);
    double share = whole > 0 ? floor(100 * part / whole) / 100 : 0;
    bool right = share > 0 && share <= most_of_device && (ask->today <= 0 || share < ask->today);
    return (struct od_start_amount){right ? share : 0, true};
}

/* Is the value clearly below the current one? A share of the machine, which has other processes,
 * must be at most half. */
static bool is_less(const struct od_start_ask *ask, enum od_start_fact fact, double bytes)
{
    static const double half = 0.5;
    double used = fact_of(ask, OD_START_USED);
    double most = (fact == OD_START_MACHINE ? half : change) * ask->today;
    return bytes > 0 && (ask->today > 0 ? bytes <= most : used <= 0 || bytes < used);
}

/* a container may be enlarged up to the size of the machine */
double od_start_within(const struct od_start_ask *ask, double bytes)
{
    const struct od_advice_kind *limit = od_remedy_limit(ask->q, ask->knob->name);
    bool place = limit && strcmp(limit->name, "place") == 0;
    double most = !limit  ? 0 /* swap is outside of the limit */
                  : place ? od_room_of_machine(ask->q)
                          : most_of_room * od_room_of_host(ask->q);
    return most > 0 && bytes > most ? most : bytes;
}

double od_start_least(const struct od_start_ask *ask)
{
    const struct od_advice_kind *limit = od_remedy_limit(ask->q, ask->knob->name);
    return (double)(ask->knob->least > 0 || !limit ? ask->knob->least : limit->least);
}

struct od_start_amount od_start_value(const struct od_start_ask *ask)
{
    const struct od_set_amount *allowed = &ask->q->diagnosis->failure->account.allowed;
    bool shared = !ask->up && allowed->knob == ask->knob && allowed->times > 1;
    const char *formula = shared ? halved : formula_of(ask);
    struct od_view rest = od_view_of(formula ? formula : "");
    struct od_start start;
    while (rest.n > 0 && od_start_take(&rest, &start)) {
        if (start.of != OD_START_NONE)
            return share_of(ask, &start);
        double bytes = start.factor * fact_of(ask, start.fact);
        if (shared)
            bytes /= (double)allowed->times;
        else if (!ask->up && allowed->knob == ask->knob)
            bytes = fmax(bytes - (double)allowed->extra, 0);
        if (ask->up)
            bytes = od_start_within(ask, bytes);
        if (bytes >= od_start_least(ask) &&
            (ask->up ? bytes > ask->today : is_less(ask, start.fact, bytes)))
            return (struct od_start_amount){bytes, false};
    }
    return (struct od_start_amount){0};
}
