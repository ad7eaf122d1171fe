/*
 * A recorded training step: its tensors, and when each was created and last used.
 */
#pragma once

#include "facts/model.h"
#include "models/file_reader.h"

struct od_graph_tensor {
    uint64_t bytes, elements;
    uint64_t first, second; /* its first dimensions; 0 = it has none */
    uint32_t born;          /* number of the operation that created it; 0 = existed before */
    uint32_t last;          /* number of the last operation that uses it */
    unsigned bits;          /* bits of an element */
    bool met;               /* used by an operation */
    bool floating;          /* float32 */
    bool defined, kept, parameter, buffer, trainable, gradient, output;
};

/* How autocast treats an operation, and whether its backward keeps its inputs. */
enum od_graph_sort {
    OD_GRAPH_WIDEST,    /* result as wide as the widest input, which is kept */
    OD_GRAPH_FIRST,     /* result as wide as the first input, which is kept */
    OD_GRAPH_PASSES,    /* as OD_GRAPH_FIRST, but nothing is kept (as for the next three) */
    OD_GRAPH_VIEWS,     /* the result shares the memory of the first input */
    OD_GRAPH_TURNS,     /* shares memory, in another order */
    OD_GRAPH_ORDERS,    /* shares memory, unless the order differs and a copy is needed */
    OD_GRAPH_MAKES,     /* as OD_GRAPH_FIRST, and the output is kept */
    OD_GRAPH_HALF,      /* inputs are cast to 16 bit and kept in it */
    OD_GRAPH_FULL,      /* inputs are cast to float32 and kept in it */
    OD_GRAPH_FULL_MAKES /* inputs are cast to float32, and the output is kept */
};

struct od_graph_op {
    enum od_graph_sort sort;
    size_t inputs, outputs, end; /* indices in `links` of the first input and the first output,
                                    and the end */
};

/* Tensors of a convolution of the forward pass. */
struct od_graph_conv {
    uint32_t weight, out;
};

struct od_graph_step {
    uint64_t batch;
    uint32_t nops;
    uint32_t backward; /* number of operations before the backward pass; UINT32_MAX = not started */
    bool ended;
    OD_VEC(struct od_graph_tensor) tensors;
    OD_VEC(struct od_graph_conv) convs; /* convolutions with both tensors known */
    OD_VEC(struct od_graph_op) ops;
    OD_VEC(uint32_t) links; /* tensor numbers */
    OD_VEC(uint64_t) reads; /* for each link: elements that the operation reads; 0 = all */
};

/* op: "aten.addmm.default", or the name before lowering: "linear". */
enum od_graph_sort od_graph_sort_of(struct od_view op);

static inline bool od_graph_passes(enum od_graph_sort sort)
{
    return sort >= OD_GRAPH_PASSES && sort <= OD_GRAPH_ORDERS;
}

/* Changes the bytes of a step's tensors to those under autocast to 16 bit; for kept tensors, to
 * those of the kept copies. Parameters, buffers and gradients stay. */
void od_graph_autocast(struct od_graph_step *step);

/* Sums up what one step keeps and holds, or two steps of different batch sizes, whose difference
 * belongs to the samples. For a single step, or two with different operations, everything except
 * parameters, buffers and gradients is assumed to grow. False on overflow. */
bool od_graph_step_sum(const struct od_graph_step *step, const struct od_graph_step *larger,
                       struct od_arena *arena, struct od_recorded *ret_recorded);

/* Emits the model of the step (and of the larger one, if there are two): sums as recorded and under
 * autocast, and its parameters. Changes the steps. */
enum od_err od_graph_emit(const struct od_file *file, struct od_model *model,
                          struct od_graph_step *steps, size_t nsteps);

void od_graph_step_done(struct od_graph_step *step);
