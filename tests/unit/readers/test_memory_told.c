/* Memory told over time: each size behind its time, and what only looks so. */
#include "tests/unit/readers/listen.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_memory_told;

static const struct {
    const char *text;
    const char *heard;
} courses[] = {
    {"It starts at 1 MB. After 1 hour it uses 2 MB of RAM, after 2 hours 3 MB.",
     "sample@1 in_use=1048576 elapsed=0\nsample@1 in_use=2097152 elapsed=3600\n"
     "sample@1 in_use=3145728 elapsed=7200\n"},
    {"After 10 minutes: 1 MB\nAfter 20 minutes: 2 MB",
     "sample@1 in_use=1048576 elapsed=600\nsample@2 in_use=2097152 elapsed=1200\n"},
    {"day 3: 1MB", "sample@1 in_use=1048576 elapsed=259200\n"},
    {"RSS: 1 MB -> 2 MB -> 3 MB",
     "sample@1 rss=1048576 step=1\nsample@1 rss=2097152 step=2\nsample@1 rss=3145728 step=3\n"},
    {"149mb @ startup\n224mb @ 2min",
     "sample@1 in_use=156237824 elapsed=0\nsample@2 in_use=234881024 elapsed=120\n"},
    {"2MB after 24h", "sample@1 in_use=2097152 elapsed=86400\n"},
    {"3h 1.5gb free", "sample@1 free=1610612736 elapsed=10800\n"},
    /* of something else, of too little, and back in time */
    {"Copied after 1 hour: 200 MB", ""},
    {"resize 1 MB -> 2 MB -> 3 MB", ""},
    {"RSS: 1 MB -> 2 MB", ""},
    {"RAM after 2 hours 3 MB, after 1 hour 2 MB, after 1 hour 1 MB", ""},
};

START_TEST(a_told_course_is_measurements)
{
    struct listener l;
    listen_begin(&l, &od_reader_memory_told);
    listen_text(&l, 1, courses[_i].text);
    ck_assert_str_eq(listen_end(&l), courses[_i].heard);
    listen_done(&l);
}
END_TEST

Suite *od_memory_told_suite(void)
{
    return od_suite_loop("memory_told", a_told_course_is_measurements, (int)OD_COUNT_OF(courses));
}
