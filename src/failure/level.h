/*
 * How full the machine was when it was last measured before a place of the log; where no line
 * before it tells, by the first one after it, as a person who looks afterwards pastes it.
 */
#pragma once

#include "case/case.h"

struct od_host_level {
    double share;                   /* of what it has, 0..1; negative = no print tells */
    struct od_bytes used, capacity; /* unknown where only the share is printed */
    struct od_bytes free;           /* of a machine whose size nothing tells */
    struct od_evidence said;        /* the print, or one of its series */
    bool later;                     /* it is below that place */
};

/* A share at which it is hard to believe that RAM was short. */
#define OD_HOST_HALF_FREE 0.5

struct od_host_level od_host_level_near(const struct od_case *c, const struct od_prov *at);

/* What was free: printed, or what the machine has beyond what is used. */
struct od_bytes od_host_level_free(const struct od_host_level *level);
