#include "estimate/torch_sim.h"

#include "estimate/free_set.h"

#include <assert.h>

#define NONE UINT32_MAX
#define MIB (UINT64_C(1) << 20)

enum { UNIT = 512, POOLS = 2 };

static const uint64_t small_request = MIB;
static const uint64_t small_segment = 2 * MIB;
static const uint64_t large_segment = 20 * MIB;
static const uint64_t own_segment = 10 * MIB; /* from here on each request gets its own segment */
static const uint64_t segment_unit = 2 * MIB;
/* Keeps sums of addresses far below 64 bits. */
static const uint64_t largest_limit = UINT64_C(1) << 56;

struct block {
    uint64_t address, size, requested;
    uint32_t prev, next; /* neighbors in the segment */
    uint8_t pool;
    bool in_use;
};

struct od_torch {
    uint64_t limit;
    OD_VEC(struct block) blocks;
    OD_VEC(uint32_t) unused; /* indices of blocks to reuse */
    struct od_free_set holes[POOLS];
    struct od_torch_stats stats;
    uint64_t next_address;
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
    od_vec_done(&torch->blocks);
    od_vec_done(&torch->unused);
    for (size_t i = 0; i < POOLS; i++)
        od_free_set_done(&torch->holes[i]);
    od_mem_free(torch);
}

void od_torch_reset(struct od_torch *torch, uint64_t limit)
{
    torch->limit = limit < largest_limit ? limit : largest_limit;
    torch->blocks.n = torch->unused.n = 0;
    for (size_t i = 0; i < POOLS; i++)
        od_free_set_reset(&torch->holes[i]);
    torch->stats = (struct od_torch_stats){0};
    torch->next_address = segment_unit;
}

/* ---- blocks ---- */

static uint32_t new_block(struct od_torch *torch, struct block block)
{
    torch->stats.blocks++;
    if (torch->unused.n > 0) {
        uint32_t i = torch->unused.items[--torch->unused.n];
        torch->blocks.items[i] = block;
        return i;
    }
    od_vec_push(&torch->blocks, block);
    return (uint32_t)(torch->blocks.n - 1);
}

static void drop_block(struct od_torch *torch, uint32_t i)
{
    torch->stats.blocks--;
    torch->blocks.items[i].size = 0;
    od_vec_push(&torch->unused, i);
}

static struct od_free_set *holes_of(struct od_torch *torch, uint32_t i)
{
    return &torch->holes[torch->blocks.items[i].pool];
}

static void add_hole(struct od_torch *torch, uint32_t i)
{
    const struct block *b = &torch->blocks.items[i];
    od_free_set_add(holes_of(torch, i), (struct od_free_block){b->size, b->address, i});
}

static void remove_hole(struct od_torch *torch, uint32_t i)
{
    const struct block *b = &torch->blocks.items[i];
    od_free_set_remove(holes_of(torch, i), b->size, b->address);
}

/* Splits a block after its first bytes; the rest becomes a block with the same state. */
static uint32_t cut(struct od_torch *torch, uint32_t i, uint64_t size)
{
    struct block rest = torch->blocks.items[i];
    rest.address += size;
    rest.size -= size;
    rest.prev = i;
    uint32_t j = new_block(torch, rest);
    if (rest.next != NONE)
        torch->blocks.items[rest.next].prev = j;
    torch->blocks.items[i].next = j;
    torch->blocks.items[i].size = size;
    return j;
}

/* Joins a with its next neighbor b; neither is in the set of free blocks. */
static void join(struct od_torch *torch, uint32_t a, uint32_t b)
{
    struct block *first = &torch->blocks.items[a];
    const struct block *second = &torch->blocks.items[b];
    first->size += second->size;
    first->next = second->next;
    if (first->next != NONE)
        torch->blocks.items[first->next].prev = a;
    drop_block(torch, b);
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
    struct od_torch_stats *stats = &torch->stats;
    if (bytes > torch->limit - stats->reserved)
        return false;
    stats->reserved += bytes;
    if (stats->reserved > stats->max_reserved)
        stats->max_reserved = stats->reserved;
    return true;
}

