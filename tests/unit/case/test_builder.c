/* Events become incidents, devices, settings and moments. Scripts of events, one a row. */
#include "case/case.h"
#include "tests/unit/case/script.h"
#include "tests/unit/case/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

/* What the first incident is, and how many there are. */
struct folding {
    const char *name;
    struct said script[SCRIPT];
    size_t incidents;
    uint64_t count;
    enum od_incident_kind kind;
    enum od_tri fatal;
    uint64_t at; /* the line of the incident; 0 = of the first event */
    bool op_error;
    const char *device, *op;
    uint64_t requested;
};

static const struct folding foldings[] = {
    {.name = "a retry is a repeat",
     .script = {HARD(10, "6.25MiB", 6553600), HARD(90, "6.25MiB", 6553600)},
     .incidents = 1,
     .count = 2,
     .kind = OD_INC_DEVICE_ALLOC_FAILED,
     .fatal = OD_CANNOT_TELL,
     .device = "GPU:0",
     .requested = 6553600},
    {.name = "another request is another incident",
     .script = {HARD(10, "6.25MiB", 6553600), HARD(90, "7.25MiB", 7602176)},
     .incidents = 2,
     .count = 1,
     .fatal = OD_CANNOT_TELL,
     .device = "GPU:0",
     .requested = 6553600},
    {.name = "a refusal explains the error of the operation",
     .script = {HARD(10, "6.10MiB", 6400000),
                OOM(60, "[50,32000]"),
                {.kind = OD_EV_NODE, .line = 61, .op = "net/dense/MatMul"}},
     .incidents = 1,
     .count = 1,
     .fatal = OD_YES,
     .op_error = true,
     .device = "GPU:0",
     .op = "net/dense/MatMul",
     .requested = 6400000},
    {.name = "short form: the element size is not said",
     .script = {HARD(10, "6.10MiB", 0),
                {.kind = OD_EV_ALLOC_FAILED, .line = 60, .shape = "~[50,32000]"}},
     .incidents = 1,
     .count = 1,
     .fatal = OD_YES,
     .op_error = true,
     .device = "GPU:0",
     .requested = 6396314},
    {.name = "short form: no element size fits",
     .script = {HARD(10, "6.10MiB", 0),
                {.kind = OD_EV_ALLOC_FAILED, .line = 60, .shape = "~[51,33000]"}},
     .incidents = 2,
     .count = 1,
     .fatal = OD_CANNOT_TELL,
     .device = "GPU:0",
     .requested = 6396314},
    {.name = "an error without any number follows its refusal",
     .script = {HARD(10, "6.10MiB", 6400000), {.kind = OD_EV_ALLOC_FAILED, .line = 5000}},
     .incidents = 1,
     .count = 1,
     .fatal = OD_YES,
     .op_error = true,
     .device = "GPU:0",
     .requested = 6399745},
    {.name = "copies of an error",
     .script = {OOM(60, "[50,32000]"),
                OOM(70, "[50,32000]"),
                {.kind = OD_EV_NODE, .line = 72, .op = "net/dense/MatMul"},
                OOM(80, "[50,32000]"),
                {.kind = OD_EV_ALLOC_FAILED, .line = 90, .shape = "~[50,32000]"}},
     .incidents = 1,
     .count = 4,
     .fatal = OD_YES,
     .op_error = true,
     .device = "GPU:0",
     .op = "net/dense/MatMul",
     .requested = 6400000},
    {.name = "two requests, two tensors, out of order",
     .script = {HARD(10, "6.10MiB", 6400000), HARD(11, "12.21MiB", 12800000),
                OOM(60, "[100,32000]"), OOM(61, "[50,32000]")},
     .incidents = 2,
     .count = 1,
     .fatal = OD_YES,
     .op_error = true,
     .device = "GPU:0",
     .requested = 6400000},
    {.name = "another tensor is another incident",
     .script = {OOM(60, "[50,32000]"), OOM(70, "[51,32000]")},
     .incidents = 2,
     .count = 1,
     .fatal = OD_YES,
     .op_error = true,
     .device = "GPU:0",
     .requested = 6400000},
    {.name = "another device is another incident",
     .script = {OOM(60, "[50,32000]"),
                {.kind = OD_EV_ALLOC_FAILED, .line = 70, .device = "GPU:1", .shape = "[50,32000]"}},
     .incidents = 2,
     .count = 1,
     .fatal = OD_YES,
     .op_error = true,
     .device = "GPU:0",
     .requested = 6400000},
    {.name = "ranks are apart",
     .script = {{.kind = OD_EV_ALLOC_FAILED, .line = 60, .shape = "[50,32000]", .rank = 1},
                {.kind = OD_EV_ALLOC_FAILED, .line = 61, .shape = "[50,32000]", .rank = 2}},
     .incidents = 2,
     .count = 1,
     .fatal = OD_YES,
     .op_error = true,
     .requested = 6400000},
    {.name = "a node far below names nothing",
     .script = {OOM(60, "[50,32000]"), {.kind = OD_EV_NODE, .line = 600, .op = "other"}},
     .incidents = 1,
     .count = 1,
     .fatal = OD_YES,
     .op_error = true,
     .device = "GPU:0",
     .requested = 6400000},
    {.name = "the run went on",
     .script = {OOM(60, "[50,32000]"), {.kind = OD_EV_PROGRESS, .line = 99}},
     .incidents = 1,
     .count = 1,
     .fatal = OD_NO,
     .op_error = true,
     .device = "GPU:0",
     .requested = 6400000},
    {.name = "only the next attempt went on",
     .script = {OOM(60, "[50,32000]"),
                {.kind = OD_EV_RUN_STARTED, .line = 90},
                {.kind = OD_EV_PROGRESS, .line = 99}},
     .incidents = 1,
     .count = 1,
     .fatal = OD_YES,
     .op_error = true,
     .device = "GPU:0",
     .requested = 6400000},
    {.name = "the same failure of the next attempt",
     .script = {OOM(60, "[50,32000]"),
                {.kind = OD_EV_RUN_STARTED, .line = 90},
                OOM(160, "[50,32000]")},
     .incidents = 2,
     .count = 1,
     .fatal = OD_YES,
     .op_error = true,
     .device = "GPU:0",
     .requested = 6400000},
    {.name = "soft warnings: one incident, the largest request",
     .script =
         {{.kind = OD_EV_SOFT_WARNING, .line = 5, .allocator = "GPU_0_bfc", .requested = "2.00MiB"},
          {.kind = OD_EV_SOFT_WARNING, .line = 6, .allocator = "GPU_0_bfc", .requested = "3.00MiB"},
          {.kind = OD_EV_SOFT_WARNING, .line = 7, .allocator = "GPU_0_bfc", .requested = "1.00MiB"},
          {.kind = OD_EV_NODE, .line = 8, .op = "none of its business"}},
     .incidents = 1,
     .count = 3,
     .kind = OD_INC_SOFT_WARNING,
     .fatal = OD_NO,
     .device = "GPU:0",
     .requested = 3145728},
    {.name = "host memory, by the allocator's name",
     .script = {{.kind = OD_EV_ALLOC_REFUSED,
                 .line = 5,
                 .allocator = "cuda_host_bfc",
                 .requested = "4096"}},
     .incidents = 1,
     .count = 1,
     .kind = OD_INC_HOST_ALLOC_FAILED,
     .fatal = OD_CANNOT_TELL,
     .device = "CPU",
     .requested = 4096},
    {.name = "host memory, said so",
     .script = {{.kind = OD_EV_ALLOC_FAILED, .line = 5, .space = "pinned", .requested = "4096"}},
     .incidents = 1,
     .count = 1,
     .kind = OD_INC_HOST_ALLOC_FAILED,
     .fatal = OD_YES,
     .op_error = true,
     .device = "CPU",
     .requested = 4096},
    {.name = "a library could not start",
     .script = {{.kind = OD_EV_CONTEXT_FAILED, .line = 5, .name = "cublas"},
                {.kind = OD_EV_CONTEXT_FAILED, .line = 6, .name = "cublas"},
                {.kind = OD_EV_CONTEXT_FAILED, .line = 7, .name = "cudnn"}},
     .incidents = 2,
     .count = 2,
     .kind = OD_INC_DEVICE_CONTEXT_FAILED,
     .fatal = OD_YES},
    {.name = "the driver's refusals alone are a warning",
     .script = {{.kind = OD_EV_DRIVER_REFUSED, .line = 5, .requested = "8192"},
                {.kind = OD_EV_DRIVER_REFUSED, .line = 6, .requested = "4096"}},
     .incidents = 1,
     .count = 2,
     .kind = OD_INC_SOFT_WARNING,
     .fatal = OD_NO,
     .requested = 8192},
    {.name = "the driver's refusals beside a failure are no incident of their own",
     .script = {{.kind = OD_EV_CONTEXT_FAILED, .line = 5, .name = "cudnn"},
                {.kind = OD_EV_DRIVER_REFUSED, .line = 7, .requested = "8192"}},
     .incidents = 1,
     .count = 1,
     .kind = OD_INC_DEVICE_CONTEXT_FAILED,
     .fatal = OD_YES},
    {.name = "a library that cannot start after a kernel's fault",
     .script = {{.kind = OD_EV_EXCEPTION, .line = 4, .name = "assertion", .space = "device"},
                {.kind = OD_EV_CONTEXT_FAILED, .line = 5, .name = "cublas"}}},
    {.name = "the next run's library cannot start for another reason",
     .script = {{.kind = OD_EV_EXCEPTION, .line = 4, .name = "assertion", .space = "device"},
                {.kind = OD_EV_RUN_STARTED, .line = 5},
                {.kind = OD_EV_CONTEXT_FAILED, .line = 6, .name = "cublas"}},
     .incidents = 1,
     .count = 1,
     .at = 6,
     .kind = OD_INC_DEVICE_CONTEXT_FAILED,
     .fatal = OD_YES},
    {.name = "an error of the program is no fault of a kernel",
     .script = {{.kind = OD_EV_EXCEPTION, .line = 4, .name = "KeyError"},
                {.kind = OD_EV_CONTEXT_FAILED, .line = 5, .name = "cublas"}},
     .incidents = 1,
     .count = 1,
     .at = 5,
     .kind = OD_INC_DEVICE_CONTEXT_FAILED,
     .fatal = OD_YES},
    {.name = "a worker given up is ended by its own server; another is not",
     .script = {{.kind = OD_EV_EXCEPTION, .line = 4, .name = "WORKER TIMEOUT", .pid = 71},
                {.kind = OD_EV_WORKER_KILLED, .line = 5, .pid = 71},
                {.kind = OD_EV_WORKER_KILLED, .line = 6, .pid = 72}},
     .incidents = 1,
     .count = 1,
     .at = 6,
     .kind = OD_INC_WORKER_KILLED,
     .fatal = OD_YES},
    {.name = "words without a memory are those of the failure just told",
     .script = {{.kind = OD_EV_ALLOC_FAILED, .line = 5, .space = "host", .requested = "4096"},
                {.kind = OD_EV_ALLOC_FAILED, .line = 7}},
     .incidents = 1,
     .count = 2,
     .kind = OD_INC_HOST_ALLOC_FAILED,
     .fatal = OD_YES,
     .op_error = true,
     .device = "CPU",
     .requested = 4096},
    {.name = "words without a memory, far below it",
     .script = {{.kind = OD_EV_ALLOC_FAILED, .line = 5, .space = "host", .requested = "4096"},
                {.kind = OD_EV_ALLOC_FAILED, .line = 70}},
     .incidents = 2,
     .count = 1,
     .kind = OD_INC_HOST_ALLOC_FAILED,
     .fatal = OD_YES,
     .op_error = true,
     .device = "CPU",
     .requested = 4096},
};

