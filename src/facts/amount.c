#include "facts/amount.h"

/* The next larger memory that contains each memory; 0 (unknown) = none. */
static const enum od_scope outer_of[OD_SCOPES] = {
    [OD_SCOPE_POOL] = OD_SCOPE_DEVICE,   [OD_SCOPE_GROUP] = OD_SCOPE_MACHINE,
    [OD_SCOPE_JOB] = OD_SCOPE_MACHINE,   [OD_SCOPE_RUNTIME] = OD_SCOPE_PROCESS,
    [OD_SCOPE_PROCESS] = OD_SCOPE_GROUP, [OD_SCOPE_SHM] = OD_SCOPE_GROUP,
    [OD_SCOPE_APP] = OD_SCOPE_MACHINE,
};

bool od_scope_is_within(enum od_scope inner, enum od_scope outer)
{
    if (inner == OD_SCOPE_UNKNOWN || outer == OD_SCOPE_UNKNOWN)
        return false;
    while (inner != outer && inner != OD_SCOPE_UNKNOWN)
        inner = outer_of[inner];
    return inner == outer;
}

bool od_scopes_compare(enum od_scope a, enum od_scope b)
{
    return od_scope_is_within(a, b) || od_scope_is_within(b, a);
}

enum od_tri od_amount_less(struct od_amount a, struct od_amount b)
{
    return od_scopes_compare(a.scope, b.scope) ? od_bytes_less(a.bytes, b.bytes) : OD_CANNOT_TELL;
}

#define NAME(scope, name) [OD_SCOPE_##scope - 1] = name
const char *const od_scope_words[] = {NAME(DEVICE, "device"),
                                      NAME(POOL, "pool"),
                                      NAME(MACHINE, "machine"),
                                      NAME(GROUP, "group"),
                                      NAME(JOB, "job"),
                                      NAME(RUNTIME, "runtime"),
                                      NAME(ADDRESSES, "address_space"),
                                      NAME(SHM, "shm"),
                                      NAME(COMMIT, "commit"),
                                      NAME(APP, "app"),
                                      NAME(SWAP, "swap"),
                                      NAME(ARENA, "arena"),
                                      NAME(LOCKED, "locked"),
                                      NAME(PIECE, "one_allocation"),
                                      NAME(PERMISSION, "permission"),
                                      NAME(PROCESS, "process"),
                                      [OD_SCOPES - 1] = NULL};

const char *od_scope_name(enum od_scope scope)
{
    return scope == OD_SCOPE_UNKNOWN ? NULL : od_scope_words[scope - 1];
}

const char *od_holding_kind_name(enum od_holding_kind kind)
{
    static const char *const names[OD_HELD_KINDS] = {
        [OD_HELD_OWN] = "own",
        [OD_HELD_HEAP] = "heap",
        [OD_HELD_PROCESSES] = "processes",
        [OD_HELD_RANKS] = "ranks",
        [OD_HELD_OTHERS] = "others",
        [OD_HELD_ANON] = "anonymous",
        [OD_HELD_FILES] = "files_in_memory",
        [OD_HELD_CACHE] = "page_cache",
        [OD_HELD_SLAB] = "slab",
        [OD_HELD_PAGE_TABLES] = "page_tables",
        [OD_HELD_PIECES] = "pieces",
        [OD_HELD_OUTSIDE_FRAMEWORK] = "beside_framework",
        [OD_HELD_HUGE] = "huge_pages",
        [OD_HELD_UNEXPLAINED] = "unexplained",
        [OD_HELD_REST] = "rest",
        [OD_HELD_FREE] = "free",
    };
    return names[kind];
}

enum od_holding_kind od_holding_kind_find(struct od_view name)
{
    unsigned kind = 0;
    while (kind < OD_HELD_KINDS &&
           !od_view_eq_str(name, od_holding_kind_name((enum od_holding_kind)kind)))
        kind++;
    return (enum od_holding_kind)kind;
}
