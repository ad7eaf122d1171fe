#include "plan/host.h"

#include "plan/loading.h"

/* Highest number of workers considered. */
enum { MOST_WORKERS = 16 };

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

/* RAM left after one copy of the data set and offloaded tensors, halved: the other half is reserved
 * for the training process and unknown needs. */
static struct od_bytes free_ram(const struct od_plan *plan)
{
    const struct od_plan_request *r = &plan->request;
    struct od_bytes ram = r->ram;
    const struct od_bytes held[] = {plan->host.dataset, r->python_objects, plan->host.offloaded};
    for (size_t i = 0; i < OD_COUNT_OF(held); i++)
        if (held[i].known)
            ram.n = ram.n > held[i].n ? ram.n - held[i].n : 0;
    ram.n /= 2;
    return ram;
}

/* Do l's batches with this many workers fit into that share of /dev/shm and half of the RAM? */
static enum od_tri fits(const struct od_plan *plan, const struct od_loading *l, uint64_t workers,
                        double share)
{
    const struct od_plan_request *r = &plan->request;
    struct od_bytes shm = r->shm;
    shm.n = (uint64_t)((double)shm.n * share);
    enum od_tri ram = within(od_loading_ram(l, workers), free_ram(plan));
    if (!shm.known)
        return ram;
    enum od_tri queues = within(od_loading_shm(l, workers), shm);
    return r->ram.known ? both(ram, queues) : queues;
}

static void add_row(struct od_plan *plan, const struct od_loading *l, uint64_t workers)
{
    struct od_plan_host *host = &plan->host;
    size_t at = host->nworkers;
    for (size_t i = 0; i < host->nworkers; i++)
        if (host->workers[i].count == workers)
            return;
    if (host->nworkers == OD_PLAN_WORKERS_MAX)
        return;
    for (host->nworkers++; at > 0 && host->workers[at - 1].count > workers; at--)
        host->workers[at] = host->workers[at - 1];
    host->workers[at] = (struct od_plan_workers){.count = workers,
                                                 .bytes = od_loading_ram(l, workers),
                                                 .shm = od_loading_shm(l, workers),
                                                 .fits = fits(plan, l, workers, 1)};
}

/* Recommends as many workers as there are free cores and as fit into RAM and /dev/shm, a tenth of
 * which is left free. */
static void choose_workers(struct od_plan *plan, const struct od_loading *l)
{
    static const double filled = 0.9;
    struct od_plan_host *host = &plan->host;
    const struct od_plan_request *r = &plan->request;
    uint64_t cores = r->cpus.known ? (r->cpus.n > 1 ? r->cpus.n - 1 : 0) : 4;
    uint64_t most = cores < MOST_WORKERS ? cores : MOST_WORKERS;
    for (uint64_t n = most + 1; n-- > 0 && !host->recommended.known;)
        if (fits(plan, l, n, filled) != OD_NO)
            host->recommended = od_count_of(n);
    if (!r->ram.known && !r->shm.known)
        return;
    most = r->workers.known && r->workers.n > MOST_WORKERS ? r->workers.n : MOST_WORKERS;
    if (fits(plan, l, most, 1) != OD_NO)
        return; /* the largest number is at least this */
    for (uint64_t n = most; n-- > 0 && !host->largest.known;)
        if (fits(plan, l, n, 1) == OD_YES)
            host->largest = od_count_of(n);
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

/* Bytes of one sample: the given size, or the size of a row of the data set. */
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

/* Bytes of the data set that each worker copies. */
static struct od_bytes copied_of(const struct od_plan *plan)
{
    const struct od_plan_request *r = &plan->request;
    double objects = r->python_objects.known ? (double)r->python_objects.n : 0;
    double arrays = plan->host.dataset.known ? (double)plan->host.dataset.n : 0;
    if (r->spawn)
        return od_loading_about(objects + arrays, objects, objects + arrays);
    return od_loading_about(objects * 0.75, objects * 0.5, objects);
}

/* Adds the optimizer states that the workload would otherwise keep on its device. */
static void add_offloaded(struct od_plan *plan, struct od_arena *arena)
{
    struct od_workload w = plan->request.workload;
    struct od_diags *unread = od_diags_new();
    struct od_estimate all;
    bool offloads = w.offload_optimizer || w.offload_params || w.offload_activations;
    w.offload_optimizer = w.offload_params = w.offload_activations = false;
    if (offloads && od_estimate(&w, arena, unread, &all)) {
        const struct od_breakdown *there = &all.breakdown, *here = &plan->estimate.breakdown;
        uint64_t before = there->optimizer.bytes.n + there->parameters.bytes.n;
        uint64_t after = here->optimizer.bytes.n + here->parameters.bytes.n, saved;
        if (plan->request.workload.offload_activations &&
            there->activations.bytes.n > here->activations.bytes.n)
            before += there->activations.bytes.n - here->activations.bytes.n;
        if (!ckd_sub(&saved, before, after))
            plan->host.offloaded = od_bytes_exact(saved);
    }
    od_diags_free(unread);
}

static void add_rows(struct od_plan *plan, const struct od_loading *l)
{
    static const uint64_t counts[] = {0, 1, 2, 4, 8, MOST_WORKERS};
    const struct od_plan_host *host = &plan->host;
    const struct od_count chosen[] = {plan->request.workers, host->recommended, host->largest};
    for (size_t i = 0; i < OD_COUNT_OF(chosen); i++)
        if (chosen[i].known)
            add_row(plan, l, chosen[i].n);
    for (size_t i = 0; i < OD_COUNT_OF(counts); i++)
        add_row(plan, l, counts[i]);
}

void od_plan_add_host(struct od_plan *plan, struct od_arena *arena)
{
    const struct od_plan_request *r = &plan->request;
    struct od_plan_host *host = &plan->host;
    struct od_bytes sample = sample_bytes(r);
    struct od_loading l = {.prefetch = r->prefetch.known ? r->prefetch.n : OD_PREFETCH_DEFAULT,
                           .spawn = r->spawn,
                           .pinned = r->pin_memory};
    add_dataset(plan);
    add_offloaded(plan, arena);
    if (!sample.known || ckd_mul(&l.batch, sample.n, r->workload.batch))
        return;
    l.copied = host->copied = copied_of(plan);
    if (!l.copied.known)
        return;
    host->per_worker = od_loading_ram(&l, 1);
    choose_workers(plan, &l);
    add_rows(plan, &l);
    struct od_count workers = r->workers.known ? r->workers : host->recommended;
    if (!workers.known)
        return;
    host->shm_needed = od_loading_shm(&l, workers.n);
    host->pinned = od_loading_pinned(&l, workers.n);
}
