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

struct pool {
    struct od_free_set holes;
    uint64_t end;  /* expandable: end of the segment's pages; nothing follows */
    uint32_t last; /* the block that ends there; NONE */
};

struct od_torch {
    struct od_torch_options options;
    OD_VEC(struct block) blocks;
    OD_VEC(uint32_t) unused; /* indices of blocks to reuse */
    struct pool pools[POOLS];
    struct od_torch_stats stats;
    uint64_t next_address;
};

/* An address far from all other segments. */
static uint64_t expandable_base(size_t pool)
{
    return (uint64_t)(pool + 1) << 60;
}

static uint64_t round_up(uint64_t bytes, uint64_t unit)
{
    return (bytes + unit - 1) / unit * unit;
}

struct od_torch *od_torch_new(const struct od_torch_options *options)
{
    struct od_torch *torch = od_mem_alloc(1, sizeof *torch);
    od_torch_reset(torch, options);
    return torch;
}

void od_torch_free(struct od_torch *torch)
{
    if (!torch)
        return;
    od_vec_done(&torch->blocks);
    od_vec_done(&torch->unused);
    for (size_t i = 0; i < POOLS; i++)
        od_free_set_done(&torch->pools[i].holes);
    od_mem_free(torch);
}

void od_torch_reset(struct od_torch *torch, const struct od_torch_options *options)
{
    torch->options = *options;
    if (torch->options.limit > largest_limit)
        torch->options.limit = largest_limit;
    torch->blocks.n = torch->unused.n = 0;
    for (size_t i = 0; i < POOLS; i++) {
        od_free_set_reset(&torch->pools[i].holes);
        torch->pools[i].end = expandable_base(i);
        torch->pools[i].last = NONE;
    }
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

static struct pool *pool_of(struct od_torch *torch, uint32_t i)
{
    return &torch->pools[torch->blocks.items[i].pool];
}

static void add_hole(struct od_torch *torch, uint32_t i)
{
    const struct block *b = &torch->blocks.items[i];
    od_free_set_add(&pool_of(torch, i)->holes, (struct od_free_block){b->size, b->address, i});
}

static void remove_hole(struct od_torch *torch, uint32_t i)
{
    const struct block *b = &torch->blocks.items[i];
    od_free_set_remove(&pool_of(torch, i)->holes, b->size, b->address);
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
    if (pool_of(torch, i)->last == i)
        pool_of(torch, i)->last = j;
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
    if (pool_of(torch, a)->last == b)
        pool_of(torch, a)->last = a;
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
    if (bytes > torch->options.limit - stats->reserved)
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

/* Adds pages after the last block, so that the request fits in them (and in that block, if it is
 * free). */
static bool expand(struct od_torch *torch, uint64_t need, unsigned pool)
{
    uint64_t page = pool == 0 ? small_segment : large_segment;
    uint32_t last = torch->pools[pool].last;
    struct block more = {.address = torch->pools[pool].end, .prev = last, .next = NONE};
    uint64_t have = 0;
    if (last != NONE) {
        const struct block *b = &torch->blocks.items[last];
        have = b->in_use ? 0 : b->size;
    }
    more.pool = (uint8_t)pool;
    more.size = round_up(need - have, page);
    if (!grant(torch, more.size))
        return false;
    uint32_t i = new_block(torch, more);
    torch->pools[pool].last = i;
    torch->pools[pool].end += more.size;
    if (last != NONE)
        torch->blocks.items[last].next = i;
    if (have) {
        remove_hole(torch, last);
        join(torch, last, i);
        i = last;
    }
    add_hole(torch, i);
    return true;
}

/* Returns the whole pages of a free block to the device; the rest on both sides stays. */
static void return_pages(struct od_torch *torch, uint32_t i)
{
    struct block b = torch->blocks.items[i];
    uint64_t page = b.pool == 0 ? small_segment : large_segment;
    uint64_t base = expandable_base(b.pool);
    uint64_t first = round_up(b.address - base, page) + base;
    uint64_t end = (b.address + b.size - base) / page * page + base;
    if (first >= end)
        return;
    remove_hole(torch, i);
    torch->stats.reserved -= end - first;
    if (end < b.address + b.size) {
        uint32_t tail = cut(torch, i, end - b.address);
        torch->blocks.items[tail].prev = NONE;
        add_hole(torch, tail);
    } else if (b.next != NONE) {
        torch->blocks.items[b.next].prev = NONE;
    }
    struct block *head = &torch->blocks.items[i];
    bool was_last = torch->pools[b.pool].last == i;
    head->size = first - b.address;
    head->next = NONE;
    if (was_last)
        torch->pools[b.pool].end = first;
    if (head->size > 0) {
        add_hole(torch, i);
        return;
    }
    if (b.prev != NONE)
        torch->blocks.items[b.prev].next = NONE;
    if (was_last)
        torch->pools[b.pool].last = b.prev;
    drop_block(torch, i);
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
        if (torch->options.expandable)
            return_pages(torch, i);
        else
            return_segment(torch, i);
    }
}

/* ---- requests ---- */

static bool may_serve(const struct od_torch *torch, uint64_t need, uint64_t size)
{
    uint64_t limit = torch->options.max_split;
    if (limit == 0)
        return true;
    return need < limit ? size < limit : size < need + large_segment;
}

static bool splits(const struct od_torch *torch, uint64_t need, const struct block *b)
{
    uint64_t rest = b->size - need;
    if (b->pool == 0 || torch->options.expandable)
        return rest >= UNIT;
    return (torch->options.max_split == 0 || need < torch->options.max_split) &&
           rest > small_request;
}

static bool take_hole(struct od_torch *torch, uint64_t need, unsigned pool, uint32_t *ret_handle)
{
    const struct od_free_block *best = od_free_set_best(&torch->pools[pool].holes, need);
    if (!best || !may_serve(torch, need, best->size))
        return false;
    uint32_t i = best->id;
    remove_hole(torch, i);
    if (splits(torch, need, &torch->blocks.items[i]))
        add_hole(torch, cut(torch, i, need));
    *ret_handle = i;
    return true;
}

static bool ask_device(struct od_torch *torch, uint64_t need, unsigned pool)
{
    if (torch->options.expandable)
        return expand(torch, need, pool);
    return add_segment(torch, segment_size(need, pool), pool);
}

static bool find(struct od_torch *torch, uint64_t need, unsigned pool, uint32_t *ret_handle)
{
    if (take_hole(torch, need, pool, ret_handle))
        return true;
    if (!ask_device(torch, need, pool)) {
        od_torch_empty_cache(torch);
        if (!ask_device(torch, need, pool))
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
        uint64_t largest = od_free_set_largest(&torch->pools[i].holes);
        stats.largest_hole = largest > stats.largest_hole ? largest : stats.largest_hole;
        stats.free_blocks += torch->pools[i].holes.n;
    }
    return stats;
}
