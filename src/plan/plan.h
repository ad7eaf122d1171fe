/*
 * The plan: the memory of a described workload, whether it fits, the largest batch, alternatives
 * with their cost, and a recommendation. Pure; made from a finished request. Everything is
 * allocated in the given arena.
 */
#pragma once

#include "plan/options.h"
#include "plan/request.h"

enum { OD_PLAN_DEVICES_MAX = 6, OD_PLAN_WHY_MAX = 8, OD_PLAN_WORKERS_MAX = 9 };

struct od_plan_recommendation {
    bool known;    /* something fits */
    size_t option; /* index in options */
    uint64_t batch, accumulation;
    struct od_count workers, prefetch;
    enum od_tri pin_memory; /* OD_CANNOT_TELL: nothing is known about the host */
    const char *why[OD_PLAN_WHY_MAX];
    size_t nwhy;
};

struct od_plan_fit {
    struct od_plan_device device;
    double fits;
};

/* Loading with that many workers. */
struct od_plan_workers {
    uint64_t count;
    struct od_bytes bytes, shm;
    enum od_tri fits;
};

struct od_plan_host {
    struct od_bytes per_worker; /* own memory of a worker with its share of the queues, as a
                                   range */
    struct od_bytes copied;     /* part of it: Python objects, whose pages are copied when a
                                   worker counts references */
    struct od_bytes pinned;     /* in the training process, for the number of workers below */
    struct od_bytes offloaded;  /* memory that the workload keeps in host memory instead of
                                   device memory */
    struct od_plan_workers workers[OD_PLAN_WORKERS_MAX];
    size_t nworkers;
    struct od_count recommended, largest; /* largest that fits; unknown where no limit that
                                             counts is given */
    struct od_bytes shm_needed; /* for the requested workers, otherwise for the recommended ones */
    struct od_bytes dataset;
    enum od_tri dataset_fits_ram, dataset_fits_device;
};

struct od_plan {
    struct od_plan_request request; /* with its batch filled in */
    bool batch_chosen;              /* none was given, so it is the largest safe one */
    struct od_estimate estimate;
    double fits; /* negative: no device was given */
    struct od_largest_batch largest;
    struct od_largest_sequence longest;    /* at the planned batch */
    struct od_largest_batch largest_whole; /* for a server whose sequences all have the maximum
                                              length */
    struct od_plan_option options[OD_PLAN_OPTIONS_MAX]; /* the first one is the unchanged
                                                           workload */
    size_t noptions;
    struct od_plan_host host;
    struct od_plan_recommendation recommendation;
    struct od_plan_fit devices[OD_PLAN_DEVICES_MAX]; /* the smallest devices that suffice */
    size_t ndevices;
};

/* NULL with diagnostics if the workload cannot be estimated. */
struct od_plan *od_plan_make(const struct od_plan_request *request, struct od_arena *arena,
                             struct od_diags *diags);