START_TEST(events_fold_into_incidents)
{
    const struct folding *want = &foldings[_i];
    const struct od_case *c = script_fold(want->script, SCRIPT);
    ck_assert_msg(c->incidents.n == want->incidents, "%s: %zu incidents", want->name,
                  c->incidents.n);
    if (want->incidents > 0) {
        const struct od_incident *inc = &c->incidents.items[0];
        ck_assert_msg(inc->count == want->count, "%s: count %u", want->name, (unsigned)inc->count);
        ck_assert_msg(inc->requested.n == want->requested, "%s: requested %llu", want->name,
                      (unsigned long long)inc->requested.n);
        ck_assert_msg(inc->op_error == want->op_error, "%s", want->name);
        ck_assert_msg(inc->fatal == want->fatal, "%s: fatal %d", want->name, (int)inc->fatal);
        ck_assert_int_eq(inc->kind, want->kind);
        ck_assert_uint_eq(inc->id, 1);
        ck_assert(od_view_eq_str(inc->device, want->device ? want->device : ""));
        ck_assert(od_view_eq_str(inc->tensor.op, want->op ? want->op : ""));
        ck_assert_uint_eq(inc->at.line, want->at > 0 ? want->at : want->script[0].line);
        ck_assert_uint_gt(inc->evidence.n, 0);
        ck_assert(od_view_starts(inc->evidence.items[0].text, OD_VIEW("words of line")));
    }
    od_case_free(c);
}
END_TEST

