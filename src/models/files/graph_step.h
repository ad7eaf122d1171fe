/*
 * A recorded training step: its tensors with the operations that created them and used them last.
 */
#pragma once

#include "facts/model.h"
#include "models/file_reader.h"

struct od_graph_tensor {
    uint64_t bytes, elements;
    uint64_t first, second; /* its first two dimensions; 0 = missing */
    uint32_t born;          /* number of the creating operation; 0 = existed before the step */
    uint32_t last;          /* number of the last operation that uses the tensor */
    unsigned bits;          /* bits of an element */
    bool met;               /* an operation uses the tensor */
    bool floating;          /* the type is a float */
    bool defined, kept, parameter, buffer, trainable, gradient, output;
};

/* How autocast treats an operation, and what its backward keeps. "Width": of the result. */
enum od_graph_sort {
    OD_GRAPH_WIDEST,    /* width of the widest input; the input is kept */
    OD_GRAPH_FIRST,     /* width of the first input; the input is kept */
    OD_GRAPH_PASSES,    /* width of the first input; this one and the next three keep nothing */
    OD_GRAPH_VIEWS,     /* shares the memory of the first input */
    OD_GRAPH_TURNS,     /* shares the memory in another order */
    OD_GRAPH_ORDERS,    /* shares the memory, or copies it if the order differs */
    OD_GRAPH_MAKES,     /* width of the first input; the output is kept */
    OD_GRAPH_HALF,      /* inputs are cast to 16 bit, and the casts are kept */
    OD_GRAPH_FULL,      /* inputs are cast to float32, and the casts are kept */
    OD_GRAPH_FULL_MAKES /* inputs are cast to float32, the output is kept */
};

struct od_graph_op {
    enum od_graph_sort sort;
    size_t inputs, outputs, end; /* indices in `links`: first input, first output, end */
};

/* Input and output of a convolution in the forward pass. */
struct od_graph_conv {
    uint32_t weight, out;
};

struct od_graph_step {
    uint64_t batch;
    uint32_t nops;
    uint32_t backward; /* operations before the backward pass; UINT32_MAX = it has not begun */
    bool ended;
    OD_VEC(struct od_graph_tensor) tensors;
    OD_VEC(struct od_graph_conv) convs; /* convolutions with both tensors known */
    OD_VEC(struct od_graph_op) ops;
    OD_VEC(uint32_t) links; /* numbers of tensors */
    OD_VEC(uint64_t) reads; /* for each link: elements that the operation reads; 0 = all */
};

/* op: "aten.addmm.default", or the name before lowering, "linear". */
enum od_graph_sort od_graph_sort_of(struct od_view op);

static inline bool od_graph_passes(enum od_graph_sort sort)
{
    return sort >= OD_GRAPH_PASSES && sort <= OD_GRAPH_ORDERS;
}

/* Changes the bytes of a step's tensors to those under autocast to 16 bit. A kept tensor gets the
 * bytes of its kept copies. Parameters, buffers and gradients do not change. */
void od_graph_autocast(struct od_graph_step *step);

/* Emits the model of the step (and of the larger one, if there are two): sums as recorded and under
 * autocast, and its parameters. Changes the steps. */
enum od_err od_graph_emit(const struct od_file *file, struct od_model *model,
                          struct od_graph_step *steps, size_t nsteps);

void od_graph_step_done(struct od_graph_step *step);
