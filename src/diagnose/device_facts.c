/* Facts about devices, their pools and limits (section of that name in rules/facts.def). */
#include "diagnose/taker.h"
#include "failure/bound.h"
#include "failure/found.h"
#include "failure/level.h"
#include "rules/software.h"

/* --- limits other than RAM --- */

static void take_limit(const struct taker *t)
{
    const struct od_account *account = &t->failure->account;
    const struct od_enforcer *row = account->enforcer;
    struct od_host_level level = od_host_level_near(t->c, &t->incident->at);
    bool host = od_incident_kind_is_host(t->incident->kind);
    struct od_amount machine = {level.capacity, OD_SCOPE_MACHINE},
                     asked = {t->incident->requested, host ? OD_SCOPE_PROCESS : OD_SCOPE_DEVICE};
    const struct od_setting *set = od_bound_of_process(t->c, account, t->incident);
    take_line(t, OD_FACT_ADDRESSES_SET, set ? &set->said : NULL);
    take_truth(t, OD_FACT_BEYOND_MACHINE,
               od_beyond_machines(t->failure->need) || od_amount_less(machine, asked) == OD_YES);
    take_amount(t, OD_FACT_MACHINE_FREE, od_host_level_free(&level), machine.scope);
    take_amount(t, OD_FACT_MACHINE_SIZE, machine.bytes, machine.scope);
    take_text(t, OD_FACT_MACHINE_MEASURED, level.later ? "next" : "last");
    if (!row)
        return;
    take_truth(t, OD_FACT_LIMIT_STATED, row->certain);
    take_text(t, OD_FACT_LIMIT_REACHED, row->reached);
    take_text(t, OD_FACT_LIMIT_WHY, row->why);
    take_text(t, OD_FACT_LIMIT_REMEDY, row->first);
    take_truth(t, OD_FACT_LIMIT_WITH_ROOM, row->room);
    if (row->room && od_host_level_free(&level).known)
        t->facts->said[OD_FACT_LIMIT_WITH_ROOM] = copy_line(t, level.said);
}

/* --- limits of a device's pool --- */

/* A pool smaller than this share of the device is limited by a setting. */
static const double own_share = 0.6;

/* The last setting in the log that limits the program to a small fraction of the device. */
static const struct od_setting *fraction_of(const struct od_case *c)
{
    for (size_t i = c->settings.n; i > 0; i--) {
        const struct od_setting *setting = &c->settings.items[i - 1];
        double fraction;
        if (setting->id == OD_SETTING_GPU_MEMORY_FRACTION &&
            od_num_parse_double(setting->value, &fraction) && fraction > 0 && fraction < own_share)
            return setting;
    }
    return NULL;
}

static void take_cap(const struct taker *t)
{
    static const uint64_t reserve = UINT64_C(512)
                                    << 20; /* a framework leaves this much to libraries */
    const struct od_failure *failure = t->failure;
    const struct od_setting *fraction = fraction_of(t->c);
    struct od_bytes start = failure->free_at_start;
    take_bytes(t, OD_FACT_FREE_AT_START, start);
    if (start.known)
        take_bytes(t, OD_FACT_TAKEABLE,
                   od_bytes_exact(start.lo > reserve ? start.lo - reserve : 0));
    if (failure->limit.n == 0)
        take_bytes(t, OD_FACT_LIMIT, (struct od_bytes){0});
    if (od_failure_is_beyond_a_piece(failure))
        take_bytes(t, OD_FACT_PIECE, t->incident->limit);
    if (fraction) {
        take_text(t, OD_FACT_FRACTION, od_arena_str(t->context->arena, fraction->value));
        t->facts->said[OD_FACT_FRACTION] = &fraction->said;
    }
    t->facts->said[OD_FACT_FREE_AT_START] = failure->device_said;
}

/* Did the pool hold as much at an earlier time? Then only fragmentation can be the cause. */
static bool fitted_before(const struct taker *t)
{
    const struct od_failure *failure = t->failure;
    struct od_count most =
        failure->dump ? failure->dump->dump.stats.max_in_use : (struct od_count){0};
    uint64_t wanted;
    if (!failure->in_use.known || !failure->need.known ||
        ckd_add(&wanted, failure->in_use.n, failure->need.hi))
        return false;
    OD_FOR_EACH (const struct od_memory_state, state, t->c->states)
        if (od_view_eq_str(state->name, "memory_summary") &&
            state->said.at.source == t->incident->at.source && state->peak.lo >= wanted)
            return true;
    return most.n >= wanted;
}

