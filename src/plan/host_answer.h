/*
 * The host side of a failed run: what loading its data takes with the workers that the log states,
 * what fewer would save, and why. Workers' memory as measured (doc: plan --workers): queues hold
 * (workers x prefetch + 1) batches in /dev/shm, and a forked worker's own memory is 6 MiB and 1.25
 * batches; copies of Python objects that workers come to own only a series shows.
 */
#ifndef OD_PLAN_HOST_ANSWER_H
#define OD_PLAN_HOST_ANSWER_H

#include "diagnose/diagnose.h"
#include "plan/request.h"

struct od_host_answer {
    struct od_count workers, prefetch; /* as the log says; prefetch else the default of 2 */
    struct od_count recommended;       /* fewer workers; unknown = no fewer */
    struct od_bytes batch;             /* bytes of one */
    struct od_bytes shm, own, pinned;  /* of all workers now: queues, private, pinned copies */
    struct od_bytes copied;            /* grown in all workers together, as measured */
    struct od_bytes accumulated;       /* kept by validation, as measured */
    struct od_bytes total, saves;      /* of loading now; with the recommended workers, less */
    bool prefetch_said;
    const char *why; /* one or two sentences with the numbers */
};

/* NULL where the log states no workers, or nothing on the host failed. request may be NULL. */
const struct od_host_answer *od_host_answer_of(const struct od_case *c,
                                               const struct od_diagnosis *diagnosis,
                                               const struct od_plan_request *request,
                                               struct od_arena *arena);

#endif
