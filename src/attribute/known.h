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
    size_t which;                 /* as od_net_about() numbers it */
    uint64_t copies;              /* of each kernel: itself and the optimizer's states */
    struct od_named_list weights; /* those given a larger chunk whole have that chunk's bytes */
    struct od_named_list outputs; /* of one sample */
};

struct od_known_question {
    const struct od_allocator *allocator;
    struct od_count batch; /* unknown where the log does not say */
    bool channels_first;   /* shapes in the log are */
};

struct od_known od_known_find(const struct od_known_question *q, struct od_arena *arena);
