/*
 * The plan of a described workload: its memory, whether it fits, the largest batch, alternatives
 * with their cost, and a recommendation. Pure functions of a finished request. All results are
 * allocated in the given arena.
 */
#pragma once

#include "plan/options.h"
#include "plan/request.h"

enum { OD_PLAN_DEVICES_MAX = 6, OD_PLAN_WHY_MAX = 8, OD_PLAN_WORKERS_MAX = 9 };

struct od_plan_recommendation {
    bool known;    /* an option fits */
    size_t option; /* index into plan->options */
    uint64_t batch, accumulation;
    struct od_count workers, prefetch;
    enum od_tri pin_memory; /* OD_CANNOT_TELL = nothing is known about the host */
    const char *why[OD_PLAN_WHY_MAX];
    size_t nwhy;
};

struct od_plan_fit {
    struct od_plan_device device;
    double fits;
};

/* Host memory for loading with `workers` workers. */
struct od_plan_workers {
    uint64_t count;
    struct od_bytes bytes, shm;
    enum od_tri fits;
};

struct od_plan_host {
    struct od_bytes per_worker; /* own memory of a worker and its share of the queues */
    /* part of per_worker: pages of Python objects, copied when a worker counts references */
    struct od_bytes copied;
    struct od_bytes pinned;    /* pinned memory of the training process */
    struct od_bytes offloaded; /* memory of the workload in host memory instead of device memory */
    struct od_plan_workers workers[OD_PLAN_WORKERS_MAX];
    size_t nworkers;
    struct od_count recommended, largest; /* largest: unknown without a limit on workers */
    struct od_bytes shm_needed; /* for the requested workers, otherwise for the recommended ones */
    struct od_bytes dataset;
    enum od_tri dataset_fits_ram, dataset_fits_device;
};

struct od_plan {
    struct od_plan_request request; /* the request with the chosen batch */
    bool batch_chosen;              /* no batch was given: it is the largest safe one */
    struct od_estimate estimate;
    double fits; /* negative: no device is given */
    struct od_largest_batch largest;
    struct od_largest_sequence longest; /* the longest sequence at the planned batch */
    /* largest batch of a server if all sequences have the maximum length */
    struct od_largest_batch largest_whole;
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
