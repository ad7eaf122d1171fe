#include "estimate/bfc_sim.h"
#include "random_trace.h"
#include "suites.h"

#include "../suite.h"
#include "base/num.h"
#include "estimate/pieces.h"

#define MIB (UINT64_C(1) << 20)

enum { STEPS = 3000, LIVE = 400, CHUNKS = 2 * LIVE + 64 };

/* ---- the same rules, written the long way ---- */

struct plain_chunk {
    uint64_t at, size;
    bool used, start; /* start of a region */
};

struct plain {
    struct plain_chunk chunks[CHUNKS]; /* by address */
    size_t n;
    uint64_t limit, pool, next_region, next_at;
};

static void plain_insert(struct plain *p, size_t at, struct plain_chunk chunk)
{
    ck_assert(p->n < CHUNKS);
    for (size_t i = p->n++; i > at; i--)
        p->chunks[i] = p->chunks[i - 1];
    p->chunks[at] = chunk;
}

static void plain_erase(struct plain *p, size_t at)
{
    p->n--;
    for (size_t i = at; i < p->n; i++)
        p->chunks[i] = p->chunks[i + 1];
}

static bool plain_find(struct plain *p, uint64_t need, uint64_t *ret_at)
{
    size_t best = CHUNKS;
    for (size_t i = 0; i < p->n; i++)
        if (!p->chunks[i].used && p->chunks[i].size >= need &&
            (best == CHUNKS || p->chunks[i].size < p->chunks[best].size))
            best = i;
    if (best == CHUNKS)
        return false;
    struct plain_chunk *c = &p->chunks[best];
    c->used = true;
    *ret_at = c->at;
    if (c->size >= 2 * need || c->size - need >= 128 * MIB) {
        struct plain_chunk rest = {.at = c->at + need, .size = c->size - need};
        c->size = need;
        plain_insert(p, best + 1, rest);
    }
    return true;
}

static bool plain_extend(struct plain *p, uint64_t need)
{
    uint64_t left = p->limit - p->pool;
    bool doubled = false;
    if (need > left)
        return false;
    for (; need > p->next_region; doubled = true)
        p->next_region *= 2;
    uint64_t size = p->next_region < left ? p->next_region : left;
    if (!doubled)
        p->next_region *= 2;
    plain_insert(p, p->n, (struct plain_chunk){.at = p->next_at, .size = size, .start = true});
    p->next_at += size + 2 * MIB;
    p->pool += size;
    return true;
}

static void plain_return(struct plain *p)
{
    for (size_t i = 0; i < p->n;) {
        bool whole = i + 1 == p->n || p->chunks[i + 1].start;
        if (p->chunks[i].start && whole && !p->chunks[i].used) {
            p->pool -= p->chunks[i].size;
            plain_erase(p, i);
        } else {
            i++;
        }
    }
}

static uint64_t plain_returnable(const struct plain *p)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < p->n; i++)
        if (p->chunks[i].start && !p->chunks[i].used && (i + 1 == p->n || p->chunks[i + 1].start))
            sum += p->chunks[i].size;
    return sum;
}

static bool plain_take(struct plain *p, uint64_t bytes, uint64_t *ret_at)
{
    uint64_t need = bytes ? (bytes + 255) / 256 * 256 : 256, spare;
    if (plain_find(p, need, ret_at) || (plain_extend(p, need) && plain_find(p, need, ret_at)))
        return true;
    spare = plain_returnable(p);
    if (spare == 0 || need > p->limit - p->pool + spare)
        return false;
    plain_return(p);
    return plain_extend(p, need) && plain_find(p, need, ret_at);
}

static void plain_release(struct plain *p, uint64_t address)
{
    size_t i = 0;
    while (p->chunks[i].at != address)
        i++;
    p->chunks[i].used = false;
    if (i + 1 < p->n && !p->chunks[i + 1].used && !p->chunks[i + 1].start) {
        p->chunks[i].size += p->chunks[i + 1].size;
        plain_erase(p, i + 1);
    }
    if (i > 0 && !p->chunks[i].start && !p->chunks[i - 1].used) {
        p->chunks[i - 1].size += p->chunks[i].size;
        plain_erase(p, i);
    }
}