START_TEST(evidence_keeps_the_first_and_the_last)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (uint64_t i = 1; i <= 3000; i++)
        script_put(&sink,
                   &(struct said){.kind = OD_EV_SOFT_WARNING, .line = i, .allocator = "GPU_0_bfc"});
    const struct od_case *c = od_case_freeze(builder);
    const struct od_incident *inc = &c->incidents.items[0];
    ck_assert_uint_eq(c->incidents.n, 1);
    ck_assert_uint_eq(inc->count, 3000);
    ck_assert_uint_eq(inc->last.line, 3000);
    ck_assert_uint_le(inc->evidence.n, 10);
    ck_assert(od_view_eq_str(inc->evidence.items[0].text, "words of line 1"));
    ck_assert(od_view_eq_str(inc->evidence.items[inc->evidence.n - 1].text, "words of line 3000"));
    od_case_free(c);
}
END_TEST

START_TEST(incidents_have_a_limit)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    char size[16];
    for (uint64_t i = 1; i <= 5100; i++) {
        (void)snprintf(size, sizeof size, "%u", (unsigned)(i * 256));
        script_put(&sink, &(struct said){.kind = OD_EV_ALLOC_REFUSED,
                                         .line = i,
                                         .allocator = "GPU_0_bfc",
                                         .requested = size});
    }
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->incidents.n, 5000);
    ck_assert(c->limit_hit);
    ck_assert_uint_eq(c->events, 5100);
    for (size_t i = 0; i < c->incidents.n; i++)
        ck_assert_uint_eq(c->incidents.items[i].id, i + 1);
    od_case_free(c);
}
END_TEST

