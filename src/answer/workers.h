/* How many workers to run, whatever ended the run. Report and JSON use the same number. */
#pragma once

#include "answer/host_answer.h"

struct od_worker_advice {
    struct od_count current;     /* unknown: the log states no number */
    struct od_count recommended; /* unknown: `why` names the missing fact */
    struct od_count most;        /* the most workers that fit if nothing stays free */
    struct od_count fewer;       /* number to try if none is recommended */
    const char *why;             /* NULL if current is unknown */
};

/* host and request may be NULL. */
struct od_worker_advice od_worker_advice_of(const struct od_case *c,
                                            const struct od_failure *failure,
                                            const struct od_host_answer *host,
                                            const struct od_plan_request *request,
                                            struct od_arena *arena);
