/* What a log tells of the loading of data: sample, batch, workers, limits. */
#include "answer/host_parts.h"

#include <math.h>

static struct od_count number(const struct od_host_facts *f, enum od_setting_id id)
{
    struct od_view value = od_case_setting_at(f->c, id, &f->ended->at);
    uint64_t n;
    return od_num_parse_u64(value, &n) && n < 1u << 16 ? od_count_of(n) : (struct od_count){0};
}

static struct od_count batch_size(const struct od_host_facts *f)
{
    if (f->request && f->request->workload.batch > 0)
        return od_count_of(f->request->workload.batch);
    struct od_count batch = number(f, OD_SETTING_BATCH_SIZE);
    return batch.known ? batch : f->failure->batch;
}

/* --- samples and the data set --- */

static bool is_named(const struct od_memory_state *state, const char *name)
{
    return od_view_eq_str(state->name, name) && state->shape.known && state->shape.n > 0 &&
           state->shape.dims[0] > 0;
}

/* A data set's array has more rows than a batch has samples. */
static bool is_array(const struct od_host_facts *f, const struct od_memory_state *state)
{
    struct od_count batch = batch_size(f);
    return is_named(state, "dataset") && state->shape.n > 1 && state->dtype != OD_DTYPE_UNKNOWN &&
           !(batch.known && state->shape.dims[0] <= batch.n);
}

/* Was an array of the same shape and type printed before? Then it is the same one. */
static bool is_repeated(const struct od_host_facts *f, size_t i)
{
    const struct od_memory_state *state = &f->c->states.items[i];
    OD_FOR_EACH_OF (const struct od_memory_state, o, f->c->states.items, i) {
        bool same = is_array(f, o) && o->dtype == state->dtype && o->shape.n == state->shape.n;
        for (uint32_t d = 0; same && d < state->shape.n; d++)
            same = o->shape.dims[d] == state->shape.dims[d];
        if (same)
            return true;
    }
    return false;
}

