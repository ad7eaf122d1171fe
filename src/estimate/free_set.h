/*
 * The free blocks of a simulated allocator, ordered by (size, address): what "best fit" means to
 * both TensorFlow's and PyTorch's. Sorted arrays of bounded length, in order: a step of a long
 * model leaves thousands of free blocks.
 */
#pragma once

#include "base/base.h"

struct od_free_block {
    uint64_t size, address; /* bytes */
    uint32_t id;            /* the owner's */
};

struct od_free_leaf;

struct od_free_set {
    OD_VEC(struct od_free_leaf *) leaves;
    size_t n; /* blocks */
};

/* Empties it; the first leaf is kept for reuse. */
void od_free_set_reset(struct od_free_set *set);

void od_free_set_done(struct od_free_set *set);

void od_free_set_add(struct od_free_set *set, struct od_free_block block);

/* The block is there: same size and address. */
void od_free_set_remove(struct od_free_set *set, uint64_t size, uint64_t address);

/* The smallest block of at least so many bytes, of those the lowest; NULL = none. */
const struct od_free_block *od_free_set_best(const struct od_free_set *set, uint64_t size);

/* 0 when there is none. */
uint64_t od_free_set_largest(const struct od_free_set *set);
