/* Facts that a log prints about the batches of a data loader. */
#include "fit/loader.h"

struct asked {
    const struct od_loader_question *q;
    struct od_loader *to;
};

struct od_count od_loader_number(const struct od_loader_question *q, enum od_setting_id id)
{
    struct od_view value = od_case_setting_at(q->c, id, &q->ended->at);
    uint64_t n;
    return od_num_parse_u64(value, &n) && n < 1u << 16 ? od_count_of(n) : (struct od_count){0};
}

/* An image such as "224" or "224x224" in float32 with three channels, the usual output of
 * loaders. */
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

/* Takes the size of a printed sample, else of a row of a printed batch or array. Tensors without a
 * printed type count as float32. */
static bool take_printed_sample(const struct asked *f, const char *name)
{
    struct od_loader *a = f->to;
    OD_FOR_EACH (const struct od_memory_state, state, f->q->c->states) {
        bool row = strcmp(name, "sample") != 0;
        bool typed = state->dtype != OD_DTYPE_UNKNOWN;
        if (!od_view_eq_str(state->name, name) || !state->shape.known || state->shape.n <= row ||
            (strcmp(name, "dataset") == 0 && !typed))
            continue;
        struct od_shape one = state->shape;
        if (row)
            one.dims[0] = 1;
        a->sample = od_shape_bytes(&one, typed ? state->dtype : OD_FLOAT32);
        a->sample_assumed = !typed;
        a->sample_basis = od_arena_printf(f->q->arena, "%s that line %llu prints%s",
                                          !row                           ? "the shape"
                                          : strcmp(name, "dataset") == 0 ? "a row of the array"
                                                                         : "a row of the batch",
                                          (unsigned long long)state->said.at.line,
                                          typed ? "" : ", if it is float32");
        return a->sample.known;
    }
    return false;
}

static void take_sample(const struct asked *f)
{
    struct od_loader *a = f->to;
    if (f->q->request && f->q->request->sample.shape.known) {
        a->sample = od_shape_bytes(&f->q->request->sample.shape, f->q->request->sample.dtype);
        a->sample_basis = "given";
        return;
    }
    if (take_printed_sample(f, "sample") || take_printed_sample(f, "batch") ||
        take_printed_sample(f, "dataset"))
        return;
    a->sample = image_bytes(f->q->c);
    a->sample_assumed = a->sample.known;
    if (a->sample.known)
        a->sample_basis = "assumed: 3 channels of float32 at the image size that the log states";
}

static void take_batch(const struct asked *f)
{
    const struct od_plan_request *request = f->q->request;
    struct od_count batch = od_loader_number(f->q, OD_SETTING_BATCH_SIZE);
    uint64_t n;
    if (request && request->workload.batch > 0)
        batch = od_count_of(request->workload.batch);
    else if (!batch.known)
        batch = f->q->failure->batch;
    if (batch.known && f->to->sample.known && !ckd_mul(&n, batch.n, f->to->sample.n))
        f->to->batch = od_bytes_exact(n);
}

static bool pins(const struct od_loader_question *q)
{
    struct od_view text = od_case_setting(q->c, OD_SETTING_PIN_MEMORY);
    return (q->request && q->request->pin_memory) || od_view_eq_str(text, "True") ||
           od_view_eq_str(text, "true");
}

void od_loader_of(const struct od_loader_question *q, struct od_loader *ret_loader)
{
    struct asked asked = {q, ret_loader};
    *ret_loader = (struct od_loader){.workers = od_loader_number(q, OD_SETTING_WORKERS)};
    take_sample(&asked);
    take_batch(&asked);
    struct od_count prefetch = od_loader_number(q, OD_SETTING_PREFETCH);
    ret_loader->prefetch_said = prefetch.known;
    ret_loader->prefetch = prefetch.known ? prefetch : od_count_of(OD_PREFETCH_DEFAULT);
    ret_loader->loading = (struct od_loading){.batch = ret_loader->batch.n,
                                              .prefetch = ret_loader->prefetch.n,
                                              .spawn = q->request && q->request->spawn,
                                              .pinned = pins(q)};
}

struct od_bytes od_loader_memory(const struct od_loader_question *q, const char **ret_basis)
{
    struct od_bytes limit = {0};
    OD_FOR_EACH (const struct od_series, s, q->c->series) {
        if (s->metric != OD_SERIES_HOST_USED || !s->limit_known || s->limit <= 0)
            continue;
        limit = od_bytes_exact((uint64_t)s->limit);
        *ret_basis = od_arena_printf(q->arena, "the machine's memory, line %llu",
                                     (unsigned long long)s->last_at.line);
    }
    OD_FOR_EACH (const struct od_setting, setting, q->c->settings) {
        bool is =
            setting->id == OD_SETTING_MACHINE_MEMORY || setting->id == OD_SETTING_MEMORY_LIMIT;
        if (limit.known || !is || !od_setting_size(setting, &limit))
            continue;
        *ret_basis =
            od_arena_printf(q->arena, "line %llu", (unsigned long long)setting->said.at.line);
    }
    return limit;
}
