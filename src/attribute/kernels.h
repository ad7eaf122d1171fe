/*
 * The sizes of the weights of every public network (estimate/known_nets.h) and the number of
 * tensors of each size. A dump is compared with these before a network is built with names. The
 * numbers are those of od_weights_of for its model, computed fifty times faster.
 */
#pragma once

#include "base/base.h"

/* Tensors of one size. */
struct od_kernel_kind {
    uint64_t bytes;  /* size in float32, rounded by the allocator */
    unsigned layers; /* number of layers with this size */
    bool is_vector;  /* in the first layer it is no kernel but a bias or norm vector */
};

/* Sorted by bytes. */
struct od_kernels {
    const struct od_kernel_kind *kinds;
    size_t n;
};

/* The kernels of each network (numbered as in od_net_about()) without its classifier: a table
 * generated from od_kernels_of_all when the project is built (lib/tablec.c). */
extern const struct od_kernels od_known_kernels[];

/* Computes the same table again. */
const struct od_kernels *od_kernels_of_all(struct od_arena *arena);

/* NULL if no tensor has that size. */
const struct od_kernel_kind *od_kernels_find(const struct od_kernels *kernels, uint64_t bytes);
