/*
 * A log without a table of layers: is what is in use a public network (estimate/known_nets.h)? Its
 * kernels vote: each must be there at least as often as the network has it, and about as often as
 * the others are for each layer. Networks of programs are often like public ones, so the vote must
 * be clear, and what rests on it is likely at most.
 */
#pragma once

#include "attribute/weights.h"
#include "case/allocator.h"

struct od_known {
    const char *name;             /* NULL = unknown */
    size_t which;                 /* index of the network for od_net_about() */
    uint64_t copies;              /* copies of each kernel: the kernel and the optimizer's states */
    struct od_named_list weights; /* a weight that got a larger chunk has the bytes of that chunk */
    struct od_named_list outputs; /* outputs of the layers for one sample */
};

struct od_known_question {
    const struct od_allocator *allocator;
    struct od_count batch; /* unknown where the log does not say */
    bool channels_first;   /* shapes in the log are */
};

struct od_known od_known_find(const struct od_known_question *q, struct od_arena *arena);
