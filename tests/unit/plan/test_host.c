#include "plan/plan.h"
#include "suites.h"

#include "../suite.h"

#include <string.h>

static const uint64_t mib = 1 << 20;

/* One sample is 1 MiB, a batch 4. */
static struct od_plan *plan_with(struct od_arena *arena, const char *const *knobs)
{
    struct od_diags *diags = od_diags_new();
    struct od_plan_request request = od_plan_request_start();
    const char *why, *base[] = {"params", "0",      "inference",       "yes", "batch",
                                "4",      "sample", "512,512,float32", NULL};
    for (size_t i = 0; base[i]; i += 2)
        ck_assert_int_eq(od_knob_set(&request, base[i], base[i + 1], arena, &why), OD_KNOB_SET);
    for (size_t i = 0; knobs[i]; i += 2)
        ck_assert_int_eq(od_knob_set(&request, knobs[i], knobs[i + 1], arena, &why), OD_KNOB_SET);
    ck_assert(od_plan_request_finish(&request, NULL, arena, diags));
    struct od_plan *plan = od_plan_make(&request, arena, diags);
    ck_assert_ptr_nonnull(plan);
    od_diags_free(diags);
    return plan;
}

/* The expected bytes of each place are computed by hand from the rules in plan/host.c. */
static const struct {
    const char *knobs[9];
    uint64_t shm, per_worker, copied, pinned;
} cases[] = {
    {{"workers", "0"}, 0, (6 + 5 + 3 * 4) * 1024, 0, 0},
    {{"workers", "2", "prefetch", "3"}, 7 * 4 * 1024 + 2 * 20 + 36, (6 + 5 + 4 * 4) * 1024, 0, 0},
    {{"workers", "2", "python-objects", "8MiB"},
     5 * 4 * 1024 + 2 * 20 + 36,
     (6 + 5 + 3 * 4 + 6) * 1024,
     6 * 1024,
     0},
    {{"workers", "2", "start-method", "spawn"},
     5 * 4 * 1024 + 2 * 20 + 36,
     (115 + 5 + 3 * 4) * 1024,
     0,
     0},
    /* a spawned worker unpickles the data set, an array of 16 MiB */
    {{"workers", "1", "start-method", "spawn", "dataset", "16,512,512,float32"},
     3 * 4 * 1024 + 20 + 36,
     (115 + 5 + 3 * 4 + 16) * 1024,
     16 * 1024,
     0},
    /* a forked one shares it */
    {{"workers", "1", "dataset", "16,512,512,float32"},
     3 * 4 * 1024 + 20 + 36,
     (6 + 5 + 3 * 4) * 1024,
     0,
     0},
    /* pinned: 1 to 5 batches, 3 in the middle */
    {{"workers", "2", "pin-memory", "yes"},
     5 * 4 * 1024 + 2 * 20 + 36,
     (6 + 5 + 3 * 4 + 2 * 4) * 1024,
     0,
     3 * 4 * 1024},
};

START_TEST(loading)
{
    struct od_arena *arena = od_arena_new();
    const struct od_plan_host *host = &plan_with(arena, cases[_i].knobs)->host;
    ck_assert_uint_eq(host->shm_needed.n, cases[_i].shm << 10);
    ck_assert_uint_eq(host->copied.n, cases[_i].copied << 10);
    ck_assert_uint_eq(host->pinned.n, cases[_i].pinned << 10);
    /* of one worker: its own and the queues' shares of 20 and 36 KiB */
    ck_assert_uint_eq(host->per_worker.n, (cases[_i].per_worker + 56) << 10);
    ck_assert_uint_le(host->per_worker.lo, host->per_worker.n);
    ck_assert_uint_ge(host->per_worker.hi, host->per_worker.n);
    od_arena_free(arena);
}
END_TEST

static const struct {
    const char *knobs[9];
    uint64_t recommended;
} recommended[] = {
    {{"cpus", "8", "ram", "64GiB"}, 7},
    {{"cpus", "2", "ram", "64GiB"}, 1},
    {{"cpus", "9", "ram", "64GiB"}, 8},
    {{"cpus", "9", "shm", "64MiB"}, 6},  /* 13 batches of 4 MiB; 15 leave less than a tenth */
    {{"cpus", "9", "shm", "1MiB"}, 0},   /* not one worker's queue */
    {{"cpus", "9", "ram", "100MiB"}, 2}, /* half of it holds two with their queues */
    {{"cpus", "9", "ram", "4GiB", "python-objects", "2GiB"}, 0},
};

START_TEST(workers)
{
    struct od_arena *arena = od_arena_new();
    const struct od_plan_host *host = &plan_with(arena, recommended[_i].knobs)->host;
    ck_assert(host->recommended.known);
    ck_assert_uint_eq(host->recommended.n, recommended[_i].recommended);
    od_arena_free(arena);
}
END_TEST

/* Adam's two moments leave the device and wait in host memory. */
START_TEST(offloaded)
{
    struct od_arena *arena = od_arena_new();
    const char *knobs[] = {"params", "1000",    "inference", "no", "optimizer",
                           "adam",   "offload", "optimizer", NULL};
    ck_assert_uint_eq(plan_with(arena, knobs)->host.offloaded.n, 8000);
    const char *none[] = {"params", "1000", "inference", "no", NULL};
    ck_assert(!plan_with(arena, none)->host.offloaded.known);
    ck_assert_uint_lt(plan_with(arena, none)->host.per_worker.n, 64 * mib);
    od_arena_free(arena);
}
END_TEST

Suite *od_host_suite(void)
{
    Suite *suite = suite_create("host");
    TCase *tests = tcase_create("host");
    tcase_add_loop_test(tests, loading, 0, OD_COUNT_OF(cases));
    tcase_add_loop_test(tests, workers, 0, OD_COUNT_OF(recommended));
    tcase_add_test(tests, offloaded);
    suite_add_tcase(suite, tests);
    return suite;
}
