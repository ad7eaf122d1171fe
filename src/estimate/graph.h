/*
 * A training step as a graph: operations, the tensors they make and read, and which of them may
 * write over an input. What lives when follows from an order of the operations (trace.h); here is
 * only what must live at all. Sizes are lines in the batch: fixed + each * N bytes.
 *
 * Operations are added in an order that could be run; a tensor is made by exactly one.
 */
#pragma once

#include "base/base.h"

#define OD_NO_GRAPH_TENSOR UINT32_MAX

/* Bytes of a buffer. Both 0 = no buffer: a mere dependence. */
struct od_linear {
    uint64_t fixed, each;
};

enum od_graph_pass { OD_GRAPH_FORWARD, OD_GRAPH_BACKWARD, OD_GRAPH_UPDATE };

struct od_graph_op {
    uint32_t layer; /* of the model; UINT32_MAX = none */
    enum od_graph_pass pass;
    uint32_t first_in, nin;   /* into od_graph.inputs */
    uint32_t first_out, nout; /* tensors */
    bool over;                /* its first output may take the buffer of an input that dies here */
    unsigned passes;          /* over its tensors, beside the first: products take long */
    struct od_linear scratch; /* asked for while it runs; it runs without, too */
};

struct od_graph {
    OD_VEC(struct od_graph_op) ops;
    OD_VEC(struct od_linear) tensors;
    OD_VEC(uint32_t) inputs;
    OD_VEC(struct od_linear) held; /* variables: there before the first step, for ever */
    bool overflow;
};

/* An operation that reads so many tensors; it has no output yet. Returns its index. */
uint32_t od_graph_op(struct od_graph *graph, uint32_t layer, enum od_graph_pass pass,
                     const uint32_t *inputs, size_t ninputs);

/* A further output of the newest operation. */
uint32_t od_graph_output(struct od_graph *graph, struct od_linear size);

void od_graph_done(struct od_graph *graph);

/* Its bytes at a batch; UINT64_MAX where they do not fit. */
uint64_t od_linear_at(struct od_linear line, uint64_t batch);
