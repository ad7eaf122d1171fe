#include "base/buf.h"
#include "tests/unit/runs/suites.h"

#include <string.h>

START_TEST(a_report_is_read)
{
    struct od_arena *arena = od_arena_new();
    struct od_run *run = od_run_of_text(od_report_before, arena);
    ck_assert_ptr_nonnull(run);
    ck_assert_str_eq(run->digest, "xxh3:01");
    ck_assert(run->complete);
    ck_assert_str_eq(run->outcome, "memory_failure");
    ck_assert_str_eq(run->cause, "host_leak");
    ck_assert_str_eq(run->action, "reduce_batch");
    ck_assert_uint_eq(run->device_peak.n, 9600);
    ck_assert_uint_eq(run->device_limit.n, 10000);
    ck_assert_uint_eq(run->host_peak.n, 950);
    ck_assert(!run->host_limit.known);
    ck_assert_uint_eq(run->batch.n, 64);
    ck_assert_uint_eq(run->recommended_batch.n, 32);
    ck_assert_str_eq(od_run_setting(run, "batch_size"), "64");
    ck_assert_str_eq(od_run_setting(run, "precision"), "float32");
    ck_assert_ptr_null(od_run_setting(run, "workers"));
    ck_assert_ptr_null(od_run_setting(run, "said"));
    ck_assert_uint_eq(run->incidents.n, 1);
    ck_assert_str_eq(run->incidents.items[0].tensor, "[2,?,3] float32");
    ck_assert_ptr_null(run->incidents.items[0].op);
    ck_assert_uint_eq(run->incidents.items[0].count, 2);
    ck_assert_uint_eq(run->sizes.n, 2);
    ck_assert_str_eq(run->sizes.items[0].role, "weights");
    ck_assert_ptr_null(run->sizes.items[1].role);
    ck_assert(od_run_leaks(run));
    od_run_done(run);
    od_arena_free(arena);
}
END_TEST

START_TEST(a_number_that_no_size_can_be_is_not_known)
{
    static const char *const form =
        "{\"schema\":\"oomdoctor.report/1\",\"series\":[{\"metric\":\"host_rss_bytes\","
        "\"points\":2,\"first\":1,\"last\":%s,\"min\":1,\"max\":2}]}";
    static const char *const values[] = {"2", "1e29", "-1e29"};
    struct od_arena *arena = od_arena_new();
    for (size_t i = 0; i < 3; i++) {
        struct od_run *run = od_run_of_text(od_arena_printf(arena, form, values[i]), arena);
        ck_assert_uint_eq(run->series.n, 1);
        ck_assert_int_eq(run->series.items[0].known, i == 0);
        od_run_done(run);
    }
    od_arena_free(arena);
}
END_TEST

START_TEST(what_grows_in_jumps_leaks)
{
    static const struct {
        const char *metric, *trend;
        bool leaks;
    } of[] = {{"host_rss_bytes", "leak", true},
              {"host_rss_bytes", "staircase", true},
              {"host_rss_bytes", "warmup", false},
              {"step_seconds", "staircase", false}};
    static const char *const form = "{\"schema\":\"oomdoctor.report/1\",\"series\":[{\"metric\":"
                                    "\"%s\",\"points\":50,\"trend\":\"%s\"}]}";
    struct od_arena *arena = od_arena_new();
    struct od_run *run =
        od_run_of_text(od_arena_printf(arena, form, of[_i].metric, of[_i].trend), arena);
    ck_assert_int_eq(od_run_leaks(run), of[_i].leaks);
    od_run_done(run);
    od_arena_free(arena);
}
END_TEST

