/* The verdict, at each of its boundaries. */
#include "case/allocator.h"
#include "tests/unit/case/make.h"
#include "tests/unit/case/suites.h"
#include "tests/unit/suite.h"

#define EXACT(bytes)                                              \
    {                                                             \
        .n = (bytes), .lo = (bytes), .hi = (bytes), .known = true \
    }
#define RANGE(low, high)                                     \
    {                                                        \
        .n = (low), .lo = (low), .hi = (high), .known = true \
    }

/* The dump: 4096 in use, free chunks of 2048 and 1024; so pool 7168, largest hole 2048, free 3072.
 */
static const struct make_tiling tiling = {.nregions = 1,
                                          .regions = {{0x7000, {-2048, 4096, -1024, 0}}}};

static const struct {
    struct od_bytes rounded, requested, bin_for;
    uint64_t limit;
    bool no_pool, no_chunks, no_in_use;
    enum od_verdict verdict;
} rows[] = {
    /* whole list, pool at its limit */
    {.rounded = EXACT(2048), .limit = 7168, .verdict = OD_VERDICT_FITS},
    {.rounded = EXACT(2304), .limit = 7168, .verdict = OD_VERDICT_FRAGMENTED},
    {.rounded = EXACT(3072), .limit = 7168, .verdict = OD_VERDICT_FRAGMENTED},
    {.rounded = EXACT(3328), .limit = 7168, .verdict = OD_VERDICT_EXHAUSTED},
    /* the limit leaves room that the driver did not give */
    {.rounded = EXACT(2304), .limit = 7168 + 2304, .verdict = OD_VERDICT_DEVICE_REFUSED},
    {.rounded = EXACT(2304), .limit = 7168 + 2303, .verdict = OD_VERDICT_FRAGMENTED},
    {.rounded = EXACT(9984), .limit = 7168 + 9984, .verdict = OD_VERDICT_DEVICE_REFUSED},
    {.rounded = EXACT(9984), .limit = 7168 + 9983, .verdict = OD_VERDICT_EXHAUSTED},
    {.rounded = EXACT(3328), .limit = 5000, .verdict = OD_VERDICT_EXHAUSTED},
    /* no pool line: the chunk list is the pool */
    {.rounded = EXACT(2304), .limit = 7168, .no_pool = true, .verdict = OD_VERDICT_FRAGMENTED},
    {.rounded = EXACT(2304), .limit = 9472, .no_pool = true, .verdict = OD_VERDICT_DEVICE_REFUSED},
    /* no limit printed, or 0: it might be the driver */
    {.rounded = EXACT(2304), .limit = 0, .verdict = OD_VERDICT_UNKNOWN},
    {.rounded = EXACT(2048), .limit = 0, .verdict = OD_VERDICT_FITS},
    /* only the request is printed: rounded here */
    {.requested = EXACT(1900), .limit = 7168, .verdict = OD_VERDICT_FITS},
    {.requested = EXACT(2049), .limit = 7168, .verdict = OD_VERDICT_FRAGMENTED},
    {.requested = RANGE(2100, 2900), .limit = 7168, .verdict = OD_VERDICT_FRAGMENTED},
    {.requested = RANGE(2000, 2100), .limit = 7168, .verdict = OD_VERDICT_UNKNOWN},
    {.requested = RANGE(3000, 3100), .limit = 7168, .verdict = OD_VERDICT_UNKNOWN},
    {.requested = RANGE(3100, 4000), .limit = 7168, .verdict = OD_VERDICT_EXHAUSTED},
    {.requested = RANGE(3100, 4000), .limit = 7168 + 3500, .verdict = OD_VERDICT_UNKNOWN},
    {.bin_for = EXACT(3328), .limit = 7168, .verdict = OD_VERDICT_EXHAUSTED},
    {.limit = 7168, .verdict = OD_VERDICT_UNKNOWN},
    /* no chunk list: limit, pool and what is in use decide, or nothing does */
    {.rounded = EXACT(3328), .limit = 7168, .no_chunks = true, .verdict = OD_VERDICT_EXHAUSTED},
    {.rounded = EXACT(2304), .limit = 7168, .no_chunks = true, .verdict = OD_VERDICT_UNKNOWN},
    {.rounded = EXACT(3328),
     .limit = 7168 + 3328,
     .no_chunks = true,
     .verdict = OD_VERDICT_DEVICE_REFUSED},
    {.rounded = EXACT(3328),
     .limit = 7168,
     .no_chunks = true,
     .no_pool = true,
     .verdict = OD_VERDICT_EXHAUSTED},
    {.rounded = EXACT(3328),
     .limit = 7424,
     .no_chunks = true,
     .no_pool = true,
     .verdict = OD_VERDICT_UNKNOWN},
    {.requested = RANGE(2900, 3100),
     .limit = 7168,
     .no_chunks = true,
     .no_pool = true,
     .verdict = OD_VERDICT_UNKNOWN},
    {.rounded = EXACT(3328),
     .limit = 7168,
     .no_chunks = true,
     .no_in_use = true,
     .verdict = OD_VERDICT_UNKNOWN},
};

