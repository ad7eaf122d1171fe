#include "estimate/bfc_sim.h"

#include "estimate/free_set.h"
#include "facts/dump.h"

#include <assert.h>

#define NONE UINT32_MAX

static const uint64_t first_region = UINT64_C(2) << 20;
static const uint64_t largest_rest = UINT64_C(128) << 20;
/* Keeps sums of addresses far below 64 bits. */
static const uint64_t largest_limit = UINT64_C(1) << 56;
/* Space between regions, so that their chunks are never joined. */
static const uint64_t gap = UINT64_C(1) << 21;

struct chunk {
    uint64_t address, size, requested;
    uint32_t prev, next; /* neighbors in the region */
    uint32_t region;
    bool in_use;
};

struct region {
    uint64_t size;
    uint32_t first; /* chunk at its start; NONE = returned to the device */
};

struct od_bfc {
    struct od_bfc_options options;
    OD_VEC(struct chunk) chunks;
    OD_VEC(uint32_t) unused; /* indices of chunks to reuse */
    OD_VEC(struct region) regions;
    struct od_free_set holes;
    struct od_bfc_stats stats;
    uint64_t next_region, next_address;
    bool shrunk;
};

static uint64_t rounded(uint64_t bytes)
{
    return bytes <= OD_BFC_UNIT ? OD_BFC_UNIT
                                : (bytes + OD_BFC_UNIT - 1) & ~(uint64_t)(OD_BFC_UNIT - 1);
}

struct od_bfc *od_bfc_new(const struct od_bfc_options *options)
{
    struct od_bfc *bfc = od_mem_alloc(1, sizeof *bfc);
    od_bfc_reset(bfc, options);
    return bfc;
}

void od_bfc_free(struct od_bfc *bfc)
{
    if (!bfc)
        return;
    od_vec_done(&bfc->chunks);
    od_vec_done(&bfc->unused);
    od_vec_done(&bfc->regions);
    od_free_set_done(&bfc->holes);
    od_mem_free(bfc);
}

void od_bfc_reset(struct od_bfc *bfc, const struct od_bfc_options *options)
{
    bfc->options = *options;
    if (bfc->options.limit > largest_limit)
        bfc->options.limit = largest_limit;
    if (bfc->options.device_free == 0)
        bfc->options.device_free = bfc->options.limit;
    bfc->chunks.n = bfc->unused.n = bfc->regions.n = 0;
    od_free_set_reset(&bfc->holes);
    bfc->stats = (struct od_bfc_stats){0};
    bfc->next_address = gap;
    bfc->shrunk = false;
    bfc->next_region = options->growth && options->limit > first_region
                           ? first_region
                           : rounded(bfc->options.limit);
}

static uint32_t new_chunk(struct od_bfc *bfc, struct chunk chunk)
{
    bfc->stats.chunks++;
    if (bfc->unused.n > 0) {
        uint32_t i = bfc->unused.items[--bfc->unused.n];
        bfc->chunks.items[i] = chunk;
        return i;
    }
    od_vec_push(&bfc->chunks, chunk);
    return (uint32_t)(bfc->chunks.n - 1);
}

static void drop_chunk(struct od_bfc *bfc, uint32_t i)
{
    bfc->stats.chunks--;
    od_vec_push(&bfc->unused, i);
}

static void add_hole(struct od_bfc *bfc, uint32_t i)
{
    const struct chunk *c = &bfc->chunks.items[i];
    od_free_set_add(&bfc->holes, (struct od_free_block){c->size, c->address, i});
}

static void remove_hole(struct od_bfc *bfc, uint32_t i)
{
    const struct chunk *c = &bfc->chunks.items[i];
    od_free_set_remove(&bfc->holes, c->size, c->address);
}

/* ---- regions ---- */

static void add_region(struct od_bfc *bfc, uint64_t size)
{
    uint32_t region = (uint32_t)bfc->regions.n;
    uint32_t first = new_chunk(bfc, (struct chunk){.address = bfc->next_address,
                                                   .size = size,
                                                   .prev = NONE,
                                                   .next = NONE,
                                                   .region = region});
    od_vec_push(&bfc->regions, ((struct region){size, first}));
    bfc->next_address += size + gap;
    bfc->stats.pool += size;
    add_hole(bfc, first);
}

static uint64_t granted(const struct od_bfc *bfc)
{
    uint64_t free = bfc->options.device_free;
    return free > bfc->stats.pool ? free - bfc->stats.pool : 0;
}

/* Bytes of the next region; 0 if the device has too little for `need`. */
static uint64_t region_size(struct od_bfc *bfc, uint64_t need, uint64_t available)
{
    uint64_t size = bfc->next_region < available ? bfc->next_region : available;
    if (size <= granted(bfc))
        return size;
    if (bfc->shrunk)
        return 0;
    bfc->shrunk = true;
    while (size > granted(bfc)) {
        uint64_t less = rounded((uint64_t)((double)size * 0.9));
        if (less < need || less >= size)
            return 0;
        size = less;
    }
    return size;
}

