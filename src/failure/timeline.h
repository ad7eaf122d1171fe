/*
 * The course of a run as marks in order of the log: memory problems, other errors, signs of
 * progress. Made from the incidents and moments of a case; borrows from it.
 */
#pragma once

#include "case/case.h"

enum od_turn_kind {
    OD_TURN_START,   /* a program or attempt starts */
    OD_TURN_ALIVE,   /* progress or a good end */
    OD_TURN_DRIVER,  /* the driver refused memory */
    OD_TURN_SOFT,    /* a message that calls itself harmless */
    OD_TURN_REFUSED, /* an allocator could not serve a request, which alone does not prove a
                        failure */
    OD_TURN_ERROR,   /* an operation failed for lack of memory */
    OD_TURN_KILLED,  /* a process was killed and the log does not show why */
    OD_TURN_STOPPED, /* stopped from outside: cancelled, time limit */
    OD_TURN_OTHER,   /* an exception, a crash or a bad end that does not name memory */
};

struct od_turn {
    struct od_prov at;
    enum od_turn_kind kind;
    bool surfaced; /* of an error: it reached the program as an exception, or killed the program */
    bool ended;    /* only a bad exit status, without a reason */
    bool titled;   /* from the title of a thread, written by a person who knew the outcome */
    bool bare;     /* it failed without a shown reason: a cut traceback, an abort, a status */
    const struct od_incident *incident; /* NULL = made from a moment */
    size_t order;                       /* order of creation, decides between equal places */
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
