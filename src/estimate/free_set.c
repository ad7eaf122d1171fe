#include "estimate/free_set.h"

#include <assert.h>

/* The first block that is not below (size, address). */
static size_t lower_bound(const struct od_free_set *set, uint64_t size, uint64_t address)
{
    size_t lo = 0, hi = set->blocks.n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        const struct od_free_block *b = &set->blocks.items[mid];
        if (b->size < size || (b->size == size && b->address < address))
            lo = mid + 1;
        else
            hi = mid;
    }
    return lo;
}

void od_free_set_add(struct od_free_set *set, struct od_free_block block)
{
    size_t at = lower_bound(set, block.size, block.address);
    od_vec_push(&set->blocks, block);
    struct od_free_block *items = set->blocks.items;
    memmove(items + at + 1, items + at, (set->blocks.n - 1 - at) * sizeof *items);
    items[at] = block;
}

void od_free_set_remove(struct od_free_set *set, uint64_t size, uint64_t address)
{
    size_t at = lower_bound(set, size, address);
    struct od_free_block *items = set->blocks.items;
    assert(at < set->blocks.n && items[at].size == size && items[at].address == address);
    set->blocks.n--;
    memmove(items + at, items + at + 1, (set->blocks.n - at) * sizeof *items);
}

const struct od_free_block *od_free_set_best(const struct od_free_set *set, uint64_t size)
{
    size_t at = lower_bound(set, size, 0);
    return at < set->blocks.n ? &set->blocks.items[at] : NULL;
}

uint64_t od_free_set_largest(const struct od_free_set *set)
{
    return set->blocks.n ? set->blocks.items[set->blocks.n - 1].size : 0;
}
