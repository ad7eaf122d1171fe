#include "estimate/pipeline.h"

#include "estimate/peak.h"
#include "estimate/range.h"
#include "estimate/saved.h"
#include "estimate/states.h"
#include "estimate/transformer.h"

#include <math.h>

/* Memory of a pass as a multiple of its tensors, measured in 16 bit (pipelines.py); the rest is
 * workspaces of convolutions. FLUX needed 1.3 to 1.6 times as much for 1 to 16 images, and 3.1 in
 * another table, SDXL 1.0 times in float32 and 1.7 in 16 bit (benchmarks of diffusers). */
static const struct od_range passed = {1.35, 0.6, 3.2};

/* The same factor for a video. Some programs decode a few frames at a time: diffusers needed 0.8
 * times the memory of its own decoder, SAT 0.2 to 0.3 times (CogVideoX). */
static const struct od_range filmed = {0.8, 0.15, 1.6};

/* Memory that training keeps of a pass as a multiple of that measured in 16 bit. Autocast computes
 * norms and some products in float32, even if scripts load 16-bit weights. Stable Diffusion's
 * DreamBooth on a T4 needed 1.31 times as much without checkpointing and 1.0 times with it,
 * CogVideoX's adapters on an A100 1.58 and 1.4 times. */
static const struct od_range trained16 = {1.15, 0.7, 2}, trained_mixed = {1.3, 0.8, 2};

/* Additional memory that the pool holds. */
static const struct od_range held_back = {0.08, 0, 0.3};

/* An encoder of this size is quantized and unloaded, like the denoiser. */
enum { LARGE_ENCODER = 1000000000 };

static struct od_range times(struct od_range each, double n)
{
    return (struct od_range){each.n * n, each.lo * n, each.hi * n};
}

/* Bytes per weight. `large`: of matrices that are quantized if any are. Frozen weights are cast
 * once under autocast, as in the scripts of diffusers. */
static double width_of(const struct od_workload *w, bool large)
{
    double plain = od_precision_weight_bytes(w->precision);
    if (od_precision_casts(w->precision) && w->lora_rank > 0)
        plain = 2;
    return !large || w->quantize_bits == 0 ? plain : w->quantize_bits == 4 ? 0.5625 : 1;
}

static double bytes_of_parts(const struct od_workload *w)
{
    const struct od_pipeline *p = &w->model->pipeline;
    bool large = p->largest_text > LARGE_ENCODER;
    return (double)p->denoiser * width_of(w, true) + (double)p->largest_text * width_of(w, large) +
           (double)(p->text - p->largest_text + p->vae) * width_of(w, false);
}

/* Scales bytes measured for one sample in 16 bit (`mib`) to the batch, its images and its
 * precision. With attention in separate steps (`written` MiB), scores grow with the square of an
 * image's area; they are included if the run computes attention so, or in the upper end if it
 * may. */
static struct od_range sized(const struct od_workload *w, struct od_range each, uint64_t mib,
                             uint64_t written)
{
    const struct od_pipeline *p = &w->model->pipeline;
    double pixels = (double)p->side * (double)p->side;
    double area = w->image_h > 0 ? (double)w->image_h * (double)w->image_w / pixels : 1;
    double one = 1048576 * area * (double)w->batch * od_precision_compute_bytes(w->precision) / 2.0;
    double fused = (double)mib * one;
    double eager = fused + (written > mib ? (double)(written - mib) * one * area : 0);
    struct od_range all = times(each, w->attention == OD_ATTENTION_EAGER ? eager : fused);
    if (w->attention == OD_ATTENTION_UNKNOWN)
        all.hi = fmax(all.hi, each.n * eager * 1.1);
    return all;
}

/* Memory of the stage with the peak. *ret_held: bytes of weights on the device during that stage,
 * which are those of all parts unless each part waits in RAM until it computes. */
static struct od_range answering(const struct od_workload *w, double *ret_held)
{
    const struct od_pipeline *p = &w->model->pipeline;
    const struct {
        uint64_t weights, pass, written;
    } stages[] = {
        {p->vae, p->decoded, 0}, {p->denoiser, p->passed, p->written}, {p->largest_text, 0, 0}};
    double most = -1;
    struct od_range moves = {0};
    for (size_t i = 0; i < OD_COUNT_OF(stages); i++) {
        bool large = stages[i].weights > LARGE_ENCODER;
        double held = (double)stages[i].weights * width_of(w, large);
        struct od_range pass =
            sized(w, p->frames > 1 ? filmed : passed, stages[i].pass, stages[i].written);
        double peak = pass.n + (w->offload_params ? held : 0);
        if (peak <= most)
            continue;
        most = peak;
        moves = pass;
        *ret_held = w->offload_params ? held : bytes_of_parts(w);
    }
    return moves;
}

/* Activations of the denoiser that a training step keeps, scaled from one sample in 16 bit. */
static struct od_range training(const struct od_workload *w)
{
    const struct od_pipeline *p = &w->model->pipeline;
    struct od_range each = od_precision_casts(w->precision) ? trained_mixed : trained16;
    size_t way = w->checkpointing == OD_CKPT_NONE ? 0 : 2;
    way += w->lora_rank > 0;
    return sized(w, each, p->kept[way], p->kept[way + 4]);
}

