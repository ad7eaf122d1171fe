#include "estimate/trace.h"
#include "random_trace.h"
#include "suites.h"

#include "../suite.h"
#include "base/num.h"

static uint32_t op(struct od_graph *graph, uint32_t a, uint32_t b, struct od_linear size)
{
    const uint32_t inputs[] = {a, b};
    od_graph_op(graph, 0, OD_GRAPH_FORWARD, inputs, 2);
    return od_graph_output(graph, size);
}

#define NONE OD_NO_GRAPH_TENSOR

static const struct od_linear small = {.fixed = 7, .each = 10};
static const struct od_linear large = {.each = 100};

/* x -> y over x -> z; x has no other reader, so two buffers do. */
START_TEST(writes_over)
{
    struct od_graph graph = {0};
    struct od_trace trace;
    uint32_t x = op(&graph, NONE, NONE, small);
    uint32_t y = op(&graph, x, NONE, small);
    graph.ops.items[1].over = true;
    op(&graph, y, NONE, large);
    od_trace_of(&graph, &(struct od_trace_order){.seed = 1}, &trace);
    ck_assert_uint_eq(trace.buffers.n, 2);
    ck_assert_uint_eq(od_trace_peak(&trace, 3), 7 + 30 + 300);
    od_trace_done(&trace);
    /* another reader of x: y needs its own */
    op(&graph, x, NONE, small);
    od_trace_of(&graph, &(struct od_trace_order){.seed = 1}, &trace);
    ck_assert_uint_eq(trace.buffers.n, 4);
    od_trace_done(&trace);
    /* so does another size */
    graph.tensors.items[y].fixed = 8;
    od_trace_of(&graph, &(struct od_trace_order){.seed = 1}, &trace);
    ck_assert_uint_eq(trace.buffers.n, 4);
    od_trace_done(&trace);
    od_graph_done(&graph);
}
END_TEST

START_TEST(scratch_is_tried)
{
    struct od_graph graph = {0};
    struct od_trace trace;
    op(&graph, NONE, NONE, small);
    graph.ops.items[0].scratch = large;
    od_trace_of(&graph, &(struct od_trace_order){.seed = 1}, &trace);
    ck_assert_uint_eq(trace.events.n, 4);
    ck_assert_int_eq(trace.events.items[0].what, OD_TRACE_TAKE);
    ck_assert_int_eq(trace.events.items[1].what, OD_TRACE_TRY);
    ck_assert_int_eq(trace.events.items[2].what, OD_TRACE_RELEASE);
    ck_assert_uint_eq(trace.events.items[2].buffer, trace.events.items[1].buffer);
    ck_assert_uint_eq(od_trace_peak(&trace, 1), 17);
    ck_assert_uint_eq(od_trace_peak(&trace, UINT64_MAX), UINT64_MAX);
    od_trace_done(&trace);
    od_graph_done(&graph);
}
END_TEST

/* What reads x and takes long is not done when the next is: x lives on, and nothing is over it. */
START_TEST(others_run_concurrently)
{
    struct od_graph graph = {0};
    struct od_trace trace;
    uint32_t x = op(&graph, NONE, NONE, small);
    op(&graph, x, NONE, large); /* no operation reads it, like columns */
    graph.ops.items[1].passes = 9;
    op(&graph, x, NONE, small);
    graph.ops.items[2].over = true;
    od_trace_of(&graph, &(struct od_trace_order){.seed = 1}, &trace);
    ck_assert_uint_eq(od_trace_peak(&trace, 3), 37 + 300);
    od_trace_done(&trace);
    od_trace_of(&graph, &(struct od_trace_order){.concurrent = 1, .seed = 1}, &trace);
    ck_assert_uint_eq(od_trace_peak(&trace, 3), 2 * 37 + 300);
    od_trace_done(&trace);
    od_graph_done(&graph);
}
END_TEST

static struct od_graph random_graph(uint64_t seed)
{
    enum { OPS = 300 };
    struct od_graph graph = {0};
    for (int i = 0; i < OPS; i++) {
        uint32_t inputs[3];
        size_t n = i == 0 ? 0 : random_next(&seed) % 4;
        for (size_t j = 0; j < n; j++)
            inputs[j] = (uint32_t)(random_next(&seed) % graph.tensors.n);
        od_graph_op(&graph, 0, OD_GRAPH_FORWARD, inputs, n);
        graph.ops.items[i].over = random_next(&seed) % 2;
        for (uint64_t j = random_next(&seed) % 3; j > 0 || i == 0; j--) {
            od_graph_output(&graph, random_next(&seed) % 5 ? large : (struct od_linear){0});
            if (i == 0)
                break;
        }
    }
    return graph;
}

/* In any order: each buffer is taken once and released once, and all are in the end. Nothing that
 * an operation makes comes before what it reads. */
START_TEST(any_order)
{
    struct od_graph graph = random_graph(977 + (uint64_t)_i);
    struct od_trace trace;
    od_trace_of(&graph, &(struct od_trace_order){(unsigned)_i, (unsigned)_i % 3, (uint64_t)_i},
                &trace);
    int *state = od_mem_alloc(trace.buffers.n + 1, sizeof *state);
    for (size_t i = 0; i < trace.events.n; i++) {
        const struct od_trace_event *e = &trace.events.items[i];
        ck_assert_int_eq(state[e->buffer], e->what == OD_TRACE_RELEASE);
        state[e->buffer]++;
    }
    for (size_t i = 0; i < trace.buffers.n; i++)
        ck_assert_int_eq(state[i], 2);
    ck_assert_uint_ge(trace.events.n, 2 * trace.buffers.n);
    od_mem_free(state);
    od_trace_done(&trace);
    od_graph_done(&graph);
}
END_TEST

Suite *od_trace_suite(void)
{
    Suite *suite = od_suite_loop("trace", any_order, 12);
    TCase *tcase = tcase_create("lifetimes");
    tcase_add_test(tcase, writes_over);
    tcase_add_test(tcase, scratch_is_tried);
    tcase_add_test(tcase, others_run_concurrently);
    suite_add_tcase(suite, tcase);
    return suite;
}
