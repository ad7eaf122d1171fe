#include "plan/host_answer.h"

#include <math.h>

enum { WORKER_SHM = 20 << 10, QUEUES_SHM = 36 << 10, WORKER_OWN = 6 << 20, PREFETCH_DEFAULT = 2 };

static struct od_count number(const struct od_case *c, const char *name)
{
    uint64_t n;
    return od_num_parse_u64(od_case_setting(c, name), &n) && n < 1u << 24 ? od_count_of(n)
                                                                          : (struct od_count){0};
}

static bool is_host_failure(const struct od_diagnosis *diagnosis)
{
    const struct od_incident *inc = diagnosis->failure;
    if (!inc)
        return false;
    switch (inc->kind) {
    case OD_INC_HOST_ALLOC_FAILED:
    case OD_INC_HOST_OOM_KILL:
    case OD_INC_CGROUP_OOM_KILL:
    case OD_INC_JOB_LIMIT_KILL:
    case OD_INC_PRESSURE_KILL:
    case OD_INC_SHM_EXHAUSTED:
    case OD_INC_WORKER_KILLED:
    case OD_INC_UNEXPLAINED_KILL:
        return true;
    case OD_INC_DEVICE_ALLOC_FAILED:
    case OD_INC_DEVICE_COMPILE_OOM:
    case OD_INC_DEVICE_CONTEXT_FAILED:
    case OD_INC_KV_CACHE_TOO_SMALL:
    case OD_INC_SOFT_WARNING:
    case OD_INC_END:
        break;
    }
    return false;
}

/* "224", "224x224" as float32 in three channels: what most loaders hand over. */
static struct od_bytes image_bytes(const struct od_case *c)
{
    struct od_view text = od_case_setting(c, "image_size");
    uint64_t h, w, n;
    if (!od_num_take_u64(&text, &h))
        return (struct od_bytes){0};
    while (text.n > 0 && (text.p[0] == ' ' || text.p[0] == 'x' || text.p[0] == ','))
        text = od_view_from(text, 1);
    if (!od_num_take_u64(&text, &w))
        w = h;
    if (ckd_mul(&n, h, w) || ckd_mul(&n, n, UINT64_C(12)) || n > UINT64_C(1) << 34)
        return (struct od_bytes){0};
    return od_bytes_exact(n);
}

static struct od_bytes batch_bytes(const struct od_case *c, const struct od_plan_request *request)
{
    struct od_count batch = number(c, "batch_size");
    struct od_bytes sample = image_bytes(c);
    uint64_t n;
    if (request && request->sample.shape.known)
        sample = od_shape_bytes(&request->sample.shape, request->sample.dtype);
    if (request && request->workload.batch > 0)
        batch = od_count_of(request->workload.batch);
    if (!batch.known || !sample.known || ckd_mul(&n, batch.n, sample.n))
        return (struct od_bytes){0};
    return od_bytes_exact(n);
}

static struct od_bytes times(struct od_bytes bytes, uint64_t n)
{
    uint64_t product;
    return !bytes.known || ckd_mul(&product, bytes.n, n) ? (struct od_bytes){0}
                                                         : od_bytes_exact(product);
}

static struct od_bytes shm_of(struct od_bytes batch, uint64_t workers, uint64_t prefetch)
{
    if (workers == 0)
        return od_bytes_exact(0);
    return od_bytes_add(times(batch, workers * prefetch + 1),
                        od_bytes_exact(workers * WORKER_SHM + QUEUES_SHM));
}

static struct od_bytes own_of(struct od_bytes batch, uint64_t workers)
{
    struct od_bytes one = od_bytes_add(batch, od_bytes_exact(batch.n / 4 + WORKER_OWN));
    return times(one, workers);
}

/* What processes of one name beside the first have grown by: pages that workers came to own. */
static struct od_bytes copied_of(const struct od_case *c, uint64_t workers)
{
    double grown = 0;
    uint64_t n = 0;
    for (size_t i = 0; i < c->series.n; i++) {
        const struct od_series *s = &c->series.items[i];
        if (s->metric == OD_SERIES_HOST_RSS && s->pid.known && s->last > s->first) {
            grown += s->last - s->first;
            n++;
        }
    }
    return n >= 2 && n >= workers ? od_bytes_exact((uint64_t)fmin(grown, 9e15))
                                  : (struct od_bytes){0};
}

