/*
 * The requests and releases of a training step: a graph run in one order. A tensor is released
 * after its last reader; an operation that may overwrite an input does so if it is the last reader
 * of a buffer of the same size, like TensorFlow's forward_input.
 */
#pragma once

#include "estimate/graph.h"

enum od_trace_what {
    OD_TRACE_TAKE,
    OD_TRACE_TRY, /* a request for workspace: if it fails, the step continues */
    OD_TRACE_RELEASE
};

struct od_trace_event {
    enum od_trace_what what;
    uint32_t buffer;
    uint32_t op; /* operation of the graph */
};

struct od_trace {
    OD_VEC(struct od_linear) buffers;
    OD_VEC(struct od_trace_event) events; /* events of one step, which releases all its buffers */
};

struct od_trace_order {
    unsigned jitter, concurrent;
    uint64_t seed;
};

/* Runs the operations in their order of creation, each moved randomly by up to `jitter` places, but
 * not before its inputs. The same seed gives the same order. Up to `concurrent` others run at the
 * same time. */
void od_trace_of(const struct od_graph *graph, const struct od_trace_order *order,
                 struct od_trace *ret_trace);
void od_trace_done(struct od_trace *trace);

/* Maximum of live bytes in a step, without variables; UINT64_MAX on overflow. */
uint64_t od_trace_peak(const struct od_trace *trace, uint64_t batch);
