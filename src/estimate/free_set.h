/*
 * The free blocks of a simulated allocator, ordered by (size, address), which is the order of "best
 * fit" in TensorFlow's and PyTorch's allocators. A list of sorted arrays of bounded length, because
 * a step of a long model leaves thousands of free blocks.
 */
#pragma once

#include "base/base.h"

struct od_free_block {
    uint64_t size, address; /* in bytes */
    uint32_t id;            /* a number for the owner's use */
};

struct od_free_leaf;

struct od_free_set {
    OD_VEC(struct od_free_leaf *) leaves;
    size_t n; /* number of blocks */
};

/* Empties the set and keeps the first leaf for reuse. */
void od_free_set_reset(struct od_free_set *set);

void od_free_set_done(struct od_free_set *set);

void od_free_set_add(struct od_free_set *set, struct od_free_block block);

/* Removes the block with this size and address, which must exist. */
void od_free_set_remove(struct od_free_set *set, uint64_t size, uint64_t address);

/* The smallest block of at least that size, of equal ones the lowest address; NULL = none. */
const struct od_free_block *od_free_set_best(const struct od_free_set *set, uint64_t size);

/* Size of the largest block; 0 if the set is empty. */
uint64_t od_free_set_largest(const struct od_free_set *set);
