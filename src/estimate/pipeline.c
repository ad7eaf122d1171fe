#include "estimate/pipeline.h"

#include "estimate/peak.h"
#include "estimate/range.h"
#include "estimate/saved.h"
#include "estimate/states.h"
#include "estimate/transformer.h"

#include <math.h>

/* Elements of the decoder for a pixel. Its last stage has 256 channels at full size (the VAE of
 * Stable Diffusion, which all use), three of them live at once; workspaces of convolutions come to
 * them. SDXL took 1000 in float32 and 1280 in 16 bit, FLUX 2400 (benchmarks of diffusers). */
static const struct od_range decoded = {1300, 768, 2500};

/* Tensors of a token's width in a pass of the denoiser: FLUX took 17 to 40 (the same). */
static const struct od_range passed = {24, 12, 44};

/* What a part needs beside its weights while it computes. */
struct stage {
    uint64_t weights;
    struct od_range moves;
};

static struct od_range times(struct od_range each, double n)
{
    return (struct od_range){each.n * n, each.lo * n, each.hi * n};
}

/* The stage with the peak. *ret_held: parameters on the device by then, all of them unless each
 * part waits in RAM until it computes. */
static struct od_range answering(const struct od_workload *w, uint64_t *ret_held)
{
    const struct od_pipeline *p = &w->model->pipeline;
    double bytes = od_precision_compute_bytes(w->precision) * (double)w->batch;
    double pixels = w->image_h > 0 ? (double)w->image_h * (double)w->image_w
                                   : (double)p->side * (double)p->side;
    double tokens = pixels / (double)(p->stride * p->stride) + (double)p->words;
    double each = od_precision_weight_bytes(w->precision), most = -1;
    const struct stage stages[] = {
        {p->vae, times(decoded, bytes * pixels)},
        {p->denoiser, times(passed, bytes * (double)(p->samples * p->width) * tokens)},
        {p->largest_text, {0, 0, 0}},
    };
    struct od_range moves = {0};
    OD_FOR_EACH_OF (const struct stage, stage, stages, OD_COUNT_OF(stages)) {
        double peak = stage->moves.n + (w->offload_params ? each * (double)stage->weights : 0);
        if (peak <= most)
            continue;
        most = peak;
        moves = stage->moves;
        *ret_held = w->offload_params ? stage->weights : w->model->parameters.n;
    }
    return moves;
}

bool od_estimate_pipeline(const struct od_workload *workload, struct od_arena *arena,
                          struct od_diags *diags, struct od_estimate *ret_estimate)
{
    const struct od_model *model = workload->model;
    struct od_estimate e = {.model = model, .parameters = model->parameters.n};
    struct od_saved none = {.per_sample = od_bytes_exact(0)};
    struct od_workload w = *workload, after;
    uint64_t held = model->pipeline.denoiser;
    struct od_range moves = {0};
    struct od_states states;
    w.hopper = true; /* diffusers needs releases of PyTorch that load kernels lazily */
    e.trainable = w.lora_rank > 0 ? 0 : held;
    if (w.inference) {
        moves = answering(workload, &held);
        w.offload_params = false;
        od_estimate_assume(&e, arena,
                           "the decoder makes each image in one piece: tiling and slicing need "
                           "less");
    } else {
        e.lower_limit = true;
        od_estimate_assume(&e, arena,
                           "unknown: what training keeps of the denoiser's passes; a recorded step "
                           "has it (oomdoctor snippet)");
        od_estimate_assume(&e, arena,
                           "the text encoders and the VAE are not counted: what they make may be "
                           "made before");
    }
    after = w;
    after.inference = true; /* nothing is cast beside what is counted */
    bool ok = od_states_of(&w, held, e.trainable, &states);
    e.parameter_bytes = states.weights;
    e.saved_per_sample = e.batch_bytes = od_bytes_about(moves.n, moves.lo, moves.hi);
    e.breakdown = (struct od_breakdown){
        .parameters = {.bytes = states.weights, .why = "of the parts on the device"},
        .gradients = {.bytes = states.gradients, .why = "of the denoiser"},
        .optimizer = {.bytes = states.optimizer, .why = "state of the denoiser"},
        .buffers = {.bytes = od_bytes_exact(0)},
        .activations = {.bytes = e.batch_bytes,
                        .why = "the larger of the decoder's and the denoiser's pass"},
        .inputs = {.bytes = od_bytes_exact(0)}};
    if (!ok || !od_peak_add_overhead(&after, &none, &e.breakdown) || !od_estimate_close(&e)) {
        od_diags_say(diags, OD_ERROR, "the sizes described exceed 64 bits");
        return false;
    }
    *ret_estimate = e;
    return true;
}
