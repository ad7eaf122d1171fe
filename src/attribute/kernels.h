/*
 * The sizes of the weights of every public network (estimate/known_nets.h), with the number of
 * tensors of each size. A dump is compared with these before a network is built with names. They
 * equal the results of od_weights_of for the network's model, which takes fifty times as long.
 */
#pragma once

#include "base/base.h"

/* Tensors of one size. */
struct od_kernel_kind {
    uint64_t bytes;  /* size in float32, rounded by the allocator */
    unsigned layers; /* number of layers that have a tensor of this size */
    bool is_vector;  /* the first layer with this size has it as bias or norm vector, not kernel */
};

/* Sorted by bytes. */
struct od_kernels {
    const struct od_kernel_kind *kinds;
    size_t n;
};

/* The kernels of each network without its classifier, indexed like od_net_about(). The build
 * generates this table from od_kernels_of_all (lib/tablec.c). */
extern const struct od_kernels od_known_kernels[];

/* Computes od_known_kernels. */
const struct od_kernels *od_kernels_of_all(struct od_arena *arena);

/* Finds a size; NULL if no tensor has it. */
const struct od_kernel_kind *od_kernels_find(const struct od_kernels *kernels, uint64_t bytes);
