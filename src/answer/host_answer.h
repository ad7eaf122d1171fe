/*
 * The host side of a failed run: what loading its data takes with the workers that the log states
 * (plan/loading.h), how many workers fit the memory and /dev/shm that are known, and why.
 * Copies of Python objects that workers come to own only a series or a table shows.
 *
 * What a worker holds is as the log states it, or the kernel's table shows it; else it follows from
 * a batch: from a sample, batch or array whose shape is printed, or from the image size. The type
 * float32 and the image size are assumptions, and called so.
 */
#pragma once

#include "answer/answer.h"
#include "plan/plan.h"

struct od_host_answer {
    struct od_count workers, prefetch; /* as the log says; prefetch else the default of 2 */
    struct od_count seen;              /* that ran when memory was short */
    struct od_view name;           /* of processes that are no data loader's; empty = they are */
    struct od_count recommended;   /* the most that leave a tenth of each limit free; unknown = no
                                      limit is known, or none do */
    struct od_count most;          /* the most that fit, with nothing left free */
    struct od_count fewer;         /* to try: those recommended, else half */
    struct od_bytes sample, batch; /* bytes of one */
    struct od_bytes each;          /* held by one worker, as the log shows it */
    bool each_mean;                /* `each` is at least the mean of several that differ */
    bool each_shared;              /* a part of it is shared with the process that forked them: what
                                      each holds once it has written to all of it */
    bool each_at_kill;             /* what jobs of the user's own, begun together, held when one
                                      was killed: their peak may be higher */
    struct od_bytes shm, own, pinned; /* of all workers now: queues, private, pinned copies */
    struct od_bytes accumulated;      /* kept by validation, as measured */
    struct od_bytes dataset;          /* held at once: printed arrays, else the printed split */
    struct od_bytes total, saves;     /* of loading now; with fewer workers, less */
    struct od_bytes limit, rest;      /* that the run has to fit; what all but loading held of it */
    struct od_bytes shm_limit;        /* shm limit of /dev/shm */
    struct od_bytes shm_size;         /* to give it for the workers there are, in whole GiB */
    const char *sample_basis, *each_basis, *dataset_basis; /* in words; NULL = not known */
    const char *limit_basis, *shm_basis;
    bool prefetch_said, sample_assumed;
    bool rest_assumed;      /* half of what was in use */
    bool grows;             /* memory grows with time, whatever the number of workers */
    bool small;             /* all workers hold a small part of the memory */
    const char *why;        /* sentences with the numbers */
    const char *workers_do; /* the sentence for fewer workers; NULL = nothing is known */
    const char *shm_does;   /* the sentence for a larger /dev/shm */
    struct od_plan_workers rows[OD_PLAN_WORKERS_MAX]; /* memory in all by workers */
    size_t nrows;
};

/* NULL where nothing on the host failed, or the log states neither workers nor arrays. request may
 * be NULL. */
const struct od_host_answer *od_host_answer_of(const struct od_case *c,
                                               const struct od_diagnosis *diagnosis,
                                               const struct od_plan_request *request,
                                               struct od_arena *arena);

/* Do the printed sizes say that the queues had room? Then a batch is larger than they say, or
 * something else is in /dev/shm. */
bool od_host_shm_has_room(const struct od_host_answer *host);

/* What that remedy would give; false: it is none of loading. */
bool od_host_action_of(const struct od_host_answer *host, const char *remedy,
                       struct od_arena *arena, struct od_answer_action *ret_action);
