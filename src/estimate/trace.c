#include "estimate/trace.h"

#define NONE UINT32_MAX

/* A heap of operations that can run, the one with the smallest key first. */
struct ready {
    double key;
    uint32_t op;
};

struct run {
    const struct od_graph *graph;
    struct od_trace *trace;
    uint32_t *readers;  /* for each tensor: number of readers that did not run yet */
    uint32_t *missing;  /* for each operation: number of inputs that do not exist yet */
    uint32_t *buffer;   /* for each tensor: its buffer; NONE = it needs no buffer */
    uint32_t *first_by; /* for each tensor: index of its first reader in `by` */
    uint32_t *by;
    double *keys;
    OD_VEC(struct ready) heap;
    OD_VEC(struct ready) running; /* operations that have not ended; key: time of the end */
    double now;
};

static uint64_t next_random(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static void push(struct run *run, struct ready item)
{
    od_vec_push(&run->heap, item);
    struct ready *h = run->heap.items;
    size_t i = run->heap.n - 1;
    while (i > 0 && h[(i - 1) / 2].key > item.key) {
        h[i] = h[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    h[i] = item;
}

static uint32_t pop(struct run *run)
{
    struct ready *h = run->heap.items;
    uint32_t top = h[0].op;
    struct ready last = h[--run->heap.n];
    size_t i = 0, child;
    while ((child = 2 * i + 1) < run->heap.n) {
        if (child + 1 < run->heap.n && h[child + 1].key < h[child].key)
            child++;
        if (last.key <= h[child].key)
            break;
        h[i] = h[child];
        i = child;
    }
    h[i] = last;
    return top;
}

static void make_ready(struct run *run, uint32_t op)
{
    push(run, (struct ready){run->keys[op], op});
}

static void note(struct run *run, enum od_trace_what what, uint32_t buffer, uint32_t op)
{
    od_vec_push(&run->trace->events, ((struct od_trace_event){what, buffer, op}));
}

static uint32_t new_buffer(struct run *run, struct od_linear size)
{
    od_vec_push(&run->trace->buffers, size);
    return (uint32_t)(run->trace->buffers.n - 1);
}

static bool same_size(struct od_linear a, struct od_linear b)
{
    return a.fixed == b.fixed && a.each == b.each;
}

/* Reuses the buffer of an input that no later operation reads. */
static uint32_t write_over(struct run *run, const struct od_graph_op *op, struct od_linear size)
{
    const struct od_graph *graph = run->graph;
    for (uint32_t i = 0; i < op->nin; i++) {
        uint32_t t = graph->inputs.items[op->first_in + i], buffer = run->buffer[t];
        if (run->readers[t] != 1 || buffer == NONE ||
            !same_size(run->trace->buffers.items[buffer], size))
            continue;
        run->buffer[t] = NONE;
        return buffer;
    }
    return NONE;
}

static void make_outputs(struct run *run, uint32_t index)
{
    const struct od_graph *graph = run->graph;
    const struct od_graph_op *op = &graph->ops.items[index];
    for (uint32_t i = 0; i < op->nout; i++) {
        uint32_t t = op->first_out + i, buffer = NONE;
        struct od_linear size = graph->tensors.items[t];
        if (size.fixed == 0 && size.each == 0)
            continue;
        if (op->over && i == 0)
            buffer = write_over(run, op, size);
        if (buffer == NONE) {
            buffer = new_buffer(run, size);
            note(run, OD_TRACE_TAKE, buffer, index);
        }
        run->buffer[t] = buffer;
    }
}

static void release(struct run *run, uint32_t tensor, uint32_t op)
{
    if (run->buffer[tensor] != NONE)
        note(run, OD_TRACE_RELEASE, run->buffer[tensor], op);
    run->buffer[tensor] = NONE;
}

/* Duration of an operation, assumed proportional to the bytes read and written. */
static double duration(const struct run *run, const struct od_graph_op *op)
{
    const struct od_graph *graph = run->graph;
    double bytes = 1;
    for (uint32_t i = 0; i < op->nin; i++)
        bytes += (double)graph->tensors.items[graph->inputs.items[op->first_in + i]].each;
    for (uint32_t i = 0; i < op->nout; i++)
        bytes += (double)graph->tensors.items[op->first_out + i].each;
    return bytes * (1 + op->passes);
}

static void begin(struct run *run, uint32_t index)
{
    const struct od_graph_op *op = &run->graph->ops.items[index];
    make_outputs(run, index);
    if (op->scratch.fixed || op->scratch.each) {
        uint32_t scratch = new_buffer(run, op->scratch);
        note(run, OD_TRACE_TRY, scratch, index);
        note(run, OD_TRACE_RELEASE, scratch, index);
    }
    od_vec_push(&run->running, ((struct ready){run->now + duration(run, op), index}));
}

/* Ends the first of the running operations: releases tensors that no other operation will read, and
 * starts to consider operations that waited for its outputs. */
static void finish(struct run *run)
{
    size_t first = 0;
    for (size_t i = 1; i < run->running.n; i++)
        if (run->running.items[i].key < run->running.items[first].key)
            first = i;
    uint32_t index = run->running.items[first].op;
    const struct od_graph *graph = run->graph;
    const struct od_graph_op *op = &graph->ops.items[index];
    run->now = run->running.items[first].key;
    run->running.items[first] = run->running.items[--run->running.n];
    for (uint32_t i = 0; i < op->nin; i++) {
        uint32_t t = graph->inputs.items[op->first_in + i];
        if (--run->readers[t] == 0)
            release(run, t, index);
    }
    for (uint32_t t = op->first_out; t < op->first_out + op->nout; t++) {
        if (run->readers[t] == 0)
            release(run, t, index);
        for (uint32_t i = run->first_by[t]; i < run->first_by[t + 1]; i++)
            if (--run->missing[run->by[i]] == 0)
                make_ready(run, run->by[i]);
    }
}

static void list_readers(struct run *run)
{
    const struct od_graph *graph = run->graph;
    for (size_t i = 0; i < graph->inputs.n; i++)
        run->readers[graph->inputs.items[i]]++;
    for (size_t t = 0; t < graph->tensors.n; t++)
        run->first_by[t + 1] = run->first_by[t] + run->readers[t];
    uint32_t *fill = od_mem_alloc(graph->tensors.n + 1, sizeof *fill);
    for (uint32_t o = 0; o < graph->ops.n; o++) {
        const struct od_graph_op *op = &graph->ops.items[o];
        run->missing[o] = op->nin;
        for (uint32_t i = 0; i < op->nin; i++) {
            uint32_t t = graph->inputs.items[op->first_in + i];
            run->by[run->first_by[t] + fill[t]++] = o;
        }
    }
    od_mem_free(fill);
}

void od_trace_of(const struct od_graph *graph, const struct od_trace_order *order,
                 struct od_trace *ret_trace)
{
    size_t nt = graph->tensors.n + 1, no = graph->ops.n + 1;
    struct run run = {.graph = graph, .trace = ret_trace};
    uint64_t seed = order->seed;
    *ret_trace = (struct od_trace){0};
    run.readers = od_mem_alloc(nt, sizeof *run.readers);
    run.buffer = od_mem_alloc(nt, sizeof *run.buffer);
    run.first_by = od_mem_alloc(nt, sizeof *run.first_by);
    run.by = od_mem_alloc(graph->inputs.n + 1, sizeof *run.by);
    run.missing = od_mem_alloc(no, sizeof *run.missing);
    run.keys = od_mem_alloc(no, sizeof *run.keys);
    list_readers(&run);
    for (size_t t = 0; t < nt; t++)
        run.buffer[t] = NONE;
    for (uint32_t o = 0; o < graph->ops.n; o++) {
        double chance = (double)(next_random(&seed) >> 11) / (double)(UINT64_C(1) << 53);
        run.keys[o] = (double)o + chance * order->jitter;
    }
    for (uint32_t o = 0; o < graph->ops.n; o++)
        if (run.missing[o] == 0)
            make_ready(&run, o);
    while (run.heap.n > 0 || run.running.n > 0) {
        if (run.heap.n > 0 && run.running.n <= order->concurrent)
            begin(&run, pop(&run));
        else
            finish(&run);
    }
    od_vec_done(&run.heap);
    od_vec_done(&run.running);
    od_mem_free(run.readers);
    od_mem_free(run.buffer);
    od_mem_free(run.first_by);
    od_mem_free(run.by);
    od_mem_free(run.missing);
    od_mem_free(run.keys);
}

void od_trace_done(struct od_trace *trace)
{
    od_vec_done(&trace->buffers);
    od_vec_done(&trace->events);
}

uint64_t od_trace_peak(const struct od_trace *trace, uint64_t batch)
{
    uint64_t live = 0, peak = 0;
    for (size_t i = 0; i < trace->events.n; i++) {
        const struct od_trace_event *event = &trace->events.items[i];
        uint64_t bytes = od_linear_at(trace->buffers.items[event->buffer], batch);
        if (event->what == OD_TRACE_TRY) {
            i++; /* skips the release that follows */
            continue;
        }
        if (event->what == OD_TRACE_RELEASE)
            live -= bytes;
        else if (ckd_add(&live, live, bytes))
            return UINT64_MAX;
        if (live > peak)
            peak = live;
    }
    return peak;
}
