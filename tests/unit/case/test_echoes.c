#include "base/num.h"

#include "tests/unit/case/script.h"
#include "tests/unit/case/suites.h"
#include "tests/unit/suite.h"

/* Which of the incidents (1, 2, ... in order of the log) each one only echoes; 0 = none. */
struct echo_row {
    const char *name;
    struct said script[SCRIPT];
    uint32_t echo_of[SCRIPT];
    size_t incidents;
};

static const struct echo_row echo_rows[] = {
    {.name = "a worker that the kernel killed",
     .script = {{.kind = OD_EV_HOST_KILLED, .line = 5, .pid = 77},
                {.kind = OD_EV_WORKER_KILLED, .line = 9, .pid = 77},
                {.kind = OD_EV_KILLED, .line = 12}},
     .echo_of = {0, 1, 1},
     .incidents = 3},
    {.name = "another worker than the kernel's victim",
     .script = {{.kind = OD_EV_HOST_KILLED, .line = 5, .pid = 77},
                {.kind = OD_EV_WORKER_KILLED, .line = 9, .pid = 78}},
     .echo_of = {0, 0},
     .incidents = 2},
    {.name = "the scheduler is heard last",
     .script = {{.kind = OD_EV_WORKER_KILLED, .line = 5, .pid = 77},
                {.kind = OD_EV_KILLED, .line = 6},
                {.kind = OD_EV_JOB_KILLED, .line = 9}},
     .echo_of = {3, 3, 0},
     .incidents = 3},
    {.name = "kernel, scheduler and shell",
     .script = {{.kind = OD_EV_KILLED, .line = 5},
                {.kind = OD_EV_JOB_KILLED, .line = 6},
                {.kind = OD_EV_CGROUP_KILLED, .line = 2, .source = 1}},
     .echo_of = {3, 3, 0},
     .incidents = 3},
    {.name = "peers of a rank that ran out",
     .script = {{.kind = OD_EV_ALLOC_FAILED, .line = 5, .rank = 1, .requested = "2GiB"},
                {.kind = OD_EV_CONTEXT_FAILED, .line = 8, .rank = 2, .name = "nccl"},
                {.kind = OD_EV_KILLED, .line = 9, .pid = 4}},
     .echo_of = {0, 1, 1},
     .incidents = 3},
    {.name = "a library that failed before",
     .script = {{.kind = OD_EV_CONTEXT_FAILED, .line = 3, .name = "cublas"},
                {.kind = OD_EV_ALLOC_FAILED, .line = 5, .requested = "2GiB"}},
     .echo_of = {0, 0},
     .incidents = 2},
    {.name = "ranks that ran out each",
     .script = {{.kind = OD_EV_ALLOC_FAILED, .line = 5, .rank = 1, .requested = "2GiB"},
                {.kind = OD_EV_ALLOC_FAILED, .line = 8, .rank = 2, .requested = "2GiB"}},
     .echo_of = {0, 0},
     .incidents = 2},
    {.name = "what an allocator refused explains nothing",
     .script = {{.kind = OD_EV_ALLOC_REFUSED, .line = 5, .requested = "2GiB"},
                {.kind = OD_EV_KILLED, .line = 9}},
     .echo_of = {0, 0},
     .incidents = 2},
    {.name = "a kill of the next attempt",
     .script = {{.kind = OD_EV_ALLOC_FAILED, .line = 5, .requested = "2GiB"},
                {.kind = OD_EV_RUN_STARTED, .line = 7},
                {.kind = OD_EV_KILLED, .line = 9}},
     .echo_of = {0, 0},
     .incidents = 2},
    {.name = "shared memory and the worker it cost",
     .script = {{.kind = OD_EV_SHM_EXHAUSTED, .line = 5},
                {.kind = OD_EV_WORKER_KILLED, .line = 6, .pid = 5}},
     .echo_of = {0, 1},
     .incidents = 2},
    {.name = "shared memory, by the worker and by its parent",
     .script = {{.kind = OD_EV_SHM_EXHAUSTED, .line = 5},
                {.kind = OD_EV_SHM_EXHAUSTED, .line = 9, .pid = 5},
                {.kind = OD_EV_WORKER_KILLED, .line = 12, .pid = 5}},
     .echo_of = {0, 1, 1},
     .incidents = 3},
    {.name = "shared memory, in two attempts",
     .script = {{.kind = OD_EV_SHM_EXHAUSTED, .line = 5},
                {.kind = OD_EV_RUN_STARTED, .line = 7},
                {.kind = OD_EV_SHM_EXHAUSTED, .line = 9, .pid = 5}},
     .echo_of = {0, 0},
     .incidents = 2},
    {.name = "a kill that the launcher says twice",
     .script = {{.kind = OD_EV_KILLED, .line = 5, .pid = 5, .name = "rank 1"},
                {.kind = OD_EV_KILLED, .line = 9, .pid = 5},
                {.kind = OD_EV_KILLED, .line = 10, .pid = 6}},
     .echo_of = {0, 1, 0},
     .incidents = 3},
    {.name = "a step told of once more by who knows nobody's name",
     .script = {{.kind = OD_EV_JOB_KILLED, .line = 5, .pid = 5},
                {.kind = OD_EV_JOB_KILLED, .line = 40},
                {.kind = OD_EV_JOB_KILLED, .line = 60, .pid = 6}},
     .echo_of = {0, 1, 0},
     .incidents = 3},
    {.name = "a step far below is another",
     .script = {{.kind = OD_EV_JOB_KILLED, .line = 5, .pid = 5},
                {.kind = OD_EV_JOB_KILLED, .line = 400}},
     .echo_of = {0, 0},
     .incidents = 2},
};

