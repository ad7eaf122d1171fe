#include "estimate/torch_sim.h"
#include "random_trace.h"
#include "suites.h"

#include "../suite.h"
#include "base/num.h"
#include "estimate/pieces.h"

#define MIB (UINT64_C(1) << 20)

enum { STEPS = 4000, LIVE = 500 };

struct live {
    uint32_t handle;
    uint64_t bytes;
};

/* No two blocks overlap, sums are those of the statistics. */
static void agree(const struct od_torch *torch, const struct live *live, size_t n)
{
    uint64_t sum = 0, requested = 0;
    struct od_torch_stats stats = od_torch_stats(torch);
    for (size_t i = 0; i < n; i++) {
        uint64_t at = od_torch_block(torch, live[i].handle)->address;
        uint64_t size = od_torch_block(torch, live[i].handle)->size;
        ck_assert_uint_ge(size, live[i].bytes);
        ck_assert_uint_eq(size % 512, 0);
        for (size_t j = 0; j < i; j++) {
            uint64_t other = od_torch_block(torch, live[j].handle)->address;
            ck_assert(at + size <= other ||
                      other + od_torch_block(torch, live[j].handle)->size <= at);
        }
        sum += size;
        requested += live[i].bytes;
    }
    ck_assert_uint_eq(stats.allocated, sum);
    ck_assert_uint_eq(stats.requested, requested);
    ck_assert_uint_ge(stats.reserved, stats.allocated);
    ck_assert_uint_eq(stats.blocks, stats.free_blocks + n);
}

static const uint64_t limits_tried[] = {300 * MIB, 1000 * MIB, 3000 * MIB};

START_TEST(invariants)
{
    uint64_t limit = limits_tried[(size_t)_i % OD_COUNT_OF(limits_tried)];
    struct od_torch *torch = od_torch_new(limit);
    struct live live[LIVE];
    size_t n = 0, failures = 0;
    uint64_t state = 2463534242ULL + (uint64_t)_i * 104729;
    for (int step = 0; step < STEPS; step++) {
        bool take = random_next(&state) % 10 < (step / 400 % 2 ? 3u : 7u);
        if (take && n < LIVE) {
            live[n].bytes = random_size(&state, limit);
            bool took = od_torch_take(torch, live[n].bytes, &live[n].handle);
            n += took;
            failures += !took;
        } else if (n > 0) {
            size_t i = random_next(&state) % n;
            od_torch_release(torch, live[i].handle);
            live[i] = live[--n];
        }
        ck_assert_uint_le(od_torch_stats(torch).reserved, limit);
        if (step % 50 == 0)
            agree(torch, live, n);
    }
    ck_assert_uint_gt(failures, 0);
    while (n > 0)
        od_torch_release(torch, live[--n].handle);
    agree(torch, live, 0);
    od_torch_empty_cache(torch);
    struct od_torch_stats stats = od_torch_stats(torch);
    ck_assert_uint_eq(stats.reserved + stats.blocks + stats.largest_hole, 0);
    od_torch_free(torch);
}
END_TEST

static uint32_t take(struct od_torch *torch, uint64_t bytes)
{
    uint32_t handle = 0;
    ck_assert(od_torch_take(torch, bytes, &handle));
    return handle;
}

/* What one request of a fresh process takes, and asks the device for. */
static const struct {
    uint64_t bytes, block, reserved;
} firsts[] = {
    {0, 512, 2 * MIB},
    {513, 1024, 2 * MIB},
    {MIB, MIB, 2 * MIB},
    {MIB + 1, MIB + 512, 20 * MIB},
    {10 * MIB - 512, 10 * MIB - 512, 20 * MIB},
    {10 * MIB, 10 * MIB, 10 * MIB},
    {11 * MIB, 12 * MIB, 12 * MIB}, /* the rest is not more than 1 MiB */
    {21 * MIB, 22 * MIB, 22 * MIB},
};

START_TEST(first_request)
{
    struct od_torch *torch = od_torch_new(100 * MIB);
    uint32_t handle = take(torch, firsts[_i].bytes);
    ck_assert_uint_eq(od_torch_block(torch, handle)->size, firsts[_i].block);
    ck_assert_uint_eq(od_torch_stats(torch).reserved, firsts[_i].reserved);
    od_torch_free(torch);
}
END_TEST

/* Cached segments return to the device for a request that none of them can serve; what is half in
 * use does not. */
START_TEST(frees_cache_and_retries)
{
    struct od_torch *torch = od_torch_new(120 * MIB);
    uint32_t a = take(torch, 60 * MIB), b, c;
    take(torch, 20 * MIB);
    od_torch_release(torch, a);
    take(torch, 80 * MIB);
    ck_assert_uint_eq(od_torch_stats(torch).reserved, 100 * MIB);
    od_torch_reset(torch, 120 * MIB);
    a = take(torch, 100 * MIB);
    od_torch_release(torch, a);
    b = take(torch, 30 * MIB); /* a part of the 100 */
    ck_assert(!od_torch_take(torch, 90 * MIB, &c));
    od_torch_release(torch, b);
    od_torch_free(torch);
}
END_TEST

START_TEST(odd_limits)
{
    static const uint64_t limits[] = {0, 1, 2 * MIB - 1, 2 * MIB, UINT64_MAX};
    for (size_t i = 0; i < OD_COUNT_OF(limits); i++) {
        struct od_torch *torch = od_torch_new(limits[i]);
        uint32_t handle;
        ck_assert(!od_torch_take(torch, UINT64_MAX, &handle));
        ck_assert_int_eq(od_torch_take(torch, 1, &handle), limits[i] >= 2 * MIB);
        od_torch_free(torch);
    }
    od_torch_free(NULL);
}
END_TEST

Suite *od_torch_sim_suite(void)
{
    Suite *suite = od_suite_loop("torch_sim", invariants, 4 * (int)OD_COUNT_OF(limits_tried));
    TCase *tcase = tcase_create("rules");
    tcase_add_loop_test(tcase, first_request, 0, (int)OD_COUNT_OF(firsts));
    tcase_add_test(tcase, frees_cache_and_retries);
    tcase_add_test(tcase, odd_limits);
    suite_add_tcase(suite, tcase);
    return suite;
}
