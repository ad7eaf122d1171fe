#include "base/index.h"

enum { SLOTS_LEAST = 64 };

void od_index_done(struct od_index *index)
{
    od_mem_free(index->slots);
    *index = (struct od_index){0};
}

/* Finds the slot of the key, or the empty slot where to insert it. */
static struct od_index_slot *slot_of(const struct od_index *index, uint64_t key)
{
    size_t mask = index->nslots - 1;
    size_t at = (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32) & mask;
    while (index->slots[at].value != 0 && index->slots[at].key != key)
        at = (at + 1) & mask;
    return &index->slots[at];
}

uint32_t od_index_get(const struct od_index *index, uint64_t key)
{
    return index->nslots > 0 ? slot_of(index, key)->value : 0;
}

static void grow(struct od_index *index)
{
    struct od_index old = *index;
    index->nslots = old.nslots > 0 ? 2 * old.nslots : SLOTS_LEAST;
    index->slots = od_mem_alloc(index->nslots, sizeof *index->slots);
    for (size_t i = 0; i < old.nslots; i++) {
        if (old.slots[i].value != 0)
            *slot_of(index, old.slots[i].key) = old.slots[i];
    }
    od_mem_free(old.slots);
}

void od_index_put(struct od_index *index, uint64_t key, uint32_t value)
{
    if (2 * index->n >= index->nslots)
        grow(index);
    *slot_of(index, key) = (struct od_index_slot){key, value};
    index->n++;
}
