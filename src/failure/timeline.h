/*
 * The course of a run as marks in order of the log: what complained, what went wrong, what showed
 * life. Made from a case's incidents and moments; borrows from the case.
 */
#pragma once

#include "case/case.h"

enum od_turn_kind {
    OD_TURN_START,   /* a program or attempt starts */
    OD_TURN_ALIVE,   /* progress, or a good end: the run went on */
    OD_TURN_DRIVER,  /* the driver refused memory */
    OD_TURN_SOFT,    /* a complaint that says itself that it is no failure */
    OD_TURN_REFUSED, /* an allocator could not serve a request: no proof of a failure */
    OD_TURN_ERROR,   /* something failed for lack of memory */
    OD_TURN_KILLED,  /* a process was killed, and nobody says why */
    OD_TURN_STOPPED, /* somebody stopped the run from outside: cancelled, time limit */
    OD_TURN_OTHER,   /* an exception, a crash, a bad end: memory is not named */
};

struct od_turn {
    struct od_prov at;
    enum od_turn_kind kind;
    bool surfaced;  /* of an error: it reached the program as an exception, or killed it */
    bool relays;    /* a launcher that tells of its child */
    bool elsewhere; /* one whose child prints its own error, to a log of its own at times */
    bool ended;     /* no more than a bad exit status: it says that it failed, not of what */
    bool titled;    /* a thread's title says it, and whoever wrote it knew the end */
    bool mute;      /* it was aborted, and nothing there says why */
    bool bare;      /* it went wrong, and nothing there says of what: the end of a traceback is cut
                       off, or it aborted */
    bool good_end;  /* of a sign of life: the program said that it ended well */
    const struct od_incident *incident; /* NULL = made from a moment */
    size_t order;                       /* of making, decides between equal places */
};

struct od_timeline {
    OD_VEC(struct od_turn) marks; /* in order of the log */
};

/* The caller calls od_timeline_done. */
void od_timeline_make(struct od_timeline *timeline, const struct od_case *c);
void od_timeline_done(struct od_timeline *timeline);

/* Was the process of a worker_killed or unexplained_kill killed by a signal that cannot be caught?
 * The kernel sends it when memory is out; so do schedulers and people. */
bool od_is_sigkill(const struct od_incident *incident);
