#include "plan/largest_batch.h"

static bool fits(const struct od_batch_question *q, uint64_t batch, double probability)
{
    return q->fits(q->self, batch) >= probability;
}

static uint64_t bisect(const struct od_batch_question *q, double probability, uint64_t lo,
                       uint64_t hi)
{
    while (hi - lo > 1) {
        uint64_t middle = lo + (hi - lo) / 2;
        if (fits(q, middle, probability))
            lo = middle;
        else
            hi = middle;
    }
    return lo;
}

/* Moves away from the guess in growing steps until the answer is between two tried values. */
uint64_t od_batch_search(const struct od_batch_question *q, double probability)
{
    uint64_t at = q->guess > 0 && q->guess < OD_BATCH_MOST ? q->guess : 1;
    uint64_t step = 1 + at / 64;
    if (fits(q, at, probability)) {
        uint64_t lo = at;
        for (;; step *= 4) {
            uint64_t next = lo + step;
            if (next >= OD_BATCH_MOST) {
                if (fits(q, OD_BATCH_MOST, probability))
                    return OD_BATCH_MOST;
                return bisect(q, probability, lo, OD_BATCH_MOST);
            }
            if (!fits(q, next, probability))
                return bisect(q, probability, lo, next);
            lo = next;
        }
    }
    uint64_t hi = at;
    for (;; step *= 4) {
        if (hi <= step)
            return hi > 1 && fits(q, 1, probability) ? bisect(q, probability, 1, hi) : 0;
        uint64_t next = hi - step;
        if (fits(q, next, probability))
            return bisect(q, probability, next, hi);
        hi = next;
    }
}

uint64_t od_batch_power_of_two(uint64_t n)
{
    return n == 0 ? 0 : (uint64_t)1 << (63 - __builtin_clzll(n));
}

uint64_t od_batch_multiple_of_8(uint64_t n)
{
    return n < 8 ? od_batch_power_of_two(n) : n - n % 8;
}

/* Estimates of one workload at many batch sizes. */
struct asking {
    struct od_workload workload;
    uint64_t usable;
    struct od_arena *scratch;
    struct od_diags *diags; /* discarded: a batch beyond 64 bits simply does not fit */
};

static bool estimate_at(struct asking *a, uint64_t batch, struct od_estimate *ret_estimate)
{
    od_arena_reset(a->scratch);
    a->workload.batch = batch;
    return od_estimate(&a->workload, a->scratch, a->diags, ret_estimate);
}

static double fits_at(void *self, uint64_t batch)
{
    struct asking *a = self;
    struct od_estimate estimate;
    return estimate_at(a, batch, &estimate) ? od_estimate_fits(&estimate, a->usable) : 0;
}

/* Batch at which a line through two peaks reaches the device's memory. 0 = never. */
static uint64_t guess_by_line(struct asking *a)
{
    enum { NEAR = 8, FAR = 64 };
    struct od_estimate near_, far_;
    if (!estimate_at(a, NEAR, &near_))
        return 1;
    uint64_t low = near_.peak.n;
    if (!estimate_at(a, FAR, &far_))
        return 1;
    uint64_t high = far_.peak.n;
    if (high <= low)
        return 0;
    if (a->usable <= low)
        return 1;
    double slope = (double)(high - low) / (FAR - NEAR);
    double batch = NEAR + (double)(a->usable - low) / slope;
    return batch < OD_BATCH_MOST ? (uint64_t)batch : OD_BATCH_MOST - 1;
}

struct od_largest_batch od_largest_batch(const struct od_workload *workload, uint64_t usable_bytes)
{
    struct asking asking = {.workload = *workload,
                            .usable = usable_bytes,
                            .scratch = od_arena_new(),
                            .diags = od_diags_new()};
    struct od_arena *once = od_arena_new();
    struct od_estimate first = {0};
    if (od_estimate(&asking.workload, once, asking.diags, &first) && first.saved) {
        asking.workload.model = first.model;
        asking.workload.saved = first.saved;
    }
    struct od_batch_question q = {.fits = fits_at, .self = &asking};
    struct od_largest_batch largest = {0};
    q.guess = first.lower_limit ? 0 : guess_by_line(&asking);
    if (q.guess > 0) {
        largest.known = true;
        q.guess = largest.expected = od_batch_search(&q, 0.5);
        largest.hi = od_batch_search(&q, 0.05);
        q.guess = largest.lo = od_batch_search(&q, 0.95);
        largest.safe = od_batch_search(&q, 0.98);
        largest.open = largest.safe == OD_BATCH_MOST;
        largest.power_of_two = od_batch_power_of_two(largest.safe);
        largest.multiple_of_8 = od_batch_multiple_of_8(largest.safe);
    }
    od_diags_free(asking.diags);
    od_arena_free(asking.scratch);
    od_arena_free(once);
    return largest;
}

static double fits_sequence(void *self, uint64_t tokens)
{
    struct asking *a = self;
    a->workload.sequence = tokens;
    return fits_at(a, a->workload.batch);
}

struct od_largest_sequence od_largest_sequence(const struct od_workload *workload,
                                               uint64_t usable_bytes)
{
    const struct od_transformer *t = &workload->model->transformer;
    struct od_largest_sequence largest = {0};
    bool varies = t->known && (t->traits & OD_TR_CAUSAL) != 0;
    if (!varies || workload->batch == 0 || workload->prompt > 0 || workload->mean_sequence > 0 ||
        workload->mean_length > 0)
        return largest;
    struct asking asking = {.workload = *workload,
                            .usable = usable_bytes,
                            .scratch = od_arena_new(),
                            .diags = od_diags_new()};
    struct od_batch_question q = {.fits = fits_sequence, .self = &asking};
    largest.known = true;
    largest.expected = od_batch_search(&q, 0.5);
    largest.safe = od_batch_search(&q, 0.98);
    largest.limited =
        t->positions.known && t->positions.n > 0 && largest.expected >= t->positions.n;
    if (largest.limited) {
        largest.expected = t->positions.n;
        largest.safe = largest.safe < t->positions.n ? largest.safe : t->positions.n;
    }
    od_diags_free(asking.diags);
    od_arena_free(asking.scratch);
    return largest;
}
