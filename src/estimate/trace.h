/*
 * The requests and releases of a training step: a graph run in one order. A tensor is released
 * when its last reader has run; an operation that may write over an input does so where it is the
 * last reader of a buffer of the same size, as TensorFlow's forward_input does.
 */
#pragma once

#include "estimate/graph.h"

enum od_trace_what {
    OD_TRACE_TAKE,
    OD_TRACE_TRY, /* scratch: refused, the step goes on */
    OD_TRACE_RELEASE
};

struct od_trace_event {
    enum od_trace_what what;
    uint32_t buffer;
    uint32_t op; /* of the graph */
};

struct od_trace {
    OD_VEC(struct od_linear) buffers;
    OD_VEC(struct od_trace_event) events; /* of one step; nothing of it outlives the step */
};

struct od_trace_order {
    unsigned jitter, beside;
    uint64_t seed;
};

/*
 * Operations in their order of making, each moved by chance by up to `jitter` places, none before
 * what it reads. The same seed gives the same order. Up to `beside` others run while one does.
 */
void od_trace_of(const struct od_graph *graph, const struct od_trace_order *order,
                 struct od_trace *ret_trace);
void od_trace_done(struct od_trace *trace);

/* The most bytes that live at once in a step, variables not counted; UINT64_MAX on overflow. */
uint64_t od_trace_peak(const struct od_trace *trace, uint64_t batch);
