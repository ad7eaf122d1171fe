/* One recorded step of training: its tensors, when each was made and last used. */
#ifndef OD_READERS_GRAPH_STEP_H
#define OD_READERS_GRAPH_STEP_H

#include "base/arena.h"
#include "base/vec.h"
#include "facts/model.h"

struct od_graph_tensor {
    uint64_t bytes, elements;
    uint64_t first, second; /* of its dimensions; 0 = it has none */
    uint32_t born;          /* number of the operation that made it; 0 = there before the first */
    uint32_t last;          /* of the last that reads or writes it */
    unsigned bits;          /* of an element */
    bool met;               /* by an operation */
    bool defined, kept, parameter, buffer, trainable, gradient;
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
};

/*
 * What one step keeps and holds, or two at different batches: what grows between them is of the
 * samples. Of one alone, and of two that are not the same operations, all that is no parameter,
 * buffer or gradient is taken to grow. False on overflow.
 */
bool od_graph_step_sum(const struct od_graph_step *step, const struct od_graph_step *larger,
                       struct od_arena *arena, struct od_recorded *ret_recorded);

#endif