/* What the plain one holds is what the statistics say; its chunks tile, no two holes touch. */
static void agree(const struct plain *p, const struct od_bfc_stats *stats)
{
    uint64_t in_use = 0, hole = 0, pool = 0, holes = 0;
    for (size_t i = 0; i < p->n; i++) {
        const struct plain_chunk *c = &p->chunks[i];
        pool += c->size;
        in_use += c->used ? c->size : 0;
        holes += !c->used;
        hole = !c->used && c->size > hole ? c->size : hole;
        if (i > 0 && !c->start) {
            ck_assert_uint_eq(c->at, p->chunks[i - 1].at + p->chunks[i - 1].size);
            ck_assert(c->used || p->chunks[i - 1].used);
        }
    }
    ck_assert_uint_eq(stats->in_use, in_use);
    ck_assert_uint_eq(stats->pool, pool);
    ck_assert_uint_eq(stats->largest_hole, hole);
    ck_assert_uint_eq(stats->free_chunks, holes);
    ck_assert_uint_eq(stats->chunks, p->n);
    ck_assert_uint_ge(stats->max_in_use, in_use);
    ck_assert_uint_le(stats->requested, in_use);
}

/* Address for address, over random traces, one region and growing. */
START_TEST(as_written_the_long_way)
{
    static struct plain plain;
    uint64_t limits[] = {64 * MIB, 1024 * MIB, 6000 * MIB + 256}, at;
    struct od_bfc_options options = {.limit = limits[_i % 3], .growth = _i % 2};
    struct od_bfc *bfc = od_bfc_new(&options);
    uint32_t live[LIVE], failures = 0;
    size_t n = 0;
    uint64_t state = 88172645463325252ULL + (uint64_t)_i * 7919;
    plain = (struct plain){.limit = options.limit,
                           .next_region = options.growth ? 2 * MIB : options.limit,
                           .next_at = 2 * MIB};
    for (int step = 0; step < STEPS; step++) {
        /* tides: mostly requests, then mostly releases */
        bool take = random_next(&state) % 10 < (step / 300 % 2 ? 3u : 7u);
        if (take && n < LIVE) {
            uint64_t bytes = random_size(&state, options.limit);
            bool took = od_bfc_take(bfc, bytes, &live[n]);
            ck_assert_int_eq(plain_take(&plain, bytes, &at), took);
            failures += !took;
            if (took)
                ck_assert_uint_eq(od_bfc_chunk(bfc, live[n++])->address, at);
        } else if (n > 0) {
            size_t i = random_next(&state) % n;
            plain_release(&plain, od_bfc_chunk(bfc, live[i])->address);
            od_bfc_release(bfc, live[i]);
            live[i] = live[--n];
        }
        struct od_bfc_stats stats = od_bfc_stats(bfc);
        agree(&plain, &stats);
    }
    ck_assert_uint_gt(failures, 0);
    while (n > 0)
        od_bfc_release(bfc, live[--n]);
    struct od_bfc_stats stats = od_bfc_stats(bfc);
    ck_assert_uint_eq(stats.in_use + stats.requested, 0);
    ck_assert_uint_eq(stats.free_chunks, stats.chunks);
    if (!options.growth) {
        ck_assert_uint_eq(stats.chunks, 1);
        ck_assert_uint_eq(stats.largest_hole, options.limit);
    }
    od_bfc_free(bfc);
}
END_TEST

/* ---- rules by hand ---- */

static uint32_t take(struct od_bfc *bfc, uint64_t bytes)
{
    uint32_t handle = 0;
    ck_assert(od_bfc_take(bfc, bytes, &handle));
    return handle;
}

/* A hole of `hole` bytes serves a request of `bytes` with a chunk of `chunk`. */
static const struct {
    uint64_t hole, bytes, chunk;
} splits[] = {
    {512, 0, 256},
    {512, 256, 256},
    {512, 257, 512},
    {10240, 5120, 5120},
    {10240, 5121, 10240},
    {400 * MIB, 201 * MIB, 201 * MIB},
    {400 * MIB, 272 * MIB, 272 * MIB},
    {400 * MIB, 272 * MIB + 1, 400 * MIB},
};

