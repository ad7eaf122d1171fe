/* Each check passes, fails, is skipped; and by chance: sound tilings pass, one change is found. */
#include "case/allocator.h"
#include "tests/unit/case/make.h"
#include "tests/unit/case/suites.h"
#include "tests/unit/suite.h"

#include <string.h>

static const struct make_tiling tiling = {.nregions = 2,
                                          .regions = {{0x20000, {512, 1024, -4096, 512, 131072, 0}},
                                                      {0x90000, {-768, 256, 65536, -32768, 0}}}};

/* The number of chunks in the first region, and of all. */
enum { FIRST = 5, ALL = 9 };

static char other_stars[101];

static void sound(struct od_dump *dump)
{
    (void)dump;
}

static void no_list(struct od_dump *dump)
{
    dump->chunks.n = 0;
    dump->regions.n = 0;
}

static void only_summary(struct od_dump *dump)
{
    no_list(dump);
    dump->bins.n = 0;
    dump->stats = (struct od_allocator_stats){0};
    dump->pool = dump->memory_limit = (struct od_count){0};
    dump->sum_total = (struct od_bytes){0};
    dump->occupancy = (struct od_view){0};
    dump->has_header = false;
}

static void larger_chunk(struct od_dump *dump)
{
    dump->chunks.items[1].bytes += 256;
}

static void smaller_chunk(struct od_dump *dump)
{
    dump->chunks.items[6].bytes -= 128;
}

static void moved_chunk(struct od_dump *dump)
{
    dump->chunks.items[3].address += 256;
}

static void freed_chunk(struct od_dump *dump)
{
    dump->chunks.items[4].in_use = false;
}

static void other_in_use(struct od_dump *dump)
{
    dump->stats.in_use.n += 256;
}

static void other_row(struct od_dump *dump)
{
    dump->summary.items[0].count += 3;
}

static void other_pool(struct od_dump *dump)
{
    dump->pool.n += 256;
}

static void other_bin(struct od_dump *dump)
{
    dump->bins.items[1].chunks_in_use--;
}

static void other_bin_bytes(struct od_dump *dump)
{
    dump->bins.items[1].bytes = make_printed(dump->bins.items[1].bytes.n + 900);
}

static void strange_bin(struct od_dump *dump)
{
    dump->bins.items[1].min_bytes = 500;
}

static void other_star(struct od_dump *dump)
{
    memcpy(other_stars, dump->occupancy.p, 100);
    other_stars[99] = other_stars[99] == '_' ? '*' : '_';
    dump->occupancy.p = other_stars;
}

static void short_stars(struct od_dump *dump)
{
    dump->occupancy.n = 57;
}

static void stray_chunks(struct od_dump *dump)
{
    dump->regions.n = 1;
}

/* The input ends within the chunk list. */
static void cut_in_list(struct od_dump *dump)
{
    dump->chunks.n = 7;
    dump->regions.items[1].nchunks = 2;
    dump->regions.items[1].ended = false;
    dump->summary.n = 0;
    dump->stats = (struct od_allocator_stats){0};
    dump->pool = dump->memory_limit = (struct od_count){0};
    dump->sum_total = (struct od_bytes){0};
    dump->occupancy = (struct od_view){0};
    dump->cut_tail = true;
}

/* The paste begins within the chunk list. */
static void cut_head(struct od_dump *dump)
{
    dump->has_header = false;
    dump->bins.n = 0;
    memmove(dump->chunks.items, dump->chunks.items + 2, 7 * sizeof *dump->chunks.items);
    dump->chunks.n = 7;
    dump->regions.items[0].nchunks = FIRST - 2;
    dump->regions.items[0].address = dump->chunks.items[0].address;
    dump->regions.items[0].announced = (struct od_bytes){0};
    dump->regions.items[1].first_chunk = FIRST - 2;
}

/* Lines were left out of the paste. */
static void left_out(struct od_dump *dump)
{
    memmove(dump->chunks.items + 1, dump->chunks.items + 2, 7 * sizeof *dump->chunks.items);
    dump->chunks.n = ALL - 1;
    dump->regions.items[0].nchunks = FIRST - 1;
    dump->regions.items[1].first_chunk = FIRST - 1;
}

/* A whole region was left out, of a version that announces none. */
static void left_out_region(struct od_dump *dump)
{
    dump->chunks.n = FIRST;
    dump->regions.n = 1;
    dump->regions.items[0].announced = (struct od_bytes){0};
}

static void our_limit(struct od_dump *dump)
{
    dump->chunks.n = 7;
    dump->regions.items[1].nchunks = 2;
    dump->chunk_limit_hit = true;
    dump->chunks_lost = 2;
}

