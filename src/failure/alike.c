#include "failure/alike.h"

#include "base/daytime.h"

#include <math.h>

/* A pool of workers has at least LEAST processes and holds at least 1/PARTS of the limit. It may
 * have up to HELPERS further processes. */
enum { LEAST = 3, PARTS = 3, HELPERS = 3 };

/* a process this many times larger than the others is not one of them */
static const double much_more = 2;
/* if the failed process is larger than each of them: they hold this share of it together */
static const double as_much = 0.75;
static const double slack = 0.95; /* ratio from which two sizes count as equal */
static const double libraries = 1.25;

/* The other processes: in a group, which is one job, those of the name that holds most, which may
 * be children of the failed one; otherwise those of the failed one's name. */
static const struct od_held *others_of(const struct od_account *account)
{
    const struct od_held *found =
        od_account_is_of_group(account) ? od_account_largest(account) : NULL;
    for (size_t i = 0; i < account->n && !found; i++)
        if (account->holdings[i].kind == OD_HELD_PROCESSES && account->victim.name.n > 0 &&
            od_view_eq(account->holdings[i].name, account->victim.name))
            found = &account->holdings[i];
    return found && found->count.known && found->bytes.known ? found : NULL;
}

/* Adds the failed process. If there is one process more than the run states, the smallest is the
 * one that started them. A killed process that is larger than the others shows better how much each
 * needs. */
static struct od_alike with_victim(const struct od_held *others, double victim,
                                   struct od_count stated)
{
    double all = od_held_bytes(others) + victim;
    struct od_alike alike = {
        .failed = OD_ALIKE_KIN, .name = others->name, .count = others->count.n + 1, .bytes = all};
    if (stated.known && alike.count == stated.n + 1 && others->least.known) {
        alike.count = stated.n;
        alike.bytes -= fmin((double)others->least.n, victim);
    }
    double mean = alike.bytes / (double)alike.count;
    alike.each = mean < slack * victim ? victim : mean;
    return alike;
}

struct od_alike od_alike_of(const struct od_account *account, struct od_count stated)
{
    const struct od_held *others = others_of(account);
    double victim = od_held_bytes(&account->victim);
    struct od_alike alike = {0};
    if (!others || others->count.n == 0 || account->conflict)
        return alike;
    bool kin = od_view_eq(others->name, account->victim.name);
    double held = od_held_bytes(others), mean = held / (double)others->count.n;
    bool as_stated = stated.known && others->count.n == stated.n;
    /* the run states the number of the others, and one of them would have to hold a negative
     * amount */
    bool parent = as_stated && (!kin || held < slack * (double)(stated.n - 1) * victim);
    if (kin && !parent && victim <= much_more * mean)
        alike = with_victim(others, victim, stated);
    else if (!kin || parent || held >= as_much * victim)
        alike = (struct od_alike){.name = others->name,
                                  .count = others->count.n,
                                  .each = mean,
                                  .bytes = held,
                                  .begun = parent && !kin,
                                  .failed = parent ? OD_ALIKE_KIN
                                            : !kin ? OD_ALIKE_OTHERS
                                                   : OD_ALIKE_LARGER};
    /* if others hold most, the number of these processes is not what to change */
    struct od_bytes limit = account->limit.bytes;
    bool minor = limit.known && alike.bytes * PARTS < (double)limit.n;
    double swapped = account->swap_used.known ? (double)account->swap_used.hi : 0;
    /* each process counts the pages of libraries; they are a small part of its memory */
    double own = limit.known ? (double)limit.hi : (double)INFINITY;
    OD_FOR_EACH_OF (const struct od_held, held_by, account->holdings, account->n)
        if (held_by->kind == OD_HELD_ANON) /* memory that no other process shares */
            own = fmin(own, (double)held_by->bytes.n);
    alike.shared = limit.known && alike.bytes > libraries * (own + swapped);
    double all = limit.known ? (double)limit.lo + swapped : alike.bytes;
    if (!alike.shared && alike.bytes > all) {
        alike.each *= all / alike.bytes;
        alike.bytes = all;
    }
    bool fewer = stated.known && (alike.count > stated.n + HELPERS || 2 * alike.count < stated.n);
    return alike.count < LEAST || fewer || minor ? (struct od_alike){0} : alike;
}

/* The largest process of that name when it was killed, and how often one was. */
static double largest_killed(const struct od_case *c, struct od_view name, uint64_t *ret_kills)
{
    double most = 0;
    OD_FOR_EACH (const struct od_incident, incident, c->incidents) {
        bool of = od_incident_kind_is_guard(incident->kind) && incident->process.rss.known &&
                  od_view_eq(incident->process.name, name);
        most = of ? fmax(most, (double)incident->process.rss.n) : most;
        *ret_kills += of;
    }
    return most;
}

struct od_alike_fits od_alike_fits_of(const struct od_case *c, const struct od_alike *alike,
                                      struct od_bytes limit, uint64_t stated)
{
    enum { MANY = 3 };              /* this many kills show how large a process becomes */
    static const double most = 0.9; /* share of the limit */
    uint64_t kills = 0;
    if (alike->count == 0 || !limit.known || alike->failed == OD_ALIKE_LARGER ||
        (alike->shared && alike->failed != OD_ALIKE_KIN))
        return (struct od_alike_fits){0};
    double each = fmax(alike->each, largest_killed(c, alike->name, &kills));
    /* memory of the process that started them */
    double rest = alike->shared ? each : fmax((double)limit.n - alike->bytes, 0);
    double n = floor((most * (double)limit.n - rest) / each);
    if (kills < MANY) /* the other processes may have grown later */
        n = floor(n / 2);
    return (struct od_alike_fits){.each = od_bytes_exact((uint64_t)each),
                                  .fits = n < (double)stated ? od_count_of((uint64_t)fmax(n, 1))
                                                             : (struct od_count){0}};
}

static bool read_stamp(struct od_view stamp, double *ret_seconds)
{
    return od_daytime_head(stamp, ret_seconds) || od_num_parse_double(stamp, ret_seconds);
}

uint64_t od_alike_killed(const struct od_case *c, const struct od_incident *failure)
{
    uint64_t killed = 0;
    double at, then;
    if (!failure || failure->process.name.n == 0 || !read_stamp(failure->stamp, &at))
        return 0;
    OD_FOR_EACH (const struct od_incident, other, c->incidents)
        killed += other->kind == failure->kind && other->process.pid.n != failure->process.pid.n &&
                  od_view_eq(other->process.name, failure->process.name) &&
                  !(other->process.rss.known && other->process.rss.n == 0) &&
                  read_stamp(other->stamp, &then) && fabs(then - at) <= 1;
    return killed;
}
