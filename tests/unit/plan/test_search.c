#include "plan/largest_batch.h"
#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

#include "base/num.h"

/* Fits for certain up to an edge; counts how often it is asked. */
struct edge {
    uint64_t at;
    unsigned asked;
};

static double fits_below(void *self, uint64_t batch)
{
    struct edge *edge = self;
    ck_assert_uint_ge(batch, 1);
    ck_assert_uint_le(batch, OD_BATCH_MOST);
    edge->asked++;
    return batch <= edge->at ? 1 : 0;
}

static const struct {
    uint64_t edge, guess;
} searches[] = {
    {0, 0},
    {0, 100},
    {1, 0},
    {1, 1},
    {1, 1000},
    {2, 0},
    {7, 7},
    {8, 7},
    {64, 1},
    {100, 90},
    {100, 101},
    {4097, 5000},
    {99999, 4},
    {1 << 20, 0},
    {5, 1 << 23},
    {OD_BATCH_MOST - 1, 1},
    {OD_BATCH_MOST, 1},
    {UINT64_MAX, 3},
    {3, UINT64_MAX},
    {12345, OD_BATCH_MOST},
};

START_TEST(search_finds_the_edge)
{
    struct edge edge = {.at = searches[_i].edge};
    struct od_batch_question q = {.fits = fits_below, .self = &edge, .guess = searches[_i].guess};
    uint64_t most = edge.at < OD_BATCH_MOST ? edge.at : OD_BATCH_MOST;
    ck_assert_uint_eq(od_batch_search(&q, 0.5), most);
    ck_assert_uint_le(edge.asked, 60);
}
END_TEST

static double fades(void *self, uint64_t batch)
{
    (void)self;
    return batch >= 1000 ? 0 : 1 - (double)batch / 1000;
}

START_TEST(a_surer_batch_is_smaller)
{
    struct od_batch_question q = {.fits = fades, .guess = 300};
    ck_assert_uint_eq(od_batch_search(&q, 0.5), 500);
    ck_assert_uint_eq(od_batch_search(&q, 0.98), 20);
    uint64_t last = OD_BATCH_MOST;
    for (int percent = 5; percent < 100; percent += 5) {
        uint64_t batch = od_batch_search(&q, percent / 100.0);
        ck_assert_uint_le(batch, last);
        last = batch;
    }
}
END_TEST

static const struct {
    uint64_t n, power, eight;
} rounds[] = {{0, 0, 0}, {1, 1, 1},    {2, 2, 2},     {3, 2, 2},       {7, 4, 4},        {8, 8, 8},
              {9, 8, 8}, {31, 16, 24}, {100, 64, 96}, {128, 128, 128}, {1023, 512, 1016}};

START_TEST(batches_are_rounded_down)
{
    ck_assert_uint_eq(od_batch_power_of_two(rounds[_i].n), rounds[_i].power);
    ck_assert_uint_eq(od_batch_multiple_of_8(rounds[_i].n), rounds[_i].eight);
}
END_TEST

/* The bare arithmetic: memory grows with the batch. */
static struct od_workload bare(struct od_model *model)
{
    *model = (struct od_model){.format = OD_MODEL_BARE,
                               .parameters = od_count_of(25000000),
                               .activations = od_count_of(11000000),
                               .complete = true};
    return od_workload_defaults(model);
}

static const uint64_t sizes[] = {
    1, 1 << 20, (uint64_t)4 << 30, (uint64_t)11 << 30, (uint64_t)80 << 30, (uint64_t)1 << 45};

START_TEST(answers_stand_in_order)
{
    struct od_model model;
    struct od_workload w = bare(&model);
    struct od_largest_batch largest = od_largest_batch(&w, sizes[_i]);
    ck_assert(largest.known);
    ck_assert_uint_le(largest.safe, largest.lo);
    ck_assert_uint_le(largest.lo, largest.expected);
    ck_assert_uint_le(largest.expected, largest.hi);
    ck_assert_uint_le(largest.power_of_two, largest.multiple_of_8);
    ck_assert_uint_le(largest.multiple_of_8, largest.safe);
    if (_i > 0) {
        struct od_largest_batch less = od_largest_batch(&w, sizes[_i - 1]);
        ck_assert_uint_le(less.expected, largest.expected);
    }
}
END_TEST

/* The expected batch is a bracket: it fits with p >= 0.5, the next does not. */
START_TEST(expected_is_a_bracket)
{
    struct od_model model;
    struct od_workload w = bare(&model);
    uint64_t usable = (uint64_t)24 << 30;
    struct od_largest_batch largest = od_largest_batch(&w, usable);
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    for (uint64_t more = 0; more < 2; more++) {
        struct od_estimate estimate;
        w.batch = largest.expected + more;
        ck_assert(od_estimate(&w, arena, diags, &estimate));
        ck_assert(more == 0 ? od_estimate_fits(&estimate, usable) >= 0.5
                            : od_estimate_fits(&estimate, usable) < 0.5);
    }
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

Suite *od_search_suite(void)
{
    Suite *suite = suite_create("largest batch");
    TCase *tcase = tcase_create("largest batch");
    tcase_add_loop_test(tcase, search_finds_the_edge, 0, OD_COUNT_OF(searches));
    tcase_add_test(tcase, a_surer_batch_is_smaller);
    tcase_add_loop_test(tcase, batches_are_rounded_down, 0, OD_COUNT_OF(rounds));
    tcase_add_loop_test(tcase, answers_stand_in_order, 0, OD_COUNT_OF(sizes));
    tcase_add_test(tcase, expected_is_a_bracket);
    suite_add_tcase(suite, tcase);
    return suite;
}
