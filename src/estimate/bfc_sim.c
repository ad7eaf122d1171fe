#include "estimate/bfc_sim.h"

#include "estimate/pieces.h"
#include "facts/dump.h"

#define NONE UINT32_MAX

static const uint64_t first_region = UINT64_C(2) << 20;
static const uint64_t largest_rest = UINT64_C(128) << 20;
/* Space between regions, so that their chunks are never joined. */
static const uint64_t gap = UINT64_C(1) << 21;

struct region {
    uint64_t size;
    uint32_t first; /* handle of its first chunk; NONE = the region was returned to the device */
};

struct od_bfc {
    struct od_bfc_options options;
    struct od_pieces chunks;
    OD_VEC(struct region) regions;
    uint64_t pool, allocations, next_region;
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
    od_pieces_done(&bfc->chunks);
    od_vec_done(&bfc->regions);
    od_mem_free(bfc);
}

void od_bfc_reset(struct od_bfc *bfc, const struct od_bfc_options *options)
{
    bfc->options = *options;
    if (bfc->options.limit > OD_PIECES_LIMIT)
        bfc->options.limit = OD_PIECES_LIMIT;
    if (bfc->options.device_free == 0)
        bfc->options.device_free = bfc->options.limit;
    od_pieces_reset(&bfc->chunks, gap);
    bfc->regions.n = 0;
    bfc->pool = bfc->allocations = 0;
    bfc->shrunk = false;
    bfc->next_region = options->growth && options->limit > first_region
                           ? first_region
                           : rounded(bfc->options.limit);
}

/* ---- regions ---- */

static void add_region(struct od_bfc *bfc, uint64_t size)
{
    uint32_t first = od_pieces_add(&bfc->chunks, size, gap, 0);
    od_vec_push(&bfc->regions, ((struct region){size, first}));
    bfc->pool += size;
}

static uint64_t granted(const struct od_bfc *bfc)
{
    uint64_t free = bfc->options.device_free;
    return free > bfc->pool ? free - bfc->pool : 0;
}

/* Size of the next region; 0 if the device has too little memory for `need`. */
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
    uint64_t available = (bfc->options.limit - bfc->pool) / OD_BFC_UNIT * OD_BFC_UNIT, size;
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
    const struct od_piece *c = &bfc->chunks.items.items[region->first];
    return !c->in_use && c->size == region->size;
}

/* Returns completely free regions to the device if that makes enough space. */
static bool return_regions(struct od_bfc *bfc, uint64_t need)
{
    uint64_t free = 0;
    for (size_t i = 0; i < bfc->regions.n; i++)
        if (is_free_region(bfc, &bfc->regions.items[i]))
            free += bfc->regions.items[i].size;
    if (free == 0 || bfc->options.keeps_regions || need > bfc->options.limit - bfc->pool + free)
        return false;
    OD_FOR_EACH (struct region, region, bfc->regions) {
        if (!is_free_region(bfc, region))
            continue;
        od_pieces_drop(&bfc->chunks, region->first);
        bfc->pool -= region->size;
        region->first = NONE;
    }
    return true;
}

/* ---- requests ---- */

static bool find(struct od_bfc *bfc, uint64_t need, uint32_t *ret_handle)
{
    const struct od_pieces *chunks = &bfc->chunks;
    return od_pieces_best(chunks, need, 0, ret_handle) ||
           (extend(bfc, need) && od_pieces_best(chunks, need, 0, ret_handle)) ||
           (return_regions(bfc, need) && extend(bfc, need) &&
            od_pieces_best(chunks, need, 0, ret_handle));
}

bool od_bfc_take(struct od_bfc *bfc, uint64_t bytes, uint32_t *ret_handle)
{
    uint64_t need = rounded(bytes);
    if (bytes > OD_PIECES_LIMIT || !find(bfc, need, ret_handle))
        return false;
    uint64_t size = bfc->chunks.items.items[*ret_handle].size;
    bool splits = size / 2 >= need || size - need >= largest_rest;
    od_pieces_take(&bfc->chunks, *ret_handle, splits ? need : size, bytes);
    bfc->allocations++;
    return true;
}

void od_bfc_release(struct od_bfc *bfc, uint32_t handle)
{
    od_pieces_release(&bfc->chunks, handle);
}

const struct od_piece *od_bfc_chunk(const struct od_bfc *bfc, uint32_t handle)
{
    return &bfc->chunks.items.items[handle];
}

struct od_bfc_stats od_bfc_stats(const struct od_bfc *bfc)
{
    const struct od_pieces *chunks = &bfc->chunks;
    return (struct od_bfc_stats){.in_use = chunks->in_use,
                                 .max_in_use = chunks->max_in_use,
                                 .requested = chunks->requested,
                                 .pool = bfc->pool,
                                 .largest_hole = od_pieces_largest_hole(chunks),
                                 .allocations = bfc->allocations,
                                 .chunks = chunks->n,
                                 .free_chunks = chunks->holes[0].n};
}
