/*
 * Runs another program without a shell: its arguments are an array, its environment is what the
 * caller lists, its standard input a text, its output captured up to a limit, its time limited.
 *
 * The child leads its own process group, which is killed when the time is over, when it prints too
 * much, and when it ends. Only the files named here are open in it. It is killed when we end. Texts
 * are passed in unnamed files, so nothing is ever left on a disk. Linux.
 */
#pragma once

#include "base/base.h"

#define OD_CHILD_TABLE "/dev/fd/3"

struct od_child {
    const char *const *argv;        /* NULL-terminated; the first is the program: a path, or a
                                       name searched in our PATH */
    const char *const *environment; /* the complete environment: "NAME=value", NULL-terminated */
    const char *folder;             /* its current folder; NULL = / */
    struct od_view input;           /* its standard input */
    struct od_view table;           /* another file that it may read repeatedly: OD_CHILD_TABLE */
    size_t output_most; /* limit in bytes, each for standard output and standard error */
    unsigned limit_ms;
    uint64_t memory_most; /* limit of address space in bytes; 0 = ours */
    uint64_t file_most;   /* limit of a file that it writes, in bytes */
    bool locked;          /* locked by od_lock_drawer; if that fails it does not run: EPERM */
};

enum od_child_end {
    OD_CHILD_EXITED,    /* status is its exit status */
    OD_CHILD_SIGNALLED, /* status is the signal */
    OD_CHILD_MISSING,   /* the program does not exist */
    OD_CHILD_FAILED,    /* it could not be started; status is errno */
    OD_CHILD_TOO_LONG,
    OD_CHILD_TOO_MUCH
};

struct od_child_result {
    enum od_child_end end;
    int status;
    struct od_buf out, err;
};

/* Runs it until it ends. The caller must free the result with od_child_done in any case. */
struct od_child_result od_child_run(const struct od_child *child);
void od_child_done(struct od_child_result *result);

/* Is it a file that can be executed? */
bool od_child_is_program(const char *path);

/* Has a child of ours ended? Does not reap it. */
bool od_child_has_ended(pid_t pid);