static void take_holes(const struct taker *t)
{
    const struct od_failure *failure = t->failure;
    bool holes = failure->dump && failure->verdict == OD_VERDICT_FRAGMENTED;
    take_truth(t, OD_FACT_IN_HOLES, holes);
    take_bytes(t, OD_FACT_LARGEST_FREE, t->incident->largest);
    if (!holes)
        return;
    take_bytes(t, OD_FACT_FREE, od_bytes_exact(failure->dump->usable.bytes));
    take_bytes(t, OD_FACT_LARGEST_FREE, od_bytes_exact(failure->dump->usable.largest));
    take_count(t, OD_FACT_FREE_CHUNKS, od_count_of(failure->dump->usable.count));
}

static struct od_bytes exact(struct od_count count)
{
    return count.known ? od_bytes_exact(count.n) : (struct od_bytes){0};
}

static void take_pool(const struct taker *t)
{
    const struct od_failure *failure = t->failure;
    const struct od_account *account = &failure->account;
    struct od_accumulation piled = od_failure_accumulation(failure);
    struct od_bytes own = account->own, foreign = account->outside;
    take_bytes(t, OD_FACT_RESERVED, own);
    take_bytes(t, OD_FACT_WANTED, od_bytes_add(own, t->incident->requested));
    if (account->named.known)
        foreign = foreign.known ? od_bytes_add(foreign, account->named) : account->named;
    take_bytes(t, OD_FACT_FOREIGN, foreign);
    take_truth(t, OD_FACT_RAN_LONG, piled.ran_long);
    take_truth(t, OD_FACT_PILED, piled.many);
}

/* --- others on the device --- */

/* A measurement that shows the device full: the request is larger than the free memory, but not
 * larger than the device. */
static const struct od_series *full_table(const struct taker *t)
{
    const struct od_series *full = od_found_full(t->c, t->incident);
    double asked = (double)t->incident->requested.lo;
    bool fits = asked > 0 && full && (asked <= full->limit - full->min || asked > full->limit);
    return fits ? NULL : full;
}

static void take_others(const struct taker *t)
{
    const struct od_failure *failure = t->failure;
    const struct od_account *account = &failure->account;
    const struct od_series *full = full_table(t), *room = od_found_room(t->c, t->incident);
    if (account->named.n > 0)
        take_bytes(t, OD_FACT_NAMED, account->named);
    if (account->ranks.n > 0)
        take_bytes(t, OD_FACT_OF_RANKS, account->ranks);
    /* a process that only opens the device has allocated nothing on it yet */
    const struct od_incident *inc = t->incident;
    struct od_bytes taken = od_bytes_sub(inc->capacity, inc->free);
    bool opens = inc->kind == OD_INC_DEVICE_CONTEXT_FAILED && inc->requested.known && taken.known &&
                 od_amount_less((struct od_amount){inc->free, OD_SCOPE_DEVICE}, account->request) !=
                     OD_NO,
         most;
    take_bytes(t, OD_FACT_HELD_BY_OTHERS,
               opens ? taken : od_failure_held_by_others(failure, &most));
    take_series(t, OD_FACT_TABLE_FULL, full);
    take_series(t, OD_FACT_ROOM_MEASURED, room);
}

/* Are there only one or two chunks of this size, each many times as large as the failed tensor
 * needs for its batch? */
static bool is_huge(const struct od_size *size, const struct od_failure *failure)
{
    enum { MOST = 2, TIMES = 8 };
    static const double tenth = 0.1;
    /* no layer keeps this much memory for one sample */
    static const uint64_t of_sample = 64U << 20;
    uint64_t of_one = size->bytes / failure->hint.batch.n;
    return size->count <= MOST && of_one >= of_sample &&
           (double)size->total >= tenth * (double)failure->dump->in_use_bytes &&
           of_one / TIMES >= failure->hint.per_sample.n;
}

static void take_huge(const struct taker *t)
{
    static const double half = 0.5, fifth = 0.2; /* shares of the memory in use */
    const struct od_failure *failure = t->failure;
    uint64_t total = 0, count = 0, largest = 0;
    if (!failure->dump || !failure->dump->has_chunks || failure->hint.batch.n == 0 ||
        !failure->hint.per_sample.known)
        return;
    OD_FOR_EACH_OF (const struct od_size, size, failure->dump->sizes, failure->dump->nsizes) {
        if (!is_huge(size, failure) || ckd_add(&total, total, size->total))
            continue;
        count += size->count;
        largest = size->bytes > largest ? size->bytes : largest;
    }
    if (count == 0 || (double)total < half * (double)failure->dump->in_use_bytes ||
        (double)largest < fifth * (double)failure->dump->in_use_bytes)
        return;
    take_count(t, OD_FACT_HUGE_CHUNKS_COUNT, od_count_of(count));
    take_bytes(t, OD_FACT_HUGE_CHUNKS_BYTES, od_bytes_exact(total));
}

/* Is the data, by its printed shape and with any type, far smaller than the request? */
static bool is_data_small(const struct taker *t)
{
    static const double widest = 8, far = 4; /* bytes of an element; factor of the comparison */
    const struct od_memory_state *data = od_case_find_state(t->c, "dataset");
    uint64_t elements;
    return data && od_shape_elements(&data->shape, &elements) &&
           (double)elements * widest * far < (double)t->failure->need.lo;
}