/* One region of so many chunks, all in use. */
static void put_dump(const struct od_sink *sink, uint64_t line, size_t nchunks)
{
    struct od_dump dump = {.at = {.line = line, .nlines = 1}};
    for (size_t i = 0; i < nchunks; i++) {
        struct od_chunk chunk = {.address = 4096 + 256 * i,
                                 .bytes = 256,
                                 .next = i + 1 < nchunks ? (uint32_t)i + 1 : OD_HANDLE_END,
                                 .in_use = true};
        od_vec_push(&dump.chunks, chunk);
    }
    struct od_region region = {.address = 4096, .nchunks = nchunks, .ended = true};
    od_vec_push(&dump.regions, region);
    const struct od_event event = {.kind = OD_EV_DUMP, .at = dump.at, .dump = &dump};
    od_sink_put(sink, &event);
}

START_TEST(chunk_lists_have_a_limit)
{
    enum { DUMPS = 40, CHUNKS = 20000 };
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (size_t i = 0; i < DUMPS; i++)
        put_dump(&sink, i + 1, CHUNKS);
    const struct od_case *c = od_case_freeze(builder);
    size_t kept = 0;
    ck_assert_uint_eq(c->allocators.n, DUMPS);
    for (size_t i = 0; i < DUMPS; i++) {
        const struct od_allocator *a = c->allocators.items[i];
        kept += a->dump.chunks.n;
        ck_assert_uint_eq(a->in_use_count, CHUNKS);
        ck_assert_uint_eq(a->nsizes, 1);
    }
    ck_assert_uint_le(kept, 1 << 19);
    ck_assert_uint_eq(kept, (DUMPS - c->chunk_lists_forgotten) * CHUNKS);
    ck_assert_uint_gt(c->chunk_lists_forgotten, 0);
    ck_assert_uint_eq(c->allocators.items[0]->dump.chunks.n, CHUNKS);
    ck_assert_uint_eq(c->allocators.items[DUMPS - 1]->dump.chunks.n, CHUNKS);
    od_case_free(c);
}
END_TEST

START_TEST(drivers_refusals_are_counted)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (uint64_t i = 1; i <= 100; i++)
        script_put(&sink, &(struct said){.kind = OD_EV_DRIVER_REFUSED,
                                         .line = i,
                                         .requested = i == 50 ? "4096" : "8192"});
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->driver_refusal_count, 100);
    ck_assert_uint_eq(c->driver_refused_smallest.n, 4096);
    ck_assert_uint_lt(c->driver_refusals.n, 10);
    ck_assert_uint_eq(c->driver_refusals.items[0].at.line, 1);
    od_case_free(c);
}
END_TEST