static struct od_bytes accumulated_of(const struct od_case *c)
{
    double most = 0;
    for (size_t i = 0; i < c->series.n; i++) {
        const struct od_series *s = &c->series.items[i];
        if (od_series_metric_is_host(s->metric) && s->phase == OD_SERIES_PHASE_VALIDATION)
            most = fmax(most, s->grown_in[OD_SERIES_PHASE_VALIDATION]);
    }
    return most > 0 ? od_bytes_exact((uint64_t)fmin(most, 9e15)) : (struct od_bytes){0};
}

static bool pins(const struct od_case *c)
{
    struct od_view text = od_case_setting(c, "pin_memory");
    return od_view_eq_str(text, "True") || od_view_eq_str(text, "true");
}

static const char *say_why(const struct od_host_answer *a, struct od_arena *arena)
{
    char each[OD_BYTES_TEXT], shm[OD_BYTES_TEXT], own[OD_BYTES_TEXT], saves[OD_BYTES_TEXT];
    char copied[OD_BYTES_TEXT];
    unsigned long long workers = a->workers.n, ahead = a->prefetch.n, to = a->recommended.n;
    if (!a->batch.known)
        return od_arena_printf(arena,
                               "%llu workers read %llu batches ahead each; what a batch takes is "
                               "not in the log.%s%s",
                               workers, ahead, a->copied.known ? " The workers grew by " : "",
                               a->copied.known ? od_bytes_print(a->copied, copied) : "");
    return od_arena_printf(
        arena,
        "%llu workers x %llu batches ahead + 1 = %llu batches of %s: %s in shared memory, and %s "
        "of "
        "their own.%s%s%s",
        workers, ahead, workers * ahead + 1, od_bytes_print(a->batch, each),
        od_bytes_print(a->shm, shm), od_bytes_print(a->own, own),
        a->recommended.known ? od_arena_printf(arena, " %llu workers would hold ", to) : "",
        a->recommended.known ? od_bytes_print(a->saves, saves) : "",
        a->recommended.known ? " less, because each of them holds its own." : "");
}

const struct od_host_answer *od_host_answer_of(const struct od_case *c,
                                               const struct od_diagnosis *diagnosis,
                                               const struct od_plan_request *request,
                                               struct od_arena *arena)
{
    enum { FEWEST = 2 };
    struct od_count workers = number(c, "workers"), prefetch = number(c, "prefetch");
    if (!is_host_failure(diagnosis) || !workers.known || workers.n == 0)
        return NULL;
    struct od_host_answer *a = OD_NEW(arena, struct od_host_answer);
    a->workers = workers;
    a->prefetch_said = prefetch.known;
    a->prefetch = prefetch.known ? prefetch : od_count_of(PREFETCH_DEFAULT);
    a->batch = batch_bytes(c, request);
    a->copied = copied_of(c, workers.n);
    a->accumulated = accumulated_of(c);
    if (workers.n > FEWEST)
        a->recommended = od_count_of(workers.n / 2);
    if (a->batch.known) {
        uint64_t ahead = a->prefetch.n;
        a->shm = shm_of(a->batch, workers.n, ahead);
        a->own = own_of(a->batch, workers.n);
        a->pinned = pins(c) ? times(a->batch, ahead) : od_bytes_exact(0);
        a->total = od_bytes_add(od_bytes_add(a->shm, a->own), a->pinned);
        if (a->recommended.known) {
            struct od_bytes then = od_bytes_add(shm_of(a->batch, a->recommended.n, ahead),
                                                own_of(a->batch, a->recommended.n));
            a->saves = od_bytes_sub(od_bytes_add(a->shm, a->own), then);
            if (a->copied.known)
                a->saves = od_bytes_add(a->saves, od_bytes_exact(a->copied.n / 2));
        }
    }
    a->why = say_why(a, arena);
    return a;
}
