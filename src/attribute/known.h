/*
 * If a log has no layer table: finds the public network (estimate/known_nets.h) that is in use. Its
 * kernels vote: each must occur at least as often as in the network, and about equally often for
 * each layer. Programs often use networks that are similar to public ones, so the vote must be
 * clear, and conclusions from it are at most likely.
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
    bool channels_first;   /* the log's shapes are channels first */
};

struct od_known od_known_find(const struct od_known_question *q, struct od_arena *arena);