START_TEST(moments_are_stretches_in_order)
{
    static const struct said script[] = {
        {.kind = OD_EV_RUN_STARTED, .line = 1, .name = "train.py"},
        {.kind = OD_EV_PROGRESS, .line = 2, .name = "step"},
        {.kind = OD_EV_PROGRESS, .line = 3, .name = "loss"},
        {.kind = OD_EV_ALLOC_REFUSED, .line = 4, .allocator = "GPU_0_bfc", .requested = "512"},
        {.kind = OD_EV_PROGRESS, .line = 7},
        {.kind = OD_EV_EXCEPTION, .line = 8, .name = "ValueError"},
        {.kind = OD_EV_EXCEPTION, .line = 9, .name = "KeyError"},
        {.kind = OD_EV_RUN_ENDED, .line = 10},
    };
    static const struct {
        enum od_event_kind kind;
        uint64_t first, last, count;
        const char *name;
    } want[] = {
        {OD_EV_RUN_STARTED, 1, 1, 1, "train.py"},
        {OD_EV_PROGRESS, 2, 3, 2, ""},
        {OD_EV_ALLOC_REFUSED, 4, 4, 1, "GPU_0_bfc"},
        {OD_EV_PROGRESS, 7, 7, 1, ""},
        {OD_EV_EXCEPTION, 8, 8, 1, "ValueError"},
        {OD_EV_EXCEPTION, 9, 9, 1, "KeyError"},
        {OD_EV_RUN_ENDED, 10, 10, 1, ""},
    };
    const struct od_case *c = script_fold(script, OD_COUNT_OF(script));
    ck_assert_uint_eq(c->moments.n, OD_COUNT_OF(want));
    for (size_t i = 0; i < c->moments.n; i++) {
        const struct od_moment *m = &c->moments.items[i];
        ck_assert_int_eq(m->kind, want[i].kind);
        ck_assert_uint_eq(m->first.line, want[i].first);
        ck_assert_uint_eq(m->last.line, want[i].last);
        ck_assert_uint_eq(m->count, want[i].count);
        ck_assert(od_view_eq_str(m->name, want[i].name));
        ck_assert_uint_eq(m->said.at.line, want[i].last);
    }
    ck_assert(od_view_eq_str(c->moments.items[1].said.text, "words of line 3"));
    od_case_free(c);
}
END_TEST

START_TEST(a_long_run_keeps_its_ends)
{
    enum { TURNS = 20000 };
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (uint64_t i = 1; i <= TURNS; i++)
        script_put(&sink,
                   &(struct said){.kind = i % 2 ? OD_EV_PROGRESS : OD_EV_EXCEPTION, .line = i});
    const struct od_case *c = od_case_freeze(builder);
    ck_assert(c->limit_hit);
    ck_assert_uint_lt(c->moments.n, 5000);
    ck_assert_uint_eq(c->moments.items[0].first.line, 1);
    ck_assert_uint_eq(c->moments.items[1000].first.line, 1001);
    ck_assert_uint_eq(c->moments.items[c->moments.n - 1].last.line, TURNS);
    ck_assert_uint_eq(c->moments.items[c->moments.n - 1000].last.line, TURNS - 999);
    od_case_free(c);
}
END_TEST

START_TEST(settings_keep_every_value_and_the_last_wins)
{
    static const struct said script[] = {
        {.kind = OD_EV_SETTING, .line = 1, .name = "batch_size", .value = " 64 "},
        {.kind = OD_EV_SETTING, .line = 2, .name = "batch_size", .value = "64"},
        {.kind = OD_EV_SETTING, .line = 3, .name = "precision", .value = "float16"},
        {.kind = OD_EV_SETTING, .line = 4, .name = "batch_size", .value = "32"},
        {.kind = OD_EV_SETTING, .line = 5, .name = "batch_size", .value = "64"},
        {.kind = OD_EV_SETTING, .line = 6, .value = "nameless"},
    };
    const struct od_case *c = script_fold(script, OD_COUNT_OF(script));
    ck_assert_uint_eq(c->settings.n, 4);
    ck_assert_uint_eq(c->settings.items[0].said.at.line, 1);
    ck_assert(od_view_eq_str(od_case_setting(c, "batch_size"), "64"));
    ck_assert(od_view_eq_str(od_case_setting(c, "precision"), "float16"));
    ck_assert_uint_eq(od_case_setting(c, "workers").n, 0);
    od_case_free(c);
}
END_TEST