START_TEST(echoes_have_their_root)
{
    const struct echo_row *row = &echo_rows[_i];
    const struct od_case *c = script_fold(row->script, SCRIPT);
    ck_assert_msg(c->incidents.n == row->incidents, "%s: %zu incidents", row->name, c->incidents.n);
    for (size_t i = 0; i < c->incidents.n; i++)
        ck_assert_msg(c->incidents.items[i].echo_of == row->echo_of[i], "%s: %zu echoes %u",
                      row->name, i + 1, (unsigned)c->incidents.items[i].echo_of);
    od_case_free(c);
}
END_TEST

Suite *od_echoes_suite(void)
{
    return od_suite_loop("echoes", echoes_have_their_root, (int)OD_COUNT_OF(echo_rows));
}

#define LIBRARY "/venv/lib/python3.11/site-packages/torch/nn/functional.py"
#define CALL(at, file, function)                                               \
    {                                                                          \
        .kind = OD_EV_FRAME, .line = (at), .value = (file), .name = (function) \
    }
#define FAIL(at)                                                        \
    {                                                                   \
        .kind = OD_EV_ALLOC_FAILED, .line = (at), .requested = "700MiB" \
    }

/* The traceback of the first incident. */
struct frame_row {
    const char *name;
    struct said script[SCRIPT];
    size_t frames;
    const char *user; /* the function of the innermost frame that is the user's; NULL = none */
};

static const struct frame_row frame_rows[] = {
    {.name = "innermost of the user's",
     .script = {CALL(2, "run.py", "<module>"), CALL(4, "net.py", "forward"),
                CALL(6, LIBRARY, "conv2d"), FAIL(8)},
     .frames = 3,
     .user = "forward"},
    {.name = "only a library's",
     .script = {CALL(2, LIBRARY, "linear"), CALL(4, LIBRARY, "conv2d"), FAIL(6)},
     .frames = 2},
    {.name = "of another traceback far above",
     .script = {CALL(2, "run.py", "warm_up"), CALL(400, "run.py", "main"), FAIL(402)},
     .frames = 1,
     .user = "main"},
    {.name = "of an error that came between",
     .script = {CALL(2, "run.py", "warm_up"),
                {.kind = OD_EV_EXCEPTION, .line = 4, .name = "KeyError"},
                CALL(6, "run.py", "main"),
                FAIL(8)},
     .frames = 1,
     .user = "main"},
    {.name = "of another rank",
     .script = {{.kind = OD_EV_FRAME, .line = 2, .rank = 1, .value = "run.py", .name = "a"},
                {.kind = OD_EV_FRAME, .line = 3, .rank = 2, .value = "run.py", .name = "b"},
                {.kind = OD_EV_ALLOC_FAILED, .line = 9, .rank = 1, .requested = "700MiB"}},
     .frames = 1,
     .user = "a"},
    {.name = "of the exception that the first one caused",
     .script = {CALL(2, LIBRARY, "get"), FAIL(4), CALL(8, "run.py", "main"),
                CALL(9, LIBRARY, "next"), FAIL(11)},
     .frames = 2,
     .user = "main"},
    {.name = "of the first exception that reaches the user's",
     .script = {CALL(2, "run.py", "step"), FAIL(4), CALL(8, "run.py", "main"), FAIL(11)},
     .frames = 1,
     .user = "step"},
    {.name = "none", .script = {FAIL(8)}},
};

START_TEST(tracebacks_travel_with_their_failure)
{
    const struct frame_row *row = &frame_rows[_i];
    const struct od_case *c = script_fold(row->script, SCRIPT);
    ck_assert_uint_eq(c->incidents.n, 1);
    const struct od_incident *inc = &c->incidents.items[0];
    ck_assert_msg(inc->nframes == row->frames, "%s: %zu frames", row->name, inc->nframes);
    ck_assert_msg((inc->frame != NULL) == (row->user != NULL), "%s: frame", row->name);
    if (inc->frame)
        ck_assert_msg(od_view_eq_str(inc->frame->function, row->user), "%s: function", row->name);
    od_case_free(c);
}
END_TEST

/* Any number of calls that no error follows takes no more memory than a few. */
START_TEST(loose_frames_are_forgotten)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    const struct said fail = FAIL(4001);
    for (uint64_t line = 1; line <= 4000; line++) {
        const struct said call = CALL(line, "run.py", "recurse");
        script_put(&sink, &call);
    }
    script_put(&sink, &fail);
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_gt(c->incidents.items[0].nframes, 10);
    ck_assert_uint_lt(c->incidents.items[0].nframes, 100);
    od_case_free(c);
}
END_TEST

Suite *od_frames_suite(void)
{
    Suite *suite =
        od_suite_loop("frames", tracebacks_travel_with_their_failure, (int)OD_COUNT_OF(frame_rows));
    TCase *tcase = tcase_create("limits");
    tcase_add_test(tcase, loose_frames_are_forgotten);
    suite_add_tcase(suite, tcase);
    return suite;
}
