#include "plan/host.h"

/*
 * Measured with PyTorch 1.13's DataLoader and fork: queues hold (workers x prefetch + 1) batches in
 * /dev/shm, with 20 KiB a worker and 36 KiB for all; a forked worker's own memory is 6 MiB and 1.25
 * batches.
 */
enum { WORKER_SHM = 20 << 10, QUEUES_SHM = 36 << 10, WORKER_OWN = 6 << 20, PREFETCH_DEFAULT = 2 };

struct loading {
    uint64_t batch; /* bytes */
    uint64_t prefetch;
};

static struct od_bytes shm_of(const struct loading *l, uint64_t workers)
{
    uint64_t batches, bytes;
    if (workers == 0)
        return od_bytes_exact(0);
    if (ckd_mul(&batches, workers, l->prefetch) || ckd_add(&batches, batches, 1u) ||
        ckd_mul(&bytes, batches, l->batch) ||
        ckd_add(&bytes, bytes, workers * WORKER_SHM + QUEUES_SHM))
        return (struct od_bytes){0};
    return od_bytes_exact(bytes);
}

/* Beyond the parent: the workers' own memory and the queues. */
static struct od_bytes ram_of(const struct loading *l, uint64_t workers)
{
    struct od_bytes shm = shm_of(l, workers);
    uint64_t own, bytes;
    if (workers == 0)
        return ckd_mul(&own, l->batch, 3u) ? (struct od_bytes){0} : od_bytes_exact(own);
    if (!shm.known || ckd_add(&own, l->batch, l->batch / 4 + WORKER_OWN) ||
        ckd_mul(&bytes, own, workers) || ckd_add(&bytes, bytes, shm.n))
        return (struct od_bytes){0};
    return od_bytes_exact(bytes);
}

static enum od_tri both(enum od_tri a, enum od_tri b)
{
    if (a == OD_NO || b == OD_NO)
        return OD_NO;
    return a == OD_YES && b == OD_YES ? OD_YES : OD_CANNOT_TELL;
}

static enum od_tri within(struct od_bytes need, struct od_bytes have)
{
    if (!need.known || !have.known)
        return OD_CANNOT_TELL;
    return need.n <= have.n ? OD_YES : OD_NO;
}

static void add_row(struct od_plan *plan, const struct loading *l, uint64_t workers)
{
    struct od_plan_host *host = &plan->host;
    const struct od_plan_request *r = &plan->request;
    struct od_plan_workers row = {
        .count = workers, .bytes = ram_of(l, workers), .shm = shm_of(l, workers)};
    /* Half of the RAM is left to the parent and to what we know nothing of. */
    struct od_bytes ram = r->ram;
    ram.n /= 2;
    row.fits = within(row.bytes, ram);
    if (r->shm.known)
        row.fits = r->ram.known ? both(row.fits, within(row.shm, r->shm)) : within(row.shm, r->shm);
    if (host->nworkers < OD_PLAN_WORKERS_MAX)
        host->workers[host->nworkers++] = row;
}

/* As many as there are cores to spare and as fit. */
static void choose_workers(struct od_plan *plan)
{
    struct od_plan_host *host = &plan->host;
    const struct od_plan_request *r = &plan->request;
    uint64_t most = r->cpus.known ? (r->cpus.n > 1 ? r->cpus.n - 1 : 0) : 4;
    for (size_t i = 0; i < host->nworkers; i++) {
        const struct od_plan_workers *row = &host->workers[i];
        if (row->count <= most && row->count <= 16 && row->fits != OD_NO)
            host->recommended = od_count_of(row->count);
    }
}

static void add_dataset(struct od_plan *plan)
{
    struct od_plan_host *host = &plan->host;
    const struct od_plan_request *r = &plan->request;
    struct od_bytes device = {0};
    if (r->device.name)
        device = od_bytes_exact(r->device.usable_bytes);
    host->dataset_fits_ram = host->dataset_fits_device = OD_CANNOT_TELL;
    if (!r->dataset.shape.known)
        return;
    host->dataset = od_shape_bytes(&r->dataset.shape, r->dataset.dtype);
    host->dataset_fits_ram = within(host->dataset, r->ram);
    host->dataset_fits_device =
        within(od_bytes_add(host->dataset, od_bytes_exact(plan->estimate.peak.n)), device);
}

/* One sample's bytes: as given, else a row of the data set. */
static struct od_bytes sample_bytes(const struct od_plan_request *r)
{
    if (r->sample.shape.known)
        return od_shape_bytes(&r->sample.shape, r->sample.dtype);
    struct od_shape one = r->dataset.shape;
    if (!one.known || one.n == 0)
        return (struct od_bytes){0};
    one.dims[0] = 1;
    return od_shape_bytes(&one, r->dataset.dtype);
}

void od_plan_add_host(struct od_plan *plan)
{
    static const uint64_t counts[] = {0, 1, 2, 4, 8, 16};
    const struct od_plan_request *r = &plan->request;
    struct od_plan_host *host = &plan->host;
    struct od_bytes sample = sample_bytes(r);
    struct loading l = {.prefetch = r->prefetch.known ? r->prefetch.n : PREFETCH_DEFAULT};
    add_dataset(plan);
    if (!sample.known || ckd_mul(&l.batch, sample.n, r->workload.batch))
        return;
    host->per_worker = ram_of(&l, 1);
    for (size_t i = 0; i < OD_COUNT_OF(counts); i++)
        add_row(plan, &l, counts[i]);
    choose_workers(plan);
    struct od_count workers = r->workers.known ? r->workers : host->recommended;
    if (workers.known)
        host->shm_needed = shm_of(&l, workers.n);
}
