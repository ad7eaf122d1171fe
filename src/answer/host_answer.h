/*
 * The answer about the host of a failed run: memory for loading data with the stated workers
 * (plan/loading.h), how many workers fit the known memory and /dev/shm, and why. Copies of Python
 * objects that workers accumulate show only in a series or a table.
 *
 * A worker's memory is stated in the log or the kernel's table, or computed from the batch: from a
 * printed shape of a sample, batch or array, or from the image size. Type float32 and image size
 * are then assumptions, and are reported as assumptions.
 */
#pragma once

#include "answer/answer.h"
#include "plan/plan.h"

struct od_host_answer {
    struct od_count workers, prefetch; /* as stated in the log; prefetch is 2 if not stated */
    struct od_count seen;              /* number of workers that ran when memory ran out */
    struct od_view name;               /* name of the processes; empty = data loader workers */
    /* the most that leave a tenth of each limit free; unknown = no limit is known, or not even
     * one fits */
    struct od_count recommended;
    struct od_count most;          /* the largest number that fits if nothing stays free */
    struct od_count fewer;         /* number to try: the recommended one, otherwise half */
    struct od_bytes sample, batch; /* bytes of one sample and of one batch */
    struct od_bytes each;          /* held by one worker according to the log */
    bool each_mean;                /* `each` is a lower limit: the mean of several that differ */
    /* `each` includes memory shared with the parent process, which a worker holds alone once it
     * has written to it */
    bool each_shared;
    /* `each` was held by jobs of the user, started together, when one was killed: their peak may
     * be higher */
    bool each_at_kill;
    /* bytes of all workers now: queues, private memory, pinned copies */
    struct od_bytes shm, own, pinned;
    struct od_bytes accumulated;  /* bytes kept by validation, as measured */
    struct od_bytes total, saves; /* bytes of loading now, and saved with fewer workers */
    /* limit of the run; bytes of everything except loading */
    struct od_bytes limit, rest;
    struct od_bytes shm_limit; /* shm: limit of /dev/shm */
    /* size of /dev/shm to set for the current workers, in whole GiB */
    struct od_bytes shm_size;
    const char *sample_basis, *each_basis; /* source of the number; NULL = not known */
    const char *limit_basis, *shm_basis;
    bool prefetch_said, sample_assumed;
    bool rest_assumed;      /* `rest` is assumed to be half of the memory in use */
    bool grows;             /* memory grows with time, with any number of workers */
    bool small;             /* all workers together hold a small part of the memory */
    const char *why;        /* sentences with the numbers */
    const char *workers_do; /* the sentence for fewer workers; NULL = nothing is known */
    const char *shm_does;   /* the sentence for a larger /dev/shm */
    const char *no_number;  /* the reason if no number of workers is recommended */
    struct od_plan_workers rows[OD_PLAN_WORKERS_MAX]; /* total memory for each number of workers */
    size_t nrows;
};

/* NULL if nothing failed on the host, or the log states no workers. request may be NULL. */
const struct od_host_answer *od_host_answer_of(const struct od_case *c,
                                               const struct od_diagnosis *diagnosis,
                                               const struct od_plan_request *request,
                                               struct od_arena *arena);

/* Do the printed sizes show that the queues had room? Then a batch is larger than printed, or
 * /dev/shm holds other data. */
bool od_host_shm_has_room(const struct od_host_answer *host);

/* The effect of that remedy. False if it is not about loading data. */
bool od_host_action_of(const struct od_host_answer *host, const char *remedy,
                       struct od_arena *arena, struct od_answer_action *ret_action);
