#include "estimate/free_set.h"

#include <assert.h>

enum { LEAF = 128 };

struct od_free_leaf {
    size_t n; /* 0 only for a single leaf */
    struct od_free_block blocks[LEAF];
};

struct place {
    size_t leaf, at;
};

static bool is_below(const struct od_free_block *b, uint64_t size, uint64_t address)
{
    return b->size < size || (b->size == size && b->address < address);
}

/* The first block that is not below (size, address); may be the end of a leaf. */
static struct place lower_bound(const struct od_free_set *set, uint64_t size, uint64_t address)
{
    size_t lo = 0, hi = set->leaves.n;
    while (lo + 1 < hi) { /* finds the last leaf that starts below the block */
        size_t mid = lo + (hi - lo) / 2;
        if (is_below(&set->leaves.items[mid]->blocks[0], size, address))
            lo = mid;
        else
            hi = mid;
    }
    struct place place = {.leaf = lo};
    const struct od_free_leaf *leaf = set->leaves.n > 0 ? set->leaves.items[lo] : NULL;
    for (size_t end = leaf ? leaf->n : 0; place.at < end;) {
        size_t mid = place.at + (end - place.at) / 2;
        if (is_below(&leaf->blocks[mid], size, address))
            place.at = mid + 1;
        else
            end = mid;
    }
    if (leaf && place.at == leaf->n && lo + 1 < set->leaves.n)
        place = (struct place){lo + 1, 0};
    return place;
}

static struct od_free_leaf *insert_leaf(struct od_free_set *set, size_t at)
{
    struct od_free_leaf *leaf = od_mem_alloc(1, sizeof *leaf);
    od_vec_push(&set->leaves, leaf);
    struct od_free_leaf **items = set->leaves.items;
    memmove(items + at + 1, items + at, (set->leaves.n - 1 - at) * sizeof *items);
    items[at] = leaf;
    return leaf;
}

static void split(struct od_free_set *set, size_t at)
{
    struct od_free_leaf *upper = insert_leaf(set, at + 1), *lower = set->leaves.items[at];
    lower->n = LEAF / 2;
    upper->n = LEAF - lower->n;
    memcpy(upper->blocks, lower->blocks + lower->n, upper->n * sizeof *upper->blocks);
}

void od_free_set_add(struct od_free_set *set, struct od_free_block block)
{
    if (set->leaves.n == 0)
        (void)insert_leaf(set, 0);
    struct place place = lower_bound(set, block.size, block.address);
    if (set->leaves.items[place.leaf]->n == LEAF) {
        split(set, place.leaf);
        if (place.at > LEAF / 2)
            place = (struct place){place.leaf + 1, place.at - LEAF / 2};
    }
    struct od_free_leaf *leaf = set->leaves.items[place.leaf];
    struct od_free_block *to = leaf->blocks + place.at;
    memmove(to + 1, to, (leaf->n - place.at) * sizeof *to);
    *to = block;
    leaf->n++;
    set->n++;
}

void od_free_set_remove(struct od_free_set *set, uint64_t size, uint64_t address)
{
    struct place place = lower_bound(set, size, address);
    struct od_free_leaf *leaf = set->leaves.items[place.leaf];
    struct od_free_block *from = leaf->blocks + place.at;
    assert(place.at < leaf->n && from->size == size && from->address == address);
    leaf->n--;
    set->n--;
    memmove(from, from + 1, (leaf->n - place.at) * sizeof *from);
    if (leaf->n > 0 || set->leaves.n == 1)
        return;
    od_mem_free(leaf);
    set->leaves.n--;
    struct od_free_leaf **items = set->leaves.items + place.leaf;
    memmove(items, items + 1, (set->leaves.n - place.leaf) * sizeof *items);
}

const struct od_free_block *od_free_set_best(const struct od_free_set *set, uint64_t size)
{
    struct place place = lower_bound(set, size, 0);
    const struct od_free_leaf *leaf = set->leaves.n > 0 ? set->leaves.items[place.leaf] : NULL;
    return leaf && place.at < leaf->n ? &leaf->blocks[place.at] : NULL;
}

uint64_t od_free_set_largest(const struct od_free_set *set)
{
    const struct od_free_leaf *last =
        set->leaves.n > 0 ? set->leaves.items[set->leaves.n - 1] : NULL;
    return last && last->n > 0 ? last->blocks[last->n - 1].size : 0;
}

void od_free_set_reset(struct od_free_set *set)
{
    for (size_t i = 1; i < set->leaves.n; i++)
        od_mem_free(set->leaves.items[i]);
    set->n = 0;
    if (set->leaves.n > 0) {
        set->leaves.items[0]->n = 0;
        set->leaves.n = 1;
    }
}

void od_free_set_done(struct od_free_set *set)
{
    od_free_set_reset(set);
    if (set->leaves.n > 0)
        od_mem_free(set->leaves.items[0]);
    od_vec_done(&set->leaves);
}
