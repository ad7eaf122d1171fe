#include "models/files/graph_step.h"

/* Width of the weights, or of most kept bytes if there are none. Losses in float32 do not count. */
static unsigned most_bits(const struct od_graph_step *step)
{
    uint64_t of[2][2] = {{0}}; /* index: [kept, of weights][16, 32 bit] */
    OD_FOR_EACH (const struct od_graph_tensor, t, step->tensors)
        if ((t->kept || t->parameter) && !t->buffer && (t->bits == 16 || t->bits == 32))
            of[t->parameter][t->bits == 32] += t->elements;
    bool weights = of[1][0] + of[1][1] > 0;
    return of[weights][0] > of[weights][1] ? 16 : 32;
}

static bool is_alike(const struct od_graph_step *step, const struct od_graph_step *larger)
{
    if (!larger || larger->batch <= step->batch || larger->nops != step->nops ||
        larger->tensors.n != step->tensors.n)
        return false;
    for (size_t i = 0; i < step->tensors.n; i++) {
        const struct od_graph_tensor *a = &step->tensors.items[i], *b = &larger->tensors.items[i];
        if (a->born != b->born || a->last != b->last || a->kept != b->kept || b->bytes < a->bytes)
            return false;
    }
    return true;
}

/* Splits recorded bytes by width. Rounds up, so that kept memory is not underestimated. */
static struct od_recorded_bytes split(const struct od_graph_step *step,
                                      const struct od_graph_step *larger, size_t i)
{
    const struct od_graph_tensor *t = &step->tensors.items[i];
    uint64_t all, each = t->bytes / step->batch + (t->bytes % step->batch != 0);
    if (t->gradient)
        return (struct od_recorded_bytes){.fixed = t->bytes};
    if (!larger)
        return (struct od_recorded_bytes){.sample = each};
    uint64_t more = larger->tensors.items[i].bytes - t->bytes;
    uint64_t by = larger->batch - step->batch;
    each = more / by + (more % by != 0);
    if (ckd_mul(&all, each, step->batch) || all > t->bytes)
        return (struct od_recorded_bytes){.sample = each};
    return (struct od_recorded_bytes){.fixed = t->bytes - all, .sample = each};
}

/* A number of bytes that are allocated or released at an operation. */
struct change {
    struct od_recorded_bytes begins, ends;
    uint64_t gradients;
};

static bool add(struct od_recorded_bytes *to, struct od_recorded_bytes bytes)
{
    return !ckd_add(&to->fixed, to->fixed, bytes.fixed) &&
           !ckd_add(&to->sample, to->sample, bytes.sample);
}

/* Number of the last operation that uses a tensor. Inputs are held by their creator, outputs by the
 * training loop, and a saved tensor that is not read again by its node of the graph. */
static uint32_t end_of(const struct od_graph_step *step, const struct od_graph_tensor *t)
{
    bool unread = t->kept && t->last <= step->backward;
    return t->born == 0 || t->output || unread ? step->nops : t->last;
}

static bool list_changes(const struct od_graph_step *step, const struct od_graph_step *larger,
                         struct change *changes, struct od_recorded *r)
{
    for (size_t i = 0; i < step->tensors.n; i++) {
        const struct od_graph_tensor *t = &step->tensors.items[i];
        struct od_recorded_bytes bytes = split(step, larger, i);
        if (t->parameter || t->buffer)
            continue;
        if (t->kept && !add(&r->saved, bytes))
            return false;
        if (t->gradient &&
            ckd_add(&changes[t->born].gradients, changes[t->born].gradients, t->bytes))
            return false;
        if (!t->gradient && (!add(&changes[t->born].begins, bytes) ||
                             !add(&changes[end_of(step, t) + 1].ends, bytes)))
            return false;
    }
    return true;
}

static bool follow(const struct change *changes, struct od_recorded *r)
{
    struct od_recorded_moment now = {0};
    for (size_t i = 0; i < r->nmoments; i++) {
        now.held.fixed -= changes[i].ends.fixed;
        now.held.sample -= changes[i].ends.sample;
        if (!add(&now.held, changes[i].begins) ||
            ckd_add(&now.gradients, now.gradients, changes[i].gradients))
            return false;
        r->moments[i] = now;
    }
    r->gradients = now.gradients;
    return true;
}

static bool count_own(const struct od_graph_step *step, struct od_recorded *r)
{
    OD_FOR_EACH (const struct od_graph_tensor, t, step->tensors) {
        r->tensors += t->parameter && t->trainable;
        if (t->buffer && ckd_add(&r->buffers, r->buffers, t->bytes))
            return false;
    }
    return true;
}

