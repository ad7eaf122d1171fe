/*
 * The numbers that a text gives to names near a failure, whatever the names mean: a command's flags
 * ("--particles 100000000", "-o 300m"), lines of a configuration ("max_entries = 268435456"),
 * printed settings ("maxmemory:268435456").
 */
#pragma once

#include "facts/around.h"

struct od_assigned {
    struct od_prov at;
    struct od_view line, name, value; /* as written, the name without dashes in front */
    struct od_bytes bytes;            /* unknown without a unit */
};

enum { OD_ASSIGNED_MOST = 192 };

struct od_assigned_list {
    struct od_assigned items[OD_ASSIGNED_MOST]; /* in the order of the text */
    size_t n;
    const struct od_around *around;
    uint32_t source;
    uint64_t *objects; /* what the text names (rules/words/objects.yaml); 0 until it is asked for */
};

/* Does the text name that object? */
bool od_assigned_has_object(const struct od_assigned_list *list, unsigned object);

/* Is its name a word of what sets a limit ("maxmemory", "gap -o")? A flag of one letter counts
 * beside its command. */
bool od_assigned_is_of(const struct od_assigned *assigned, const char *lever);

/* The limit that the text gives by those words: the last number above the failure, otherwise the
 * first one below it. What was used (unknown = not printed) does not lie above it, and tells the
 * unit of a plain number that equals it. list may be NULL. */
struct od_bytes od_assigned_limit(const struct od_assigned_list *list, const char *lever,
                                  struct od_bytes used, const struct od_prov *failure);

/* Those of that source. Allocated in arena; texts belong to around. */
struct od_assigned_list *od_assigned_of(const struct od_around *around, uint32_t source,
                                        struct od_arena *arena);
