/*
 * Restricts a process permanently before it handles untrusted data, with seccomp-bpf (by
 * libseccomp), Landlock and resource limits: all of them, or none. Linux 5.13.
 *
 * Both functions return NULL if the restrictions are in force, otherwise the reason why not. The
 * process must not handle the data then.
 */
#pragma once

#include "base/base.h"
#include <sys/types.h>

struct od_lock {
    int in, out;          /* the only descriptors that may be read from and written to */
    uint64_t memory_most; /* limit of address space in bytes */
    unsigned seconds;     /* limit of processor time */
    pid_t parent; /* the process is killed when this parent ends; getpid() before the fork */
};

/*
 * After this call the process can only compute, allocate non-executable memory, read one descriptor
 * and write to another. Executable memory becomes read-only: code that a JIT compiled before still
 * runs, but must not be freed. Opening files, starting processes, networking and signals fail with
 * EPERM. The process is killed when its parent ends. Call this in a single-threaded process.
 */
const char *od_lock_worker(const struct od_lock *lock);

/* Restricts a process that will execute a program to convert text to a picture. It can read the
 * program (program is its absolute path), libraries and fonts, and write to open files. It cannot
 * change permissions and times of files, start or signal processes, or use a network. */
const char *od_lock_drawer(const char *program);
