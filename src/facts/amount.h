/*
 * An amount of memory with its owner: how many bytes, of which limited memory they are a part, who
 * holds them, and what was counted. Two amounts are compared or subtracted only where one memory
 * lies in the other; a pool of a framework and the limit of a job have nothing to do with each
 * other, whatever their numbers are.
 */
#pragma once

#include "base/base.h"

/* The memory that is limited. */
enum od_scope {
    OD_SCOPE_UNKNOWN, /* no place was named; this is not the machine */
    OD_SCOPE_DEVICE,
    OD_SCOPE_POOL, /* of a framework's allocator, on a device */
    OD_SCOPE_MACHINE,
    OD_SCOPE_GROUP, /* a control group or container */
    OD_SCOPE_JOB,
    OD_SCOPE_RUNTIME,   /* the heap of a managed runtime, or what a program lets itself use */
    OD_SCOPE_ADDRESSES, /* of a process: ulimit -v, 32 bits */
    OD_SCOPE_SHM,
    OD_SCOPE_COMMIT, /* what a system promises: RAM and page file of Windows, strict overcommit */
    OD_SCOPE_APP,    /* a phone's limit for one app */
    OD_SCOPE_SWAP,
    OD_SCOPE_ARENA,      /* memory of a fixed size inside a program, the heap of a small chip */
    OD_SCOPE_LOCKED,     /* pages that may not move: ulimit -l */
    OD_SCOPE_PIECE,      /* one allocation or one array, however much is free */
    OD_SCOPE_PERMISSION, /* the request was not allowed at all */
    OD_SCOPE_PROCESS,    /* RAM was free; which limit of the process it was is not known */
    OD_SCOPES
};

/* What a process or a kernel holds memory as. */
enum od_holding_kind {
    OD_HELD_OWN,       /* by the process that failed or was killed */
    OD_HELD_PROCESSES, /* by all processes of a name besides it */
    OD_HELD_OTHERS,    /* by other processes that are named by number only */
    OD_HELD_ANON,      /* memory of processes that is no file */
    OD_HELD_FILES,     /* files in memory: tmpfs, /dev/shm, shared memory */
    OD_HELD_CACHE,     /* pages of files on disk, which can be dropped */
    OD_HELD_SLAB,      /* the kernel's own objects */
    OD_HELD_PAGE_TABLES,
    OD_HELD_PIECES,      /* reserved by the pool and not in use */
    OD_HELD_BESIDE,      /* by the process that failed, outside of its framework */
    OD_HELD_UNEXPLAINED, /* the rest */
    OD_HELD_KINDS
};

struct od_amount {
    struct od_bytes bytes;
    enum od_scope scope;
};

/* Does all that lies in the inner memory count in the outer one, too? */
bool od_scope_is_within(enum od_scope inner, enum od_scope outer);

/* Is a less than b? OD_CANNOT_TELL across scopes of which neither lies in the other. */
enum od_tri od_amount_less(struct od_amount a, struct od_amount b);

/* a - b; unknown across scopes. */
struct od_bytes od_amount_sub(struct od_amount a, struct od_amount b);

/* "machine", "group", ...; NULL = unknown */
const char *od_scope_name(enum od_scope scope);

/* All names but the unknown; NULL ends them. */
extern const char *const od_scope_words[];

/* "processes", "files", ... */
const char *od_holding_kind_name(enum od_holding_kind kind);

/* OD_HELD_KINDS = no such kind */
enum od_holding_kind od_holding_kind_find(struct od_view name);
