/* Folding of measurements: what joins one series, on which axis, how many points are kept. */
#include "base/num.h"
#include "case/case.h"
#include "tests/unit/case/suites.h"
#include "tests/unit/suite.h"

#include <math.h>

struct sample {
    uint64_t line;
    uint64_t rss, in_use; /* MiB; 0 = not said */
    uint64_t step, epoch; /* + 1 */
    uint64_t pid;
    const char *device, *space, *phase;
    const char *rule; /* who read it */
    uint32_t source;
    double share; /* percent; 0 = not said */
};

static void put(const struct od_sink *sink, const struct sample *s)
{
    struct od_event event = {.kind = OD_EV_SAMPLE,
                             .rule = s->rule,
                             .at = {.source = s->source, .line = s->line, .nlines = 1}};
    if (s->rss > 0)
        od_event_set_bytes(&event, OD_F_RSS, od_bytes_exact(s->rss << 20));
    if (s->in_use > 0)
        od_event_set_bytes(&event, OD_F_IN_USE, od_bytes_exact(s->in_use << 20));
    if (s->step > 0)
        od_event_set_count(&event, OD_F_STEP, s->step - 1);
    if (s->epoch > 0)
        od_event_set_count(&event, OD_F_EPOCH, s->epoch - 1);
    if (s->pid > 0)
        od_event_set_count(&event, OD_F_PID, s->pid);
    if (s->device)
        od_event_set_text(&event, OD_F_DEVICE, od_view_of(s->device));
    if (s->space)
        od_event_set_text(&event, OD_F_SPACE, od_view_of(s->space));
    if (s->phase)
        od_event_set_text(&event, OD_F_PHASE, od_view_of(s->phase));
    if (s->share > 0)
        od_event_set_number(&event, OD_F_SHARE, s->share / 100);
    od_sink_put(sink, &event);
}

static const struct od_case *fold(const struct sample *samples, size_t n)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (size_t i = 0; i < n; i++)
        put(&sink, &samples[i]);
    return od_case_freeze(builder);
}

/* Each pair differs in one thing, and so makes two series. */
static const struct sample pairs[][2] = {
    {{.line = 1, .rss = 5}, {.line = 2, .in_use = 5}},
    {{.line = 1, .in_use = 5}, {.line = 2, .in_use = 5, .space = "host"}},
    {{.line = 1, .in_use = 5, .device = "GPU 0"}, {.line = 2, .in_use = 5, .device = "cuda:1"}},
    {{.line = 1, .rss = 5, .pid = 10}, {.line = 2, .rss = 5, .pid = 11}},
    {{.line = 1, .rss = 5}, {.line = 2, .rss = 5, .source = 1}},
    {{.line = 1, .rss = 5, .phase = "train"}, {.line = 2, .rss = 5, .phase = "validation"}},
    {{.line = 1, .in_use = 5}, {.line = 2, .share = 5}},
    /* what an allocator gave out, and what the device has in use */
    {{.line = 1, .in_use = 5, .rule = "repeated"},
     {.line = 2, .in_use = 5, .rule = "repeated.allocator"}},
    {{.line = 1, .share = 5}, {.line = 2, .share = 5, .space = "host"}},
};

START_TEST(a_series_mixes_nothing)
{
    const struct od_case *c = fold(pairs[_i], 2);
    ck_assert_uint_eq(c->series.n, 2);
    for (size_t i = 0; i < 2; i++)
        ck_assert_uint_eq(c->series.items[i].points, 1);
    od_case_free(c);
}
END_TEST

START_TEST(steps_of_each_epoch_go_on)
{
    struct sample samples[30];
    for (uint64_t i = 0; i < 30; i++)
        samples[i] = (struct sample){
            .line = i + 1, .rss = 100, .epoch = 1 + i / 10, .step = 1 + 5 * (i % 10)};
    const struct od_case *c = fold(samples, 30);
    ck_assert_uint_eq(c->series.n, 1);
    const struct od_series *s = &c->series.items[0];
    ck_assert_int_eq(s->x, OD_X_STEP);
    for (size_t i = 0; i < 30; i++)
        ck_assert_double_eq_tol(s->samples[i].x, 5 * (double)i, 1e-9);
    od_case_free(c);
}
END_TEST

