/* Events become incidents, devices, settings and moments. Scripts of events, one a row. */
#include "case/case.h"
#include "tests/unit/case/make.h"
#include "tests/unit/case/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

/* One event, as few words as the test needs. */
struct said {
    enum od_event_kind kind;
    uint64_t line;
    const char *allocator, *device, *shape, *op, *name, *value, *space;
    const char *requested;
    uint64_t rounded;
    uint64_t rank; /* + 1; 0 = not said */
};

static void put_text(struct od_event *event, enum od_field field, const char *text)
{
    if (text)
        od_event_set_text(event, field, od_view_of(text));
}

static void put_tensor(struct od_event *event, const char *text)
{
    struct od_field_value shape = {.field = OD_F_SHAPE};
    struct od_field_value dtype = {.field = OD_F_DTYPE, .as.dtype = OD_FLOAT32};
    if (!text)
        return;
    /* "~" marks a message that names no element type. */
    bool typed = text[0] != '~';
    ck_assert(od_shape_parse(od_view_of(typed ? text : text + 1), &shape.as.shape));
    od_event_set(event, &shape);
    if (typed)
        od_event_set(event, &dtype);
}

static void put(const struct od_sink *sink, const struct said *said)
{
    char text[64];
    int n = snprintf(text, sizeof text, "words of line %u", (unsigned)said->line);
    struct od_place place = {.rank = {.n = said->rank - 1, .known = said->rank > 0}};
    struct od_line line = {.text = {text, (size_t)n}, .place = &place};
    struct od_event event = {.kind = said->kind, .at = {.line = said->line, .nlines = 1}};
    struct od_bytes requested = {0};
    event.line = &line;
    event.excerpt = line.text;
    line.at = event.at;
    put_text(&event, OD_F_ALLOCATOR, said->allocator);
    put_text(&event, OD_F_DEVICE, said->device);
    put_text(&event, OD_F_OP, said->op);
    put_text(&event, OD_F_NAME, said->name);
    put_text(&event, OD_F_VALUE, said->value);
    put_text(&event, OD_F_SPACE, said->space);
    put_tensor(&event, said->shape);
    if (said->requested) {
        ck_assert(od_bytes_parse(od_view_of(said->requested), OD_UNIT_BINARY, &requested));
        od_event_set_bytes(&event, OD_F_REQUESTED, requested);
    }
    if (said->rounded > 0)
        od_event_set_bytes(&event, OD_F_ROUNDED, od_bytes_exact(said->rounded));
    od_sink_put(sink, &event);
    memset(text, '#', sizeof text);
}

static const struct od_case *fold(const struct said *script, size_t n)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (size_t i = 0; i < n && script[i].kind != OD_EV_NONE; i++)
        put(&sink, &script[i]);
    return od_case_freeze(builder);
}

enum { SCRIPT = 8 };

/* What the first incident is, and how many there are. */
struct folding {
    const char *name;
    struct said script[SCRIPT];
    size_t incidents;
    uint64_t count;
    enum od_incident_kind kind;
    enum od_tri fatal;
    bool op_error;
    const char *device, *op;
    uint64_t requested;
};

#define HARD(at, size, round)                                                                     \
    {                                                                                             \
        .kind = OD_EV_ALLOC_REFUSED, .line = (at), .allocator = "GPU_0_bfc", .requested = (size), \
        .rounded = (round)                                                                        \
    }
#define OOM(at, dims)                                                             \
    {                                                                             \
        .kind = OD_EV_ALLOC_FAILED, .line = (at), .allocator = "GPU_0_bfc",       \
        .device = "/job:localhost/replica:0/task:0/device:GPU:0", .shape = (dims) \
    }

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
     .fatal = OD_CANNOT_TELL,
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
     .fatal = OD_CANNOT_TELL},
    {.name = "the driver's refusals are no incident",
     .script = {{.kind = OD_EV_DRIVER_REFUSED, .line = 5, .requested = "8192"}},
     .incidents = 0},
};