static void take_data_set(const struct taker *t)
{
    enum { SAMPLES_LEAST = 1000 };
    static const uint64_t large = 256U << 20; /* a smaller request may be a batch */
    const struct od_failure *failure = t->failure;
    const struct od_product *product = t->context->fit->facts.product;
    bool of_data = product && product->kind == OD_PRODUCT_DATA && product->first >= SAMPLES_LEAST &&
                   failure->need.lo >= large;
    take_truth(t, OD_FACT_SIZE_OF_DATA, of_data);
    if (od_failure_is_device(failure) && (of_data || failure->hint.dataset_like))
        take_count(t, OD_FACT_SAMPLES_COUNT,
                   od_count_of(of_data ? product->first : t->incident->tensor.shape.dims[0]));
    take_huge(t);
}

/* Refusals after the failure or in another attempt belong to another run. Only the first few are
 * kept. */
static bool refused_before(const struct taker *t)
{
    const struct od_case *c = t->c;
    size_t n = c->driver_refusals.n;
    struct od_prov start = od_start_of(c, t->incident);
    if (c->driver_refusal_count > n)
        return od_prov_cmp(&c->driver_refusals.items[0].at, &t->incident->last) < 0;
    for (size_t i = 0; i < n; i++) {
        const struct od_prov *at = &c->driver_refusals.items[i].at;
        if (od_prov_cmp(at, &t->incident->last) < 0 &&
            (at->source != start.source || od_prov_cmp(at, &start) >= 0))
            return true;
    }
    return false;
}

void od_take_driver(const struct taker *t)
{
    const struct od_case *c = t->c;
    uint64_t n = c->driver_refusal_count;
    take_count(t, OD_FACT_DRIVER_REFUSALS, od_count_of(n));
    take_text(t, OD_FACT_REFUSAL_TIMES, times_words(t->context->arena, n));
    take_bytes(t, OD_FACT_LARGEST_REFUSED, c->driver_refused_largest);
    take_bytes(t, OD_FACT_SMALLEST_REFUSED, c->driver_refused_smallest);
    t->facts->said[OD_FACT_DRIVER_REFUSALS] = c->driver_refusals.items;
    t->facts->nsaid[OD_FACT_DRIVER_REFUSALS] = c->driver_refusals.n;
}

static void take_refusal(const struct taker *t)
{
    const struct od_series *room = od_found_room_then(t->c, t->incident);
    take_series(t, OD_FACT_ROOM_SHOWN, room);
    if (!room)
        return;
    take_bytes(t, OD_FACT_ROOM_USED, od_bytes_exact((uint64_t)room->last));
    take_bytes(t, OD_FACT_ROOM_SIZE, od_bytes_exact((uint64_t)room->limit));
}

/* --- the batch, by an estimate --- */

static const double clearly = 0.8; /* probability that a batch fits, or that it does not */

/* Did a smaller batch train while this or another one failed, according to the log or to people? */
static bool smaller_worked(const struct od_fit *fit)
{
    uint64_t failed = fit->facts.batch.known ? fit->facts.batch.n : fit->facts.failed;
    return fit->known && fit->facts.worked > 0 && fit->facts.worked < failed;
}

/* Did the run fail in its first steps while its own tensors filled the device? Nothing has
 * accumulated by then, so the step needs more than estimated. */
static bool filled_by_first_step(const struct od_failure *failure)
{
    const struct od_account *h = &failure->account;
    bool exhausted = failure->dump && failure->dump->verdict == OD_VERDICT_EXHAUSTED;
    return failure->progress == 0 && (exhausted || (h->own.known && !h->in_pieces && !h->tenant));
}

static void take_fit(const struct taker *t)
{
    const struct od_fit *fit = t->context->fit;
    bool worked = smaller_worked(fit);
    take_truth(t, OD_FACT_SMALLER_WORKED, worked);
    if (fit->batch_fits < 0)
        return;
    take_truth(t, OD_FACT_STEP_FITS,
               fit->batch_fits >= clearly && !worked && !filled_by_first_step(t->failure));
    take_percent(t, OD_FACT_BATCH_FITS, fit->batch_fits);
}

static void take_rows(const struct taker *t)
{
    const struct od_failure *failure = t->failure;
    const struct od_account *account = &t->failure->account;
    const struct od_incident *inc = t->incident;
    const struct od_fit *fit = t->context->fit;
    const struct od_software *driver = t->failure->stack.driver;
#define OD_TAKEN_DEVICE
#include "diagnose/taken.def"
}

void od_take_device(const struct taker *t)
{
    take_rows(t);
    take_cap(t);
    take_limit(t);
    take_holes(t);
    take_pool(t);
    take_others(t);
    take_data_set(t);
    take_refusal(t);
    take_fit(t);
}
