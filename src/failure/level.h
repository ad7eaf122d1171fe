/*
 * How full the machine was at the last measurement before a place of the log. If there is none, the
 * first one after it, because people measure after the failure.
 */
#pragma once

#include "case/case.h"

struct od_host_level {
    double share;                   /* used share of the machine, 0..1; negative = not printed */
    struct od_bytes used, capacity; /* unknown if only the share is printed */
    struct od_bytes free;           /* free memory as printed */
    struct od_evidence said;        /* the measurement, or one of its series */
    bool later;                     /* measured after the place */
};

/* Below this used share a lack of RAM is implausible. */
#define OD_HOST_HALF_FREE 0.5
/* Above this used share a lack of RAM explains a kill or a refusal. */
#define OD_HOST_NEARLY_FULL 0.85

struct od_host_level od_host_level_near(const struct od_case *c, const struct od_prov *at);

/* Free memory: as printed, or the capacity minus what is used. */
struct od_bytes od_host_level_free(const struct od_host_level *level);