static void tell_training(const struct od_workload *w, struct od_estimate *e,
                          struct od_arena *arena)
{
    if (w->model->pipeline.frames > 1)
        od_estimate_assume(e, arena,
                           od_arena_printf(arena,
                                           "a sample has %" PRIu64 " frames of latents: others "
                                           "need in proportion",
                                           w->model->pipeline.frames));
    if (w->lora_rank > 0)
        od_estimate_assume(e, arena,
                           "adapters of the attention's matrices; of all matrices about four times "
                           "as many, which the range covers");
    od_estimate_assume(e, arena,
                       "the decoder and small text encoders stay beside the denoiser, what a large "
                       "one makes is made before; the range covers none and all of them");
}

/* Memory in addition to the gradients. A backward pass frees saved tensors while it makes
 * gradients, unless gradients of earlier steps exist already. */
static struct od_range beyond(struct od_range kept, double gradients, const struct od_workload *w)
{
    static const double segment = 0.15; /* share of a recomputed block that is kept */
    double freed = w->accumulation > 1 ? 0 : gradients;
    return (struct od_range){
        .n = fmax(kept.n - freed, segment * kept.n), .lo = fmax(kept.lo - freed, 0), .hi = kept.hi};
}

/* Counts weights, gradients and states of the trained part: denoiser, or adapters of its
 * attention. */
static bool count_states(const struct od_workload *w, double held, struct od_estimate *e,
                         struct od_states *ret_states)
{
    const struct od_pipeline *p = &w->model->pipeline;
    uint64_t adapters = 0;
    if (ckd_mul(&adapters, p->adapters, w->lora_rank))
        return false;
    e->trainable = w->lora_rank > 0 ? adapters : p->denoiser;
    if (!od_states_of(w, p->denoiser, e->trainable, ret_states))
        return false;
    if (w->inference || w->lora_rank > 0 || w->quantize_bits > 0)
        ret_states->weights = od_bytes_about(held, held, held * 1.02);
    if (w->lora_rank > 0) /* adapters of all matrices, with states in float32 */
        ret_states->optimizer.hi += 5 * 16 * adapters;
    uint64_t large = p->largest_text > LARGE_ENCODER ? p->largest_text : 0;
    double small = (double)(p->vae + p->text - large) * width_of(w, false);
    struct od_bytes *all = &ret_states->weights;
    if (!w->inference)
        *all = od_bytes_about((double)all->n + small, (double)all->lo,
                              (double)all->hi + small + (double)large * width_of(w, true));
    return true;
}

bool od_estimate_pipeline(const struct od_workload *workload, struct od_arena *arena,
                          struct od_diags *diags, struct od_estimate *ret_estimate)
{
    const struct od_model *model = workload->model;
    const struct od_pipeline *p = &model->pipeline;
    struct od_estimate e = {.model = model, .parameters = model->parameters.n};
    struct od_saved none = {.per_sample = od_bytes_exact(0)};
    struct od_workload w = *workload, after;
    struct od_range moves;
    struct od_states states;
    double held = (double)p->denoiser * width_of(workload, true) +
                  (double)(p->adapters * workload->lora_rank) * 4;
    w.hopper = true; /* these pipelines need releases of PyTorch that load kernels lazily */
    if (w.inference) {
        moves = answering(workload, &held);
        w.offload_params = false;
        od_estimate_assume(&e, arena,
                           "the decoder makes each image or video in one piece: tiling and slicing "
                           "need less");
    } else {
        moves = training(workload);
        tell_training(workload, &e, arena);
    }
    after = w;
    after.inference = true; /* nothing else is cast */
    bool ok = count_states(&w, held, &e, &states);
    e.parameter_bytes = states.weights;
    struct od_range kept = moves;
    if (!w.inference) {
        double step = (double)od_states_temporaries(&w, &states);
        moves = beyond(kept, (double)states.gradients.n, &w);
        moves.n = fmax(moves.n, step);
        moves.hi = fmax(moves.hi, step);
    }
    e.saved_per_sample = e.batch_bytes = od_bytes_about(kept.n, kept.lo, kept.hi);
    e.breakdown = (struct od_breakdown){
        .parameters = {.bytes = states.weights, .why = "of the parts on the device"},
        .gradients = {.bytes = states.gradients, .why = "of what is trained"},
        .optimizer = {.bytes = states.optimizer, .why = "state of what is trained"},
        .buffers = {.bytes = od_bytes_exact(0)},
        .activations = {.bytes = od_bytes_about(moves.n, moves.lo, moves.hi),
                        .why = w.inference ? "the larger of the decoder's and the denoiser's pass"
                                           : "what the denoiser keeps and computes again, by a "
                                             "measured pass"},
        .inputs = {.bytes = od_bytes_exact(0)}};
    ok = ok && od_peak_add_overhead(&after, &none, &e.breakdown);
    if (ok && !w.inference && w.metric != OD_METRIC_ALLOCATED) {
        struct od_range slack = times(held_back, kept.n);
        e.breakdown.allocator_waste.bytes = od_bytes_about(slack.n, slack.lo, slack.hi);
    }
    if (!ok || !od_estimate_close(&e)) {
        od_diags_say(diags, OD_ERROR, "the sizes described exceed 64 bits");
        return false;
    }
    *ret_estimate = e;
    return true;
}
