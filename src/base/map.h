/*
 * A hash map from byte strings to 64-bit values. Zeroed is empty. Keys are copied. The hash has a
 * constant seed, and entries are in order of insertion, so results never depend on the hash.
 */
#pragma once

#include "base/base.h"

struct od_map_entry {
    struct od_view key;
    uint64_t value;
};

struct od_map {
    struct od_map_entry *entries;
    size_t n;
    size_t room;
    uint32_t *slots; /* index into entries plus 1; 0 = empty. Their number is a power of two */
    size_t nslots;
};

void od_map_done(struct od_map *map);

/* Returns the value of the key; creates it as 0 if absent. Valid until the next call. */
uint64_t *od_map_at(struct od_map *map, struct od_view key);

/* Returns the value of the key; NULL if absent. */
const uint64_t *od_map_get(const struct od_map *map, struct od_view key);
