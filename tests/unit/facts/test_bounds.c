/* What a text states of a setting's values, and what that leaves of a new one. */
#include "facts/bounds.h"
#include "tests/unit/facts/suites.h"
#include "tests/unit/suite.h"

static const struct {
    const char *worked, *failed, *refused, *most, *stands, *little; /* NULL = not stated */
    struct od_bound_change change;
    enum od_bound_verdict verdict;
    double set;
} changes[] = {
    /* lower: nothing is stated; what worked; below what failed; it stands at its end */
    {.change = {.today = 64, .to = 32}, .verdict = OD_BOUND_FREE},
    {.worked = "24", .change = {.today = 64, .to = 32}, .verdict = OD_BOUND_SET, .set = 24},
    {.worked = "24", .failed = "16", .change = {.today = 64, .to = 32}, .verdict = OD_BOUND_OPEN},
    {.worked = "96", .change = {.today = 64, .to = 32}, .verdict = OD_BOUND_FREE},
    {.failed = "16", .change = {.today = 64, .to = 8}, .verdict = OD_BOUND_FREE},
    {.failed = "1", .change = {.today = 8, .to = 4}, .verdict = OD_BOUND_ENDS},
    {.stands = "0", .change = {.to = 0}, .verdict = OD_BOUND_ENDS},
    /* raise a limit: more than what failed, and no more than there is */
    {.failed = "8g", .change = {4294967296, 8589934592, true, false}, OD_BOUND_SET, 17179869184},
    {.worked = "12g",
     .failed = "8g",
     .change = {.today = 4294967296, .up = true},
     .verdict = OD_BOUND_SET,
     .set = 12884901888},
    {.most = "6 GB", .change = {4294967296, 8589934592, true, false}, OD_BOUND_SET, 6442450944},
    {.most = "4g", .change = {4294967296, 8589934592, true, false}, OD_BOUND_ENDS},
    {.failed = "8g", .most = "10g", .change = {4294967296, 8589934592, true, false}, OD_BOUND_OPEN},
    {.refused = "7g", .change = {4294967296, 8589934592, true, false}, OD_BOUND_OPEN},
    /* raise a share: more of it failed, too */
    {.failed = "0.75", .change = {0.25, 0.95, true, true}, OD_BOUND_SET, 0.5},
    {.failed = "0.75", .change = {0.25, 0.5, true, true}, .verdict = OD_BOUND_FREE},
    {.little = "0.25", .change = {0.75, 0.125, false, true}, .verdict = OD_BOUND_SET, .set = 0.5},
    {.little = "0.25", .failed = "0.75", .change = {1, 0.95, true, true}, .verdict = OD_BOUND_FREE},
    {.little = "8g",
     .change = {4294967296, 8589934592, true, false},
     .verdict = OD_BOUND_SET,
     .set = 17179869184},
};

START_TEST(a_change_keeps_within_what_is_stated)
{
    struct od_bounds bounds = {0};
    struct od_bound_value value = {0};
    const char *const stated[] = {changes[_i].failed,  changes[_i].little, changes[_i].most,
                                  changes[_i].refused, changes[_i].stands, changes[_i].worked};
    for (unsigned kind = 0; kind < OD_BOUNDS; kind++)
        if (stated[kind])
            od_bounds_add(&bounds, (enum od_bound)kind, od_view_of(stated[kind]), NULL, 1);
    ck_assert_int_eq(od_bounds_judge(&bounds, &changes[_i].change, &value), changes[_i].verdict);
    if (changes[_i].verdict == OD_BOUND_SET)
        ck_assert_double_eq_tol(value.n, changes[_i].set, 1e-9);
}
END_TEST

START_TEST(spellings_name_one_setting)
{
    ck_assert(od_is_same_setting(OD_VIEW("--max-len"), OD_VIEW("model.MAX_LEN")));
    ck_assert(!od_is_same_setting(OD_VIEW("--max-len"), OD_VIEW("max_length")));
    ck_assert(!od_is_same_setting(OD_VIEW("--"), OD_VIEW("")));
    ck_assert(od_has_word(OD_VIEW("train_batch-size"), "batch"));
    ck_assert(!od_has_word(OD_VIEW("batches"), "batch"));
}
END_TEST

Suite *od_bounds_suite(void)
{
    Suite *suite = suite_create("bounds");
    TCase *tests = tcase_create("bounds");
    tcase_add_loop_test(tests, a_change_keeps_within_what_is_stated, 0, (int)OD_COUNT_OF(changes));
    tcase_add_test(tests, spellings_name_one_setting);
    suite_add_tcase(suite, tests);
    return suite;
}
