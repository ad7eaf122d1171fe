/*
 * Makes a process permanently give up everything it does not need before it handles untrusted data:
 * seccomp-bpf (by libseccomp), Landlock and resource limits together, or nothing. Linux 5.13.
 *
 * Both functions return NULL if the lock is in force; otherwise why it could not be set, and the
 * process must not handle the data then.
 */
#pragma once

#include "base/base.h"
#include <sys/types.h>

struct od_lock {
    int in, out;          /* the only descriptors that may be read from and written to */
    uint64_t memory_most; /* bytes of address space */
    unsigned seconds;     /* of processor time */
    pid_t parent;         /* it dies with this process; getpid() before the fork */
};

/*
 * After this call the process can only compute, allocate non-executable memory, read one descriptor
 * and write to another. Executable memory becomes read-only: code that a JIT compiled before still
 * runs, and must not be freed. Opening files, starting processes, networking and signals fail with
 * EPERM. The process dies with its parent. Call it in a single-threaded process.
 */
const char *od_lock_worker(const struct od_lock *lock);

/* For a program about to be executed that converts text to a picture: the program, its libraries
 * and fonts can be read; only open files can be written; rights and times of files cannot be
 * changed; no process can be started or signalled, and no network reached. program is its absolute
 * path. */
const char *od_lock_drawer(const char *program);
