/* earlyoom: the figures of one line and the victim of another, in the words of its versions. */
#include "base/num.h"
#include "readers/reading.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

extern const struct od_reader od_reader_earlyoom;

static const struct od_place nowhere;

struct kill {
    unsigned n;
    uint64_t pid, rss, free, capacity;
    char name[32];
};

static void keep(void *self, const struct od_event *event)
{
    struct kill *kill = self;
    struct od_view name = od_event_text(event, OD_F_PROCESS);
    ck_assert_int_eq(event->kind, OD_EV_PRESSURE_KILLED);
    *kill = (struct kill){.n = kill->n + 1,
                          .pid = od_event_count(event, OD_F_PID).n,
                          .rss = od_event_bytes(event, OD_F_RSS).n,
                          .free = od_event_bytes(event, OD_F_FREE).n,
                          .capacity = od_event_bytes(event, OD_F_CAPACITY).n};
    for (size_t i = 0; i < name.n && i < sizeof kill->name - 1; i++)
        kill->name[i] = name.p[i];
}

#define MIB(n) ((uint64_t)(n) << 20)

static const struct {
    const char *lines[4];
    struct kill kill;
} logs[] = {
    {{"mem avail:   812 of 15872 MiB ( 5.12%), swap free:    0 of    0 MiB ( 0.00%)",
      "low memory! at or below SIGTERM limits: mem 10.00%, swap 10.00%",
      "sending SIGTERM to process 5501 uid 1000 \"python3\": badness 871, VmRSS 9120 MiB"},
     {1, 5501, MIB(9120), MIB(812), MIB(15872), "python3"}},
    {{"mem total: 7800 MiB, swap total: 0 MiB", "mem avail: 300 MiB",
      "sending SIGKILL to process 5501 uid 1000 \"a \\\"b\": oom_score 5, VmRSS 91 MiB, cmdline "
      "\"x\""},
     {1, 5501, MIB(91), MIB(300), MIB(7800), "a \\\"b"}},
    {{"killing process 61 \"bash\" with signal 15: badness 550, VmRSS 7 MiB"},
     {1, 61, MIB(7), 0, 0, "bash"}},
    {{"sending SIGTERM when mem <= 10.00% and swap <= 10.00%,",
      "        SIGKILL when mem <=  5.00% and swap <=  5.00%", "VmRSS 12 MiB",
      "Killing process group of the tests"},
     {0}},
};

START_TEST(a_kill_knows_its_figures)
{
    struct kill kill = {0};
    const struct kill *want = &logs[_i].kill;
    const struct od_sink sink = {keep, &kill};
    struct od_reading reading = od_reading_begin(&od_reader_earlyoom, NULL);
    for (size_t i = 0; i < 4 && logs[_i].lines[i]; i++) {
        struct od_line line = {.text = od_view_of(logs[_i].lines[i]), .place = &nowhere};
        (void)od_reading_line(&reading, &line, true, &sink);
    }
    od_reading_end(&reading, &sink);
    od_reading_done(&reading);
    ck_assert_uint_eq(kill.n, want->n);
    ck_assert_uint_eq(kill.pid, want->pid);
    ck_assert_uint_eq(kill.rss, want->rss);
    ck_assert_uint_eq(kill.free, want->free);
    ck_assert_uint_eq(kill.capacity, want->capacity);
    ck_assert_str_eq(kill.name, want->name);
}
END_TEST

Suite *od_earlyoom_suite(void)
{
    return od_suite_loop("earlyoom", a_kill_knows_its_figures, (int)OD_COUNT_OF(logs));
}
