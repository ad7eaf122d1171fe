#include "runs/fail_on.h"
#include "tests/unit/runs/suites.h"

#include <string.h>

struct row {
    const char *text;
    bool before, after; /* met by that report */
};

static const struct row rows[] = {
    {"leak", true, false},
    {"failure", true, false},
    {"host_leak", true, false},
    {"batch_too_large", false, false},
    {"device_peak>90%", true, false}, /* 9600 of 10000 */
    {"device_peak > 96%", false, false},
    {"device_peak>9599", true, false},
    {"device_peak>9600", false, false},
    {"host_rss>500B", true, false},
    {"host_rss_bytes<150 bytes", true, true},
    {"host_peak>1KiB", false, false},
    {"step_seconds>0.7", false, true},
    {"step_seconds > 0.8s", false, false},
    {"host_used>20GiB|leak|device_peak>90%", true, false},
    {"regression", false, false},
};

START_TEST(terms_are_met)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    const struct od_fail_on *fail_on = od_fail_on_parse(rows[_i].text, arena, diags);
    ck_assert_msg(fail_on != NULL, "%s", rows[_i].text);
    const char *const reports[] = {od_report_before, od_report_after};
    for (int i = 0; i < 2; i++) {
        struct od_run *run = od_run_of_text(reports[i], arena);
        const char *unknown;
        const char *met = od_fail_on_met(fail_on, run, NULL, arena, &unknown);
        ck_assert_msg((met != NULL) == (i == 0 ? rows[_i].before : rows[_i].after), "%s, report %d",
                      rows[_i].text, i);
        od_run_done(run);
    }
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

START_TEST(what_cannot_be_checked_is_counted)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_run *run = od_run_of_text(od_report_after, arena);
    const char *unknown;
    ck_assert_ptr_null(
        od_fail_on_met(od_fail_on_parse("host_peak>90%|device_used>1B|leak", arena, diags), run,
                       NULL, arena, &unknown));
    ck_assert_str_eq(unknown, "host_peak>90%|device_used>1B");
    od_run_done(run);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

START_TEST(a_regression_is_met)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_run *bad = od_run_of_text(od_report_before, arena);
    struct od_run *good = od_run_of_text(od_report_after, arena);
    const struct od_fail_on *fail_on = od_fail_on_parse("regression", arena, diags);
    const char *unknown;
    struct od_diff *worse = od_diff_make(good, bad, arena);
    struct od_diff *better = od_diff_make(bad, good, arena);
    ck_assert_ptr_nonnull(od_fail_on_met(fail_on, bad, worse, arena, &unknown));
    ck_assert_ptr_null(od_fail_on_met(fail_on, good, better, arena, &unknown));
    od_diff_done(worse);
    od_diff_done(better);
    od_run_done(bad);
    od_run_done(good);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

/* Nothing failed: the limits are those of the series, each its own device's. */
static const char *const two_devices =
    "{\"schema\":\"oomdoctor.report/1\",\"outcome\":\"no_failure\",\"series\":["
    "{\"metric\":\"device_used_bytes\",\"device\":\"GPU:0\",\"points\":2,\"first\":100,\"last\":"
    "920,\"min\":100,\"max\":920,\"limit\":1000},"
    "{\"metric\":\"device_used_bytes\",\"device\":\"GPU:1\",\"points\":2,\"first\":200,\"last\":"
    "1500,\"min\":200,\"max\":1500,\"limit\":4000},"
    "{\"metric\":\"host_rss_bytes\",\"points\":2,\"first\":10,\"last\":90,\"min\":10,\"max\":90}]}";

static const struct {
    const char *text;
    bool met, known;
} shares[] = {
    {"device_used>90%", true, true},  {"device_used>92%", false, true},
    {"device_used<6%", true, true},   {"device_used<5%", false, true},
    {"device_peak>90%", true, true},  {"device_peak>95%", false, true},
    {"device_peak<95%", true, true},  {"device_peak<90%", false, true},
    {"device_peak>1400", true, true}, {"host_rss>50%", false, false},
    {"host_peak>50%", false, false},  {"host_peak>80B", true, true},
};

START_TEST(a_share_is_of_the_devices_own_limit)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_run *run = od_run_of_text(two_devices, arena);
    const char *unknown;
    const char *met =
        od_fail_on_met(od_fail_on_parse(shares[_i].text, arena, diags), run, NULL, arena, &unknown);
    ck_assert_msg((met != NULL) == shares[_i].met, "%s", shares[_i].text);
    ck_assert_msg((unknown == NULL) == shares[_i].known, "%s", shares[_i].text);
    od_run_done(run);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

static const char *const wrong[] = {"",
                                    "|",
                                    "leek",
                                    "device_peak",
                                    "device>5GB",
                                    "host_rss>",
                                    "host_rss>many",
                                    "device_peak>90",
                                    "leak|nothing",
                                    ">5",
                                    "host_rss=5G",
                                    "step_seconds>fast",
                                    "step_seconds>5%"};

START_TEST(nonsense_is_refused)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    ck_assert_msg(od_fail_on_parse(wrong[_i], arena, diags) == NULL, "%s", wrong[_i]);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

Suite *od_fail_on_suite(void)
{
    Suite *suite = suite_create("fail_on");
    TCase *tcase = tcase_create("fail_on");
    tcase_add_loop_test(tcase, terms_are_met, 0, (int)OD_COUNT_OF(rows));
    tcase_add_test(tcase, what_cannot_be_checked_is_counted);
    tcase_add_test(tcase, a_regression_is_met);
    tcase_add_loop_test(tcase, a_share_is_of_the_devices_own_limit, 0, (int)OD_COUNT_OF(shares));
    tcase_add_loop_test(tcase, nonsense_is_refused, 0, (int)OD_COUNT_OF(wrong));
    suite_add_tcase(suite, tcase);
    return suite;
}
