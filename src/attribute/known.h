/*
 * Finds the public network (estimate/known_nets.h) in use if a log has no layer table. Its kernels
 * vote: each must occur at least as often as in the network, and about equally often for each
 * layer. Programs often use networks similar to public ones, so the vote must be clear, and
 * conclusions from it are at most likely.
 */
#pragma once

#include "attribute/weights.h"
#include "case/allocator.h"

struct od_known {
    const char *name;             /* NULL = unknown */
    size_t which;                 /* index of the network for od_net_about() */
    uint64_t copies;              /* copies of each kernel: the kernel and its optimizer states */
    struct od_named_list weights; /* weights; one in a larger chunk has the bytes of that chunk */
    struct od_named_list outputs; /* outputs for one sample */
};

struct od_known_question {
    const struct od_allocator *allocator;
    struct od_count batch; /* unknown where the log does not say */
    bool channels_first;   /* shapes in the log have channels first */
};

struct od_known od_known_find(const struct od_known_question *q, struct od_arena *arena);
