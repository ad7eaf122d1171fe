/*
 * The host side of a failed run: the memory for loading its data with the workers that the log
 * states (plan/loading.h), how many workers fit the known memory and /dev/shm, and why. Copies of
 * Python objects that workers accumulate show only in a series or a table.
 *
 * A worker's memory is stated in the log or shown in the kernel's table. Otherwise it follows from
 * the batch: from a printed shape of a sample, batch or array, or from the image size. The type
 * float32 and the image size are then assumptions, and reported as assumptions.
 */
#pragma once

#include "answer/answer.h"
#include "plan/plan.h"

struct od_host_answer {
    struct od_count workers, prefetch; /* as stated in the log; prefetch is 2 if not stated */
    struct od_count seen;              /* number that ran when memory ran out */
    struct od_view name;               /* name of the processes; empty = data loader workers */
    struct od_count recommended;   /* the most that leave a tenth of each limit free; unknown = no
                                      limit is known, or none do */
    struct od_count most;          /* the largest number that fits with nothing left free */
    struct od_count fewer;         /* number to try: the recommended one, else half */
    struct od_bytes sample, batch; /* bytes of one */
    struct od_bytes each;          /* held by one worker, as the log shows it */
    bool each_mean;                /* `each` is at least the mean of several that differ */
    bool each_shared;              /* a part of it is shared with the process that forked them: what
                                      each holds once it has written to all of it */
    bool each_at_kill; /* held by jobs of the user, started together, when one was killed: their
                          peak may be higher */
    struct od_bytes shm, own, pinned;      /* of all workers now: queues, private, pinned copies */
    struct od_bytes accumulated;           /* kept by validation, as measured */
    struct od_bytes total, saves;          /* of loading now; saved with fewer workers */
    struct od_bytes limit, rest;           /* limit of the run; used by everything except loading */
    struct od_bytes shm_limit;             /* shm limit of /dev/shm */
    struct od_bytes shm_size;              /* size to set for the current workers, in whole GiB */
    const char *sample_basis, *each_basis; /* in words; NULL = not known */
    const char *limit_basis, *shm_basis;
    bool prefetch_said, sample_assumed;
    bool rest_assumed;      /* assumed to be half of what was in use */
    bool grows;             /* memory grows with time, at any number of workers */
    bool small;             /* all workers hold a small part of the memory */
    const char *why;        /* sentences with the numbers */
    const char *workers_do; /* the sentence for fewer workers; NULL = nothing is known */
    const char *shm_does;   /* the sentence for a larger /dev/shm */
    struct od_plan_workers rows[OD_PLAN_WORKERS_MAX]; /* total memory by number of workers */
    size_t nrows;
};

/* NULL where nothing on the host failed, or the log states no workers. request may be NULL. */
const struct od_host_answer *od_host_answer_of(const struct od_case *c,
                                               const struct od_diagnosis *diagnosis,
                                               const struct od_plan_request *request,
                                               struct od_arena *arena);

/* Do the printed sizes say that the queues had room? Then a batch is larger than printed, or
 * /dev/shm holds something else. */
bool od_host_shm_has_room(const struct od_host_answer *host);

/* The effect of that remedy; false if it is not about loading data. */
bool od_host_action_of(const struct od_host_answer *host, const char *remedy,
                       struct od_arena *arena, struct od_answer_action *ret_action);