START_TEST(numbers_separate_the_verdicts)
{
    struct od_arena *arena = od_arena_new();
    struct od_dump dump = make_dump(arena, &tiling);
    dump.rounded = rows[_i].rounded;
    dump.requested = rows[_i].requested;
    dump.bin_for = rows[_i].bin_for;
    dump.memory_limit = (struct od_count){0};
    dump.stats.limit = od_count_of(rows[_i].limit);
    if (rows[_i].no_pool)
        dump.pool = (struct od_count){0};
    if (rows[_i].no_in_use)
        dump.stats.in_use = (struct od_count){0};
    if (rows[_i].no_chunks) {
        dump.chunks.n = 0;
        dump.regions.n = 0;
    }
    struct od_allocator *a = od_allocator_new(&dump);
    ck_assert_int_eq(a->verdict, rows[_i].verdict);
    od_allocator_free(a);
    od_arena_free(arena);
}
END_TEST

START_TEST(a_cut_list_proves_nothing_by_its_holes)
{
    struct od_arena *arena = od_arena_new();
    struct od_dump dump = make_dump(arena, &tiling);
    dump.rounded = dump.requested = od_bytes_exact(2048);
    dump.chunks.n = 2; /* the last free chunk was not pasted */
    dump.regions.items[0].nchunks = 2;
    struct od_allocator *a = od_allocator_new(&dump);
    ck_assert(a->has_chunks && !a->chunks_complete && !a->complete);
    ck_assert_int_eq(a->verdict, OD_VERDICT_UNKNOWN);
    od_allocator_free(a);
    od_arena_free(arena);
}
END_TEST

START_TEST(a_filled_largest_free_block_is_used)
{
    struct od_arena *arena = od_arena_new();
    struct od_dump dump = make_dump(arena, &tiling);
    dump.rounded = dump.requested = od_bytes_exact(2304);
    dump.chunks.n = 0;
    dump.regions.n = 0;
    dump.stats.largest_free_block = od_count_of(2048);
    struct od_allocator *a = od_allocator_new(&dump);
    ck_assert_int_eq(a->verdict, OD_VERDICT_FRAGMENTED);
    od_allocator_free(a);
    od_arena_free(arena);
}
END_TEST

Suite *od_verdict_suite(void)
{
    Suite *suite = od_suite_loop("verdict", numbers_separate_the_verdicts, (int)OD_COUNT_OF(rows));
    TCase *tcase = tcase_create("without a whole list");
    tcase_add_test(tcase, a_cut_list_proves_nothing_by_its_holes);
    tcase_add_test(tcase, a_filled_largest_free_block_is_used);
    suite_add_tcase(suite, tcase);
    return suite;
}
