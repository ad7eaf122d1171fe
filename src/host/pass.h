/*
 * Runs a program in our place: it reads our standard input itself, and its output is passed on
 * unchanged while the caller gets a copy. If our standard output or error is a terminal, the
 * program gets a terminal of the same size, otherwise a pipe; if both are the same file, they are
 * the same in the program, too, so that the order is kept. It stays in our process group, so that
 * the keys of a terminal (^C, ^Z, ^\) reach it; signals sent only to us are passed on to it. It is
 * killed when we end, but its output until then is still passed on (host/pass_relay.h). Linux.
 *
 * Background processes that it leaves may print for any time. Copies are taken after the program's
 * end until nothing was printed for a second.
 */
#pragma once

#include "base/base.h"

#include <sys/types.h>

struct od_pass {
    char *const *argv; /* NULL-terminated; the first is searched in PATH */
    /* Called with all output in the order in which it is read; error: from standard error. */
    void (*output)(void *self, bool error, struct od_view bytes);
    /* Called while the program runs, each second after the first one without output. */
    void (*silent)(void *self, pid_t pid, unsigned seconds);
    void *self;
    /* errno if output could not be passed on, otherwise 0; may be NULL. */
    int *ret_unwritten;
};

enum od_pass_end {
    OD_PASS_EXITED,    /* status is its exit status */
    OD_PASS_SIGNALLED, /* status is the signal */
    OD_PASS_NOT_RUN    /* it could not be started; status is errno */
};

struct od_pass_result {
    enum od_pass_end end;
    int status;
    pid_t pid;
    uint64_t peak_rss_bytes; /* the largest process among it and its reaped children; 0 = none */
    uint64_t signals;        /* bit n: signal n was sent to us or to our group during the run */
};

struct od_pass_result od_pass_run(const struct od_pass *pass);
