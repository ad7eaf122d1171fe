/*
 * Host memory for loading batches, used by the plan of a described workload and by the report of a
 * failed run. Pure functions.
 *
 * Measured with PyTorch 1.13's DataLoader. Queues hold (workers x prefetch + 1) batches in
 * /dev/shm, with 20 KiB a worker and 36 KiB for all. A forked worker has 6 MiB of its own and 1.1
 * to 1.5 batches (samples before they are collated); workers that wait for room in a queue have
 * freed theirs, but at least one worker holds them. A spawned worker imports torch: 115 MiB (a CUDA
 * build: up to 625). Without workers the training process holds 2 to 3 batches.
 *
 * Copy on write: a forked worker that reads Python objects changes reference counts in their pages,
 * which are then copied: 0.5 of a list of dicts in the first shuffled epoch, all of it at worst;
 * numpy arrays are shared. A spawned worker unpickles its own data set.
 */
#pragma once

#include "base/base.h"

enum { OD_PREFETCH_DEFAULT = 2 };

struct od_loading {
    uint64_t batch; /* bytes of one batch */
    uint64_t prefetch;
    struct od_bytes copied; /* bytes that each worker copies; zeroed = none */
    bool spawn, pinned;
};

/* n bytes, between lo and hi; unknown if hi exceeds 62 bits. */
struct od_bytes od_loading_about(double n, double lo, double hi);

/* Bytes of the queues in /dev/shm. This and the next functions return unknown beyond 62 bits. */
struct od_bytes od_loading_shm(const struct od_loading *l, uint64_t workers);
/* The size of /dev/shm to set, in whole GiB, so that a tenth of it stays free. */
uint64_t od_loading_shm_gib(struct od_bytes needed);
/* The workers' own memory, including their copies of the data set. */
struct od_bytes od_loading_own(const struct od_loading *l, uint64_t workers);
/* Pinned batches that wait for the device: at least one, at most all in flight. */
struct od_bytes od_loading_pinned(const struct od_loading *l, uint64_t workers);
/* The sum of the three above. Without workers, the batches that the training process holds. */
struct od_bytes od_loading_ram(const struct od_loading *l, uint64_t workers);
