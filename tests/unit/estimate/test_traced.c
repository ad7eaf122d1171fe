/* Traced runs: what the model and its states take where the trace shows them, and where not. */
#include "suites.h"

#include "../suite.h"
#include "base/buf.h"
#include "estimate/estimate.h"
#include "model_file.h"
#include "models/file_reader.h"

#include <inttypes.h>

enum { MIB = 1 << 20 };

struct trace {
    struct od_buf text;
    double at;
};

static struct trace begin(void)
{
    struct trace t = {0};
    od_buf_add_str(&t.text, "{\"schemaVersion\": 1, \"deviceProperties\": [], \"traceEvents\": [");
    return t;
}

static void memory(struct trace *t, uint64_t address, int64_t bytes)
{
    od_buf_printf(&t->text,
                  "{\"ph\": \"i\", \"name\": \"[memory]\", \"ts\": %.1f, \"args\": {\"Bytes\": "
                  "%" PRId64 ", \"Device Type\": 0, \"Addr\": %" PRIu64 "}},\n",
                  ++t->at, bytes, address);
}

/* The next n moments lie in it. */
static void span(struct trace *t, const char *name, int n)
{
    od_buf_printf(&t->text, "{\"ph\": \"X\", \"name\": \"%s\", \"ts\": %.1f, \"dur\": %d}, ", name,
                  t->at + 0.5, n);
}

/* Activations of 30 MiB, a gradient of 4; with states of 8 where the first step makes them. */
static void step(struct trace *t, bool first)
{
    span(t, "Optimizer.zero_grad#AdamW.zero_grad", !first);
    if (!first)
        memory(t, 1, -4 * MIB);
    memory(t, 2, 30 * MIB);
    memory(t, 1, 4 * MIB);
    memory(t, 2, -30 * MIB);
    span(t, "Optimizer.step#AdamW.step", first);
    if (first)
        memory(t, 3, 8 * MIB);
}

static void keep(void *self, const struct od_event *event)
{
    *(struct od_model *)self = *event->model;
}

static void expect(struct trace *t, bool told, uint64_t weights, uint64_t states, uint64_t peak)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_model read = {0};
    struct od_estimate e;
    const struct od_sink sink = {keep, &read};
    const char *word = NULL;
    const struct od_file file = {.bytes = od_buf_view(&t->text),
                                 .name = "run.json",
                                 .diags = diags,
                                 .sink = &sink,
                                 .arena = arena};
    (void)od_file_reader_find(file.bytes, &word)->read(&file);
    ck_assert(read.traced.known);
    struct od_workload w = od_workload_defaults(&read);
    w.metric = OD_METRIC_ALLOCATED;
    ck_assert(od_estimate(&w, arena, diags, &e));
    const struct od_breakdown *b = &e.breakdown;
    ck_assert_int_eq(e.lower_limit, !told);
    ck_assert_uint_eq(b->parameters.bytes.n, weights);
    ck_assert_uint_eq(b->optimizer.bytes.n, states);
    ck_assert_uint_eq(e.peak.n - b->workspace.bytes.n, peak);
    od_diags_free(diags);
    od_arena_free(arena);
    od_buf_done(&t->text);
}

START_TEST(a_model_of_before_is_as_large_as_its_gradients)
{
    struct trace t = begin();
    step(&t, true);
    step(&t, false);
    od_buf_add_str(&t.text, "{}]}");
    expect(&t, true, 4 * MIB, 8 * MIB, (4 + 8 + 34) * MIB);
}
END_TEST

START_TEST(a_model_built_in_the_trace_is_seen)
{
    struct trace t = begin();
    memory(&t, 9, 6 * MIB); /* 2 MiB of them are frozen */
    step(&t, true);
    step(&t, false);
    od_buf_add_str(&t.text, "{}]}");
    expect(&t, true, 6 * MIB, 8 * MIB, (6 + 8 + 34) * MIB);
}
END_TEST

START_TEST(states_of_before_are_those_of_the_optimizer)
{
    struct trace t = begin();
    memory(&t, 1, 4 * MIB);
    step(&t, false);
    step(&t, false);
    od_buf_add_str(&t.text, "{}]}");
    expect(&t, true, 4 * MIB, 8 * MIB, (4 + 8 + 34) * MIB);
}
END_TEST

START_TEST(a_trace_without_steps_is_a_lower_limit)
{
    struct trace t = begin();
    memory(&t, 2, 30 * MIB);
    memory(&t, 2, -30 * MIB);
    od_buf_add_str(&t.text, "{}]}");
    expect(&t, false, 0, 0, 30 * MIB);
}
END_TEST

START_TEST(a_cut_trace_is_a_lower_limit)
{
    struct trace t = begin();
    step(&t, true);
    step(&t, false);
    od_buf_add_str(&t.text, "{\"name\": \"[mem");
    expect(&t, false, 4 * MIB, 8 * MIB, (4 + 8 + 34) * MIB);
}
END_TEST

START_TEST(a_trace_without_memory_is_refused)
{
    struct trace t = begin();
    od_buf_add_str(&t.text, "{\"name\": \"aten::add\", \"ts\": 1}]}");
    struct model_file file = model_file_read(od_buf_view(&t.text));
    ck_assert(file.bid && !file.emitted);
    ck_assert(od_diags_has_error(file.diags));
    od_diags_free(file.diags);
    od_buf_done(&t.text);
}
END_TEST

Suite *od_traced_suite(void)
{
    Suite *suite = suite_create("traced");
    TCase *cases = tcase_create("cases");
    tcase_add_test(cases, a_model_of_before_is_as_large_as_its_gradients);
    tcase_add_test(cases, a_model_built_in_the_trace_is_seen);
    tcase_add_test(cases, states_of_before_are_those_of_the_optimizer);
    tcase_add_test(cases, a_trace_without_steps_is_a_lower_limit);
    tcase_add_test(cases, a_cut_trace_is_a_lower_limit);
    tcase_add_test(cases, a_trace_without_memory_is_refused);
    suite_add_tcase(suite, cases);
    return suite;
}
