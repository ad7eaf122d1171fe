/*
 * A hash map from 64-bit numbers to 32-bit numbers, for loops over many chunks with few different
 * sizes. Zeroed is empty.
 */
#pragma once

#include "base/base.h"

struct od_index_slot {
    uint64_t key;
    uint32_t value; /* 0 = the slot is empty */
};

struct od_index {
    struct od_index_slot *slots; /* nslots is a power of two, one slot at least is empty */
    size_t nslots;
    size_t n;
};

void od_index_done(struct od_index *index);

/* Returns the value of the key, 0 if the key is absent. */
uint32_t od_index_get(const struct od_index *index, uint64_t key);

/* Inserts a key that is absent; the value must not be 0. */
void od_index_put(struct od_index *index, uint64_t key, uint32_t value);
