/* Times as logs print them, and those that lines begin with. */
#include "base/daytime.h"
#include "base/num.h"
#include "tests/unit/base/suites.h"
#include "tests/unit/suite.h"

#include <math.h>

enum { CLOCK = 36672 /* 10:11:12 */ };

/* Negative: no time. */
static const struct {
    const char *line;
    double seconds;
} heads[] = {
    {"10:11:12 | INFO | rss 2 GB", CLOCK},
    {"[10:11:12.5] rss 2 GB", CLOCK + 0.5},
    {"2024-05-02 10:11:12,250 - INFO - rss", 1714608000.0 + CLOCK + 0.25},
    {"[2024-05-02T10:11:12Z] rss", 1714608000.0 + CLOCK},
    {"[2024/05/02 10:11:12] rss", 1714608000.0 + CLOCK},
    {"[05/02 10:11:12] ppdet.engine INFO: Epoch", CLOCK},
    {"07-15-2025 10:11:12 RAM 2/4MB", CLOCK},
    {"May  2 10:11:12 node7 trainer", CLOCK},
    {"I0502 10:11:12.500000 412 net.cc:3] rss", CLOCK + 0.5},
    {"time=2024-05-02T10:11:12.5-06:00 level=INFO", 1714608000.0 + CLOCK + 0.5},
    {"Thu May  2 10:11:12 2024", 1714608000.0 + CLOCK},
    {"top - 10:11:12 up 3 days", CLOCK},
    {"{\"timestamp\":\"2024-05-02T10:11:12.5+00:00\",\"rss\":1}", 1714608000.0 + CLOCK + 0.5},
    {"{\"rss\": 1, \"ts\": 1714608000, \"x\": 2}", 1714608000.0},
    {"{\"rss\": 1}", -1},
    {"step 3 of 4, eta 10:11:12", -1}, /* words before it */
    {"loss: 3 10:11:12", -1},
    {"10:11 rss 2 GB", -1},
    {"110:11:12 rss 2 GB", -1},
    {"10:11:12:13 rss 2 GB", -1},
    {"10:71:12 rss 2 GB", -1},
    {"rss 2 GB", -1},
    {"", -1},
};

START_TEST(a_line_may_begin_with_its_time)
{
    double seconds = -1;
    bool ok = od_daytime_head(od_view_of(heads[_i].line), &seconds);
    ck_assert_int_eq(ok, heads[_i].seconds >= 0);
    ck_assert(fabs(seconds - heads[_i].seconds) < 1e-6);
}
END_TEST

Suite *od_daytime_suite(void)
{
    return od_suite_loop("daytime", a_line_may_begin_with_its_time, (int)OD_COUNT_OF(heads));
}
