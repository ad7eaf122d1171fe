#include "base/map.h"

static uint64_t hash(struct od_view key)
{
    uint64_t h = 0xcbf29ce484222325U ^ key.n, word = 0;
    size_t at = 0;
    for (; key.n - at >= sizeof word; at += sizeof word) {
        memcpy(&word, key.p + at, sizeof word);
        h = (h ^ word) * 0x9e3779b97f4a7c15U;
        h ^= h >> 32;
    }
    word = 0;
    if (at < key.n)
        memcpy(&word, key.p + at, key.n - at);
    h = (h ^ word) * 0x9e3779b97f4a7c15U;
    return h ^ h >> 32;
}

void od_map_done(struct od_map *map)
{
    for (size_t i = 0; i < map->n; i++)
        od_mem_free((void *)(uintptr_t)map->entries[i].key.p);
    od_mem_free(map->entries);
    od_mem_free(map->slots);
    *map = (struct od_map){0};
}

/* Finds the slot of the key, or the empty slot where to insert it. */
static size_t slot_of(const struct od_map *map, struct od_view key)
{
    size_t mask = map->nslots - 1;
    size_t at = (size_t)hash(key) & mask;
    while (map->slots[at] != 0 && !od_view_eq(map->entries[map->slots[at] - 1].key, key))
        at = (at + 1) & mask;
    return at;
}

static void rehash(struct od_map *map)
{
    size_t n = map->nslots ? map->nslots * 2 : 16;
    od_mem_free(map->slots);
    map->slots = od_mem_alloc(n, sizeof *map->slots);
    map->nslots = n;
    for (size_t i = 0; i < map->n; i++)
        map->slots[slot_of(map, map->entries[i].key)] = (uint32_t)i + 1;
}

uint64_t *od_map_at(struct od_map *map, struct od_view key)
{
    if (map->n * 4 >= map->nslots * 3)
        rehash(map);
    size_t at = slot_of(map, key);
    if (map->slots[at] == 0) {
        char *copy = od_mem_alloc(key.n + 1, 1);
        if (key.n > 0)
            memcpy(copy, key.p, key.n);
        if (map->n == map->room)
            map->entries = od_vec_grow(map->entries, sizeof *map->entries, map->n + 1, &map->room);
        map->entries[map->n++] = (struct od_map_entry){.key = {copy, key.n}};
        map->slots[at] = (uint32_t)map->n;
    }
    return &map->entries[map->slots[at] - 1].value;
}

const uint64_t *od_map_get(const struct od_map *map, struct od_view key)
{
    if (map->nslots == 0)
        return NULL;
    size_t at = slot_of(map, key);
    return map->slots[at] ? &map->entries[map->slots[at] - 1].value : NULL;
}