START_TEST(splits_as_the_real_one)
{
    struct od_bfc *bfc = od_bfc_new(&(struct od_bfc_options){.limit = 1024 * MIB});
    uint32_t hole = take(bfc, splits[_i].hole);
    take(bfc, 256);
    od_bfc_release(bfc, hole);
    uint32_t handle = take(bfc, splits[_i].bytes);
    ck_assert_uint_eq(od_bfc_chunk(bfc, handle)->size, splits[_i].chunk);
    od_bfc_free(bfc);
}
END_TEST

START_TEST(grows_by_doubling)
{
    struct od_bfc *bfc = od_bfc_new(&(struct od_bfc_options){.limit = 100 * MIB, .growth = true});
    static const uint64_t pools[] = {2, 6, 14, 30, 62, 100};
    for (size_t i = 0; i < OD_COUNT_OF(pools); i++) {
        while (od_bfc_stats(bfc).in_use < od_bfc_stats(bfc).pool)
            take(bfc, MIB);
        if (i > 0)
            ck_assert_uint_eq(od_bfc_stats(bfc).pool, pools[i - 1] * MIB);
        uint32_t more;
        ck_assert(od_bfc_take(bfc, MIB, &more));
        ck_assert_uint_eq(od_bfc_stats(bfc).pool, pools[i] * MIB);
    }
    od_bfc_free(bfc);
}
END_TEST

/* No chunk spans two regions, and a request larger than the next region makes it double. */
START_TEST(regions_never_join)
{
    struct od_bfc *bfc = od_bfc_new(&(struct od_bfc_options){.limit = 20 * MIB, .growth = true});
    uint32_t small = take(bfc, MIB), other = take(bfc, 5 * MIB), none;
    ck_assert_uint_eq(od_bfc_stats(bfc).pool, 10 * MIB);
    od_bfc_release(bfc, small);
    ck_assert(!od_bfc_take(bfc, 13 * MIB, &none));
    ck_assert_uint_eq(od_bfc_stats(bfc).pool, 10 * MIB);
    /* both return for the sake of one that is large enough */
    od_bfc_release(bfc, other);
    take(bfc, 13 * MIB);
    ck_assert_uint_eq(od_bfc_stats(bfc).pool, 16 * MIB);
    ck_assert_uint_eq(od_bfc_stats(bfc).chunks, 1);
    od_bfc_free(bfc);
}
END_TEST

START_TEST(device_refuses)
{
    struct od_bfc *bfc = od_bfc_new(
        &(struct od_bfc_options){.limit = 100 * MIB, .growth = true, .device_free = 30 * MIB});
    uint32_t none;
    take(bfc, 20 * MIB); /* 32 MiB are refused, 28.8 are not */
    ck_assert_uint_gt(od_bfc_stats(bfc).pool, 28 * MIB);
    ck_assert_uint_le(od_bfc_stats(bfc).pool, 30 * MIB);
    ck_assert(!od_bfc_take(bfc, 20 * MIB, &none));
    od_bfc_free(bfc);
}
END_TEST

static const uint64_t limits[] = {0, 1, 255, 256, 1000, UINT64_MAX - 3, UINT64_MAX};

START_TEST(odd_limits)
{
    for (int growth = 0; growth < 2; growth++) {
        struct od_bfc *bfc =
            od_bfc_new(&(struct od_bfc_options){.limit = limits[_i], .growth = growth});
        uint32_t handle;
        ck_assert(!od_bfc_take(bfc, UINT64_MAX, &handle));
        ck_assert_int_eq(od_bfc_take(bfc, 1, &handle), limits[_i] >= 256);
        ck_assert_uint_le(od_bfc_stats(bfc).pool, limits[_i]);
        od_bfc_free(bfc);
    }
    od_bfc_free(NULL);
}
END_TEST

Suite *od_bfc_sim_suite(void)
{
    Suite *suite = od_suite_loop("bfc_sim", as_written_the_long_way, 24);
    TCase *tcase = tcase_create("rules");
    tcase_add_loop_test(tcase, splits_as_the_real_one, 0, (int)OD_COUNT_OF(splits));
    tcase_add_test(tcase, grows_by_doubling);
    tcase_add_test(tcase, regions_never_join);
    tcase_add_test(tcase, device_refuses);
    tcase_add_loop_test(tcase, odd_limits, 0, (int)OD_COUNT_OF(limits));
    suite_add_tcase(suite, tcase);
    return suite;
}
