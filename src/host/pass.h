/*
 * A program run in our place: it reads our standard input itself, and what it writes comes out of
 * ours untouched while a copy is handed to the caller. Where our standard output or error is a
 * terminal, the program sees a terminal of the same size there; where it is anything else, a pipe;
 * where both are the same thing, they are one in the program too, so that the order is kept. It
 * stays in our process group, so that the keys of a terminal (^C, ^Z, ^\) reach it as ever; signals
 * that are sent to us alone are passed on to it. It dies with us, but what it wrote until then
 * still comes out (host/pass_relay.h). Linux.
 *
 * What it leaves running in the background may print for as long as it likes. We take copies for a
 * while after the program's end, until nothing was printed for a second.
 */
#pragma once

#include "base/base.h"

#include <sys/types.h>

struct od_pass {
    char *const *argv; /* NULL-terminated; the first is looked for in PATH */
    /* Called with all output, in the order it is read; error: from standard error. */
    void (*output)(void *self, bool error, struct od_view bytes);
    void *self;
    /* errno's number where what it wrote could not be passed on, else 0; may be NULL. */
    int *ret_unwritten;
};

enum od_pass_end {
    OD_PASS_EXITED,    /* status is its own */
    OD_PASS_SIGNALLED, /* status is the signal */
    OD_PASS_NOT_RUN    /* it could not be started; status is errno's number */
};

struct od_pass_result {
    enum od_pass_end end;
    int status;
    pid_t pid;
    uint64_t peak_rss_bytes; /* of the largest process among it and what it waited for; 0 = none */
    uint64_t signals;        /* bit n: signal n was sent to us or to our group during the run */
};

struct od_pass_result od_pass_run(const struct od_pass *pass);