START_TEST(the_axis_is_one_that_all_points_have)
{
    struct sample samples[] = {{.line = 3, .rss = 7, .step = 1, .epoch = 1},
                               {.line = 5, .rss = 7, .epoch = 2},
                               {.line = 9, .rss = 7, .step = 9, .epoch = 3}};
    const struct od_case *c = fold(samples, 3);
    ck_assert_int_eq(c->series.items[0].x, OD_X_EPOCH);
    od_case_free(c);
    samples[1].epoch = 0; /* a step of an unknown epoch, beside an epoch without a step */
    samples[1].step = 5;
    samples[0].step = 0;
    c = fold(samples, 3);
    ck_assert_int_eq(c->series.items[0].x, OD_X_LINE);
    ck_assert_double_eq_tol(c->series.items[0].samples[2].x, 9, 1e-9);
    od_case_free(c);
}
END_TEST

/* Two jobs write to one log: each has its own epochs. */
START_TEST(another_attempt_is_another_series)
{
    struct sample samples[40];
    for (uint64_t i = 0; i < 40; i++)
        samples[i] = (struct sample){.line = i + 1, .rss = 50 + i % 20, .epoch = 1 + i % 20};
    const struct od_case *c = fold(samples, 40);
    ck_assert_uint_eq(c->series.n, 2);
    ck_assert_uint_eq(c->series.items[1].at.line, 21);
    od_case_free(c);
}
END_TEST

static const struct {
    enum od_event_kind between;
    uint64_t first, step; /* MiB and step of the first point after it */
    size_t series;
} breakdowns[] = {
    {OD_EV_ALLOC_FAILED, 50, 10, 2},
    {OD_EV_EXCEPTION, 50, 1, 2},
    {OD_EV_EXCEPTION, 150, 1, 1},  /* most of it is still held */
    {OD_EV_EXCEPTION, 50, 12, 1},  /* it went on, and something was let go of */
    {OD_EV_SOFT_WARNING, 50, 1, 1} /* an epoch, perhaps */
};

START_TEST(a_run_that_broke_down_begins_anew)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (uint64_t i = 0; i < 10; i++)
        put(&sink, &(struct sample){.line = i + 1, .rss = 50 + 20 * i, .step = i + 2});
    struct od_event end = {.kind = breakdowns[_i].between, .at = {.line = 11, .nlines = 1}};
    od_sink_put(&sink, &end);
    for (uint64_t i = 0; i < 10; i++)
        put(&sink, &(struct sample){.line = i + 12,
                                    .rss = breakdowns[_i].first + 20 * i,
                                    .step = breakdowns[_i].step + i + 1});
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->series.n, breakdowns[_i].series);
    od_case_free(c);
}
END_TEST

enum { LONG = 100000, SPIKE = 61803 };

START_TEST(a_long_series_keeps_its_ends_and_extremes)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (uint64_t i = 1; i <= LONG; i++) {
        struct sample s = {.line = i, .rss = i == SPIKE ? 9000 : 500 + i % 7, .step = i + 1};
        put(&sink, &s);
    }
    const struct od_case *c = od_case_freeze(builder);
    const struct od_series *s = &c->series.items[0];
    ck_assert_uint_eq(s->points, LONG);
    ck_assert_uint_le(s->nsamples, OD_SERIES_POINTS);
    ck_assert_uint_ge(s->nsamples, OD_SERIES_POINTS / 4);
    ck_assert_uint_eq(s->samples[0].line, 1);
    ck_assert_uint_eq(s->samples[s->nsamples - 1].line, LONG);
    bool spike = false;
    for (size_t i = 0; i < s->nsamples; i++) {
        ck_assert(i == 0 || s->samples[i].line >= s->samples[i - 1].line);
        spike |= s->samples[i].line == SPIKE && s->samples[i].value > 8e9;
    }
    ck_assert(spike);
    ck_assert_double_eq_tol(s->max, 9000.0 * (1 << 20), 1);
    od_case_free(c);
}
END_TEST

