#include "estimate/torch_sim.h"

#include "estimate/pieces.h"

#define NONE UINT32_MAX
#define MIB (UINT64_C(1) << 20)

enum { UNIT = 512 };

static const uint64_t small_request = MIB;
static const uint64_t small_segment = 2 * MIB;
static const uint64_t large_segment = 20 * MIB;
/* from this size on each request gets its own segment */
static const uint64_t own_segment = 10 * MIB;
static const uint64_t segment_unit = 2 * MIB;

struct od_torch {
    uint64_t limit;
    struct od_pieces blocks;
    uint64_t reserved, max_reserved;
};

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

struct od_torch *od_torch_new(uint64_t limit)
{
    struct od_torch *torch = od_mem_alloc(1, sizeof *torch);
    od_torch_reset(torch, limit);
    return torch;
}

void od_torch_free(struct od_torch *torch)
{
    if (!torch)
        return;
    od_pieces_done(&torch->blocks);
    od_mem_free(torch);
}

void od_torch_reset(struct od_torch *torch, uint64_t limit)
{
    torch->limit = limit < OD_PIECES_LIMIT ? limit : OD_PIECES_LIMIT;
    torch->reserved = torch->max_reserved = 0;
    od_pieces_reset(&torch->blocks, segment_unit);
}

/* ---- segments ---- */

static uint64_t segment_size(uint64_t need, unsigned pool)
{
    if (pool == 0)
        return small_segment;
    return need < own_segment ? large_segment : round_up(need, segment_unit);
}

static bool grant(struct od_torch *torch, uint64_t bytes)
{
    if (bytes > torch->limit - torch->reserved)
        return false;
    torch->reserved += bytes;
    if (torch->reserved > torch->max_reserved)
        torch->max_reserved = torch->reserved;
    return true;
}

static bool add_segment(struct od_torch *torch, uint64_t size, unsigned pool)
{
    if (!grant(torch, size))
        return false;
    (void)od_pieces_add(&torch->blocks, size, segment_unit, pool);
    return true;
}

void od_torch_empty_cache(struct od_torch *torch)
{
    for (uint32_t i = 0, n = (uint32_t)torch->blocks.items.n; i < n; i++) {
        const struct od_piece *b = &torch->blocks.items.items[i];
        if (b->in_use || b->size == 0 || b->prev != NONE || b->next != NONE)
            continue;
        torch->reserved -= b->size;
        od_pieces_drop(&torch->blocks, i);
    }
}

/* ---- requests ---- */

static bool splits(uint64_t need, const struct od_piece *b)
{
    uint64_t rest = b->size - need;
    return b->pool == 0 ? rest >= UNIT : rest > small_request;
}

static bool find(struct od_torch *torch, uint64_t need, unsigned pool, uint32_t *ret_handle)
{
    if (od_pieces_best(&torch->blocks, need, pool, ret_handle))
        return true;
    uint64_t segment = segment_size(need, pool);
    if (!add_segment(torch, segment, pool)) {
        od_torch_empty_cache(torch);
        if (!add_segment(torch, segment, pool))
            return false;
    }
    return od_pieces_best(&torch->blocks, need, pool, ret_handle);
}

bool od_torch_take(struct od_torch *torch, uint64_t bytes, uint32_t *ret_handle)
{
    if (bytes > OD_PIECES_LIMIT)
        return false;
    uint64_t need = bytes < UNIT ? UNIT : round_up(bytes, UNIT);
    if (!find(torch, need, need > small_request, ret_handle))
        return false;
    const struct od_piece *b = &torch->blocks.items.items[*ret_handle];
    od_pieces_take(&torch->blocks, *ret_handle, splits(need, b) ? need : b->size, bytes);
    return true;
}

void od_torch_release(struct od_torch *torch, uint32_t handle)
{
    od_pieces_release(&torch->blocks, handle);
}

const struct od_piece *od_torch_block(const struct od_torch *torch, uint32_t handle)
{
    return &torch->blocks.items.items[handle];
}

struct od_torch_stats od_torch_stats(const struct od_torch *torch)
{
    const struct od_pieces *blocks = &torch->blocks;
    return (struct od_torch_stats){.allocated = blocks->in_use,
                                   .max_allocated = blocks->max_in_use,
                                   .requested = blocks->requested,
                                   .reserved = torch->reserved,
                                   .max_reserved = torch->max_reserved,
                                   .largest_hole = od_pieces_largest_hole(blocks),
                                   .blocks = blocks->n,
                                   .free_blocks = blocks->holes[0].n + blocks->holes[1].n};
}
