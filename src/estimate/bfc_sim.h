/*
 * TensorFlow's allocator simulated: best fit with coalescing, on made-up addresses. What
 * fits in a real one fits here, request by request, fragmentation included.
 *
 * Rules, of tsl/framework/bfc_allocator.cc: a request is rounded up to 256 B. Among the free
 * chunks the smallest that is large enough is taken, of equal ones the lowest address (bins are
 * ranges of sizes searched upwards, so they are one order). It is split if it is at least twice the
 * request or the rest would be 128 MiB or more, else given whole. Freed chunks join their free
 * neighbours in the region. Without growth there is one region of the whole limit. With growth
 * regions are 2 MiB first and double, larger where a request needs it, capped by what the limit
 * leaves, and (once) shrunk by 0.9 until the device grants them. Before a request fails, regions
 * that are wholly free are returned and growth is tried again.
 */
#pragma once

#include "base/base.h"

struct od_bfc_options {
    uint64_t limit;       /* bytes the allocator may hold */
    bool growth;          /* allow_growth */
    uint64_t device_free; /* bytes that the device can grant; 0 = no less than the limit */
    bool keeps_regions;   /* none is returned: a processor's allocator */
};

struct od_bfc_stats {
    uint64_t in_use, max_in_use; /* of chunks */
    uint64_t requested;          /* asked for by those in use */
    uint64_t pool;               /* of all regions */
    uint64_t largest_hole;
    uint64_t allocations, chunks, free_chunks;
};

struct od_bfc;

/* Released by od_bfc_free; NULL is legal there. */
struct od_bfc *od_bfc_new(const struct od_bfc_options *options);
void od_bfc_free(struct od_bfc *bfc);

/* As new; memory is kept for reuse. */
void od_bfc_reset(struct od_bfc *bfc, const struct od_bfc_options *options);

/* A handle, valid until it is released. 0 bytes take 256. False when the request fails: nothing
 * has changed then but what the retry returned to the device. */
bool od_bfc_take(struct od_bfc *bfc, uint64_t bytes, uint32_t *ret_handle);
void od_bfc_release(struct od_bfc *bfc, uint32_t handle);

/* Of a handle in use. */
uint64_t od_bfc_address(const struct od_bfc *bfc, uint32_t handle);
uint64_t od_bfc_chunk_bytes(const struct od_bfc *bfc, uint32_t handle);

struct od_bfc_stats od_bfc_stats(const struct od_bfc *bfc);
