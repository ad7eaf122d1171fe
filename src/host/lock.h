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
 * After this call the process can only compute, allocate non-executable memory, read one descriptor
 * and write to another. Executable memory becomes read-only: code that a JIT compiled before still
 * runs, and must not be freed. Opening files, starting processes, networking and signals fail with
 * EPERM. The process dies with its parent. Call it in a single-threaded process.
 */
const char *od_lock_worker(const struct od_lock *lock);

/*
 * For a program about to be executed that is to turn text into a picture: it, its libraries and
 * fonts can be read, nothing can be written but what is open, and of no file the rights or times
 * changed; no process started or signalled, no network reached. program is the whole path of it.
 */
const char *od_lock_drawer(const char *program);
