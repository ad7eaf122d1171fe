/* Processes of one kind that hold the memory together, by the kernel's table. */
#include "answer/host_parts.h"

#include <math.h>

enum { LEAST = 3, PARTS = 3 }; /* fewer are no pool, nor is what holds less of the limit */

static const double much_more = 2; /* than the others: it is not one of them */
static const double libraries = 1.25;
static const double slack = 0.95; /* of processes that are alike */

static bool is_named(const struct od_held *held, struct od_view name)
{
    return name.n > 0 && od_view_eq(held->name, name) && held->count.known && held->bytes.known &&
           held->kind == OD_HELD_PROCESSES;
}

/* The other processes of the victim's name; in a group, those of the name that holds most. */
static const struct od_held *others_of(const struct od_account *account, bool *ret_alike)
{
    for (size_t i = 0; i < account->n; i++) {
        *ret_alike = is_named(&account->holdings[i], account->victim.name);
        if (*ret_alike)
            return &account->holdings[i];
    }
    const struct od_held *most =
        od_account_is_of_group(account) ? od_account_largest(account) : NULL;
    return most && is_named(most, most->name) ? most : NULL;
}

/* One process more than the run states is the one that started them: the smallest of all. A killed
 * one that is larger than the others tells better what each needs. */
static struct od_pool with_victim(const struct od_held *others, double victim,
                                  struct od_count stated)
{
    double all = od_held_bytes(others) + victim;
    struct od_pool pool = {.name = others->name, .count = others->count.n + 1, .bytes = all};
    if (stated.known && pool.count == stated.n + 1 && others->least.known) {
        pool.count = stated.n;
        pool.bytes -= fmin((double)others->least.n, victim);
    }
    double mean = pool.bytes / (double)pool.count;
    pool.each = mean < slack * victim ? victim : mean;
    return pool;
}

struct od_pool od_host_pool(const struct od_account *account, struct od_count stated)
{
    bool alike = false;
    const struct od_held *others = others_of(account, &alike);
    double victim = od_held_bytes(&account->victim);
    struct od_pool pool = {0};
    if (!others || others->count.n == 0 || account->conflict)
        return pool;
    double held = od_held_bytes(others), mean = held / (double)others->count.n;
    bool as_stated = stated.known && others->count.n == stated.n;
    /* the others are what the run states, and one of them would have to hold less than nothing */
    bool parent = as_stated && held < slack * (double)(stated.n - 1) * victim;
    if (!alike || parent)
        pool = (struct od_pool){
            .name = others->name, .count = others->count.n, .each = mean, .bytes = held};
    else if (victim <= much_more * mean)
        pool = with_victim(others, victim, stated);
    /* where others hold most, their number is not what to change */
    struct od_bytes limit = account->limit.bytes;
    bool minor = limit.known && pool.bytes * PARTS < (double)limit.n;
    double swapped = account->swap_used.known ? (double)account->swap_used.hi : 0;
    /* pages of libraries, which each of them counts, are not much of it */
    pool.shared = limit.known && pool.bytes > libraries * ((double)limit.hi + swapped);
    double all = limit.known ? (double)limit.lo + swapped : pool.bytes;
    if (!pool.shared && pool.bytes > all) {
        pool.each *= all / pool.bytes;
        pool.bytes = all;
    }
    bool fewer = stated.known && (pool.count > stated.n || 2 * pool.count < stated.n);
    bool unclear = pool.shared && (!alike || !stated.known);
    return pool.count < LEAST || fewer || minor || unclear ? (struct od_pool){0} : pool;
}
