/*
 * The sizes of the weights of every public network (estimate/known_nets.h), and how many tensors
 * have each: what a dump is held against before any network is laid out with names. The same
 * numbers as od_weights_of gives for its model, at a fiftieth of the cost.
 */
#pragma once

#include "base/base.h"

/* Tensors of one size. */
struct od_kernel_kind {
    uint64_t bytes;  /* size in float32, rounded by the allocator */
    unsigned layers; /* so many have it */
    bool is_vector;  /* the first layer's is no kernel: a bias, a norm's */
};

/* By rising bytes. */
struct od_kernels {
    const struct od_kernel_kind *kinds;
    size_t n;
};

/* The kernels of each network (numbered as in od_net_about()) without its classifier: a table
 * generated from od_kernels_of_all when the project is built (lib/tablec.c). */
extern const struct od_kernels od_known_kernels[];

/* The same, laid out anew. */
const struct od_kernels *od_kernels_of_all(struct od_arena *arena);

/* NULL when no tensor has that size. */
const struct od_kernel_kind *od_kernels_find(const struct od_kernels *kernels, uint64_t bytes);
