#include "plan/compare.h"
#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

#include "base/num.h"

/* What a run measured, in shares of what the plan says by that metric; 0 = not printed. */
static const struct {
    double allocated, reserved, device;
    size_t rows;
    bool split;
    int tensors, waste, largest; /* more, less or as planned */
} runs[] = {
    {1, 1, 0, 2, true, 0, 0, 0},    {1.2, 1.2, 0, 2, true, 1, 1, -1},
    {0.8, 1, 0, 2, true, -1, 1, 1}, {1.2, 0, 0, 1, false, 0, 0, -1},
    {0, 0, 0.7, 1, false, 0, 0, 1}, {0, 0, 0, 0, false, 0, 0, 0},
};

static struct od_count peak(const struct od_plan *plan, enum od_metric metric, double share,
                            struct od_arena *arena)
{
    struct od_workload workload = plan->request.workload;
    struct od_diags *diags = od_diags_new();
    struct od_estimate estimate;
    workload.metric = metric;
    ck_assert(od_estimate(&workload, arena, diags, &estimate));
    od_diags_free(diags);
    return share > 0 ? od_count_of((uint64_t)((double)estimate.peak.n * share))
                     : (struct od_count){0};
}

static int sign(double n)
{
    static const double rounded = 4;
    return n > rounded ? 1 : n < -rounded ? -1 : 0;
}

START_TEST(compares)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_plan_request request = od_plan_request_start();
    struct od_plan_compared compared;
    const char *why;
    request.params = od_count_of(60000000);
    request.activations = od_count_of(12000000);
    request.workload.batch = 64;
    ck_assert_int_eq(od_knob_set(&request, "device", "16GiB", arena, &why), OD_KNOB_SET);
    ck_assert(od_plan_request_finish(&request, NULL, arena, diags));
    const struct od_plan *plan = od_plan_make(&request, arena, diags);
    struct od_plan_measured measured = {peak(plan, OD_METRIC_ALLOCATED, runs[_i].allocated, arena),
                                        peak(plan, OD_METRIC_RESERVED, runs[_i].reserved, arena),
                                        peak(plan, OD_METRIC_DEVICE, runs[_i].device, arena)};
    od_plan_expect(plan, arena, &compared);
    ck_assert_uint_eq(compared.nrows, 3);
    od_plan_measure(&compared, &measured, "train.log");
    ck_assert_uint_eq(compared.nrows, runs[_i].rows);
    ck_assert_int_eq(compared.split, runs[_i].split);
    ck_assert_int_eq(sign((double)compared.tensors), runs[_i].tensors);
    ck_assert_int_eq(sign((double)compared.waste), runs[_i].waste);
    ck_assert_int_eq(compared.largest.known, runs[_i].rows > 0);
    if (compared.largest.known)
        ck_assert_int_eq((compared.largest.n > plan->largest.expected) -
                             (compared.largest.n < plan->largest.expected),
                         runs[_i].largest);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

Suite *od_compare_suite(void)
{
    Suite *suite = suite_create("a plan beside its run");
    TCase *tests = tcase_create("a plan beside its run");
    tcase_add_loop_test(tests, compares, 0, (int)OD_COUNT_OF(runs));
    suite_add_tcase(suite, tests);
    return suite;
}