/* Those of the first one are many before the others come. */
START_TEST(many_series_keep_fewer_points_each)
{
    enum { EACH = 700, FIRST = 5000 };
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    size_t kept = 0;
    for (uint64_t i = 0; i < FIRST; i++)
        put(&sink, &(struct sample){.line = i + 1, .rss = 500 + i % 7, .pid = 1});
    for (uint64_t i = 0; i < OD_SERIES_MAX * EACH; i++) {
        bool spike = i / OD_SERIES_MAX == EACH / 2;
        put(&sink, &(struct sample){.line = FIRST + i + 1,
                                    .rss = spike ? 9000 : 500 + i % 7,
                                    .pid = i % OD_SERIES_MAX + 1});
    }
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->series.n, OD_SERIES_MAX);
    OD_FOR_EACH (const struct od_series, s, c->series) {
        bool spike = false;
        kept += s->nsamples;
        ck_assert_uint_eq(s->samples[0].line, s->at.line);
        ck_assert_uint_eq(s->samples[s->nsamples - 1].line, s->last_at.line);
        for (size_t i = 0; i < s->nsamples; i++)
            spike |= s->samples[i].value > 8e9;
        ck_assert(spike);
    }
    ck_assert_uint_eq(c->series.items[0].points, FIRST + EACH);
    ck_assert_uint_le(kept, OD_SERIES_FULL * OD_SERIES_POINTS);
    ck_assert_uint_ge(kept, OD_SERIES_FULL * OD_SERIES_POINTS / 4);
    od_case_free(c);
}
END_TEST

START_TEST(series_have_a_limit)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (uint64_t i = 1; i <= OD_SERIES_MAX + 10; i++) {
        struct sample s = {.line = i, .rss = 5, .pid = i};
        put(&sink, &s);
    }
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->series.n, OD_SERIES_MAX);
    ck_assert(c->closed);
    od_case_free(c);
}
END_TEST

/* Ten steps of 1 GiB at marked validations; the device of 20 GiB says when it ends. */
START_TEST(a_staircase_ends_at_its_limit)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    struct od_event device = {.kind = OD_EV_DEVICE, .at = {.line = 1, .nlines = 1}};
    od_event_set_text(&device, OD_F_DEVICE, OD_VIEW("GPU 0"));
    od_event_set_bytes(&device, OD_F_CAPACITY, od_bytes_exact(UINT64_C(20) << 30));
    od_sink_put(&sink, &device);
    for (uint64_t i = 0; i < 100; i++) {
        struct sample mark = {.line = 2 * i + 2, .phase = "validation"};
        struct sample s = {
            .line = 2 * i + 3, .step = i + 1, .in_use = 4096 + 1024 * (i / 10), .device = "cuda:0"};
        if (i % 10 == 0 && i > 0)
            put(&sink, &mark);
        put(&sink, &s);
    }
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->series.n, 1);
    const struct od_series *s = &c->series.items[0];
    ck_assert_int_eq(s->trend, OD_TREND_STAIRCASE);
    ck_assert_int_eq(s->phase, OD_SERIES_PHASE_VALIDATION);
    ck_assert(s->limit_known && s->exhausts_known);
    ck_assert_uint_eq(s->limit_at.line, 1);
    ck_assert_double_eq_tol(s->exhausts_x, 160, 8);
    ck_assert(s->exhausts_lo < 160 && s->exhausts_hi > 160);
    ck_assert_double_eq_tol(s->grown_in[OD_SERIES_PHASE_VALIDATION], 9.0 * (1 << 30), 1);
    od_case_free(c);
}
END_TEST

/* 64 MiB a step from 1 GiB, in a group of 8 GiB that ends it at step 110; the process' own memory
 * was 1 GiB less than its RSS, whose pages of files its group need not hold. */