static void mixed(struct od_dump *dump)
{
    larger_chunk(dump);
    dump->interleaved = true;
}

/* TensorFlow up to 1.2: bins of free chunks only; no regions announced, no pool line. */
static void old_version(struct od_dump *dump)
{
    dump->pool = dump->memory_limit = (struct od_count){0};
    for (size_t i = 0; i < dump->regions.n; i++)
        dump->regions.items[i].announced = (struct od_bytes){0};
    for (size_t i = 0; i < dump->bins.n; i++) {
        struct od_bin_row *row = &dump->bins.items[i];
        row->chunks -= row->chunks_in_use;
        row->bytes = od_bytes_sub(row->bytes, row->bytes_in_use);
        row->chunks_in_use = 0;
        row->bytes_in_use = od_bytes_exact(0);
        row->free_only = true;
    }
}

static void old_version_other_bin(struct od_dump *dump)
{
    old_version(dump);
    dump->bins.items[4].chunks++;
}

static void old_version_other_star(struct od_dump *dump)
{
    old_version(dump);
    other_star(dump);
}

static void only_sum_total(struct od_dump *dump)
{
    dump->stats = (struct od_allocator_stats){0};
}

static void summary_cut(struct od_dump *dump)
{
    dump->summary.n = 1;
    dump->sum_total = (struct od_bytes){0};
}

static void row_of_nothing(struct od_dump *dump)
{
    only_summary(dump);
    dump->summary.items[0] = (struct od_summary_row){
        .count = UINT64_MAX, .bytes = 1000, .total = od_bytes_exact(7), .line = 700};
}

/* In the order of the ids: in use, summary, tile, pool, bins, occupancy, multiply. */
static const struct {
    const char *name;
    void (*change)(struct od_dump *dump);
    const char *results; /* p f s */
    bool whole;          /* the list */
} rows[] = {
    {"sound", sound, "ppppppp", true},
    {"no list", no_list, "spssssp", false},
    {"only summary", only_summary, "ssssssp", false},
    {"larger chunk", larger_chunk, "fpfpfpp", false},
    {"smaller chunk", smaller_chunk, "spfpspp", false},
    {"moved chunk", moved_chunk, "ppfpppp", false},
    {"freed chunk", freed_chunk, "fpppffp", false},
    {"InUse", other_in_use, "ffppppp", false},
    {"row", other_row, "pfppppf", true},
    {"pool", other_pool, "pppfppp", false},
    {"bin", other_bin, "ppppfpp", true},
    {"bin bytes", other_bin_bytes, "ppppfpp", true},
    {"strange bin", strange_bin, "ppppfpp", true},
    {"star", other_star, "pppppfp", true},
    {"short stars", short_stars, "pppppsp", true},
    {"stray chunks", stray_chunks, "ppfspsp", false},
    {"cut in list", cut_in_list, "sssssss", false},
    {"cut head", cut_head, "sppsssp", false},
    {"left out", left_out, "spfpspp", false},
    {"left out region", left_out_region, "sppsssp", false},
    {"our limit", our_limit, "spspssp", false},
    {"mixed", mixed, "spspspp", false},
    {"old version", old_version, "pppsppp", true},
    {"old version, bin", old_version_other_bin, "pppsfpp", false},
    {"old version, star", old_version_other_star, "pppspsp", true},
    {"only sum total", only_sum_total, "ppppppp", true},
    {"summary cut", summary_cut, "psppppp", true},
    {"overflow", row_of_nothing, "ssssssf", false},
};

static char letter(enum od_check_result result)
{
    return od_check_result_name(result)[0];
}

START_TEST(checks_tell_wrong_from_missing)
{
    struct od_arena *arena = od_arena_new();
    struct od_dump dump = make_dump(arena, &tiling);
    rows[_i].change(&dump);
    struct od_allocator *a = od_allocator_new(&dump);
    for (unsigned i = 0; i < OD_CHECKS; i++) {
        const struct od_check *check = &a->checks[i];
        ck_assert_msg(letter(check->result) == rows[_i].results[i],
                      "%s: %s is %s: %.*s (line %llu)", rows[_i].name,
                      od_check_id_name((enum od_check_id)i), od_check_result_name(check->result),
                      (int)check->detail.n, check->detail.p, (unsigned long long)check->line);
        ck_assert_uint_gt(check->detail.n, 0);
        if (check->result == OD_CHECK_FAIL)
            ck_assert_uint_gt(check->line, 0);
    }
    ck_assert_msg(a->chunks_complete == rows[_i].whole, "%s: whole is %d", rows[_i].name,
                  a->chunks_complete);
    od_allocator_free(a);
    od_arena_free(arena);
}
END_TEST

