#include "runs/diff.h"
#include "runs/names.h"
#include "tests/unit/runs/suites.h"

#include <string.h>

struct pair {
    struct od_arena *arena;
    struct od_run *old, *new;
    struct od_diff *diff;
};

static void pair_of(struct pair *pair, const char *old, const char *new)
{
    pair->arena = od_arena_new();
    pair->old = od_run_of_text(old, pair->arena);
    pair->new = od_run_of_text(new, pair->arena);
    pair->diff = od_diff_make(pair->old, pair->new, pair->arena);
}

static void pair_done(struct pair *pair)
{
    od_diff_done(pair->diff);
    od_run_done(pair->old);
    od_run_done(pair->new);
    od_arena_free(pair->arena);
}

START_TEST(a_run_that_was_mended)
{
    struct pair p;
    pair_of(&p, od_report_before, od_report_after);
    ck_assert_int_eq(p.diff->verdict, OD_DIFF_BETTER);
    ck_assert_ptr_nonnull(strstr(p.diff->why, "no longer runs out of memory"));
    ck_assert_ptr_nonnull(strstr(p.diff->why, "no more leaks"));
    ck_assert_uint_eq(p.diff->settings.n, 2);
    ck_assert_str_eq(p.diff->settings.items[0].name, "batch_size");
    ck_assert_str_eq(p.diff->settings.items[0].old, "64");
    ck_assert_str_eq(p.diff->settings.items[0].new, "32");
    ck_assert_ptr_null(p.diff->settings.items[1].old);
    ck_assert_uint_eq(p.diff->phases.n, 2);
    ck_assert_uint_eq(p.diff->phases.items[1].bytes.old.n - p.diff->phases.items[1].bytes.new.n,
                      3900);
    ck_assert_uint_eq(p.diff->phases_sum.old.n, 4800);
    ck_assert_uint_eq(p.diff->phases_sum.new.n, 900);
    ck_assert_uint_eq(p.diff->gone.n, 1);
    ck_assert_uint_eq(p.diff->fresh.n + p.diff->same.n, 0);
    ck_assert_uint_eq(p.diff->series.n, 2);
    ck_assert_ptr_null(p.diff->series.items[1].old);
    ck_assert_uint_eq(p.diff->sizes.n, 0);
    pair_done(&p);
}
END_TEST

START_TEST(the_other_way_round_is_worse)
{
    struct pair p;
    pair_of(&p, od_report_after, od_report_before);
    ck_assert_int_eq(p.diff->verdict, OD_DIFF_WORSE);
    ck_assert_uint_eq(p.diff->fresh.n, 1);
    pair_done(&p);
}
END_TEST

START_TEST(the_same_run_is_the_same)
{
    struct pair p;
    pair_of(&p, od_report_before, od_report_before);
    ck_assert_int_eq(p.diff->verdict, OD_DIFF_SAME);
    ck_assert_uint_eq(p.diff->settings.n + p.diff->sizes.n + p.diff->gone.n + p.diff->fresh.n, 0);
    ck_assert_uint_eq(p.diff->same.n, 1);
    pair_done(&p);
}
END_TEST

START_TEST(nothing_known_is_no_verdict)
{
    static const char *const bare = "{\"schema\":\"oomdoctor.report/1\"}";
    struct pair p;
    pair_of(&p, bare, bare);
    ck_assert_int_eq(p.diff->verdict, OD_DIFF_UNKNOWN);
    pair_done(&p);
}
END_TEST

/* Two per cent are noise, three are not. */
#define POINTS "\"points\":9,\"first\":1,\"last\":2,\"min\":1,\"max\":2,\"trend\":\"leak\"}"
#define SERIES(metric, name) \
    "{\"metric\":\"" metric "\",\"device\":null,\"name\":" name ",\"process\":null," POINTS
static const char *const of_two_phases =
    "{\"schema\":\"oomdoctor.report/1\",\"outcome\":\"no_failure\",\"series\":[" SERIES(
        "host_rss_bytes", "null") "," SERIES("host_rss_bytes", "\"validation\"") "]}";
static const char *const of_validation =
    "{\"schema\":\"oomdoctor.report/1\",\"outcome\":\"no_failure\",\"series\":[" SERIES(
        "host_rss_bytes", "\"validation\"") "," SERIES("device_used_percent", "null") "]}";

START_TEST(a_series_has_one_partner_at_most)
{
    struct od_arena *arena = od_arena_new();
    struct od_run *old = od_run_of_text(of_two_phases, arena);
    struct od_run *new = od_run_of_text(of_validation, arena);
    struct od_diff *diff = od_diff_make(old, new, arena);
    ck_assert_uint_eq(diff->series.n, 3);
    ck_assert_ptr_null(diff->series.items[0].new);
    ck_assert_ptr_eq(diff->series.items[1].new, &new->series.items[0]);
    ck_assert_ptr_null(diff->series.items[2].old);
    ck_assert_str_eq(od_name_unit(diff->series.items[2].metric), " %");
    ck_assert_ptr_null(od_name_unit(diff->series.items[1].metric));
    od_diff_done(diff);
    od_run_done(old);
    od_run_done(new);
    od_arena_free(arena);
}
END_TEST

START_TEST(noise_is_not_worse)
{
    static const char *const form = "{\"schema\":\"oomdoctor.report/1\",\"outcome\":\"no_failure\","
                                    "\"allocators\":[{\"stats\":{\"in_use_bytes\":%d}}]}";
    struct od_arena *arena = od_arena_new();
    const char *old = od_arena_printf(arena, form, 1000000);
    struct pair p;
    pair_of(&p, old, od_arena_printf(arena, form, 1019000));
    ck_assert_int_eq(p.diff->verdict, OD_DIFF_SAME);
    pair_done(&p);
    pair_of(&p, old, od_arena_printf(arena, form, 1031000));
    ck_assert_int_eq(p.diff->verdict, OD_DIFF_WORSE);
    pair_done(&p);
    od_arena_free(arena);
}
END_TEST

Suite *od_diff_suite(void)
{
    Suite *suite = suite_create("diff");
    TCase *tcase = tcase_create("diff");
    tcase_add_test(tcase, a_run_that_was_mended);
    tcase_add_test(tcase, the_other_way_round_is_worse);
    tcase_add_test(tcase, the_same_run_is_the_same);
    tcase_add_test(tcase, nothing_known_is_no_verdict);
    tcase_add_test(tcase, a_series_has_one_partner_at_most);
    tcase_add_test(tcase, noise_is_not_worse);
    suite_add_tcase(suite, tcase);
    return suite;
}
