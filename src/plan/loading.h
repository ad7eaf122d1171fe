/*
 * Host memory needed for loading batches, used both for the plan of a described workload and for
 * the report of a failed run. Pure functions.
 *
 * Measured with PyTorch 1.13's DataLoader. Queues hold (workers x prefetch + 1) batches in
 * /dev/shm, with 20 KiB a worker and 36 KiB for all. A forked worker's own memory is 6 MiB and 1.1
 * to 1.5 batches (the samples before they are collated), which those that wait for room in a queue
 * have freed: at least one holds them; a spawned one imports torch first: 115 MiB (a CUDA build: up
 * to 625). Without workers the training process holds 2 to 3 batches.
 *
 * Copy on write: a forked worker that reads Python objects changes reference counts in their pages,
 * which are then copied: 0.5 of a list of dicts in the first shuffled epoch, all of it at worst;
 * numpy arrays are shared. A spawned worker unpickles a data set of its own.
 */
#pragma once

#include "base/base.h"

enum { OD_PREFETCH_DEFAULT = 2 };

struct od_loading {
    uint64_t batch; /* bytes of one batch */
    uint64_t prefetch;
    struct od_bytes copied; /* copied by each worker; zeroed = nothing */
    bool spawn, pinned;
};

/* n bytes with a range; unknown beyond 62 bits. */
struct od_bytes od_loading_about(double n, double lo, double hi);

/* Bytes of the queues in /dev/shm. These functions return unknown beyond 62 bits. */
struct od_bytes od_loading_shm(const struct od_loading *l, uint64_t workers);
/* The size to give /dev/shm for so many bytes, in whole GiB: a tenth of it stays free. */
uint64_t od_loading_shm_gib(struct od_bytes needed);
/* The workers' own memory, including what they copied. */
struct od_bytes od_loading_own(const struct od_loading *l, uint64_t workers);
/* Batches in pinned memory that wait for the device: at least one, at most all in flight. */
struct od_bytes od_loading_pinned(const struct od_loading *l, uint64_t workers);
/* All three together or, without workers, what the training process holds instead. */
struct od_bytes od_loading_ram(const struct od_loading *l, uint64_t workers);
