/*
 * A training step as a graph: operations, the tensors they create and read, and which operations
 * may overwrite an input. It describes dependencies; lifetimes depend on the order of the
 * operations (trace.h). Sizes are linear in the batch: fixed + each * N bytes.
 *
 * Operations are added in a valid order; each tensor is created by exactly one operation.
 */
#pragma once

#include "base/base.h"

#define OD_NO_GRAPH_TENSOR UINT32_MAX

/* Bytes of a buffer as a function of the batch. Both 0 = a dependency without a buffer. */
struct od_linear {
    uint64_t fixed, each;
};

enum od_graph_pass { OD_GRAPH_FORWARD, OD_GRAPH_BACKWARD, OD_GRAPH_UPDATE };

struct od_graph_op {
    uint32_t layer; /* layer of the model; UINT32_MAX = none */
    enum od_graph_pass pass;
    uint32_t first_in, nin;   /* range in od_graph.inputs: first and number */
    uint32_t first_out, nout; /* range of output tensors: first and number */
    bool over;       /* the first output may reuse the buffer of an input that is not read later */
    unsigned passes; /* additional passes over the tensors, because products take longer */
    struct od_linear scratch; /* buffer during the operation, which also runs without it */
};

struct od_graph {
    OD_VEC(struct od_graph_op) ops;
    OD_VEC(struct od_linear) tensors;
    OD_VEC(uint32_t) inputs;
    OD_VEC(struct od_linear) held; /* variables, which exist before the first step and remain */
    bool overflow;
};

/* Adds an operation without outputs that reads these tensors. Returns its index. */
uint32_t od_graph_op(struct od_graph *graph, uint32_t layer, enum od_graph_pass pass,
                     const uint32_t *inputs, size_t ninputs);

/* Adds an output to the last operation. */
uint32_t od_graph_output(struct od_graph *graph, struct od_linear size);

void od_graph_done(struct od_graph *graph);

/* Bytes for a batch size; UINT64_MAX on overflow. */
uint64_t od_linear_at(struct od_linear line, uint64_t batch);
