/*
 * A hash map from 64-bit numbers to 32-bit numbers, for loops over many chunks with few different
 * sizes. Zeroed is empty.
 */
#pragma once

#include "base/base.h"

struct od_index_slot {
    uint64_t key;
    uint32_t value; /* 0 = empty */
};

struct od_index {
    struct od_index_slot *slots; /* their number is a power of two; at least one is empty */
    size_t nslots;
    size_t n;
};

void od_index_done(struct od_index *index);

/* The value of key; 0 when it has none. */
uint32_t od_index_get(const struct od_index *index, uint64_t key);

/* Sets the value (not 0) of a key that has none yet. */
void od_index_put(struct od_index *index, uint64_t key, uint32_t value);