/* Number of elements of the largest unfolded input, for kernels larger than 1x1. */
static uint64_t unfolded(const struct od_graph_step *step)
{
    uint64_t most = 0;
    for (size_t i = 0; i < step->convs.n; i++) {
        const struct od_graph_tensor *weight = &step->tensors.items[step->convs.items[i].weight];
        const struct od_graph_tensor *out = &step->tensors.items[step->convs.items[i].out];
        if (weight->first == 0 || weight->second == 0)
            continue;
        uint64_t reads = weight->elements / weight->first, rows;
        if (reads > weight->second && !ckd_mul(&rows, reads, out->elements / weight->first) &&
            rows > most)
            most = rows;
    }
    return most / step->batch;
}

/* Sums the memory of a step, or of two steps with different batch sizes, whose difference belongs
 * to the samples. For a single step, or two with different operations, assumes that everything
 * except parameters, buffers and gradients grows. False on overflow. */
static bool graph_step_sum(const struct od_graph_step *step, const struct od_graph_step *larger,
                           struct od_arena *arena, struct od_recorded *ret_recorded)
{
    struct od_recorded r = {.known = true,
                            .backward = step->ended,
                            .forward = (size_t)step->backward + 1,
                            .bits = most_bits(step),
                            .unfolded = unfolded(step),
                            .nmoments = (size_t)step->nops + 1};
    struct change *changes = OD_NEW_N(arena, r.nmoments + 1, struct change);
    r.moments = OD_NEW_N(arena, r.nmoments, struct od_recorded_moment);
    bool ok = list_changes(step, is_alike(step, larger) ? larger : NULL, changes, &r) &&
              follow(changes, &r) && count_own(step, &r);
    *ret_recorded = r;
    return ok;
}

void od_graph_step_done(struct od_graph_step *step)
{
    od_vec_done(&step->tensors);
    od_vec_done(&step->convs);
    od_vec_done(&step->ops);
    od_vec_done(&step->links);
    od_vec_done(&step->reads);
}

/* Counts parameters, and bytes if 16-bit ones are frozen and float32 ones are trained, as with
 * adapters. False on overflow. */
static bool count_parameters(const struct od_graph_step *step, struct od_model *model)
{
    uint64_t all = 0, trained = 0, bytes = 0;
    bool narrow = false, adapted = false, ok = true;
    for (size_t i = 0; i < step->tensors.n && ok; i++) {
        const struct od_graph_tensor *t = &step->tensors.items[i];
        if (!t->parameter)
            continue;
        narrow = narrow || (t->bits == 16 && !t->trainable);
        adapted = adapted || (t->floating && t->trainable);
        ok = !ckd_add(&all, all, t->elements) && !ckd_add(&bytes, bytes, t->bytes) &&
             !ckd_add(&trained, trained, t->trainable ? t->elements : 0);
        if (model->dtype == OD_DTYPE_UNKNOWN && t->second > 0)
            model->dtype = t->bits == 16 ? OD_BFLOAT16 : OD_FLOAT32;
    }
    model->parameters = od_count_of(all);
    model->trainable = od_count_of(trained);
    if (narrow && adapted)
        model->weight_bytes = od_bytes_exact(bytes);
    return ok;
}

/* Sums the recorded step. Also sums it under autocast, if it is in float32 or has float32 adapters
 * on 16-bit weights (which keep their width). */
static bool sum_up(struct od_model *model, struct od_graph_step *steps, size_t nsteps,
                   struct od_arena *arena)
{
    struct od_recorded *recorded = &model->recorded;
    struct od_graph_step *larger = nsteps > 1 ? &steps[1] : NULL;
    if (!graph_step_sum(&steps[0], larger, arena, recorded))
        return false;
    if (recorded->bits != 32 && !model->weight_bytes.known)
        return true;
    struct od_recorded *autocast = OD_NEW(arena, struct od_recorded);
    od_graph_autocast(&steps[0]);
    if (larger)
        od_graph_autocast(larger);
    recorded->autocast = autocast;
    return graph_step_sum(&steps[0], larger, arena, autocast);
}

enum od_err od_graph_emit(const struct od_file *file, struct od_model *model,
                          struct od_graph_step *steps, size_t nsteps)
{
    if (!count_parameters(&steps[0], model) || !sum_up(model, steps, nsteps, file->arena)) {
        od_file_say(file, OD_ERROR, NULL, "the sizes exceed 64 bits");
        return OD_LOST;
    }
    od_file_put_model(file, model, "graph", "recorded graph");
    return OD_OK;
}
