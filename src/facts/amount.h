/*
 * An amount of memory and what it describes: the number of bytes, the limited memory they are part
 * of, who holds them, and what was counted. Two amounts are only compared if one memory contains
 * the other. A framework's pool and a job's limit are unrelated, whatever their
 * numbers are.
 */
#pragma once

#include "base/base.h"

/* The memory that is limited. */
enum od_scope {
    OD_SCOPE_UNKNOWN, /* not printed; not the same as the machine */
    OD_SCOPE_DEVICE,
    OD_SCOPE_POOL, /* a framework's allocator on a device */
    OD_SCOPE_MACHINE,
    OD_SCOPE_GROUP, /* a cgroup or container */
    OD_SCOPE_JOB,
    OD_SCOPE_RUNTIME,   /* the heap of a managed runtime, or a program's own limit */
    OD_SCOPE_ADDRESSES, /* address space of a process: ulimit -v, 32 bits */
    OD_SCOPE_SHM,
    OD_SCOPE_COMMIT, /* committed memory: RAM and page file of Windows, strict overcommit */
    OD_SCOPE_APP,    /* a phone's limit for one app */
    OD_SCOPE_SWAP,
    OD_SCOPE_ARENA,      /* a fixed-size memory within a program, or the heap of a small chip */
    OD_SCOPE_LOCKED,     /* locked pages: ulimit -l */
    OD_SCOPE_PIECE,      /* the largest size of one allocation or array */
    OD_SCOPE_PERMISSION, /* the request was not permitted at all */
    OD_SCOPE_PROCESS,    /* RAM was free; the process reached some other limit */
    OD_SCOPES
};

/* How a process or kernel holds memory. */
enum od_holding_kind {
    OD_HELD_OWN,       /* the process that failed or was killed */
    OD_HELD_HEAP,      /* in use in the heap of its runtime */
    OD_HELD_PROCESSES, /* all other processes of one name */
    OD_HELD_RANKS,     /* other ranks of the failed run */
    OD_HELD_OTHERS,    /* another process that is not of this run */
    OD_HELD_ANON,      /* memory of processes that is not backed by files */
    OD_HELD_FILES,     /* files in memory: tmpfs, /dev/shm, shared memory */
    OD_HELD_CACHE,     /* cached pages of files on disk, which can be dropped */
    OD_HELD_SLAB,      /* kernel objects */
    OD_HELD_PAGE_TABLES,
    OD_HELD_PIECES,            /* reserved by the pool but not in use */
    OD_HELD_OUTSIDE_FRAMEWORK, /* held by the failed process outside of its framework */
    OD_HELD_HUGE,              /* reserved as huge pages, which no process counts as resident */
    OD_HELD_UNEXPLAINED,       /* of no process, by the sums of a kernel */
    OD_HELD_REST,              /* the rest: not counted by anything in the log */
    OD_HELD_FREE,
    OD_HELD_KINDS
};

struct od_amount {
    struct od_bytes bytes;
    enum od_scope scope;
};

/* Does everything in the inner memory also count in the outer one? */
bool od_scope_is_within(enum od_scope inner, enum od_scope outer);

/* May amounts of the two be compared: does one memory contain the other? */
bool od_scopes_compare(enum od_scope a, enum od_scope b);

/* Is the first amount less? OD_CANNOT_TELL for amounts of unrelated memories. */
enum od_tri od_amount_less(struct od_amount a, struct od_amount b);

/* "machine", "group", ...; NULL for OD_SCOPE_UNKNOWN. */
const char *od_scope_name(enum od_scope scope);

/* All names except that of OD_SCOPE_UNKNOWN; NULL-terminated. */
extern const char *const od_scope_words[];

/* "processes", "files", ... */
const char *od_holding_kind_name(enum od_holding_kind kind);

/* Returns OD_HELD_KINDS if there is none. */
enum od_holding_kind od_holding_kind_find(struct od_view name);
