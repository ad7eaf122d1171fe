/*
 * The numbers that a text gives to names near a failure, whatever the names mean: a command's flags
 * ("--particles 100000000", "-o 300m"), lines of a configuration ("max_entries = 268435456"),
 * printed settings ("maxmemory:268435456").
 */
#pragma once

#include "facts/around.h"

struct od_assigned {
    struct od_prov at;
    struct od_view line, name, value; /* as in the log; the name without leading dashes */
    struct od_bytes bytes;            /* unknown if the value has no unit */
};

enum { OD_ASSIGNED_MOST = 192 };

struct od_assigned_list {
    struct od_assigned items[OD_ASSIGNED_MOST]; /* in the order of the log */
    size_t n;
    const struct od_around *around;
    uint32_t source;
    uint64_t *objects; /* bits of objects in the log (rules/words/objects.yaml), on demand */
};

/* Does the log name that object? */
bool od_assigned_has_object(const struct od_assigned_list *list, unsigned object);

/* The limit that the log gives to the lever's words: the last number above the failure, otherwise
 * the first one below it. Numbers less than `used` (unknown = not printed) are ignored; one that
 * equals it has its unit. list may be NULL. */
struct od_bytes od_assigned_limit(const struct od_assigned_list *list, const char *lever,
                                  struct od_bytes used, const struct od_prov *failure);

/* The numbers of that source. Allocated in arena; texts belong to around. */
struct od_assigned_list *od_assigned_of(const struct od_around *around, uint32_t source,
                                        struct od_arena *arena);
