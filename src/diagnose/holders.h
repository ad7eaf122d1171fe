/*
 * Who holds the device at the moment of a failure, as far as its message says: this process, other
 * processes it names, and whatever else is neither free nor ours.
 */
#ifndef OD_DIAGNOSE_HOLDERS_H
#define OD_DIAGNOSE_HOLDERS_H

#include "case/case.h"

struct od_holders {
    struct od_bytes own;    /* what the framework of this process has reserved */
    struct od_bytes pieces; /* of it, not in use */
    struct od_bytes named;  /* held by other processes that are named */
    struct od_bytes
        outside;        /* neither free nor own: others, and what contexts and libraries take */
    double named_share; /* of the device; 0 when not known */
    double outside_share;
};

struct od_holders od_holders_of(const struct od_incident *incident);

/* By the printed numbers: the request did not fit what was free, and does fit when what the named
 * processes hold is free too. */
bool od_holders_prove_others(const struct od_holders *holders, const struct od_incident *incident);

#endif
