/*
 * What loading batches takes of the host's memory, in one place for the plan of a described
 * workload and for the report of a failed run. Pure.
 *
 * Measured with PyTorch 1.13's DataLoader. Queues hold (workers x prefetch + 1) batches in
 * /dev/shm, with 20 KiB a worker and 36 KiB for all. A forked worker's own memory is 6 MiB and 1.1
 * to 1.5 batches (the samples before they are collated); a spawned one imports torch first: 115 MiB
 * (a CUDA build: up to 625). Without workers the training process holds 2 to 3 batches.
 *
 * Copy on write: a forked worker that reads Python objects counts references in their pages, which
 * are copied then: 0.5 of a list of dicts in the first shuffled epoch, all of it at worst; numpy
 * arrays are shared. A spawned worker unpickles a data set of its own.
 */
#pragma once

#include "base/base.h"

enum { OD_PREFETCH_DEFAULT = 2 };

struct od_loading {
    uint64_t batch; /* bytes of one */
    uint64_t prefetch;
    struct od_bytes copied; /* by each worker; a zeroed one counts as nothing */
    bool spawn, pinned;
};

/* n with its range; unknown beyond 62 bits. */
struct od_bytes od_loading_about(double n, double lo, double hi);

/* All of them: unknown beyond 62 bits. The queues in /dev/shm; */
struct od_bytes od_loading_shm(const struct od_loading *l, uint64_t workers);
/* the workers' own memory, with what they copied; */
struct od_bytes od_loading_own(const struct od_loading *l, uint64_t workers);
/* batches that wait in pinned memory until the device takes them: one at least, all in flight at
 * most; */
struct od_bytes od_loading_pinned(const struct od_loading *l, uint64_t workers);
/* and all three, or what the training process holds instead where there are no workers. */
struct od_bytes od_loading_ram(const struct od_loading *l, uint64_t workers);