START_TEST(shared_pages_put_the_end_off)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (uint64_t i = 0; i < 100; i++) {
        struct sample s = {.line = i + 1, .step = i + 1, .rss = 1024 + 64 * i};
        put(&sink, &s);
    }
    struct od_event kill = {.kind = OD_EV_CGROUP_KILLED, .at = {.line = 200, .nlines = 1}};
    od_event_set_bytes(&kill, OD_F_LIMIT, od_bytes_exact(UINT64_C(8) << 30));
    od_event_set_bytes(&kill, OD_F_RSS, od_bytes_exact(UINT64_C(64 * 99) << 20));
    if (_i == 1)
        od_sink_put(&sink, &kill);
    const struct od_case *c = od_case_freeze(builder);
    const struct od_series *s = &c->series.items[0];
    ck_assert_int_eq(s->trend, OD_TREND_LEAK);
    ck_assert_int_eq(s->exhausts_known, _i == 1);
    if (_i == 1) {
        ck_assert_double_eq_tol(s->exhausts_x, 128, 1);
        ck_assert_double_eq_tol(s->shared, 1 << 30, 1);
    }
    od_case_free(c);
}
END_TEST

/* What the system says of a process at its end; a scheduler, of a job. */
START_TEST(the_highest_of_the_host_is_a_series)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    static const enum od_event_kind kinds[] = {OD_EV_SAMPLE, OD_EV_MEMORY_STATE};
    struct od_event event = {.kind = kinds[_i], .at = {.line = 1, .nlines = 1}};
    od_event_set_text(&event, OD_F_SPACE, OD_VIEW("host"));
    od_event_set_bytes(&event, OD_F_PEAK, od_bytes_exact(1 << 30));
    od_sink_put(&sink, &event);
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->series.n, 1);
    ck_assert_int_eq(c->series.items[0].metric, OD_SERIES_HOST_PEAK);
    od_case_free(c);
}
END_TEST

/* A watchdog's figure is a point; a program without a device prints 0, which is none. */
START_TEST(a_kill_is_a_point_and_nothing_is_none)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    struct od_event killed = {.kind = OD_EV_PRESSURE_KILLED, .at = {.line = 1, .nlines = 1}};
    od_event_set_bytes(&killed, OD_F_IN_USE, od_bytes_exact(5 << 20));
    od_sink_put(&sink, &killed);
    for (uint64_t line = 2; line < 5; line++) {
        struct od_event none = {.kind = OD_EV_SAMPLE, .at = {.line = line, .nlines = 1}};
        od_event_set_bytes(&none, OD_F_PEAK, od_bytes_exact(0));
        od_sink_put(&sink, &none);
    }
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->series.n, 1);
    ck_assert_int_eq(c->series.items[0].metric, OD_SERIES_HOST_USED);
    od_case_free(c);
}
END_TEST

/* Shares of the whole: a series of their own, whose limit is all of it. */
START_TEST(shares_are_percent)
{
    struct sample samples[40];
    for (uint64_t i = 0; i < OD_COUNT_OF(samples); i++)
        samples[i] =
            (struct sample){.line = i + 1, .step = i + 1, .share = 20 + (double)i, .space = "host"};
    const struct od_case *c = fold(samples, OD_COUNT_OF(samples));
    ck_assert_uint_eq(c->series.n, 1);
    const struct od_series *s = &c->series.items[0];
    ck_assert_int_eq(s->metric, OD_SERIES_HOST_SHARE);
    ck_assert_int_eq(od_series_metric_unit(s->metric), OD_SERIES_PERCENT);
    ck_assert_double_eq_tol(s->last, 59, 1e-9);
    ck_assert_int_eq(s->trend, OD_TREND_LEAK);
    ck_assert(s->exhausts_known);
    ck_assert_double_eq_tol(s->exhausts_x, 80, 0.5);
    od_case_free(c);
}
END_TEST

