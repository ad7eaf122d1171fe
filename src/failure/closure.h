/*
 * The numbers of a failure's message, closed: what was asked for, what this process holds in its
 * framework and beside it, what others hold, what was free. Each is an interval or unknown; what
 * follows from them by arithmetic is decided here, once.
 */
#pragma once

#include "case/case.h"

struct od_closure {
    struct od_bytes own;     /* what the framework of this process has reserved */
    struct od_bytes pieces;  /* of it, not in use */
    struct od_bytes beside;  /* what this process holds outside of its framework */
    struct od_bytes named;   /* held by other processes that are named */
    struct od_bytes outside; /* neither free nor own: others, what is beside the framework, and what
                                contexts and libraries take */
    double named_share;      /* of the device; 0 when not known */
    double outside_share;
    bool conflict;  /* the numbers contradict each other: nothing above but own is derived */
    bool too_large; /* the request is more than the device, or the limit, has in all */
    bool tenant;    /* it did not fit what was free, and does with what the named ones hold */
    bool in_pieces; /* it is no more than what the framework holds in pieces */
};

struct od_closure od_closure_of(const struct od_incident *incident);
