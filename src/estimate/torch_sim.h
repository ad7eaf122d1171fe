/*
 * Simulates PyTorch's caching allocator for one stream, on made-up addresses.
 *
 * Rules, from c10/cuda/CUDACachingAllocator.cpp: a request is rounded up to 512 B; up to 1 MiB it
 * is served from the small pool, otherwise from the large one. The smallest free block that is
 * large enough is taken, of equal ones the lowest; the rest is split off if it is at least 512 B
 * (small pool) or more than 1 MiB (large). Without a block a segment is requested from the device:
 * 2 MiB for the small pool, 20 MiB below 10 MiB, otherwise the request rounded up to 2 MiB. If that
 * fails, all completely free segments are returned to the device, and it is tried again. Freed
 * blocks are joined with their neighbors in the segment.
 */
#pragma once

#include "base/base.h"

struct od_torch_stats {
    uint64_t allocated, max_allocated; /* bytes of blocks, as in memory_allocated */
    uint64_t requested;
    uint64_t reserved, max_reserved; /* bytes of segments */
    uint64_t largest_hole;
    uint64_t blocks, free_blocks;
};

struct od_torch;

/* Makes an allocator to which the device grants `limit` bytes. The caller frees it with
 * od_torch_free, which accepts NULL. */
struct od_torch *od_torch_new(uint64_t limit);
void od_torch_free(struct od_torch *torch);

/* Empties the allocator and keeps its own memory for reuse. */
void od_torch_reset(struct od_torch *torch, uint64_t limit);

/* Allocates a block. The handle is valid until it is released. A request of 0 bytes takes 512 (in
 * reality no memory). False if the device refuses; cached segments were returned then. */
bool od_torch_take(struct od_torch *torch, uint64_t bytes, uint32_t *ret_handle);
void od_torch_release(struct od_torch *torch, uint32_t handle);

/* The block of a handle in use. */
const struct od_piece *od_torch_block(const struct od_torch *torch, uint32_t handle);

/* Returns every completely free segment to the device, like torch.cuda.empty_cache. */
void od_torch_empty_cache(struct od_torch *torch);

struct od_torch_stats od_torch_stats(const struct od_torch *torch);