/* Arrays that are printed with shape and type, each once. */
static void take_arrays(struct od_host_facts *f)
{
    struct od_bytes all = od_bytes_exact(0);
    bool any = false;
    for (size_t i = 0; i < f->c->states.n; i++) {
        const struct od_memory_state *state = &f->c->states.items[i];
        if (!is_array(f, state) || is_repeated(f, i))
            continue;
        any = true;
        all = od_bytes_add(all, od_shape_bytes(&state->shape, state->dtype));
    }
    if (!any || !all.known)
        return;
    f->a->dataset = all;
    f->a->dataset_basis = "arrays whose shape and type the log prints";
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

static void take_split(struct od_host_facts *f)
{
    uint64_t split[OD_SPLIT_PARTS], samples, n;
    od_host_split(f->c, split);
    if (f->a->dataset.known || split[0] == 0 || !f->a->sample.known ||
        ckd_add(&samples, split[0], split[1]) || ckd_add(&samples, samples, split[2]) ||
        ckd_mul(&n, samples, f->a->sample.n))
        return;
    f->a->dataset = od_bytes_exact(n);
    f->a->dataset_basis =
        od_arena_printf(f->arena, "%llu samples of the printed split, if all are loaded at once",
                        (unsigned long long)samples);
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

/* A printed sample; else the row of a printed batch or array. Tensors whose type is not printed are
 * taken for float32. */
static bool take_printed_sample(struct od_host_facts *f, const char *name)
{
    struct od_host_answer *a = f->a;
    OD_FOR_EACH (const struct od_memory_state, state, f->c->states) {
        bool row = strcmp(name, "sample") != 0;
        bool typed = state->dtype != OD_DTYPE_UNKNOWN;
        if (!is_named(state, name) || (row && state->shape.n < 2) ||
            (strcmp(name, "dataset") == 0 && !typed))
            continue;
        struct od_shape one = state->shape;
        if (row)
            one.dims[0] = 1;
        a->sample = od_shape_bytes(&one, typed ? state->dtype : OD_FLOAT32);
        a->sample_assumed = !typed;
        a->sample_basis = od_arena_printf(f->arena, "%s that line %llu prints%s",
                                          !row                           ? "the shape"
                                          : strcmp(name, "dataset") == 0 ? "a row of the array"
                                                                         : "a row of the batch",
                                          (unsigned long long)state->said.at.line,
                                          typed ? "" : ", if it is float32");
        return a->sample.known;
    }
    return false;
}

static void take_sample(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    if (f->request && f->request->sample.shape.known) {
        a->sample = od_shape_bytes(&f->request->sample.shape, f->request->sample.dtype);
        a->sample_basis = "given";
        return;
    }
    if (take_printed_sample(f, "sample") || take_printed_sample(f, "batch") ||
        take_printed_sample(f, "dataset"))
        return;
    a->sample = image_bytes(f->c);
    a->sample_assumed = a->sample.known;
    if (a->sample.known)
        a->sample_basis = "assumed: 3 channels of float32 at the image size that the log states";
}

static void take_batch(struct od_host_facts *f)
{
    struct od_count batch = batch_size(f);
    uint64_t n;
    for (size_t i = 0; !batch.known && i < f->c->states.n; i++)
        if (is_named(&f->c->states.items[i], "batch") && f->c->states.items[i].shape.n > 1)
            batch = od_count_of(f->c->states.items[i].shape.dims[0]);
    if (batch.known && f->a->sample.known && !ckd_mul(&n, batch.n, f->a->sample.n))
        f->a->batch = od_bytes_exact(n);
}

/* --- workers --- */

static const struct od_memory_state *state_of(const struct od_host_facts *f, const char *name)
{
    const struct od_memory_state *found = NULL;
    OD_FOR_EACH (const struct od_memory_state, state, f->c->states)
        if (od_view_eq_str(state->name, name))
            found = state;
    return found;
}

/* The processes of the kernel's table hold it besides RAM. */
static struct od_bytes swap_used(const struct od_host_facts *f)
{
    struct od_bytes used = f->failure->account.swap_used;
    return used.known ? used : od_bytes_exact(0);
}

/* Processes that the kernel's table lists side by side. */
static void take_pool(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    bool loads = a->workers.known;
    struct od_count stated = loads ? a->workers : number(f, OD_SETTING_JOBS);
    struct od_pool pool = od_host_pool(&f->failure->account, stated);
    if (pool.count == 0 || (!stated.known && !od_stack_counts_processes(&f->failure->stack)))
        return;
    a->each = od_bytes_exact((uint64_t)pool.each);
    a->each_mean = true;
    a->each_shared = pool.shared;
    a->each_basis = swap_used(f).n > 0 ? "the kernel's table, swap included" : "the kernel's table";
    /* of shared pages the parent holds one copy, and the workers what is left of the limit */
    a->total = od_bytes_exact(pool.shared ? f->failure->account.limit.bytes.n - (uint64_t)pool.each
                                          : (uint64_t)pool.bytes);
    a->workers = stated.known ? stated : od_count_of(pool.count);
    a->seen = od_count_of(pool.count);
    if (!loads)
        a->name = pool.name;
}

/* What one worker holds: as the log states it, else by the kernel's table. */
static void take_each(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    const struct od_memory_state *said = state_of(f, "worker");
    if (!said || !said->in_use.known) {
        take_pool(f);
        return;
    }
    a->each = said->in_use;
    a->each_basis = od_arena_printf(f->arena, "line %llu", (unsigned long long)said->said.at.line);
    if (!a->workers.known)
        a->workers = said->count;
}

/* The growth of processes of one name besides the first: pages that workers came to own. */
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

static bool pins(const struct od_host_facts *f)
{
    struct od_view text = od_case_setting(f->c, OD_SETTING_PIN_MEMORY);
    return (f->request && f->request->pin_memory) || od_view_eq_str(text, "True") ||
           od_view_eq_str(text, "true");
}

struct od_bytes od_host_held(const struct od_host_facts *f, uint64_t workers)
{
    uint64_t n;
    if (f->a->each.known)
        return ckd_mul(&n, f->a->each.n, workers) ? (struct od_bytes){0} : od_bytes_exact(n);
    return f->a->batch.known ? od_loading_ram(&f->loading, workers) : (struct od_bytes){0};
}

static void take_loading(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    struct od_count prefetch = number(f, OD_SETTING_PREFETCH);
    a->prefetch_said = prefetch.known;
    a->prefetch = prefetch.known ? prefetch : od_count_of(OD_PREFETCH_DEFAULT);
    a->copied = copied_of(f->c, a->workers.n);
    if (a->batch.known) {
        f->loading = (struct od_loading){.batch = a->batch.n,
                                         .prefetch = a->prefetch.n,
                                         .spawn = f->request && f->request->spawn,
                                         .pinned = pins(f)};
        if (a->copied.known)
            f->loading.copied = od_bytes_exact(a->copied.n / a->workers.n);
        a->shm = od_loading_shm(&f->loading, a->workers.n);
        a->own = od_loading_own(&f->loading, a->workers.n);
        a->pinned = od_loading_pinned(&f->loading, a->workers.n);
    }
    if (!a->total.known)
        a->total = od_host_held(f, a->seen.n);
}

/* --- limits --- */

static const struct od_incident *kill_of(const struct od_host_facts *f)
{
    if (od_incident_kind_is_guard(f->ended->kind))
        return f->ended;
    OD_FOR_EACH (const struct od_incident, inc, f->c->incidents)
        if (od_incident_kind_is_guard(inc->kind))
            return inc;
    return NULL;
}

/* The memory that a kill names: a group's limit, else the machine's. */
static struct od_bytes killed_at(struct od_host_facts *f, const struct od_incident *kill)
{
    bool group = kill->limit.known && kill->kind != OD_INC_HOST_OOM_KILL;
    struct od_bytes limit = group ? kill->limit : kill->capacity;
    if (limit.known)
        f->a->limit_basis =
            od_arena_printf(f->arena, "%s, line %llu",
                            group ? "the limit of the group or job" : "the machine's memory",
                            (unsigned long long)kill->at.line);
    return limit;
}

/* The machine's memory as the log states it, and what of it was in use when that was last said. */
static struct od_bytes stated_memory(struct od_host_facts *f, struct od_bytes *ret_used)
{
    struct od_bytes limit = {0};
    OD_FOR_EACH (const struct od_series, s, f->c->series) {
        if (s->metric != OD_SERIES_HOST_USED || !s->limit_known || s->limit <= 0)
            continue;
        limit = od_bytes_exact((uint64_t)s->limit);
        *ret_used = od_bytes_exact((uint64_t)s->last);
        f->a->limit_basis = od_arena_printf(f->arena, "the machine's memory, line %llu",
                                            (unsigned long long)s->last_at.line);
    }
    OD_FOR_EACH (const struct od_setting, setting, f->c->settings) {
        bool is =
            setting->id == OD_SETTING_MACHINE_MEMORY || setting->id == OD_SETTING_MEMORY_LIMIT;
        if (limit.known || !is || !od_setting_size(setting, &limit))
            continue;
        f->a->limit_basis =
            od_arena_printf(f->arena, "line %llu", (unsigned long long)setting->said.at.line);
    }
    return limit;
}

/* What the process that trains held by the last line that says so. */
static double own_rss(const struct od_case *c)
{
    double rss = 0;
    OD_FOR_EACH (const struct od_series, s, c->series)
        if (s->metric == OD_SERIES_HOST_RSS)
            rss = fmax(rss, s->last);
    return rss;
}

/* What all but the loading holds. Where a worker was not measured, the workers may have been killed
 * before they held what they would: the rest is then more than what they leave. It is taken for
 * half of what was in use, as in a plan, unless the log shows what the process held. */
static void take_rest(struct od_host_facts *f, struct od_bytes used)
{
    static const double python = 512.0 * 1024 * 1024; /* with a framework and no data */
    struct od_host_answer *a = f->a;
    if (used.known && a->seen.known)
        used = od_bytes_add(used, swap_used(f));
    if (!used.known || !a->total.known || (a->each.known && a->total.n > used.n))
        return;
    double rss = own_rss(f->c), left = (double)used.n - (double)a->total.n;
    double least = a->each.known ? left : fmax(left, rss > 0 ? rss : python);
    double rest = a->each.known || rss > 0 ? least : fmax(least, (double)used.n / 2);
    a->rest_assumed = rest > fmax(left, rss);
    a->rest = od_bytes_exact((uint64_t)rest);
    f->rest_least = (uint64_t)fmin(least, rest);
}

/* When the kernel or a job's limit killed, all of it was in use, unless the log says how much; what
 * was in use at an earlier line says nothing of that. A limit that is given may be of another
 * machine: it says nothing of what was in use on this one, unless the log names none. */
static void take_memory(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    const struct od_incident *kill = kill_of(f);
    struct od_bytes used = {0}, stated = {0};
    a->limit = kill ? killed_at(f, kill) : (struct od_bytes){0};
    if (kill)
        used = kill->in_use;
    if (!a->limit.known)
        a->limit = stated_memory(f, &stated);
    bool filled = kill && a->limit.known;
    used = used.known ? used : stated.known && !filled ? stated : a->limit;
    if (f->request && f->request->ram.known) {
        a->limit = f->request->ram;
        a->limit_basis = "given";
        used = used.known ? used : a->limit;
    }
    take_rest(f, used);
}

/* A container of Docker's has 64 MiB, unless the command that starts it says more. */
static bool is_default(const struct od_host_facts *f)
{
    const struct od_stack *stack = &f->failure->stack;
    return od_case_setting(f->c, OD_SETTING_SHM_SIZE).n == 0 &&
           (od_stack_has_named(stack, "docker") || od_stack_has_named(stack, "podman") ||
            od_stack_has_named(stack, "kubernetes"));
}

static void take_shm_limit(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    const struct od_memory_state *df = state_of(f, "shm");
    struct od_view given = od_case_setting(f->c, OD_SETTING_SHM_SIZE);
    if (f->request && f->request->shm.known) {
        a->shm_limit = f->request->shm;
        a->shm_basis = "given";
    } else if (df && df->limit.known) {
        a->shm_limit = df->limit;
        a->shm_basis = od_arena_printf(f->arena, "line %llu", (unsigned long long)df->said.at.line);
    } else if (od_bytes_parse(given, OD_UNIT_BINARY, &a->shm_limit)) {
        a->shm_basis = "as the container was started";
    } else if (f->shm && f->ended->limit.known) {
        a->shm_limit = f->ended->limit;
        a->shm_basis =
            od_arena_printf(f->arena, "line %llu", (unsigned long long)f->ended->at.line);
    } else if (f->shm && is_default(f)) {
        a->shm_limit = od_bytes_exact(UINT64_C(64) << 20);
        a->shm_basis = "a container's default";
    }
}

/* Does the run gather memory by itself? Then it fails with any number of workers. */
static bool grows(const struct od_host_facts *f)
{
    OD_FOR_EACH (const struct od_series, s, f->c->series)
        if (od_series_metric_is_host(s->metric) &&
            (s->trend == OD_TREND_LEAK || s->trend == OD_TREND_STAIRCASE))
            return true;
    return false;
}

void od_host_read(struct od_host_facts *f)
{
    struct od_host_answer *a = f->a;
    a->workers = number(f, OD_SETTING_WORKERS);
    take_sample(f);
    take_batch(f);
    take_arrays(f);
    take_split(f);
    take_each(f);
    a->accumulated = accumulated_of(f->c);
    if (!a->workers.known || a->workers.n == 0)
        return;
    if (!a->seen.known)
        a->seen = a->workers;
    take_loading(f);
    if (!f->shm)
        take_memory(f);
    take_shm_limit(f);
    f->grows = !a->copied.known && !f->shm && grows(f);
}
