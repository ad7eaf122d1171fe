/*
 * The pieces of a simulated allocator's memory. Requests take the best fit. A free piece is joined
 * with its free neighbors in the same block of the device.
 */
#pragma once

#include "estimate/free_set.h"

/* A limit that keeps sums of addresses far below 64 bits. */
#define OD_PIECES_LIMIT (UINT64_C(1) << 56)

struct od_piece {
    uint64_t address, size, requested;
    uint32_t prev, next; /* neighbors; UINT32_MAX = none */
    uint8_t pool;
    bool in_use;
};

struct od_pieces {
    OD_VEC(struct od_piece) items; /* a piece of size 0 does not exist */
    OD_VEC(uint32_t) unused;       /* indices of unused items */
    struct od_free_set holes[2];   /* free pieces of each pool */
    uint64_t in_use, max_in_use, requested, n;
    uint64_t next_address;
};

/* Removes all pieces and keeps allocated memory for reuse. */
void od_pieces_reset(struct od_pieces *pieces, uint64_t gap);

void od_pieces_done(struct od_pieces *pieces);

/* Adds a free piece without neighbors, with a gap after it. Returns its index. */
uint32_t od_pieces_add(struct od_pieces *pieces, uint64_t size, uint64_t gap, unsigned pool);

/* Returns a free piece without neighbors to the device. */
void od_pieces_drop(struct od_pieces *pieces, uint32_t i);

/* Finds the smallest free piece of at least that size, of equal ones the lowest address. */
bool od_pieces_best(const struct od_pieces *pieces, uint64_t need, unsigned pool, uint32_t *ret_i);

/* Takes `size` bytes of a free piece for a request of `requested` bytes. The rest stays free. */
void od_pieces_take(struct od_pieces *pieces, uint32_t i, uint64_t size, uint64_t requested);

void od_pieces_release(struct od_pieces *pieces, uint32_t i);

/* Size of the largest free piece; 0 if none. */
uint64_t od_pieces_largest_hole(const struct od_pieces *pieces);