START_TEST(seconds_since_1970_begin_anew)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (uint64_t i = 0; i < 3; i++) {
        struct od_event event = {.kind = OD_EV_SAMPLE, .at = {.line = i + 1, .nlines = 1}};
        od_event_set_bytes(&event, OD_F_RSS, od_bytes_exact(1 << 30));
        od_event_set_number(&event, OD_F_ELAPSED, 1718031412.5 + (double)i);
        od_sink_put(&sink, &event);
    }
    const struct od_case *c = od_case_freeze(builder);
    const struct od_series *s = &c->series.items[0];
    ck_assert_int_eq(s->x, OD_X_SECONDS);
    ck_assert_double_eq_tol(s->samples[0].x, 0, 1e-9);
    ck_assert_double_eq_tol(s->samples[2].x, 2, 1e-6);
    od_case_free(c);
}
END_TEST

/* Lines that begin with a time are points in time; one that says nothing else stands for those
 * below it. Without a date the clock begins anew at midnight. NULL: no text. */
static const struct {
    const char *lines[6];
    enum od_series_x x;
    double last;
} clocks[] = {
    {{"10:00:00 rss", "10:00:30 rss", "10:01:30 rss"}, OD_X_SECONDS, 90},
    {{"23:59:30 rss", "00:00:30 rss", "00:01:30 rss"}, OD_X_SECONDS, 120},
    {{"2024-05-02 23:00:00 rss", "2024-05-03 01:00:00 rss"}, OD_X_SECONDS, 7200},
    {{"@10:00:00", "rss", "@10:00:30", "rss", "@10:02:00", "rss"}, OD_X_SECONDS, 120},
    {{"10:00:00 rss", "rss", "10:01:30 rss"}, OD_X_LINE, 3},
    {{"@10:00:00", "rss", "rss", "rss"},
     OD_X_LINE,
     4}, /* the heading is printed once, above all rows */
    {{"rss", "rss", "rss"}, OD_X_LINE, 3},
};

START_TEST(times_that_lines_begin_with_are_an_axis)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (size_t i = 0; i < OD_COUNT_OF(clocks[0].lines) && clocks[_i].lines[i]; i++) {
        const char *text = clocks[_i].lines[i];
        bool alone = text[0] == '@';
        struct od_line line = {.text = od_view_of(text + alone)};
        struct od_event event = {
            .kind = OD_EV_SAMPLE, .line = &line, .at = {.line = i + 1, .nlines = 1}};
        if (alone)
            od_event_set_text(&event, OD_F_NAME, OD_VIEW("clock"));
        else
            od_event_set_bytes(&event, OD_F_RSS, od_bytes_exact(5 << 20));
        od_sink_put(&sink, &event);
    }
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->series.n, 1);
    const struct od_series *s = &c->series.items[0];
    ck_assert_int_eq(s->x, clocks[_i].x);
    ck_assert(fabs(s->samples[s->nsamples - 1].x - clocks[_i].last) < 1e-6);
    od_case_free(c);
}
END_TEST

/* Growth by 1 MiB a step from 5 MiB: what the user says is the limit where no line does. */
static const struct {
    const char *space;
    uint64_t device, machine, printed; /* MiB; 0 = not said */
    double end;                        /* step; negative = not known */
} given[] = {
    {"device", 0, 0, 0, -1},    {"device", 100, 0, 0, 95}, {"device", 0, 100, 0, -1},
    {"device", 100, 0, 50, 45}, {"host", 0, 100, 0, 95},   {"host", 100, 0, 0, -1},
};

