/*
 * Runs another program without a shell. The caller gives the arguments (an array), the complete
 * environment, and a text for standard input. Output and running time are limited.
 *
 * The child leads its own process group, which is killed when the time is over, when it prints too
 * much, when it ends, and when we end. Only the files named here are open in it. Texts are passed
 * in unnamed files, so nothing is left on a disk. Linux.
 */
#pragma once

#include "base/base.h"

#define OD_CHILD_TABLE "/dev/fd/3"

struct od_child {
    /* NULL-terminated; the first element is the program: a path, or a name searched in our PATH */
    const char *const *argv;
    const char *const *environment; /* the complete environment: "NAME=value", NULL-terminated */
    const char *folder;             /* current folder of the child; NULL = / */
    struct od_view input;           /* standard input of the child */
    struct od_view table; /* another file, OD_CHILD_TABLE, that the child may read repeatedly */
    size_t output_most;   /* limit in bytes, each for standard output and standard error */
    unsigned limit_ms;
    uint64_t memory_most; /* limit of address space in bytes; 0 = our own limit */
    uint64_t file_most;   /* limit in bytes of a file that the child writes */
    bool locked;          /* restrict the child with od_lock_drawer; EPERM if that fails */
};

enum od_child_end {
    OD_CHILD_EXITED,    /* status is its exit status */
    OD_CHILD_SIGNALLED, /* status is the number of the signal */
    OD_CHILD_MISSING,   /* the program does not exist */
    OD_CHILD_FAILED,    /* the program could not be started; status is errno */
    OD_CHILD_TOO_LONG,
    OD_CHILD_TOO_MUCH
};

struct od_child_result {
    enum od_child_end end;
    int status;
    struct od_buf out, err;
};

/* Runs the child until it ends. The caller must free the result with od_child_done in any case. */
struct od_child_result od_child_run(const struct od_child *child);
void od_child_done(struct od_child_result *result);

/* Is the path an executable file? */
bool od_child_is_program(const char *path);

/* Has the child ended? Does not reap it. */
bool od_child_has_ended(pid_t pid);
