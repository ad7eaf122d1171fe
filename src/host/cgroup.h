/*
 * The memory of the cgroup in which a program runs: its limit, memory in use, and how often the
 * kernel killed one of its processes. Version 2 (memory.max, memory.current, memory.peak,
 * memory.events) and version 1 (memory.limit_in_bytes, memory.usage_in_bytes,
 * memory.max_usage_in_bytes, memory.failcnt, memory.oom_control), as documented in the kernel's
 * Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst.
 *
 * A group's limit is the lowest among its own and those of its ancestors.
 */
#pragma once

#include "base/base.h"

struct od_cgroup {
    int version;           /* 1 or 2; 0 = none, or not readable */
    const char *path;      /* "/user.slice/job_7"; allocated in arena */
    const char *limited;   /* the group in `path` with the lowest limit; NULL = no limit */
    struct od_count limit; /* bytes */
    struct od_count
        in_use; /* in use in the group `limited`; without a limit, in this program's own group */
    struct od_count cache; /* part of in_use: page cache read once, which the kernel frees first */
    struct od_count peak;
    struct od_count kills; /* processes of the group killed by the kernel for lack of memory */
    struct od_count full; /* times the limit forced a kill (version 2) or was reached (version 1) */
};

/* Reads the group of this process. root: prefix of the file systems, "" except in tests. */
struct od_cgroup od_cgroup_read(const char *root, struct od_arena *arena);