START_TEST(what_the_user_has_is_a_limit_that_no_line_says)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    struct od_given said = {0};
    if (given[_i].device)
        said.device = od_bytes_exact(given[_i].device << 20);
    if (given[_i].machine)
        said.machine = od_bytes_exact(given[_i].machine << 20);
    od_case_builder_given(builder, &said);
    for (uint64_t i = 0; i < 30; i++) {
        struct od_event event = {.kind = OD_EV_SAMPLE, .at = {.line = i + 1, .nlines = 1}};
        od_event_set_text(&event, OD_F_SPACE, od_view_of(given[_i].space));
        od_event_set_bytes(&event, OD_F_IN_USE, od_bytes_exact((5 + i) << 20));
        od_event_set_count(&event, OD_F_STEP, i);
        if (given[_i].printed > 0)
            od_event_set_bytes(&event, OD_F_CAPACITY, od_bytes_exact(given[_i].printed << 20));
        od_sink_put(&sink, &event);
    }
    const struct od_case *c = od_case_freeze(builder);
    const struct od_series *s = &c->series.items[0];
    ck_assert_int_eq(s->exhausts_known, given[_i].end >= 0);
    if (s->exhausts_known)
        ck_assert(fabs(s->exhausts_x - given[_i].end) < 1e-6);
    od_case_free(c);
}
END_TEST

/* Memory on lines of its own, below lines that count steps: 0 = no step, else a step + 1. */
static const struct {
    uint64_t steps[8];
    enum od_series_x x;
    double last;
} below[] = {
    {{11, 0, 21, 0, 31, 0}, OD_X_STEP, 30}, {{11, 0, 21, 0, 11, 0}, OD_X_LINE, 6},
    {{11, 0, 0, 0, 0, 0}, OD_X_LINE, 6},    {{0, 0, 0, 0, 0, 0}, OD_X_LINE, 6},
    {{0, 11, 0, 21, 0, 31}, OD_X_LINE, 5}, /* the first has none above it */
};

START_TEST(steps_of_the_lines_above_are_an_axis)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (uint64_t i = 0; i < 6; i++) {
        uint64_t step = below[_i].steps[i];
        struct od_event event = {.kind = step > 0 ? OD_EV_PROGRESS : OD_EV_SAMPLE,
                                 .at = {.line = i + 1, .nlines = 1}};
        if (step > 0)
            od_event_set_count(&event, OD_F_STEP, step - 1);
        else
            od_event_set_bytes(&event, OD_F_RSS, od_bytes_exact(5 << 20));
        od_sink_put(&sink, &event);
    }
    const struct od_case *c = od_case_freeze(builder);
    const struct od_series *s = &c->series.items[0];
    ck_assert_int_eq(s->x, below[_i].x);
    ck_assert(fabs(s->samples[s->nsamples - 1].x - below[_i].last) < 1e-6);
    od_case_free(c);
}
END_TEST

Suite *od_series_suite(void)
{
    Suite *suite = od_suite_loop("series", a_series_mixes_nothing, (int)OD_COUNT_OF(pairs));
    TCase *tcase = tcase_create("points");
    tcase_add_test(tcase, steps_of_each_epoch_go_on);
    tcase_add_test(tcase, the_axis_is_one_that_all_points_have);
    tcase_add_test(tcase, another_attempt_is_another_series);
    tcase_add_loop_test(tcase, a_run_that_broke_down_begins_anew, 0, (int)OD_COUNT_OF(breakdowns));
    tcase_add_test(tcase, a_long_series_keeps_its_ends_and_extremes);
    tcase_add_test(tcase, many_series_keep_fewer_points_each);
    tcase_add_test(tcase, series_have_a_limit);
    tcase_add_test(tcase, a_staircase_ends_at_its_limit);
    tcase_add_loop_test(tcase, shared_pages_put_the_end_off, 0, 2);
    tcase_add_loop_test(tcase, the_highest_of_the_host_is_a_series, 0, 2);
    tcase_add_test(tcase, a_kill_is_a_point_and_nothing_is_none);
    tcase_add_test(tcase, shares_are_percent);
    tcase_add_test(tcase, seconds_since_1970_begin_anew);
    tcase_add_loop_test(tcase, times_that_lines_begin_with_are_an_axis, 0,
                        (int)OD_COUNT_OF(clocks));
    tcase_add_loop_test(tcase, what_the_user_has_is_a_limit_that_no_line_says, 0,
                        (int)OD_COUNT_OF(given));
    tcase_add_loop_test(tcase, steps_of_the_lines_above_are_an_axis, 0, (int)OD_COUNT_OF(below));
    suite_add_tcase(suite, tcase);
    return suite;
}
