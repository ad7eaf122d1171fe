/* What a case keeps of evidence, incidents, dumps, moments, settings and devices, and where it
 * ends. */
#include "case/case.h"
#include "tests/unit/case/script.h"
#include "tests/unit/case/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

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
    ck_assert(c->closed);
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
    ck_assert_uint_le(kept, 1 << 18);
    ck_assert_uint_eq(kept, (DUMPS - c->chunk_lists_forgotten) * CHUNKS);
    ck_assert_uint_gt(c->chunk_lists_forgotten, 0);
    ck_assert_uint_eq(c->allocators.items[0]->dump.chunks.n, CHUNKS);
    ck_assert_uint_eq(c->allocators.items[DUMPS - 1]->dump.chunks.n, CHUNKS);
    od_case_free(c);
}
END_TEST

START_TEST(dumps_have_a_limit)
{
    enum { DUMPS = 600, CHUNKS = 1000 };
    struct od_case_builder *builder = od_case_builder_new();
    struct od_sink sink = od_case_builder_sink(builder);
    for (size_t i = 0; i < DUMPS; i++)
        put_dump(&sink, i + 1, CHUNKS);
    const struct od_case *c = od_case_freeze(builder);
    size_t without = 0;
    ck_assert_uint_eq(c->allocators.n + c->dumps_forgotten, DUMPS);
    ck_assert_uint_eq(c->allocators.n, 512);
    ck_assert(!c->closed);
    for (size_t i = 0; i < c->allocators.n; i++) {
        const struct od_allocator *a = c->allocators.items[i];
        ck_assert_uint_eq(a->dump.at.line, i < 256 ? i + 1 : i + 1 + c->dumps_forgotten);
        without += a->dump.chunks.n == 0;
    }
    ck_assert_uint_eq(without, c->chunk_lists_forgotten);
    ck_assert_uint_gt(without, 200);
    ck_assert_uint_eq(c->allocators.items[0]->dump.chunks.n, CHUNKS);
    ck_assert_uint_eq(c->allocators.items[511]->dump.chunks.n, CHUNKS);
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
    ck_assert_uint_eq(c->run_events.n, OD_COUNT_OF(want));
    for (size_t i = 0; i < c->run_events.n; i++) {
        const struct od_run_event *m = &c->run_events.items[i];
        ck_assert_int_eq(m->kind, want[i].kind);
        ck_assert_uint_eq(m->first.line, want[i].first);
        ck_assert_uint_eq(m->last.line, want[i].last);
        ck_assert_uint_eq(m->count, want[i].count);
        ck_assert(od_view_eq_str(m->name, want[i].name));
        ck_assert_uint_eq(m->said.at.line, want[i].last);
    }
    ck_assert(od_view_eq_str(c->run_events.items[1].said.text, "words of line 3"));
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
    ck_assert(c->closed);
    ck_assert_uint_lt(c->run_events.n, 5000);
    ck_assert_uint_eq(c->run_events.items[0].first.line, 1);
    ck_assert_uint_eq(c->run_events.items[1000].first.line, 1001);
    ck_assert_uint_eq(c->run_events.items[c->run_events.n - 1].last.line, TURNS);
    ck_assert_uint_eq(c->run_events.items[c->run_events.n - 1000].last.line, TURNS - 999);
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
        {.kind = OD_EV_SETTING, .line = 7, .name = "no_name_of_the_table", .value = "5"},
    };
    const struct od_case *c = script_fold(script, OD_COUNT_OF(script));
    ck_assert_uint_eq(c->settings.n, 5);
    ck_assert_uint_eq(c->settings.items[4].id, OD_SETTING_NONE);
    ck_assert(od_view_eq_str(c->settings.items[4].name, "no_name_of_the_table"));
    ck_assert_uint_eq(c->settings.items[0].said.at.line, 1);
    ck_assert(od_view_eq_str(od_case_setting(c, OD_SETTING_BATCH_SIZE), "64"));
    ck_assert(od_view_eq_str(od_case_setting(c, OD_SETTING_PRECISION), "float16"));
    ck_assert_uint_eq(od_case_setting(c, OD_SETTING_WORKERS).n, 0);
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
    ck_assert(
        od_view_eq_str(od_case_setting_at(c, OD_SETTING_BATCH_SIZE, &at), in_force[_i].value));
    ck_assert_uint_eq(od_case_setting_at(c, OD_SETTING_WORKERS, &at).n, 0);
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
    ck_assert_uint_eq(c->incidents.n + c->allocators.n + c->run_events.n + c->conflicts.n, 0);
    ck_assert(!c->closed);
    od_case_free(c);
    od_case_free(NULL);
}
END_TEST

Suite *od_builder_suite(void)
{
    Suite *suite = suite_create("builder");
    TCase *tcase = tcase_create("builder");
    tcase_add_test(tcase, evidence_keeps_the_first_and_the_last);
    tcase_add_test(tcase, incidents_have_a_limit);
    tcase_add_test(tcase, chunk_lists_have_a_limit);
    tcase_add_test(tcase, dumps_have_a_limit);
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