static const struct said tries[] = {
    {.kind = OD_EV_SETTING, .source = 1, .line = 3, .name = "batch_size", .value = "512"},
    {.kind = OD_EV_SETTING, .source = 1, .line = 30, .name = "batch_size", .value = "128"},
    {.kind = OD_EV_SETTING, .source = 2, .line = 1, .name = "batch_size", .value = "64"},
    {.kind = OD_EV_SETTING, .source = 3, .line = 9, .name = "batch_size", .value = "32"},
};

static const struct {
    uint32_t source;
    uint64_t line;
    const char *value;
} in_force[] = {
    {1, 3, "512"}, {1, 29, "512"}, {1, 31, "128"}, {1, 1, "512"}, /* said late */
    {2, 5, "64"},  {3, 5, "32"},   {4, 1, "32"},   {0, 1, "32"},
};

START_TEST(a_setting_is_in_force_until_the_next)
{
    const struct od_case *c = script_fold(tries, OD_COUNT_OF(tries));
    struct od_prov at = {.source = in_force[_i].source, .line = in_force[_i].line};
    ck_assert(od_view_eq_str(od_case_setting_at(c, "batch_size", &at), in_force[_i].value));
    ck_assert_uint_eq(od_case_setting_at(c, "workers", &at).n, 0);
    od_case_free(c);
}
END_TEST

static void put_device(const struct od_sink *sink, const char *name, const char *device,
                       enum od_field field, uint64_t bytes)
{
    struct od_event event = {.kind = OD_EV_DEVICE, .at = {.line = 4, .nlines = 1}};
    od_event_set_text(&event, OD_F_NAME, od_view_of(name));
    od_event_set_text(&event, OD_F_DEVICE, od_view_of(device));
    od_event_set_bytes(&event, field, od_bytes_exact(bytes));
    od_sink_put(sink, &event);
}

START_TEST(a_device_is_told_in_several_lines)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    put_device(&sink, "Quasar 9", NULL, OD_F_CAPACITY, 9000);
    put_device(&sink, "Quasar 9", "/device:GPU:0", OD_F_LIMIT, 8000);
    put_device(&sink, NULL, "cuda:0", OD_F_FREE, 8500);
    put_device(&sink, "Quasar 9", "/device:GPU:1", OD_F_LIMIT, 8000);
    put_device(&sink, "Quasar 9", "/device:GPU:0", OD_F_LIMIT, 200);
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->devices.n, 3);
    ck_assert(od_view_eq_str(c->devices.items[0].device, "GPU:0"));
    ck_assert_uint_eq(c->devices.items[0].capacity.n, 9000);
    ck_assert_uint_eq(c->devices.items[0].limit.n, 8000);
    ck_assert_uint_eq(c->devices.items[0].free.n, 8500);
    ck_assert(od_view_eq_str(c->devices.items[1].device, "GPU:1"));
    ck_assert_uint_eq(c->devices.items[2].limit.n, 200);
    od_case_free(c);
}
END_TEST

START_TEST(nothing_happened)
{
    const struct od_case *c = od_case_freeze(od_case_builder_new());
    ck_assert_uint_eq(c->incidents.n + c->allocators.n + c->moments.n + c->conflicts.n, 0);
    ck_assert(!c->limit_hit);
    od_case_free(c);
    od_case_free(NULL);
}
END_TEST

Suite *od_builder_suite(void)
{
    Suite *suite = od_suite_loop("folding", events_fold_into_incidents, (int)OD_COUNT_OF(foldings));
    TCase *tcase = tcase_create("builder");
    tcase_add_test(tcase, evidence_keeps_the_first_and_the_last);
    tcase_add_test(tcase, incidents_have_a_limit);
    tcase_add_test(tcase, chunk_lists_have_a_limit);
    tcase_add_test(tcase, drivers_refusals_are_counted);
    tcase_add_test(tcase, moments_are_stretches_in_order);
    tcase_add_test(tcase, a_long_run_keeps_its_ends);
    tcase_add_test(tcase, settings_keep_every_value_and_the_last_wins);
    tcase_add_loop_test(tcase, a_setting_is_in_force_until_the_next, 0, (int)OD_COUNT_OF(in_force));
    tcase_add_test(tcase, a_device_is_told_in_several_lines);
    tcase_add_test(tcase, nothing_happened);
    suite_add_tcase(suite, tcase);
    return suite;
}
