#include "base/num.h"
#include "base/seconds.h"
#include "tests/unit/base/suites.h"
#include "tests/unit/suite.h"

#include <math.h>

/* Negative: no duration. */
static const struct {
    const char *text;
    double seconds;
} rows[] = {
    {"0.43", 0.43},
    {"1.3s", 1.3},
    {"512ms", 0.512},
    {"512 ms", 0.512},
    {"7us/step", 7e-6},
    {"52ms/step", 0.052},
    {"2.5it/s", 0.4},
    {"1.25 s/it", 1.25},
    {"4.00 batch/s", 0.25},
    {"1,5s", 1.5},
    {"1m20s", 80},
    {"1m 20s", 80},
    {"2h3m4s", 7384},
    {"01:02", 62},
    {"1:02:03", 3723},
    {"2 days, 1:02:03", 176523},
    {"1 day, 0:00:01", 86401},
    {"1.2e-3 s", 0.0012},
    {"3 min", 180},
    {"0.00it/s", -1},
    {"120 samples/s", -1},
    {"4 furlongs", -1},
    {"ms", -1},
    {"", -1},
    {"-3s", -1},
    {"1:2:3:4", -1},
    {"12 13", -1},
    {"1s/2s", -1},
    {":", -1},
};

START_TEST(durations_are_seconds)
{
    double seconds = -1;
    ck_assert_int_eq(od_seconds_parse(od_view_of(rows[_i].text), &seconds), rows[_i].seconds >= 0);
    ck_assert_msg(fabs(seconds - rows[_i].seconds) < 1e-9, "%s: %g", rows[_i].text, seconds);
}
END_TEST

Suite *od_seconds_suite(void)
{
    return od_suite_loop("seconds", durations_are_seconds, (int)OD_COUNT_OF(rows));
}
