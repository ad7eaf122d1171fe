/*
 * The pieces that a simulated allocator has cut its memory into. They are found by best fit; a free
 * one is joined with its free neighbors in the same block of the device.
 */
#pragma once

#include "estimate/free_set.h"

/* Keeps sums of addresses far below 64 bits. */
#define OD_PIECES_LIMIT (UINT64_C(1) << 56)

struct od_piece {
    uint64_t address, size, requested;
    uint32_t prev, next; /* neighbors; UINT32_MAX = none */
    uint8_t pool;
    bool in_use;
};

struct od_pieces {
    OD_VEC(struct od_piece) items; /* of size 0: not there */
    OD_VEC(uint32_t) unused;       /* indices of items to reuse */
    struct od_free_set holes[2];   /* one a pool */
    uint64_t in_use, max_in_use, requested, n;
    uint64_t next_address;
};

/* Empties it; memory is kept for reuse. */
void od_pieces_reset(struct od_pieces *pieces, uint64_t gap);

void od_pieces_done(struct od_pieces *pieces);

/* Adds a free piece without neighbors, and leaves a gap after it. */
uint32_t od_pieces_add(struct od_pieces *pieces, uint64_t size, uint64_t gap, unsigned pool);

/* A free piece without neighbors is given back to the device. */
void od_pieces_drop(struct od_pieces *pieces, uint32_t i);

/* The smallest free piece of at least that size, of equal ones the lowest. */
bool od_pieces_best(const struct od_pieces *pieces, uint64_t need, unsigned pool, uint32_t *ret_i);

/* Takes the first `size` bytes of a free piece for a request of so many; the rest stays free. */
void od_pieces_take(struct od_pieces *pieces, uint32_t i, uint64_t size, uint64_t requested);

void od_pieces_release(struct od_pieces *pieces, uint32_t i);

/* 0 if there is none. */
uint64_t od_pieces_largest_hole(const struct od_pieces *pieces);
