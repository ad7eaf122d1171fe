/*
 * A process that gives up what it does not need, for good, before it meets a stranger's bytes:
 * seccomp-bpf (by libseccomp), Landlock and resource limits together, or not at all. Linux 5.13.
 *
 * Both functions return NULL when the lock holds; else why it could not be set, in words of ours,
 * and the process must not go on to what it was to be locked for.
 */
#pragma once

#include "base/base.h"
#include <sys/types.h>

struct od_lock {
    int in, out;          /* what may be read from and written to: nothing else can be */
    uint64_t memory_most; /* bytes of address space */
    unsigned seconds;     /* of processor time */
    pid_t parent;         /* with which it dies; asked for before the fork */
};

/*
 * From here on this process can compute, get memory (never such that can be run), read one
 * descriptor and write to another. Memory that can be run already cannot be written any more: what
 * a JIT has compiled before runs, and must not be freed. It opens no file, starts no process,
 * reaches no network, signals nobody: the calls fail with EPERM. It dies with its parent. One
 * thread only.
 */
const char *od_lock_worker(const struct od_lock *lock);

/*
 * For a program about to be executed that is to turn text into a picture: it, its libraries and
 * fonts can be read, nothing can be written but what is open, and of no file the rights or times
 * changed; no process started or signalled, no network reached. program is the whole path of it.
 */
const char *od_lock_drawer(const char *program);