/* What is in use is the peak; what a framework keeps is one only where nothing else is said. */
START_TEST(a_peak_is_what_was_in_use)
{
    static const struct {
        const char *in_use, *used, *reserved;
        uint64_t peak;
    } of[] = {{"500", "null", "2800", 500},
              {"null", "null", "2800", 2800},
              {"null", "900", "2800", 900},
              {"500", "900", "null", 900}};
    static const char *const form =
        "{\"schema\":\"oomdoctor.report/1\",\"incidents\":[{\"kind\":\"device_alloc_failed\","
        "\"in_use_bytes\":%s,\"reserved_bytes\":%s}],\"series\":[{\"metric\":"
        "\"device_used_bytes\",\"points\":2,\"first\":1,\"last\":1,\"min\":1,\"max\":%s}]}";
    struct od_arena *arena = od_arena_new();
    struct od_run *run = od_run_of_text(
        od_arena_printf(arena, form, of[_i].in_use, of[_i].reserved, of[_i].used), arena);
    ck_assert_uint_eq(run->device_peak.n, of[_i].peak);
    od_run_done(run);
    od_arena_free(arena);
}
END_TEST

/* Missing, null and of another type are one: not known. */
static const char *const poor[] = {
    "{\"schema\":\"oomdoctor.report/1\"}",
    "{\"schema\":\"oomdoctor.report/1\",\"inputs\":3,\"incidents\":{},\"plan\":[],\"series\":null,"
    "\"settings\":7,\"outcome\":4,\"diagnosis\":\"x\",\"allocators\":[5,null,[]],\"phases\":[{}]}",
    "{\"schema\":\"oomdoctor.report/"
    "1\",\"incidents\":[{\"kind\":null},5],\"series\":[{\"metric\":1}],"
    "\"allocators\":[{\"stats\":{\"limit_bytes\":-5,\"in_use_bytes\":1.5},\"sizes\":[{}]}]}",
};

START_TEST(what_is_not_there_is_not_known)
{
    struct od_arena *arena = od_arena_new();
    struct od_run *run = od_run_of_text(poor[_i], arena);
    ck_assert_ptr_nonnull(run);
    ck_assert_str_eq(run->outcome, "unknown");
    ck_assert_ptr_null(run->cause);
    ck_assert(!run->device_peak.known && !run->device_limit.known && !run->batch.known);
    ck_assert_uint_eq(run->incidents.n + run->series.n + run->sizes.n + run->phases.n, 0);
    ck_assert(!od_run_leaks(run));
    od_run_done(run);
    od_arena_free(arena);
}
END_TEST

static const char *const refused[] = {
    "",
    "[]",
    "{",
    "{} {}",
    "{\"schema\":\"oomdoctor.plan/1\"}",
    "{\"schema\":\"oomdoctor.report/2\"}",
    "{\"schema\":\"oomdoctor.report/1\",\"schema\":\"oomdoctor.report/1\"}",
};

START_TEST(what_is_no_report_is_refused)
{
    struct od_arena *arena = od_arena_new();
    ck_assert_ptr_null(od_run_of_text(refused[_i], arena));
    od_arena_free(arena);
}
END_TEST

START_TEST(deep_nesting_is_refused)
{
    struct od_arena *arena = od_arena_new();
    struct od_buf deep = {0};
    od_buf_add_str(&deep, "{\"schema\":\"oomdoctor.report/1\",\"x\":");
    od_buf_add_repeat(&deep, "[", 100000);
    ck_assert_ptr_null(od_run_of_text(od_buf_str(&deep), arena));
    od_buf_done(&deep);
    od_arena_free(arena);
}
END_TEST

Suite *od_run_suite(void)
{
    Suite *suite = suite_create("run");
    TCase *tcase = tcase_create("run");
    tcase_add_test(tcase, a_report_is_read);
    tcase_add_loop_test(tcase, what_grows_in_jumps_leaks, 0, 4);
    tcase_add_loop_test(tcase, a_peak_is_what_was_in_use, 0, 4);
    tcase_add_test(tcase, a_number_that_no_size_can_be_is_not_known);
    tcase_add_loop_test(tcase, what_is_not_there_is_not_known, 0, (int)OD_COUNT_OF(poor));
    tcase_add_loop_test(tcase, what_is_no_report_is_refused, 0, (int)OD_COUNT_OF(refused));
    tcase_add_test(tcase, deep_nesting_is_refused);
    suite_add_tcase(suite, tcase);
    return suite;
}
