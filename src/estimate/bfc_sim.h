/*
 * Simulates TensorFlow's allocator: best fit with coalescing, on made-up addresses. A request
 * succeeds here if and only if it succeeds in the real allocator, including fragmentation.
 *
 * Rules, from tsl/framework/bfc_allocator.cc: a request is rounded up to 256 B. The smallest free
 * chunk that is large enough is taken, of equal ones the lowest address (bins are ranges of sizes
 * searched upwards, so they are one order). It is split if it is at least twice the request or the
 * rest would be 128 MiB or more, otherwise used as a whole. Freed chunks are joined with their free
 * neighbors in the region. Without growth there is one region of the whole limit. With growth the
 * first region has 2 MiB and sizes double; a region is larger if a request needs it, capped by the
 * remaining limit, and (once) shrunk by 0.9 until the device grants it. Before a request fails,
 * completely free regions are returned and growth is tried again.
 */
#pragma once

#include "base/base.h"

struct od_bfc_options {
    uint64_t limit;       /* bytes that the allocator may hold */
    bool growth;          /* allow_growth of TensorFlow */
    uint64_t device_free; /* bytes that the device can grant; 0 = no less than the limit */
    bool keeps_regions;   /* regions are never returned, as by a CPU allocator */
};

struct od_bfc_stats {
    uint64_t in_use, max_in_use; /* bytes of chunks */
    uint64_t requested;          /* bytes requested for the chunks in use */
    uint64_t pool;               /* bytes of all regions */
    uint64_t largest_hole;
    uint64_t allocations, chunks, free_chunks;
};

struct od_bfc;

/* The caller frees the allocator with od_bfc_free, which accepts NULL. */
struct od_bfc *od_bfc_new(const struct od_bfc_options *options);
void od_bfc_free(struct od_bfc *bfc);

/* Empties the allocator and keeps its own memory for reuse. */
void od_bfc_reset(struct od_bfc *bfc, const struct od_bfc_options *options);

/* Allocates a chunk. The handle is valid until it is released. A request of 0 bytes takes 256.
 * False if the request fails; regions may have been returned to the device then, all else is
 * unchanged. */
bool od_bfc_take(struct od_bfc *bfc, uint64_t bytes, uint32_t *ret_handle);
void od_bfc_release(struct od_bfc *bfc, uint32_t handle);

/* The chunk of a handle in use. */
const struct od_piece *od_bfc_chunk(const struct od_bfc *bfc, uint32_t handle);

struct od_bfc_stats od_bfc_stats(const struct od_bfc *bfc);
