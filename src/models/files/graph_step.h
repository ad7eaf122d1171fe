/* One recorded step of training: its tensors, when each was made and last used. */
#pragma once

#include "facts/model.h"
#include "models/file_reader.h"

struct od_graph_tensor {
    uint64_t bytes, elements;
    uint64_t first, second; /* of its dimensions; 0 = it has none */
    uint32_t born;          /* number of the operation that made it; 0 = there before the first */
    uint32_t last;          /* of the last that reads or writes it */
    unsigned bits;          /* of an element */
    bool met;               /* by an operation */
    bool floating;          /* float32 */
    bool defined, kept, parameter, buffer, trainable, gradient, output;
};

/* What autocast does with an operation, and whether its backward keeps what it reads. */
enum od_graph_sort {
    OD_GRAPH_WIDEST,    /* as wide as the widest input, which is kept */
    OD_GRAPH_FIRST,     /* as wide as the first input, which is kept */
    OD_GRAPH_PASSES,    /* the same, but nothing is kept; so with the next three */
    OD_GRAPH_VIEWS,     /* its result shares the memory of its first input */
    OD_GRAPH_TURNS,     /* there, too, in another order */
    OD_GRAPH_ORDERS,    /* there, too, unless that is in another order: then a copy */
    OD_GRAPH_MAKES,     /* the same, and the output is kept */
    OD_GRAPH_HALF,      /* its inputs are cast to 16 bits, and kept so */
    OD_GRAPH_FULL,      /* its inputs are cast to float32, and kept so */
    OD_GRAPH_FULL_MAKES /* its inputs are cast to float32, the output is kept */
};

struct od_graph_op {
    enum od_graph_sort sort;
    size_t inputs, outputs, end; /* indices in `links`: first input, first output, end */
};

/* Tensors of a convolution of the forward pass. */
struct od_graph_conv {
    uint32_t weight, out;
};

struct od_graph_step {
    uint64_t batch;
    uint32_t nops;
    uint32_t backward; /* operations before the backward pass; UINT32_MAX = it never began */
    bool ended;
    OD_VEC(struct od_graph_tensor) tensors;
    OD_VEC(struct od_graph_conv) convs; /* both tensors are there */
    OD_VEC(struct od_graph_op) ops;
    OD_VEC(uint32_t) links; /* numbers of tensors */
    OD_VEC(uint64_t) reads; /* of each link: elements that the operation sees of it; 0 = all */
};

/* "aten.addmm.default", or as it is called before it is lowered: "linear" */
enum od_graph_sort od_graph_sort_of(struct od_view op);

static inline bool od_graph_passes(enum od_graph_sort sort)
{
    return sort >= OD_GRAPH_PASSES && sort <= OD_GRAPH_ORDERS;
}

/* Sets the bytes of a step's tensors to what they are under autocast to 16 bits: of what is kept,
 * the copies that are. Parameters, buffers and gradients stay. */
void od_graph_autocast(struct od_graph_step *step);

/*
 * What one step keeps and holds, or two at different batches: what grows between them is of the
 * samples. Of one alone, and of two that are not the same operations, all that is no parameter,
 * buffer or gradient is taken to grow. False on overflow.
 */
bool od_graph_step_sum(const struct od_graph_step *step, const struct od_graph_step *larger,
                       struct od_arena *arena, struct od_recorded *ret_recorded);

/* Tells of a model whose step that is, and the larger one where there is a second: what is summed,
 * in numbers as recorded and under autocast, and its parameters. Changes the steps. */
enum od_err od_graph_emit(const struct od_file *file, struct od_model *model,
                          struct od_graph_step *steps, size_t nsteps);

void od_graph_step_done(struct od_graph_step *step);
