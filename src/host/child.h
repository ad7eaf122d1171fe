/*
 * Another program, run without a shell: its words are an array, its environment is what the
 * caller lists, its standard input a text, its output captured up to a limit, its time limited.
 *
 * The child leads a process group of its own, which is killed whole when the time is over, when it
 * prints too much, and when it ends. No file of ours is open in it but those named here. It dies
 * with us. Texts reach it as files without a name: nothing is left on a disk, whatever happens.
 * Linux.
 */
#pragma once

#include "base/base.h"

#define OD_CHILD_TABLE "/dev/fd/3"

struct od_child {
    const char *const *argv;        /* NULL-terminated; the first is the program: a path, or a name
                                       that is looked for in our PATH */
    const char *const *environment; /* NULL-terminated "NAME=value": all of it */
    const char *folder;             /* where it runs; NULL = / */
    struct od_view input;           /* its standard input */
    struct od_view table; /* another file it may read, as often as it likes: OD_CHILD_TABLE */
    size_t output_most;   /* bytes of standard output, and of standard error */
    unsigned limit_ms;
    uint64_t memory_most; /* bytes of address space; 0 = as we */
    uint64_t file_most;   /* bytes of a file that it writes */
    bool locked;          /* as od_lock_drawer does, or it does not run: EPERM */
};

enum od_child_end {
    OD_CHILD_EXITED,    /* status is its own */
    OD_CHILD_SIGNALLED, /* status is the signal */
    OD_CHILD_MISSING,   /* the program does not exist */
    OD_CHILD_FAILED,    /* it could not be started; status is errno's number */
    OD_CHILD_TOO_LONG,
    OD_CHILD_TOO_MUCH
};

struct od_child_result {
    enum od_child_end end;
    int status;
    struct od_buf out, err;
};

/* Runs it to its end. The caller releases the result with od_child_done, whatever the end. */
struct od_child_result od_child_run(const struct od_child *child);
void od_child_done(struct od_child_result *result);

/* A file that can be run? */
bool od_child_is_program(const char *path);

/* Has a child of ours ended? Its status is left to be asked for. */
bool od_child_has_ended(pid_t pid);