START_TEST(events_fold_into_incidents)
{
    const struct folding *want = &foldings[_i];
    const struct od_case *c = fold(want->script, SCRIPT);
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
        ck_assert_uint_eq(inc->at.line, want->script[0].line);
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
        put(&sink, &(struct said){.kind = OD_EV_SOFT_WARNING, .line = i, .allocator = "GPU_0_bfc"});
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
        put(&sink, &(struct said){.kind = OD_EV_ALLOC_REFUSED,
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

START_TEST(drivers_refusals_are_counted)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (uint64_t i = 1; i <= 100; i++)
        put(&sink, &(struct said){.kind = OD_EV_DRIVER_REFUSED,
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
    const struct od_case *c = fold(script, OD_COUNT_OF(script));
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
        put(&sink, &(struct said){.kind = i % 2 ? OD_EV_PROGRESS : OD_EV_EXCEPTION, .line = i});
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
    const struct od_case *c = fold(script, OD_COUNT_OF(script));
    ck_assert_uint_eq(c->settings.n, 4);
    ck_assert_uint_eq(c->settings.items[0].said.at.line, 1);
    ck_assert(od_view_eq_str(od_case_setting(c, "batch_size"), "64"));
    ck_assert(od_view_eq_str(od_case_setting(c, "precision"), "float16"));
    ck_assert_uint_eq(od_case_setting(c, "workers").n, 0);
    od_case_free(c);
}
END_TEST

static void put_device(const struct od_sink *sink, const char *name, const char *device,
                       enum od_field field, uint64_t bytes)
{
    struct od_event event = {.kind = OD_EV_DEVICE, .at = {.line = 4, .nlines = 1}};
    put_text(&event, OD_F_NAME, name);
    put_text(&event, OD_F_DEVICE, device);
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

/* The dump of the tests: lines 100 to 910, request of 1 TiB, allocator GPU_0_bfc. */
static const struct make_tiling tiling = {.nregions = 1,
                                          .regions = {{0x7000, {-2048, 4096, -1024, 0}}}};

enum dump_kind { WHOLE, HEADLESS, STATS_ONLY, ROWS_ONLY };

static void put_dump(const struct od_sink *sink, enum dump_kind kind, uint64_t line)
{
    struct od_arena *arena = od_arena_new();
    struct od_dump dump = make_dump(arena, &tiling);
    dump.at.line = line;
    if (kind != WHOLE) {
        dump.has_header = false;
        dump.requested = dump.rounded = (struct od_bytes){0};
        dump.allocator = (struct od_view){0};
    }
    if (kind == STATS_ONLY || kind == ROWS_ONLY)
        dump.chunks.n = dump.regions.n = dump.bins.n = 0;
    if (kind == ROWS_ONLY) {
        dump.stats = (struct od_allocator_stats){0};
        dump.sum_total = (struct od_bytes){0};
        dump.occupancy = (struct od_view){0};
    }
    struct od_event event = {.kind = OD_EV_DUMP, .at = dump.at, .dump = &dump};
    od_sink_put(sink, &event);
    ck_assert_uint_eq(dump.chunks.room, 0);
    od_arena_free(arena);
}

#define TIB "1099511627776"

static const struct {
    const char *name;
    enum dump_kind kind;
    uint64_t line; /* of the dump */
    struct said script[SCRIPT];
    size_t incidents;
    size_t owner; /* index + 1 of the incident that gets it */
} links[] = {
    {"its header line", WHOLE, 100, {HARD(100, TIB, 0), OOM(950, "[4,5]")}, 2, 1},
    {"its header line, of a repeat", WHOLE, 100, {HARD(10, TIB, 0), HARD(100, TIB, 0)}, 1, 1},
    {"two requests, the second dumps", WHOLE, 100, {HARD(99, "77", 0), HARD(100, TIB, 0)}, 2, 2},
    {"no event for the header: a made one", WHOLE, 100, {{0}}, 1, 1},
    {"no event, other requests above", WHOLE, 100, {HARD(10, "77", 0)}, 2, 2},
    {"no head: the line below it", HEADLESS, 100, {HARD(10, "77", 0), HARD(911, TIB, 0)}, 2, 2},
    {"no head: the error below it", HEADLESS, 100, {HARD(10, "77", 0), OOM(930, "[4,5]")}, 2, 2},
    {"no head: the one above", HEADLESS, 100, {HARD(10, "77", 0), HARD(2000, "79", 0)}, 2, 1},
    {"no head, nothing else: a made one", HEADLESS, 100, {{0}}, 1, 1},
    {"numbers alone: a made one", STATS_ONLY, 100, {{0}}, 1, 1},
    {"a few rows: none", ROWS_ONLY, 100, {{0}}, 0, 0},
    {"a soft warning has no dump",
     HEADLESS,
     100,
     {{.kind = OD_EV_SOFT_WARNING, .line = 50, .allocator = "GPU_0_bfc"}},
     2,
     2},
    {"another allocator's refusal",
     WHOLE,
     100,
     {{.kind = OD_EV_ALLOC_REFUSED, .line = 99, .allocator = "GPU_1_bfc", .requested = TIB}},
     2,
     2},
};

START_TEST(dumps_find_their_incident)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    bool dumped = false;
    for (size_t i = 0; i < SCRIPT; i++) {
        const struct said *said = &links[_i].script[i];
        if (!dumped && (said->kind == OD_EV_NONE || said->line > links[_i].line)) {
            put_dump(&sink, links[_i].kind, links[_i].line);
            dumped = true;
        }
        if (said->kind != OD_EV_NONE)
            put(&sink, said);
    }
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_msg(c->incidents.n == links[_i].incidents, "%s: %zu incidents", links[_i].name,
                  c->incidents.n);
    ck_assert_uint_eq(c->allocators.n, 1);
    for (size_t i = 0; i < c->incidents.n; i++)
        ck_assert_msg((c->incidents.items[i].dump == 1) == (i + 1 == links[_i].owner),
                      "%s: incident %zu", links[_i].name, i + 1);
    if (links[_i].owner > 0) {
        const struct od_incident *inc = &c->incidents.items[links[_i].owner - 1];
        ck_assert_uint_eq(inc->in_use.n, 4096);
        ck_assert_uint_eq(inc->limit.n, 7168);
        if (links[_i].kind != STATS_ONLY)
            ck_assert_uint_eq(inc->free.n, 3072);
        else
            ck_assert(!inc->free.known);
    }
    od_case_free(c);
}
END_TEST

START_TEST(repeated_dumps_are_one_failure)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    put_dump(&sink, WHOLE, 2000);
    put_dump(&sink, WHOLE, 100);
    put_dump(&sink, STATS_ONLY, 4000);
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->allocators.n, 3);
    ck_assert_uint_eq(c->allocators.items[0]->dump.at.line, 100);
    ck_assert_uint_eq(c->incidents.n, 1);
    ck_assert_uint_eq(c->incidents.items[0].count, 3);
    ck_assert_uint_eq(c->incidents.items[0].at.line, 100);
    ck_assert_uint_eq(c->incidents.items[0].dump, 2);
    ck_assert_uint_eq(c->incidents.items[0].requested.n, UINT64_C(1) << 40);
    od_case_free(c);
}
END_TEST

START_TEST(dumps_have_a_limit)
{
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (uint64_t i = 0; i < 1100; i++)
        put_dump(&sink, WHOLE, 1000 * (i + 1));
    const struct od_case *c = od_case_freeze(builder);
    ck_assert_uint_eq(c->allocators.n, 1000);
    ck_assert(c->limit_hit);
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
    tcase_add_loop_test(tcase, dumps_find_their_incident, 0, (int)OD_COUNT_OF(links));
    tcase_add_test(tcase, evidence_keeps_the_first_and_the_last);
    tcase_add_test(tcase, incidents_have_a_limit);
    tcase_add_test(tcase, drivers_refusals_are_counted);
    tcase_add_test(tcase, moments_are_stretches_in_order);
    tcase_add_test(tcase, a_long_run_keeps_its_ends);
    tcase_add_test(tcase, settings_keep_every_value_and_the_last_wins);
    tcase_add_test(tcase, a_device_is_told_in_several_lines);
    tcase_add_test(tcase, repeated_dumps_are_one_failure);
    tcase_add_test(tcase, dumps_have_a_limit);
    tcase_add_test(tcase, nothing_happened);
    suite_add_tcase(suite, tcase);
    return suite;
}
