#include "base/num.h"
#include "input/clock.h"
#include "tests/unit/input/suites.h"

struct row {
    const char *line;
    const char *time; /* "" = none */
};

static const struct row rows[] = {
    {"2026-01-02 10:11:12.345: I tensorflow/core/x.cc:1] y", "2026-01-02T10:11:12"},
    {"[2024-02-29 23:59:60,123] INFO", "2024-03-01T00:00:00"},
    {"2026/01/02 10:11:12 INFO", "2026-01-02T10:11:12"},
    {"2026-01-02T10:11:12.123456789Z stderr F x", "2026-01-02T10:11:12"},
    {"{\"log\":\"x\\n\",\"stream\":\"stderr\",\"time\":\"2025-12-31T07:08:09.1Z\"}",
     "2025-12-31T07:08:09"},
    {"Apr  6 07:08:09 node12 python[3]: x", "04-06T07:08:09"},
    {"Dec 31 23:08:09 node12 kernel: x", "12-31T23:08:09"},
    {"step 3, 2026-01-02 10:11:12", "2026-01-02T10:11:12"},
    /* near misses */
    {"", ""},
    {"12026-01-02 10:11:12", ""},
    {"2026-13-02 10:11:12", ""},
    {"2026-01-02 25:11:12", ""},
    {"2026-01-02 10:11", ""},
    {"2026-01-02 10:11:123", ""},
    {"10:11:12 INFO no date", ""},
    {"May the 4th be with you", ""},
    {"Mayor 14 10:11:12", ""},
};

START_TEST(times_are_found)
{
    char text[OD_TIME_TEXT];
    ck_assert_str_eq(od_time_print(od_time_find(od_view_of(rows[_i].line)), text), rows[_i].time);
}
END_TEST

START_TEST(both_ends_make_a_span)
{
    struct od_clock clock = {0};
    char text[OD_TIME_TEXT];
    ck_assert_int_eq(od_clock_span(&clock), -1);
    od_clock_block(&clock, OD_VIEW("no time here\n2026-01-02 10:00:00 a\n2026-01-02 10:00:05 b\n"));
    ck_assert_int_eq(od_clock_span(&clock), 5);
    od_clock_block(&clock, OD_VIEW("more\n2026-01-03 10:00:10 c\nand no time"));
    ck_assert_int_eq(od_clock_span(&clock), 86410);
    od_clock_block(&clock, OD_VIEW("Apr  6 07:08:09 another clock\n"));
    ck_assert_int_eq(od_clock_span(&clock), 86410);
    ck_assert_str_eq(od_time_print(clock.first, text), "2026-01-02T10:00:00");
    od_clock_block(&clock, OD_VIEW("2025-01-01 00:00:00 backwards\n"));
    ck_assert_int_eq(od_clock_span(&clock), -1);
}
END_TEST

Suite *od_clock_suite(void)
{
    Suite *suite = suite_create("clock");
    TCase *tcase = tcase_create("clock");
    tcase_add_loop_test(tcase, times_are_found, 0, (int)OD_COUNT_OF(rows));
    tcase_add_test(tcase, both_ends_make_a_span);
    suite_add_tcase(suite, tcase);
    return suite;
}