/* Adds a segment as a free block to the set. */
static bool add_segment(struct od_torch *torch, uint64_t size, unsigned pool)
{
    if (!grant(torch, size))
        return false;
    uint32_t i = new_block(torch, (struct block){.address = torch->next_address,
                                                 .size = size,
                                                 .prev = NONE,
                                                 .next = NONE,
                                                 .pool = (uint8_t)pool});
    torch->next_address += size + segment_unit;
    add_hole(torch, i);
    return true;
}

static void return_segment(struct od_torch *torch, uint32_t i)
{
    const struct block *b = &torch->blocks.items[i];
    if (b->prev != NONE || b->next != NONE)
        return;
    torch->stats.reserved -= b->size;
    remove_hole(torch, i);
    drop_block(torch, i);
}

void od_torch_empty_cache(struct od_torch *torch)
{
    for (uint32_t i = 0, n = (uint32_t)torch->blocks.n; i < n; i++) {
        const struct block *b = &torch->blocks.items[i];
        if (b->in_use || b->size == 0)
            continue;
        return_segment(torch, i);
    }
}

/* ---- requests ---- */

static bool splits(uint64_t need, const struct block *b)
{
    uint64_t rest = b->size - need;
    return b->pool == 0 ? rest >= UNIT : rest > small_request;
}

static bool take_hole(struct od_torch *torch, uint64_t need, unsigned pool, uint32_t *ret_handle)
{
    const struct od_free_block *best = od_free_set_best(&torch->holes[pool], need);
    if (!best)
        return false;
    uint32_t i = best->id;
    remove_hole(torch, i);
    if (splits(need, &torch->blocks.items[i]))
        add_hole(torch, cut(torch, i, need));
    *ret_handle = i;
    return true;
}

static bool find(struct od_torch *torch, uint64_t need, unsigned pool, uint32_t *ret_handle)
{
    if (take_hole(torch, need, pool, ret_handle))
        return true;
    uint64_t segment = segment_size(need, pool);
    if (!add_segment(torch, segment, pool)) {
        od_torch_empty_cache(torch);
        if (!add_segment(torch, segment, pool))
            return false;
    }
    return take_hole(torch, need, pool, ret_handle);
}

bool od_torch_take(struct od_torch *torch, uint64_t bytes, uint32_t *ret_handle)
{
    struct od_torch_stats *stats = &torch->stats;
    uint32_t i;
    if (bytes > largest_limit)
        return false;
    uint64_t need = bytes < UNIT ? UNIT : round_up(bytes, UNIT);
    if (!find(torch, need, need > small_request, &i))
        return false;
    struct block *b = &torch->blocks.items[i];
    b->in_use = true;
    b->requested = bytes;
    stats->requested += bytes;
    stats->allocated += b->size;
    if (stats->allocated > stats->max_allocated)
        stats->max_allocated = stats->allocated;
    *ret_handle = i;
    return true;
}

void od_torch_release(struct od_torch *torch, uint32_t handle)
{
    struct block *b = &torch->blocks.items[handle];
    uint32_t next = b->next, prev = b->prev;
    assert(b->in_use);
    b->in_use = false;
    torch->stats.allocated -= b->size;
    torch->stats.requested -= b->requested;
    if (next != NONE && !torch->blocks.items[next].in_use) {
        remove_hole(torch, next);
        join(torch, handle, next);
    }
    if (prev != NONE && !torch->blocks.items[prev].in_use) {
        remove_hole(torch, prev);
        join(torch, prev, handle);
        handle = prev;
    }
    add_hole(torch, handle);
}

uint64_t od_torch_address(const struct od_torch *torch, uint32_t handle)
{
    return torch->blocks.items[handle].address;
}

uint64_t od_torch_block_bytes(const struct od_torch *torch, uint32_t handle)
{
    return torch->blocks.items[handle].size;
}

struct od_torch_stats od_torch_stats(const struct od_torch *torch)
{
    struct od_torch_stats stats = torch->stats;
    for (size_t i = 0; i < POOLS; i++) {
        uint64_t largest = od_free_set_largest(&torch->holes[i]);
        stats.largest_hole = largest > stats.largest_hole ? largest : stats.largest_hole;
        stats.free_blocks += torch->holes[i].n;
    }
    return stats;
}
