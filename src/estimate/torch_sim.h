/*
 * PyTorch's caching allocator simulated, one stream, on made-up addresses.
 *
 * Rules, of c10/cuda/CUDACachingAllocator.cpp: a request is rounded up to 512 B; up to 1 MiB it is
 * served from the small pool, else from the large one. The smallest free block that is large
 * enough is taken, of equal ones the lowest; the rest is split off if it is at least 512 B (small
 * pool) or more than 1 MiB (large). Without a block the device is asked for a segment: 2 MiB for
 * the small pool, 20 MiB below 10 MiB, else the request rounded up to 2 MiB. Refused, all segments
 * that are wholly free go back to the device and it is asked again. Freed blocks join their
 * neighbours in the segment.
 *
 * expandable_segments: one segment a pool that grows by pages (2 MiB, 20 MiB), so its last free
 * block need only be completed; refused, whole free pages anywhere go back. max_split_size: blocks
 * of that size and more are not split, and serve no smaller request.
 */
#pragma once

#include "base/base.h"

struct od_torch_options {
    uint64_t limit; /* bytes that the device grants the pools */
    bool expandable;
    uint64_t max_split; /* bytes; 0 = no limit */
};

struct od_torch_stats {
    uint64_t allocated, max_allocated; /* of blocks, as memory_allocated counts */
    uint64_t requested;
    uint64_t reserved, max_reserved; /* of segments */
    uint64_t largest_hole;
    uint64_t blocks, free_blocks;
};

struct od_torch;

/* Released by od_torch_free; NULL is legal there. */
struct od_torch *od_torch_new(const struct od_torch_options *options);
void od_torch_free(struct od_torch *torch);

/* As new; memory is kept for reuse. */
void od_torch_reset(struct od_torch *torch, const struct od_torch_options *options);

/* A handle, valid until it is released. 0 bytes take 512 (the real one gives none). False when the
 * device refuses, cached segments returned. */
bool od_torch_take(struct od_torch *torch, uint64_t bytes, uint32_t *ret_handle);
void od_torch_release(struct od_torch *torch, uint32_t handle);

/* Of a handle in use. */
uint64_t od_torch_address(const struct od_torch *torch, uint32_t handle);
uint64_t od_torch_block_bytes(const struct od_torch *torch, uint32_t handle);

/* Returns every wholly free segment to the device, as torch.cuda.empty_cache does. */
void od_torch_empty_cache(struct od_torch *torch);

struct od_torch_stats od_torch_stats(const struct od_torch *torch);
