/* What the framework does for every reader: a state for each lane, with an age and limits. */
#include "readers/reading.h"

#include "base/buf.h"
#include "base/num.h"
#include "tests/unit/readers/suites.h"
#include "tests/unit/suite.h"

/* A reader of sums: "open" begins one, numbers go on with it, "close" ends it. */
struct sum {
    bool open;
    uint64_t so_far;
    unsigned *sums; /* of all lanes */
};

static void sum_begin(const struct od_reader *reader, void *state, void *shared,
                      struct od_arena *arena)
{
    (void)reader;
    (void)arena;
    ((struct sum *)state)->sums = shared;
}

static void sum_end(void *state, const struct od_sink *sink)
{
    struct sum *s = state;
    if (!s->open)
        return;
    struct od_event event = {.kind = OD_EV_SAMPLE};
    od_event_set_count(&event, OD_F_STEP, ++*s->sums);
    od_event_set_count(&event, OD_F_COUNT, s->so_far);
    od_sink_put(sink, &event);
    s->open = false;
    s->so_far = 0;
}

static enum od_take sum_line(void *state, const struct od_line *line, const struct od_sink *sink)
{
    struct sum *s = state;
    uint64_t n;
    if (od_view_eq_str(line->text, "open"))
        s->open = true;
    else if (od_view_eq_str(line->text, "close"))
        sum_end(s, sink);
    else if (s->open && od_num_parse_u64(line->text, &n))
        s->so_far += n;
    else
        return OD_TAKE_NONE;
    return OD_TAKE_ALL;
}

static bool sum_is_open(const void *state)
{
    return ((const struct sum *)state)->open;
}

static const char *const literals[] = {"open", NULL};
static const struct od_reader sums = {.name = "sums",
                                      .literals = literals,
                                      .state_size = sizeof(struct sum),
                                      .shared_size = sizeof(unsigned),
                                      .foreign_max = 2,
                                      .age_max = 6,
                                      .begin = sum_begin,
                                      .line = sum_line,
                                      .is_open = sum_is_open,
                                      .end = sum_end};

static void hear(void *self, const struct od_event *event)
{
    od_buf_printf(self, "%llu:%llu ", (unsigned long long)od_event_count(event, OD_F_STEP).n,
                  (unsigned long long)od_event_count(event, OD_F_COUNT).n);
}

static void say(struct od_reading *reading, uint32_t lane, const char *text, struct od_buf *heard)
{
    const struct od_sink sink = {hear, heard};
    struct od_line line = {.text = od_view_of(text), .lane = lane};
    (void)od_reading_line(reading, &line, od_view_eq_str(line.text, "open"), &sink);
}

/* A lane and a line each; "" of lane 0 is the end of the source. */
static const struct {
    const char *what;
    const char *lines;
    const char *heard;
} rows[] = {
    {"two lanes in turn", "1 open,2 open,1 3,2 5,1 4,2 6,1 close,2 close", "1:7 2:11 "},
    {"a lane that is closed gets no lines", "1 open,2 9,1 3,2 close,1 close", "1:3 "},
    {"lines of the lane that it does not take", "1 open,1 3,1 x,1 x,1 4,1 x,1 x,1 x,1 5", "1:7 "},
    {"lines of others are no such lines", "1 open,1 3,2 x,2 x,2 x,2 x,1 4,1 close", "1:7 "},
    {"but there may be too many of them", "1 open,1 3,2 x,2 x,2 x,2 x,2 x,2 x,2 x,1 4", "1:3 "},
    {"the one that waits longest ends", "1 open,2 open,1 3,2 4,3 x,3 x,3 x,3 x,3 x,2 5,1 x",
     "1:3 2:9 "},
    {"a source ends", "1 open,1 3,2 open,2 4,0 ,1 8,2 close", "1:3 2:4 "},
};

START_TEST(each_lane_has_a_state)
{
    struct od_buf heard = {0};
    struct od_arena *arena = od_arena_new();
    struct od_reading reading = od_reading_begin(&sums, arena);
    struct od_view rest = od_view_of(rows[_i].lines), one;
    const struct od_sink sink = {hear, &heard};
    while (od_view_cut(&rest, ',', &one)) {
        struct od_buf text = {0};
        od_buf_add(&text, od_view_from(one, 2));
        if (one.p[0] == '0')
            od_reading_end(&reading, &sink);
        else
            say(&reading, (uint32_t)(one.p[0] - '0'), od_buf_str(&text), &heard);
        od_buf_done(&text);
    }
    od_reading_end(&reading, &sink);
    ck_assert_msg(!od_reading_is_open(&reading), "%s", rows[_i].what);
    ck_assert_str_eq(od_buf_str(&heard), rows[_i].heard);
    od_reading_done(&reading);
    od_arena_free(arena);
    od_buf_done(&heard);
}
END_TEST

/* However many lanes begin something, so many are open. */
START_TEST(lanes_open_at_a_time_have_a_limit)
{
    enum { LANES = 1000 };
    struct od_buf heard = {0};
    const struct od_sink sink = {hear, &heard};
    struct od_reading reading = od_reading_begin(&sums, NULL);
    struct od_reader patient = sums;
    patient.age_max = 0;
    reading.reader = &patient;
    for (uint32_t lane = 0; lane < LANES; lane++)
        say(&reading, lane, "open", &heard);
    ck_assert(od_view_starts(od_buf_view(&heard), OD_VIEW("1:0 2:0 ")));
    ck_assert_uint_lt(reading.nopen, LANES);
    od_reading_end(&reading, &sink);
    ck_assert(od_view_ends(od_buf_view(&heard), OD_VIEW(" 1000:0 ")));
    od_reading_done(&reading);
    od_buf_done(&heard);
}
END_TEST

Suite *od_reading_suite(void)
{
    Suite *suite = suite_create("reading");
    TCase *tcase = tcase_create("reading");
    tcase_add_loop_test(tcase, each_lane_has_a_state, 0, (int)OD_COUNT_OF(rows));
    tcase_add_test(tcase, lanes_open_at_a_time_have_a_limit);
    suite_add_tcase(suite, tcase);
    return suite;
}
