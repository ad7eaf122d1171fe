/*
 * An index: a hash map from 64-bit numbers to 32-bit ones, for loops over many chunks that ask for
 * the few sizes they have. Zeroed is empty.
 */
#pragma once

#include "base/base.h"

struct od_index_slot {
    uint64_t key;
    uint32_t value; /* 0 = empty */
};

struct od_index {
    struct od_index_slot *slots; /* a power of two of them, one empty at least */
    size_t nslots;
    size_t n;
};

void od_index_done(struct od_index *index);

/* The value of key; 0 when it has none. */
uint32_t od_index_get(const struct od_index *index, uint64_t key);

/* Gives key, which has none yet, a value that is not 0. */
void od_index_put(struct od_index *index, uint64_t key, uint32_t value);

/* Adds one to the value of key, which may have none yet. */
void od_index_count(struct od_index *index, uint64_t key);
