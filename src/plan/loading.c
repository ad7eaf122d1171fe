#include "plan/loading.h"

#include <math.h>

enum {
    WORKER_SHM = 20 << 10,
    QUEUES_SHM = 36 << 10,
    FORKED = 6 << 20,
    SPAWNED = 115 << 20,
    SPAWNED_MOST = 625 << 20
};

static const double bytes_most = 4611686018427387904.0; /* 2^62 */

struct od_bytes od_loading_about(double n, double lo, double hi)
{
    if (!(hi < bytes_most))
        return (struct od_bytes){0};
    return (struct od_bytes){
        .n = (uint64_t)n, .lo = (uint64_t)lo, .hi = (uint64_t)hi, .known = true};
}

struct od_bytes od_loading_shm(const struct od_loading *l, uint64_t workers)
{
    uint64_t batches, bytes, small;
    if (workers == 0)
        return od_bytes_exact(0);
    if (ckd_mul(&batches, workers, l->prefetch) || ckd_add(&batches, batches, 1u) ||
        ckd_mul(&bytes, batches, l->batch) || ckd_mul(&small, workers, (uint64_t)WORKER_SHM) ||
        ckd_add(&bytes, bytes, small) || ckd_add(&bytes, bytes, (uint64_t)QUEUES_SHM))
        return (struct od_bytes){0};
    return od_bytes_exact(bytes);
}

uint64_t od_loading_shm_gib(struct od_bytes needed)
{
    static const double filled = 0.9, gib = 1 << 30;
    return (uint64_t)ceil((double)needed.n / filled / gib);
}

struct od_bytes od_loading_own(const struct od_loading *l, uint64_t workers)
{
    double n = (double)workers, batch = (double)l->batch, own = l->spawn ? SPAWNED : FORKED;
    double most = l->spawn ? SPAWNED_MOST : FORKED;
    return od_loading_about(n * (own + batch * 1.25 + (double)l->copied.n),
                            n * (own + (double)l->copied.lo) + (n > 0 ? batch * 1.1 : 0),
                            n * (most + batch * 1.5 + (double)l->copied.hi));
}

struct od_bytes od_loading_pinned(const struct od_loading *l, uint64_t workers)
{
    double batch = (double)l->batch, most = (double)workers * (double)l->prefetch + 1;
    if (!l->pinned)
        return od_bytes_exact(0);
    return od_loading_about(batch * (1 + most) / 2, batch, batch * most);
}

struct od_bytes od_loading_ram(const struct od_loading *l, uint64_t workers)
{
    struct od_bytes shm = od_loading_shm(l, workers), own = od_loading_own(l, workers);
    struct od_bytes pinned = od_loading_pinned(l, workers);
    double batch = (double)l->batch;
    if (!shm.known || !own.known || !pinned.known)
        return (struct od_bytes){0};
    if (workers == 0)
        return od_bytes_add(od_loading_about(batch * 3, batch * 2, batch * 3), pinned);
    return od_bytes_add(od_bytes_add(own, shm), pinned);
}
