#include "advise/first_value.h"

#include "advise/remedy.h"
#include "advise/room.h"
#include "advise/setting_number.h"
#include "advise/standing.h"
#include "rules/start_value.h"

#include <math.h>

/* Share of a container or machine that one process may use; threads, buffers and code need the
 * rest. */
static const double most_of_room = 0.75;
/* Share of a device that one program may use; the context and libraries need the rest. */
static const double most_of_device = 0.95;
/* A change by less than 10 % is not worth advising. */
static const double change = 0.9;

/* The formula of the setting's own row, or to lower it that of the limit that it sets. */
static const char *formula_of(const struct od_start_ask *ask)
{
    const struct od_advice_kind *limit = od_remedy_limit(ask->q, ask->knob->name);
    bool own = ask->knob->start || ask->up || !limit || (limit->shown && ask->today <= 0);
    return own ? ask->knob->start : limit->start;
}

static double bytes_of(struct od_bytes bytes)
{
    return bytes.known ? (double)bytes.n : 0;
}

static double fact_of(const struct od_start_ask *ask, enum od_start_fact fact)
{
    const struct od_failure *failure = ask->q->diagnosis->failure;
    const struct od_incident *ended = failure->run.ended;
    if (fact == OD_START_MACHINE)
        return od_room_of_machine(ask->q);
    if (failure->account.conflict)
        return 0;
    if (fact == OD_START_LIMIT)
        return bytes_of(ended && ended->limit.known ? ended->limit : failure->stated_limit);
    if (!ended)
        return 0;
    switch (fact) {
    case OD_START_DEVICE:
        return bytes_of(failure->capacity);
    case OD_START_FREE: /* memory held by the process itself is available to it, too */
        return failure->account.own.known && failure->account.own.n > 0 ? 0 : bytes_of(ended->free);
    case OD_START_NEED:
        return ended->in_use.known ? bytes_of(ended->in_use) + bytes_of(ended->requested) : 0;
    case OD_START_REQUEST:
        return bytes_of(ended->requested);
    case OD_START_USED:
        return bytes_of(ended->process.rss);
    case OD_START_LIMIT:
    case OD_START_MACHINE:
    case OD_START_END:
        break;
    }
    return 0;
}

/* A share in hundredths, rounded down if less is wanted so that it still fits. */
static struct od_start_amount share_of(const struct od_start_ask *ask, const struct od_start *start)
{
    double whole = fact_of(ask, start->of);
    double part = fact_of(ask, ask->up ? OD_START_NEED : start->fact);
    if (!ask->up && part <= 0) /* beside what it holds itself the request has to have room */
        part = ask->today * whole - fact_of(ask, OD_START_REQUEST);
    double share = whole > 0 ? part / whole : 0;
    share = ask->up ? ceil(100 * share) / 100 : floor(100 * share) / 100;
    if (ask->up && (share <= 0 || share < most_of_device))
        share = most_of_device;
    bool right = share > 0 && share <= most_of_device &&
                 (ask->today <= 0 || (ask->up ? share > ask->today : share < ask->today));
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
    double most = place ? od_room_of_machine(ask->q) : most_of_room * od_room_of_host(ask->q);
    return most > 0 && bytes > most ? most : bytes;
}

struct od_start_amount od_start_value(const struct od_start_ask *ask)
{
    const char *formula = formula_of(ask);
    struct od_view rest = od_view_of(formula ? formula : "");
    struct od_start start;
    while (rest.n > 0 && od_start_take(&rest, &start)) {
        if (start.of != OD_START_NONE)
            return share_of(ask, &start);
        double bytes = start.factor * fact_of(ask, start.fact);
        if (!ask->up && ask->parts > 1)
            bytes /= (double)ask->parts;
        if (ask->up)
            bytes = od_start_within(ask, bytes);
        if (ask->up ? bytes > ask->today : is_less(ask, start.fact, bytes))
            return (struct od_start_amount){bytes, false};
    }
    return (struct od_start_amount){0};
}

/* --- amounts of which each part takes one --- */

static struct od_setting_number number_in_force(const struct od_advise_question *q,
                                                const struct od_software *software,
                                                const struct od_knob *knob, struct od_arena *arena)
{
    const struct od_standing standing = od_standing_of(q, software, knob, false, arena);
    return standing.seen ? od_setting_number_read(standing.seen->value)
                         : (struct od_setting_number){0};
}

uint64_t od_start_parts(const struct od_advise_question *question,
                        const struct od_software *software, const struct od_knob *knob,
                        struct od_arena *arena)
{
    const struct od_knob *count = knob->per ? od_software_knob(software, knob->per) : NULL;
    struct od_setting_number number = {0};
    if (count)
        number = number_in_force(question, software, count, arena);
    return number.known && number.unit.n == 0 ? (uint64_t)number.value : 0;
}

static double bytes_in_force(const struct od_advise_question *q, const struct od_software *software,
                             const struct od_knob *knob, struct od_arena *arena)
{
    struct od_setting_number number = number_in_force(q, software, knob, arena);
    if (number.known && number.unit.n == 0 && knob->unit)
        number.unit = od_view_of(knob->unit);
    return number.known && number.unit.n > 0 ? od_setting_number_bytes(&number) : 0;
}

struct od_count od_start_most_parts(const struct od_advise_question *question,
                                    const struct od_software *software, const char *name,
                                    struct od_arena *arena)
{
    const struct od_start_ask ask = {.q = question};
    double limit = fact_of(&ask, OD_START_LIMIT);
    for (size_t i = 0; limit > 0 && i < software->nknobs; i++) {
        const struct od_knob *knob = &software->knobs[i];
        bool of = knob->per && strcmp(knob->per, name) == 0;
        double each = of ? bytes_in_force(question, software, knob, arena) : 0;
        if (each > 0 && each <= most_of_room * limit)
            return od_count_of((uint64_t)(most_of_room * limit / each));
    }
    return (struct od_count){0};
}

double od_start_needs(const struct od_advise_question *question, struct od_arena *arena)
{
    const struct od_software *driver = question->diagnosis->failure->stack.driver;
    double needs = 0;
    for (size_t i = 0; driver && i < driver->nknobs; i++) {
        const struct od_knob *knob = &driver->knobs[i];
        uint64_t parts = od_start_parts(question, driver, knob, arena);
        double each = parts > 0 ? bytes_in_force(question, driver, knob, arena) : 0;
        needs = fmax(needs, each * (double)parts / most_of_room);
    }
    return needs;
}
