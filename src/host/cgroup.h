/*
 * The control group that a program runs in, as far as memory goes: its limit, what it holds, and
 * how often the kernel killed one of its processes. Version 2 (memory.max, memory.current,
 * memory.peak, memory.events) and version 1 (memory.limit_in_bytes, memory.usage_in_bytes,
 * memory.max_usage_in_bytes, memory.failcnt, memory.oom_control), as the kernel documents them in
 * Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst.
 *
 * A group's limit is the lowest of its own and those of the groups around it.
 */
#pragma once

#include "base/base.h"

struct od_cgroup {
    int version;            /* 1 or 2; 0 = there is none, or it cannot be read */
    const char *path;       /* "/user.slice/job_7"; in arena */
    const char *limited;    /* the group of that path that has the limit; NULL = none has one */
    struct od_count limit;  /* bytes */
    struct od_count in_use; /* of the group that has the limit, else of its own; bytes */
    struct od_count cache;  /* part of in_use: page cache that was read only once, which the kernel
                               frees first */
    struct od_count peak;
    struct od_count kills; /* processes of the group killed by the kernel for memory, so far */
    struct od_count full;  /* times that the limit could not be kept without a kill (version 2),
                              or was reached (version 1), so far */
};

/* Of this process. root: where the file systems are mounted, "" but in tests. */
struct od_cgroup od_cgroup_read(const char *root, struct od_arena *arena);
