/*
 * The plan: what a described workload needs, whether it fits, the largest batch, what else could
 * be run and at what cost, and what we would do. Pure; made from a finished request.
 * Everything lives in the arena given.
 */
#pragma once

#include "plan/options.h"
#include "plan/request.h"

enum { OD_PLAN_DEVICES_MAX = 6, OD_PLAN_WHY_MAX = 8, OD_PLAN_WORKERS_MAX = 8 };

struct od_plan_recommendation {
    bool known;    /* something fits */
    size_t option; /* into options: what it is */
    uint64_t batch, accumulation;
    struct od_count workers, prefetch;
    enum od_tri pin_memory; /* OD_CANNOT_TELL: nothing is known about the host side */
    const char *why[OD_PLAN_WHY_MAX];
    size_t nwhy;
};

struct od_plan_fit {
    struct od_plan_device device;
    double fits;
};

/* Loading with so many workers. */
struct od_plan_workers {
    uint64_t count;
    struct od_bytes bytes, shm;
    enum od_tri fits;
};

struct od_plan_host {
    struct od_bytes per_worker; /* n of its own, with its share of the queues; lo to hi */
    struct od_bytes copied;     /* of it: Python objects, whose pages a worker's counting copies */
    struct od_bytes pinned;     /* in the training process, of the workers below */
    struct od_bytes offloaded;  /* what the workload keeps in host memory instead of the device's */
    struct od_plan_workers workers[OD_PLAN_WORKERS_MAX];
    size_t nworkers;
    struct od_count recommended;
    struct od_bytes shm_needed; /* of the workers asked for, else of those recommended */
    struct od_bytes dataset;
    enum od_tri dataset_fits_ram, dataset_fits_device;
};

struct od_plan {
    struct od_plan_request request; /* batch filled in */
    bool batch_chosen;              /* none was given: it is the largest safe one */
    struct od_estimate estimate;
    double fits; /* negative: no device was given */
    struct od_largest_batch largest;
    struct od_largest_sequence longest;    /* at the batch that is planned */
    struct od_largest_batch largest_whole; /* of sequences of the longest length, in a server */
    struct od_plan_option options[OD_PLAN_OPTIONS_MAX]; /* the first is as asked */
    size_t noptions;
    struct od_plan_host host;
    struct od_plan_recommendation recommendation;
    struct od_plan_fit devices[OD_PLAN_DEVICES_MAX]; /* the smallest that would do */
    size_t ndevices;
};

/* NULL, with diagnostics, when the workload cannot be estimated. */
struct od_plan *od_plan_make(const struct od_plan_request *request, struct od_arena *arena,
                             struct od_diags *diags);