static bool extend(struct od_bfc *bfc, uint64_t need)
{
    uint64_t available = (bfc->options.limit - bfc->stats.pool) / OD_BFC_UNIT * OD_BFC_UNIT, size;
    bool increased = false;
    if (need > available)
        return false;
    while (need > bfc->next_region) {
        bfc->next_region *= 2;
        increased = true;
    }
    size = region_size(bfc, need, available);
    if (size == 0)
        return false;
    if (!increased && bfc->next_region < available)
        bfc->next_region *= 2;
    add_region(bfc, size);
    return true;
}

static bool is_free_region(const struct od_bfc *bfc, const struct region *region)
{
    if (region->first == NONE)
        return false;
    const struct chunk *c = &bfc->chunks.items[region->first];
    return !c->in_use && c->size == region->size;
}

/* Returns completely free regions to the device if that can help. */
static bool return_regions(struct od_bfc *bfc, uint64_t need)
{
    uint64_t free = 0;
    for (size_t i = 0; i < bfc->regions.n; i++)
        if (is_free_region(bfc, &bfc->regions.items[i]))
            free += bfc->regions.items[i].size;
    if (free == 0 || bfc->options.keeps_regions ||
        need > bfc->options.limit - bfc->stats.pool + free)
        return false;
    OD_FOR_EACH (struct region, region, bfc->regions) {
        if (!is_free_region(bfc, region))
            continue;
        remove_hole(bfc, region->first);
        drop_chunk(bfc, region->first);
        bfc->stats.pool -= region->size;
        region->first = NONE;
    }
    return true;
}

/* ---- requests ---- */

static void split(struct od_bfc *bfc, uint32_t i, uint64_t size)
{
    struct chunk rest = bfc->chunks.items[i];
    rest.address += size;
    rest.size -= size;
    rest.prev = i;
    uint32_t j = new_chunk(bfc, rest);
    if (rest.next != NONE)
        bfc->chunks.items[rest.next].prev = j;
    bfc->chunks.items[i].size = size;
    bfc->chunks.items[i].next = j;
    add_hole(bfc, j);
}

static bool take_hole(struct od_bfc *bfc, uint64_t need, uint32_t *ret_handle)
{
    const struct od_free_block *best = od_free_set_best(&bfc->holes, need);
    if (!best)
        return false;
    uint32_t i = best->id;
    remove_hole(bfc, i);
    if (bfc->chunks.items[i].size / 2 >= need || bfc->chunks.items[i].size - need >= largest_rest)
        split(bfc, i, need);
    *ret_handle = i;
    return true;
}

static bool find(struct od_bfc *bfc, uint64_t need, uint32_t *ret_handle)
{
    return take_hole(bfc, need, ret_handle) ||
           (extend(bfc, need) && take_hole(bfc, need, ret_handle)) ||
           (return_regions(bfc, need) && extend(bfc, need) && take_hole(bfc, need, ret_handle));
}

bool od_bfc_take(struct od_bfc *bfc, uint64_t bytes, uint32_t *ret_handle)
{
    uint64_t need = rounded(bytes);
    uint32_t i;
    if (bytes > largest_limit || !find(bfc, need, &i))
        return false;
    struct chunk *c = &bfc->chunks.items[i];
    struct od_bfc_stats *stats = &bfc->stats;
    c->in_use = true;
    c->requested = bytes;
    stats->requested += bytes;
    stats->in_use += c->size;
    stats->allocations++;
    if (stats->in_use > stats->max_in_use)
        stats->max_in_use = stats->in_use;
    *ret_handle = i;
    return true;
}

/* Joins a with its next neighbor b; both are free, and neither is in the set of free chunks. */
static void join(struct od_bfc *bfc, uint32_t a, uint32_t b)
{
    struct chunk *first = &bfc->chunks.items[a];
    const struct chunk *second = &bfc->chunks.items[b];
    first->size += second->size;
    first->next = second->next;
    if (first->next != NONE)
        bfc->chunks.items[first->next].prev = a;
    drop_chunk(bfc, b);
}

void od_bfc_release(struct od_bfc *bfc, uint32_t handle)
{
    struct chunk *c = &bfc->chunks.items[handle];
    uint32_t next = c->next, prev = c->prev;
    assert(c->in_use);
    c->in_use = false;
    bfc->stats.in_use -= c->size;
    bfc->stats.requested -= c->requested;
    if (next != NONE && !bfc->chunks.items[next].in_use) {
        remove_hole(bfc, next);
        join(bfc, handle, next);
    }
    if (prev != NONE && !bfc->chunks.items[prev].in_use) {
        remove_hole(bfc, prev);
        join(bfc, prev, handle);
        handle = prev;
    }
    add_hole(bfc, handle);
}

uint64_t od_bfc_address(const struct od_bfc *bfc, uint32_t handle)
{
    return bfc->chunks.items[handle].address;
}

uint64_t od_bfc_chunk_bytes(const struct od_bfc *bfc, uint32_t handle)
{
    return bfc->chunks.items[handle].size;
}

struct od_bfc_stats od_bfc_stats(const struct od_bfc *bfc)
{
    struct od_bfc_stats stats = bfc->stats;
    stats.largest_hole = od_free_set_largest(&bfc->holes);
    stats.free_chunks = bfc->holes.n;
    return stats;
}
