#include "diagnose/diagnose.h"

#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/diagnose/suites.h"
#include "tests/unit/fit_of.h"
#include "tests/unit/suite.h"

/* Random cases: certain is said only of what their numbers prove, recomputed here by themselves. */

enum { ROUNDS = 200, CASES_A_ROUND = 20 };

static uint64_t random_next(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static uint64_t random_below(uint64_t *state, uint64_t n)
{
    return random_next(state) % n;
}

/* Sizes of all magnitudes, now and then at the ends of the range. */
static uint64_t random_bytes(uint64_t *state)
{
    switch (random_below(state, 12)) {
    case 0:
        return 0;
    case 1:
        return UINT64_MAX - random_below(state, 3);
    default:
        return random_next(state) >> (22 + random_below(state, 30));
    }
}

static void random_dump(struct case_maker *m, uint64_t *s)
{
    uint64_t sizes[9] = {0};
    for (size_t i = 0; i < 4; i++) {
        sizes[2 * i] = random_below(s, 1U << 30) + 1;
        sizes[2 * i + 1] = random_below(s, 90) + 1;
    }
    struct dump_numbers numbers = {.need = random_bytes(s),
                                   .limit = random_bytes(s),
                                   .pool = random_bytes(s),
                                   .in_use = random_bytes(s),
                                   .free = random_bytes(s),
                                   .largest_free = random_bytes(s),
                                   .allocations = random_bytes(s),
                                   .verdict = (enum od_verdict)random_below(s, 5),
                                   .sizes = sizes};
    struct od_allocator *dump = case_maker_dump(m, &numbers);
    dump->complete = random_below(s, 4) > 0;
    dump->chunks_complete = random_below(s, 4) > 0;
    dump->limit.known = random_below(s, 8) > 0;
    dump->pool.known = random_below(s, 8) > 0;
    if (random_below(s, 3) == 0)
        dump->need.hi = dump->need.lo = 0, dump->need.known = false;
}

/* Near one another, as numbers of one device are: or nothing would ever be proved. */
static void random_message(struct od_incident *incident, uint64_t *s)
{
    struct od_bytes *sizes[] = {&incident->requested,  &incident->capacity, &incident->limit,
                                &incident->in_use,     &incident->reserved, &incident->free,
                                &incident->process.rss};
    uint64_t scale = random_bytes(s) / 64 + 1;
    for (size_t i = 0; i < OD_COUNT_OF(sizes); i++)
        if (random_below(s, 4) > 0)
            *sizes[i] = od_bytes_exact(scale * random_below(s, 50));
    for (uint64_t n = random_below(s, 3); n > 0; n--)
        case_maker_other(incident, n, scale * random_below(s, 50));
}

static void random_incident(struct case_maker *m, uint64_t *s)
{
    static const char *const shapes[] = {"[32,64,56,56]", "[9000,3,64,64]", "[3,3,64,64]", "[]",
                                         "[70000,70000]", "[0,0]",          NULL};
    static const char *const ops[] = {"a/Conv2D", "_EagerConst", "RestoreV2", "training_9/x", ""};
    struct od_incident *incident = case_maker_failure(
        m, shapes[random_below(s, OD_COUNT_OF(shapes))], ops[random_below(s, OD_COUNT_OF(ops))]);
    incident->kind = (enum od_incident_kind)random_below(s, OD_INC_END);
    incident->op_error = random_below(s, 2) == 0;
    incident->tensor.dtype = (enum od_dtype)random_below(s, OD_DTYPE_END);
    if (random_below(s, 2) == 0)
        incident->requested = od_bytes_exact(random_bytes(s));
    if (random_below(s, 2) == 0)
        random_message(incident, s);
    if (random_below(s, 2) == 0)
        random_dump(m, s);
}

static void random_case(struct case_maker *m, uint64_t *s)
{
    static const enum od_event_kind kinds[] = {OD_EV_PROGRESS, OD_EV_EXCEPTION, OD_EV_CRASH,
                                               OD_EV_RUN_STARTED, OD_EV_RUN_ENDED};
    for (uint64_t n = random_below(s, 7); n > 0; n--) {
        uint64_t what = random_below(s, 6);
        if (what < 2)
            random_incident(m, s);
        else if (what == 2)
            case_maker_driver(m, random_below(s, 50));
        else if (what == 3) {
            struct od_device *device = case_maker_device(m);
            device->capacity = od_bytes_exact(random_bytes(s));
            if (random_below(s, 2) == 0)
                device->free = od_bytes_exact(random_bytes(s));
        } else
            case_maker_moment(m, kinds[random_below(s, OD_COUNT_OF(kinds))], "x")->status =
                od_count_of(random_below(s, 2));
    }
}

static const double *number_of(const struct od_finding *f, const char *name)
{
    for (size_t i = 0; i < f->nnumbers; i++)
        if (od_view_eq_str(od_view_of(f->numbers[i].name), name))
            return &f->numbers[i].value;
    return NULL;
}

static void check_certain(const struct od_finding *f)
{
    const double *need = number_of(f, "request_bytes");
    const double *limit = number_of(f, "limit_bytes");
    const double *pool = number_of(f, "pool_bytes");
    const double *held = number_of(f, "in_use_bytes");
    const double *unused = number_of(f, "free_at_start_bytes");
    const double *capacity = number_of(f, "capacity_bytes");
    const double *total = number_of(f, "free_bytes");
    const double *largest = number_of(f, "largest_free_bytes");
    const double *others = number_of(f, "held_by_others_bytes");
    const double *unused_part = number_of(f, "unused_bytes");
    const double *reserved = number_of(f, "reserved_bytes");
    const double *rss = number_of(f, "process_rss_bytes");
    const double *used = held ? held : rss;
    if (f->cause == OD_CAUSE_GROUP_LIMIT) {
        ck_assert(limit && used && *used >= *limit * 0.98);
        return;
    }
    if (f->cause == OD_CAUSE_COMPILE_PLAN) {
        const double *plan = held ? held : need;
        const double *room = limit ? limit : capacity;
        ck_assert(plan && room && *plan > *room);
        return;
    }
    ck_assert_ptr_nonnull(need);
    if (f->cause == OD_CAUSE_FRAGMENTED && unused_part) {
        ck_assert(reserved && *need <= *unused_part && *unused_part >= 0.2 * *reserved);
        return;
    }
    if (f->cause == OD_CAUSE_OTHER_TENANT && others && total) {
        ck_assert(*need > *total && *need <= *total + *others);
        return;
    }
    if (f->cause == OD_CAUSE_CAPPED && reserved) {
        ck_assert(limit && total && *need <= *total && *need + *reserved > *limit);
        return;
    }
    if (f->cause == OD_CAUSE_KV_CACHE) {
        ck_assert((total && *need > *total) || (!total && limit && *need > *limit));
        return;
    }
    if (f->cause == OD_CAUSE_FRAGMENTED)
        ck_assert(total && largest && *need <= *total && *need > *largest);
    else if (f->cause == OD_CAUSE_DRIVER_REFUSED)
        ck_assert(limit && pool && *limit - *pool >= *need);
    else if (f->cause == OD_CAUSE_OTHER_TENANT)
        ck_assert(unused && capacity && *need + (held ? *held : 0) > *unused &&
                  *need + (held ? *held : 0) <= *capacity);
    else if (f->cause == OD_CAUSE_CAPPED)
        ck_assert(limit && unused && held && *need + *held > *limit && *need + *held <= *unused);
    else
        ck_abort_msg("%s cannot be proved by arithmetic", od_cause_name(f->cause));
}

START_TEST(certain_is_proved)
{
    uint64_t state = 0x9e3779b97f4a7c15U + (uint64_t)_i * 77777;
    for (int round = 0; round < CASES_A_ROUND; round++) {
        struct case_maker maker;
        case_maker_init(&maker);
        random_case(&maker, &state);
        const struct od_diagnosis *diagnosis = od_diagnose(fit_of(&maker.c, NULL));
        for (size_t i = 0; i < diagnosis->findings.n; i++) {
            const struct od_finding *f = &diagnosis->findings.items[i];
            if (i > 0)
                ck_assert(diagnosis->findings.items[i - 1].probability >= f->probability);
            if (f->certainty == OD_CERTAIN) {
                ck_assert_int_eq(diagnosis->failure->run.outcome, OD_OUTCOME_MEMORY_FAILURE);
                check_certain(f);
            }
        }
        od_diagnosis_free(diagnosis);
        case_maker_done(&maker);
    }
}
END_TEST

Suite *od_certainty_suite(void)
{
    return od_suite_loop("certainty", certain_is_proved, ROUNDS);
}
