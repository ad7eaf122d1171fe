#include "answer/host_answer.h"

#include "plan/loading.h"

#include <math.h>

static const double margin = 0.1; /* of the limit, left free */

struct asking {
    const struct od_case *c;
    const struct od_incident *failure;
    const struct od_plan_request *request; /* or NULL */
    struct od_arena *arena;
    struct od_host_answer *a;
    struct od_loading loading;
    bool shm; /* /dev/shm ran out, not the memory */
};

static struct od_count number(const struct asking *q, enum od_setting_id id)
{
    struct od_view value = od_case_setting_at(q->c, id, &q->failure->at);
    uint64_t n;
    return od_num_parse_u64(value, &n) && n < 1u << 16 ? od_count_of(n) : (struct od_count){0};
}

static bool is_host_failure(const struct od_diagnosis *diagnosis)
{
    return diagnosis->failure->run.ended &&
           od_incident_kind_is_host(diagnosis->failure->run.ended->kind);
}

/* "224", "224x224" as float32 in three channels: what most loaders hand over. */
static struct od_bytes image_bytes(const struct od_case *c)
{
    struct od_view text = od_case_setting(c, OD_SETTING_IMAGE_SIZE);
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

/* --- the data set --- */

static bool is_array(const struct od_memory_state *state)
{
    return od_view_eq_str(state->name, "dataset") && state->shape.known && state->shape.n > 1 &&
           state->shape.dims[0] > 0 && state->dtype != OD_DTYPE_UNKNOWN;
}

/* Was one of its shape and type printed before? Then it is taken for the same. */
static bool is_repeated(const struct od_case *c, size_t i)
{
    const struct od_memory_state *state = &c->states.items[i];
    OD_FOR_EACH_OF (const struct od_memory_state, o, c->states.items, i) {
        bool same = is_array(o) && o->dtype == state->dtype && o->shape.n == state->shape.n;
        for (uint32_t d = 0; same && d < state->shape.n; d++)
            same = o->shape.dims[d] == state->shape.dims[d];
        if (same)
            return true;
    }
    return false;
}

static struct od_bytes row_bytes(const struct od_memory_state *state)
{
    struct od_shape one = state->shape;
    one.dims[0] = 1;
    return od_shape_bytes(&one, state->dtype);
}

/* Arrays that are printed with shape and type, each once. */
static void take_arrays(struct asking *q)
{
    struct od_bytes all = od_bytes_exact(0);
    bool any = false;
    for (size_t i = 0; i < q->c->states.n; i++) {
        const struct od_memory_state *state = &q->c->states.items[i];
        if (!is_array(state) || is_repeated(q->c, i))
            continue;
        any = true;
        all = od_bytes_add(all, od_shape_bytes(&state->shape, state->dtype));
    }
    if (!any || !all.known)
        return;
    q->a->dataset = all;
    q->a->dataset_basis = "arrays whose shape and type the log prints";
}

void od_host_split(const struct od_case *c, uint64_t ret_samples[static OD_SPLIT_PARTS])
{
    struct od_view text = od_case_setting(c, OD_SETTING_DATASET_SPLIT);
    memset(ret_samples, 0, OD_SPLIT_PARTS * sizeof *ret_samples);
    for (size_t i = 0; text.n > 0 && i < OD_SPLIT_PARTS;) {
        if (od_num_take_u64(&text, &ret_samples[i]))
            i++;
        else
            text = od_view_from(text, 1);
    }
}

static void take_split(struct asking *q)
{
    uint64_t split[OD_SPLIT_PARTS], samples, n;
    od_host_split(q->c, split);
    if (q->a->dataset.known || split[0] == 0 || !q->a->sample.known ||
        ckd_add(&samples, split[0], split[1]) || ckd_add(&samples, samples, split[2]) ||
        ckd_mul(&n, samples, q->a->sample.n))
        return;
    q->a->dataset = od_bytes_exact(n);
    q->a->dataset_basis =
        od_arena_printf(q->arena, "%llu samples of the printed split, if all are loaded at once",
                        (unsigned long long)samples);
}

static void take_sample(struct asking *q)
{
    struct od_host_answer *a = q->a;
    if (q->request && q->request->sample.shape.known) {
        a->sample = od_shape_bytes(&q->request->sample.shape, q->request->sample.dtype);
        a->sample_basis = "given";
        return;
    }
    for (size_t i = 0; i < q->c->states.n; i++) {
        if (!is_array(&q->c->states.items[i]))
            continue;
        a->sample = row_bytes(&q->c->states.items[i]);
        a->sample_basis = od_arena_printf(q->arena, "a row of the array that line %llu prints",
                                          (unsigned long long)q->c->states.items[i].said.at.line);
        return;
    }
    a->sample = image_bytes(q->c);
    a->sample_assumed = a->sample.known;
    if (a->sample.known)
        a->sample_basis = "assumed: 3 channels of float32 at the image size that the log states";
}

/* --- what the run has to fit --- */

static bool is_kill(const struct od_incident *inc)
{
    return inc->kind == OD_INC_HOST_OOM_KILL || inc->kind == OD_INC_CGROUP_OOM_KILL ||
           inc->kind == OD_INC_JOB_LIMIT_KILL || inc->kind == OD_INC_PRESSURE_KILL;
}

/* The memory that a kill says there was: a group's limit, else the machine's. */
static struct od_bytes printed_limit(struct asking *q, const struct od_incident *inc)
{
    bool group = inc->limit.known && inc->kind != OD_INC_HOST_OOM_KILL;
    struct od_bytes limit = group ? inc->limit : inc->capacity;
    if (limit.known)
        q->a->limit_basis = od_arena_printf(q->arena, "%s, line %llu",
                                            q->shm  ? "of /dev/shm"
                                            : group ? "the limit of the group or job"
                                                    : "the machine's memory",
                                            (unsigned long long)inc->at.line);
    return limit;
}

/* When the kernel or a job's limit killed, all of it was in use, unless it is said how much was. */
static void take_limit(struct asking *q)
{
    struct od_host_answer *a = q->a;
    const struct od_incident *found = NULL;
    struct od_bytes used = {0};
    const struct od_bytes *given = NULL;
    if (q->request)
        given = q->shm ? &q->request->shm : &q->request->ram;
    if (is_kill(q->failure) || q->shm)
        found = q->failure;
    for (size_t i = 0; !found && i < q->c->incidents.n; i++)
        if (is_kill(&q->c->incidents.items[i]))
            found = &q->c->incidents.items[i];
    if (found) {
        a->limit = printed_limit(q, found);
        used = found->in_use.known ? found->in_use : a->limit.known ? a->limit : found->process.rss;
    }
    if (given && given->known) {
        a->limit = *given;
        a->limit_basis = "given";
    }
    uint64_t rest;
    if (q->shm)
        a->rest = od_bytes_exact(0);
    else if (used.known && a->total.known && !ckd_sub(&rest, used.n, a->total.n))
        a->rest = od_bytes_exact(rest);
}

/* Does the run gather memory by itself? Then it comes to its end with any number of workers. */
static bool grows(const struct asking *q)
{
    for (size_t i = 0; i < q->c->series.n && !q->a->copied.known; i++) {
        const struct od_series *s = &q->c->series.items[i];
        if (od_series_metric_is_host(s->metric) &&
            (s->trend == OD_TREND_LEAK || s->trend == OD_TREND_STAIRCASE))
            return true;
    }
    return false;
}

/* What so many workers hold in all, in what ran out. */
static struct od_bytes held_by(const struct asking *q, uint64_t workers)
{
    return q->shm ? od_loading_shm(&q->loading, workers) : od_loading_ram(&q->loading, workers);
}

static bool fits(const struct asking *q, uint64_t workers)
{
    struct od_bytes need = held_by(q, workers);
    return need.known &&
           (double)q->a->rest.n + (double)need.n <= (1 - margin) * (double)q->a->limit.n;
}

static void choose(struct asking *q)
{
    struct od_host_answer *a = q->a;
    uint64_t most = a->workers.n;
    if (q->request && q->request->cpus.known && q->request->cpus.n < most)
        most = q->request->cpus.n;
    if (a->limit.known && a->rest.known && a->batch.known && !grows(q)) {
        uint64_t n = most;
        while (n > 0 && !fits(q, n))
            n--;
        if (fits(q, n))
            a->recommended = od_count_of(n);
    }
    a->fewer = a->recommended;
    if (!a->fewer.known || a->fewer.n >= a->workers.n)
        a->fewer = a->workers.n > 1 ? od_count_of(a->workers.n / 2) : (struct od_count){0};
}

/* --- loading --- */

/* What processes of one name beside the first have grown by: pages that workers came to own. */
static struct od_bytes copied_of(const struct od_case *c, uint64_t workers)
{
    double grown = 0;
    uint64_t n = 0;
    OD_FOR_EACH (const struct od_series, s, c->series) {
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
    OD_FOR_EACH (const struct od_series, s, c->series)
        if (od_series_metric_is_host(s->metric) && s->phase == OD_SERIES_PHASE_VALIDATION)
            most = fmax(most, s->grown_in[OD_SERIES_PHASE_VALIDATION]);
    return most > 0 ? od_bytes_exact((uint64_t)fmin(most, 9e15)) : (struct od_bytes){0};
}

static bool pins(const struct asking *q)
{
    struct od_view text = od_case_setting(q->c, OD_SETTING_PIN_MEMORY);
    return (q->request && q->request->pin_memory) || od_view_eq_str(text, "True") ||
           od_view_eq_str(text, "true");
}

static struct od_bytes batch_bytes(const struct asking *q)
{
    struct od_count batch = number(q, OD_SETTING_BATCH_SIZE);
    uint64_t n;
    if (q->request && q->request->workload.batch > 0)
        batch = od_count_of(q->request->workload.batch);
    if (!batch.known || !q->a->sample.known || ckd_mul(&n, batch.n, q->a->sample.n))
        return (struct od_bytes){0};
    return od_bytes_exact(n);
}

static void take_loading(struct asking *q)
{
    struct od_host_answer *a = q->a;
    struct od_count prefetch = number(q, OD_SETTING_PREFETCH);
    a->prefetch_said = prefetch.known;
    a->prefetch = prefetch.known ? prefetch : od_count_of(OD_PREFETCH_DEFAULT);
    a->batch = batch_bytes(q);
    a->copied = copied_of(q->c, a->workers.n);
    if (!a->batch.known)
        return;
    q->loading = (struct od_loading){.batch = a->batch.n,
                                     .prefetch = a->prefetch.n,
                                     .spawn = q->request && q->request->spawn,
                                     .pinned = pins(q)};
    if (a->copied.known)
        q->loading.copied = od_bytes_exact(a->copied.n / a->workers.n);
    a->shm = od_loading_shm(&q->loading, a->workers.n);
    a->own = od_loading_own(&q->loading, a->workers.n);
    a->pinned = od_loading_pinned(&q->loading, a->workers.n);
    a->total = od_loading_ram(&q->loading, a->workers.n);
}

/* --- in words --- */

static void say_loading(const struct asking *q, struct od_buf *to)
{
    const struct od_host_answer *a = q->a;
    unsigned long long workers = a->workers.n, ahead = a->prefetch.n;
    if (!a->batch.known)
        return;
    od_buf_printf(to,
                  "%llu workers x %llu prefetched batches + 1 = %llu batches of %s: %s in shared "
                  "memory, and %s in the workers",
                  workers, ahead, workers * ahead + 1, od_bytes_text_u64(q->arena, a->batch.n),
                  od_bytes_text_u64(q->arena, a->shm.n), od_bytes_text_u64(q->arena, a->own.n));
    if (q->loading.pinned)
        od_buf_printf(to, "; %s of pinned copies", od_bytes_text_u64(q->arena, a->pinned.n));
    od_buf_printf(to, ". A sample is %s (%s).", od_bytes_text_u64(q->arena, a->sample.n),
                  a->sample_basis);
}

static void say_saving(const struct asking *q, struct od_buf *to)
{
    const struct od_host_answer *a = q->a;
    if (!a->saves.known)
        return;
    od_buf_printf(
        to,
        " Reducing workers from %llu to %llu saves %s, because each holds its own copy: %s instead "
        "of %s%s.",
        (unsigned long long)a->workers.n, (unsigned long long)a->fewer.n,
        od_bytes_text_u64(q->arena, a->saves.n),
        od_bytes_text_u64(q->arena, held_by(q, a->fewer.n).n),
        od_bytes_text_u64(q->arena, held_by(q, a->workers.n).n), q->shm ? " in shared memory" : "");
}

static void say_limit(const struct asking *q, struct od_buf *to)
{
    const struct od_host_answer *a = q->a;
    if (!a->batch.known)
        return;
    if (grows(q)) {
        od_buf_printf(to, " Memory also grows over time, so fewer workers only delay the failure.");
        return;
    }
    if (!a->limit.known || !a->rest.known)
        return;
    od_buf_printf(to, " Of %s (%s)", od_bytes_text_u64(q->arena, a->limit.n), a->limit_basis);
    if (!q->shm)
        od_buf_printf(to, " the rest of the run used %s", od_bytes_text_u64(q->arena, a->rest.n));
    if (a->recommended.known)
        od_buf_printf(to, "%s At most %llu workers leave a tenth free.", q->shm ? "," : ":",
                      (unsigned long long)a->recommended.n);
    else
        od_buf_printf(to, "%s no number of workers leaves a tenth free.", q->shm ? "," : ":");
}

static const char *say_why(const struct asking *q)
{
    const struct od_host_answer *a = q->a;
    struct od_buf to = {0};
    if (a->workers.known && a->workers.n > 0) {
        say_loading(q, &to);
        say_saving(q, &to);
        say_limit(q, &to);
    }
    if (a->copied.known)
        od_buf_printf(&to, " The workers grew by %s in total: pages copied on write.",
                      od_bytes_text_u64(q->arena, a->copied.n));
    if (a->accumulated.known)
        od_buf_printf(&to, " Validation kept %s, independent of the number of workers.",
                      od_bytes_text_u64(q->arena, a->accumulated.n));
    if (a->dataset.known)
        od_buf_printf(&to, " The dataset takes %s (%s).", od_bytes_text_u64(q->arena, a->dataset.n),
                      a->dataset_basis);
    const char *why = od_arena_str(q->arena, od_view_trim(od_buf_view(&to)));
    od_buf_done(&to);
    return why;
}

const struct od_host_answer *od_host_answer_of(const struct od_case *c,
                                               const struct od_diagnosis *diagnosis,
                                               const struct od_plan_request *request,
                                               struct od_arena *arena)
{
    if (!is_host_failure(diagnosis))
        return NULL;
    struct od_host_answer *a = OD_NEW(arena, struct od_host_answer);
    struct asking q = {.c = c,
                       .failure = diagnosis->failure->run.ended,
                       .request = request,
                       .arena = arena,
                       .a = a,
                       .shm = diagnosis->failure->run.ended->kind == OD_INC_SHM_EXHAUSTED};
    a->workers = number(&q, OD_SETTING_WORKERS);
    take_sample(&q);
    take_arrays(&q);
    take_split(&q);
    a->accumulated = accumulated_of(c);
    if (a->workers.known && a->workers.n > 0) {
        take_loading(&q);
        take_limit(&q);
        choose(&q);
        if (a->batch.known && a->fewer.known)
            a->saves = od_bytes_sub(held_by(&q, a->workers.n), held_by(&q, a->fewer.n));
    } else if (!a->dataset.known) {
        return NULL;
    }
    a->why = say_why(&q);
    return a;
}
