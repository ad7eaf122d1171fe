#include "advise/first_value.h"

#include "advise/remedy.h"
#include "advise/room.h"
#include "rules/start_value.h"

#include <math.h>

/* Share of a container or machine that one process may use; threads, buffers and code need the
 * rest. */
static const double most_of_room = 0.75;
/* Share of a device that one program may use; the context and libraries need the rest. */
static const double most_of_device = 0.95;
/* Programs refuse or ignore a limit below it: PostgreSQL's maintenance_work_mem has this minimum.
 */
static const double least_limit = 1 << 20;
/* A change by less than 10 % is not worth advising. */
static const double change = 0.9;

/* For all that take a size each: what else there is takes the other half. */
static const char halved[] = "limit x 0.5 or machine x 0.5";

/* The formula of the setting's own row, or to lower it that of the limit that it sets. */
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
    case OD_START_FREE: /* memory held by the process itself is available to it, too */
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

/* A share in hundredths, rounded down so that it still fits. */
static struct od_start_amount share_of(const struct od_start_ask *ask, const struct od_start *start)
{
    if (ask->up)
        return (struct od_start_amount){ask->today < most_of_device ? most_of_device : 0, true};
    double whole = fact_of(ask, start->of), part = fact_of(ask, start->fact);
    if (part <= 0) /* beside what it holds itself the request has to have room */
        part = ask->today * whole - fact_of(ask, OD_START_REQUEST);
    double share = whole > 0 ? floor(100 * part / whole) / 100 : 0;
    bool right = share > 0 && share <= most_of_device && (ask->today <= 0 || share < ask->today);
    return (struct od_start_amount){right ? share : 0, true};
}

/* Is the value clearly less than today's? A share of the machine, which has other processes too,
 * must be at most half of it. */
static bool is_less(const struct od_start_ask *ask, enum od_start_fact fact, double bytes)
{
    static const double half = 0.5;
    double used = fact_of(ask, OD_START_USED);
    double most = (fact == OD_START_MACHINE ? half : change) * ask->today;
    return bytes > 0 && (ask->today > 0 ? bytes <= most : used <= 0 || bytes < used);
}

/* the container itself may be raised up to the size of the machine */
double od_start_within(const struct od_start_ask *ask, double bytes)
{
    const struct od_advice_kind *limit = od_remedy_limit(ask->q, ask->knob->name);
    bool place = limit && strcmp(limit->name, "place") == 0;
    double most = !limit  ? 0 /* swap lies outside of it */
                  : place ? od_room_of_machine(ask->q)
                          : most_of_room * od_room_of_host(ask->q);
    return most > 0 && bytes > most ? most : bytes;
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
            bytes = fmax(bytes - (double)allowed->beside, 0);
        if (ask->up)
            bytes = od_start_within(ask, bytes);
        bool small = bytes < least_limit && strcmp(ask->knob->name, "stack") != 0;
        if (!small && (ask->up ? bytes > ask->today : is_less(ask, start.fact, bytes)))
            return (struct od_start_amount){bytes, false};
    }
    return (struct od_start_amount){0};
}