START_TEST(a_fault_is_named_with_its_line)
{
    struct od_arena *arena = od_arena_new();
    struct od_dump dump = make_dump(arena, &tiling);
    moved_chunk(&dump);
    struct od_allocator *a = od_allocator_new(&dump);
    const struct od_check *check = &a->checks[OD_CHECK_CHUNKS_TILE_REGIONS];
    ck_assert_uint_eq(check->line, 100 + 31 + 3);
    ck_assert(od_view_has(check->detail, OD_VIEW("0x21600")));
    ck_assert(od_view_has(check->detail, OD_VIEW("0x21700")));
    od_allocator_free(a);
    od_arena_free(arena);
}
END_TEST

enum { SEEDS = 500 };

START_TEST(sound_tilings_pass_all_checks)
{
    struct od_arena *arena = od_arena_new();
    struct make_tiling random = make_random_tiling((uint64_t)_i * 7919 + 1);
    struct od_dump dump = make_dump(arena, &random);
    bool any_in_use = dump.summary.n > 0;
    struct od_allocator *a = od_allocator_new(&dump);
    for (unsigned i = 0; i < OD_CHECKS; i++) {
        bool rows_needed = i == OD_CHECK_SIZES_MULTIPLY || i == OD_CHECK_SUMMARY_SUMS_TO_IN_USE;
        if (any_in_use || !rows_needed)
            ck_assert_msg(a->checks[i].result == OD_CHECK_PASS, "%s: %.*s",
                          od_check_id_name((enum od_check_id)i), (int)a->checks[i].detail.n,
                          a->checks[i].detail.p);
    }
    ck_assert(a->chunks_complete && a->complete);
    od_allocator_free(a);
    od_arena_free(arena);
}
END_TEST

/* Changes one number of the dump and says which check has to fail. */
static enum od_check_id mutate(struct od_dump *dump, uint64_t *state)
{
    struct od_chunk *chunk = &dump->chunks.items[make_random(state) % dump->chunks.n];
    switch (make_random(state) % 6) {
    case 0:
        chunk->bytes += 256 * (1 + make_random(state) % 9);
        return OD_CHECK_CHUNKS_TILE_REGIONS;
    case 1:
        chunk->address ^= UINT64_C(1) << (8 + make_random(state) % 20);
        return OD_CHECK_CHUNKS_TILE_REGIONS;
    case 2:
        chunk->in_use = !chunk->in_use;
        return OD_CHECK_CHUNKS_SUM_TO_IN_USE;
    case 3:
        dump->bins.items[make_random(state) % 21].chunks += 1;
        return OD_CHECK_BINS_MATCH;
    case 4:
        dump->pool.n += 256;
        return OD_CHECK_REGIONS_SUM_TO_POOL;
    default:
        if (dump->summary.n == 0) {
            dump->stats.in_use.n += 512;
            return OD_CHECK_CHUNKS_SUM_TO_IN_USE;
        }
        dump->summary.items[make_random(state) % dump->summary.n].count += 1;
        return OD_CHECK_SUMMARY_SUMS_TO_IN_USE;
    }
}

START_TEST(one_change_is_found)
{
    struct od_arena *arena = od_arena_new();
    uint64_t state = (uint64_t)_i + 99;
    struct make_tiling random = make_random_tiling(state * 31);
    struct od_dump dump = make_dump(arena, &random);
    enum od_check_id guilty = mutate(&dump, &state);
    struct od_allocator *a = od_allocator_new(&dump);
    ck_assert_msg(a->checks[guilty].result == OD_CHECK_FAIL, "%s: %s: %.*s",
                  od_check_id_name(guilty), od_check_result_name(a->checks[guilty].result),
                  (int)a->checks[guilty].detail.n, a->checks[guilty].detail.p);
    od_allocator_free(a);
    od_arena_free(arena);
}
END_TEST

Suite *od_checks_suite(void)
{
    Suite *suite = od_suite_loop("checks", checks_tell_wrong_from_missing, (int)OD_COUNT_OF(rows));
    TCase *tcase = tcase_create("by chance");
    tcase_add_test(tcase, a_fault_is_named_with_its_line);
    tcase_add_loop_test(tcase, sound_tilings_pass_all_checks, 0, SEEDS);
    tcase_add_loop_test(tcase, one_change_is_found, 0, SEEDS);
    suite_add_tcase(suite, tcase);
    return suite;
}
