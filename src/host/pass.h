/*
 * Runs a program in our place. It reads our standard input directly. Its output is passed on
 * unchanged, and the caller gets a copy. If our standard output or error is a terminal, the program
 * gets a terminal of the same size, else a pipe. If both are the same file, they are the same file
 * in the program too, which keeps the order of output. The program stays in our process group, so
 * that the keys of a terminal (^C, ^Z, ^\) reach it; signals sent only to us are passed on to it.
 * It is killed when we end; its output until then is still passed on (host/pass_relay.h). Linux.
 *
 * Background processes of the program may print at any time. Copying continues after the program's
 * end until nothing was printed for a second.
 */
#pragma once

#include "base/base.h"

#include <sys/types.h>

struct od_pass {
    char *const *argv; /* NULL-terminated; the first element is searched in PATH */
    /* Called with all output in order of reading. error: the bytes are from standard error. */
    void (*output)(void *self, bool error, struct od_view bytes);
    /* Called each second in which the running program prints nothing, except the first one. */
    void (*silent)(void *self, pid_t pid, unsigned seconds);
    void *self;
    /* set to errno if output could not be passed on, otherwise 0; may be NULL */
    int *ret_unwritten;
};

enum od_pass_end {
    OD_PASS_EXITED,
    OD_PASS_SIGNALLED, /* status is the number of the signal */
    OD_PASS_NOT_RUN    /* the program could not be started; status is errno */
};

struct od_pass_result {
    enum od_pass_end end;
    int status;
    pid_t pid;
    uint64_t peak_rss_bytes; /* the largest among the program and its reaped children; 0 = none */
    uint64_t signals;        /* bit n: we or our process group received signal n during the run */
};

struct od_pass_result od_pass_run(const struct od_pass *pass);
