/*
 * The course of a run as marks in the order of the log: memory problems, other errors, signs of
 * progress. Made from incidents and moments of a case, from which it borrows.
 */
#pragma once

#include "case/case.h"

enum od_turn_kind {
    OD_TURN_START,   /* a program or attempt starts */
    OD_TURN_ALIVE,   /* progress or a good end */
    OD_TURN_DRIVER,  /* the driver refused memory */
    OD_TURN_SOFT,    /* a message that is harmless by its own words */
    OD_TURN_REFUSED, /* an allocator could not serve a request; alone no proof of a failure */
    OD_TURN_ERROR,   /* an operation failed for lack of memory */
    OD_TURN_KILLED,  /* a process was killed for an unknown reason */
    OD_TURN_STOPPED, /* stopped from outside: cancelled, time limit */
    OD_TURN_OTHER,   /* an exception, a crash or a bad end that does not name memory */
};

struct od_turn {
    struct od_prov at;
    enum od_turn_kind kind;
    bool surfaced; /* the error was raised to the program, or killed it */
    bool ended;    /* only a bad exit status without a reason */
    bool titled;   /* from the title of a thread, whose author knew the outcome */
    bool bare;     /* no reason is shown: a cut traceback, an abort, a status */
    const struct od_incident *incident; /* NULL = made from a moment */
    size_t order;                       /* order of creation, which decides between equal places */
};

struct od_timeline {
    OD_VEC(struct od_turn) marks; /* in order of the log */
};

/* Free with od_timeline_done. */
void od_timeline_make(struct od_timeline *timeline, const struct od_case *c);
void od_timeline_done(struct od_timeline *timeline);

/* Was the process of a worker_killed or unexplained_kill incident killed by SIGKILL? The kernel
 * sends it when memory is exhausted; schedulers and people send it too. */
bool od_is_sigkill(const struct od_incident *incident);
