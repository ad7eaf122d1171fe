#include "estimate/counts.h"

#include "estimate/peak.h"
#include "estimate/states.h"
#include "estimate/transformer_block.h"

#include <math.h>

/* ---- plain vision transformers ---- */

/* Published widths and depths: ViT (Dosovitskiy et al. 2020: B, L, H), DeiT (Touvron et al. 2020
 * and 2022: Ti, S, M), scaled ViT (Zhai et al. 2021: g, G), SoViT-400m (Alabdulmohsin et al. 2023).
 * Heads have width 64 up to L, later ones as given. */
static const struct size {
    uint64_t width, depth, heads, mlp;
} sizes[] = {
    {192, 12, 3, 768},    {384, 12, 6, 1536},   {512, 12, 8, 2048},
    {768, 12, 12, 3072},  {1024, 24, 16, 4096}, {1152, 27, 16, 4304},
    {1280, 32, 16, 5120}, {1408, 40, 16, 6144}, {1664, 48, 16, 8192},
};

struct vit {
    const struct size *size;
    uint64_t tokens;
};

/* Counted activations: queries, keys, values (3), scores, their product with the values, the
 * projection, both layers of the MLP; before the blocks, the convolution for patches. */
static double counted(const struct vit *vit, uint64_t patches)
{
    const struct size *s = vit->size;
    double n = (double)vit->tokens, w = (double)s->width;
    double token = 6 * w + (double)s->mlp + (double)s->heads * n;
    return (double)s->depth * n * token + (double)patches * w;
}

/* Do the parameters match? Matrices of the blocks and a table of positions; in addition, in vectors
 * of the model's width, a convolution over patches, 8 to 20 vectors per block (biases, norms,
 * scales), and a head for 1000 classes, for ImageNet's 21 thousand, or none; BEiT has tables of
 * relative positions in every block. */
static bool has_parameters(const struct vit *vit, uint64_t parameters)
{
    enum { PATCH_MOST = 3 * 32 * 32, FEW = 1000, MANY_LEAST = 21000, MANY_MOST = 21900 };
    const struct size *s = vit->size;
    uint64_t matrices = s->depth * s->width * (4 * s->width + 2 * s->mlp);
    uint64_t table = 4 * vit->tokens * s->heads;
    if (parameters < matrices)
        return false;
    uint64_t vectors = (parameters - matrices) / s->width;
    uint64_t least = vit->tokens + 8 * s->depth;
    uint64_t most = vit->tokens + PATCH_MOST + s->depth * (20 + table / s->width);
    return (vectors >= least && vectors <= most + FEW) ||
           (vectors >= least + MANY_LEAST && vectors <= most + MANY_MOST);
}

/* Finds a model by its counts, which are printed in millions with two decimals, with or without a
 * head. */
static bool find_vit(uint64_t parameters, uint64_t activations, struct vit *ret_vit)
{
    enum { ROUNDED = 5000, HEAD = 22000, GRID_LEAST = 7, GRID_MOST = 64, EXTRA_MOST = 2 };
    for (size_t i = 0; i < OD_COUNT_OF(sizes); i++)
        for (uint64_t grid = GRID_LEAST; grid <= GRID_MOST; grid++)
            for (uint64_t extra = 0; extra <= EXTRA_MOST; extra++) {
                struct vit vit = {&sizes[i], grid * grid + extra};
                double beyond = (double)activations - counted(&vit, grid * grid);
                if (beyond < -ROUNDED || beyond > ROUNDED + HEAD ||
                    !has_parameters(&vit, parameters))
                    continue;
                *ret_vit = vit;
                return true;
            }
    return false;
}

/* Bytes that all blocks keep for one sample. */
static double blocks_of(const struct od_workload *workload, const struct vit *vit, bool fused)
{
    struct od_model model = *workload->model;
    struct od_workload w = *workload;
    const struct od_lora_targets none = {0};
    model.transformer = (struct od_transformer){
        .known = true,
        .hidden = od_count_of(vit->size->width),
        .layers = od_count_of(vit->size->depth),
        .heads = od_count_of(vit->size->heads),
        .intermediate = od_count_of(vit->size->mlp),
        .traits = OD_TR_VISION | (fused ? OD_TR_FUSED : OD_TR_EAGER),
    };
    w.model = &model;
    w.lora_rank = 0;
    double token = od_block_count(&w, &none, vit->tokens).saved;
    return token * (double)vit->tokens * (double)vit->size->depth;
}

/* The counted activations include scores, so attention was computed in separate steps when they
 * were counted, and this is assumed; a fused kernel keeps no scores. Scales after each branch keep
 * up to a fifth more. */
static void count_vit(const struct od_workload *w, const struct vit *vit, struct od_arena *arena,
                      struct od_saved *ret_saved)
{
    double whole = blocks_of(w, vit, false), least = blocks_of(w, vit, true);
    ret_saved->per_sample = (struct od_bytes){.n = (uint64_t)whole,
                                              .lo = (uint64_t)(least * 0.95),
                                              .hi = (uint64_t)(whole * 1.2),
                                              .known = true};
    ret_saved->note = od_arena_printf(arena,
                                      "the counts are those of a vision transformer of %" PRIu64
                                      " blocks, %" PRIu64 " wide, over %" PRIu64
                                      " tokens; its attention is taken as written out, a fused "
                                      "kernel keeps less",
                                      vit->size->depth, vit->size->width, vit->tokens);
}

/* ---- all other models ---- */

/* Bytes per activation: fitted to 60 public points each, on an A100 in float32 (GPUMemNet) and on
 * an RTX 3090 under autocast (timm's benchmark), in addition to 1750 MiB and 12 bytes per
 * parameter; the 5th and 95th percentiles are those of the residuals. Large models keep fewer bytes
 * per counted activation (fused attention counts its scores but does not keep them), hence the
 * powers. In leave-one-out tests half of the points are within 15 % (float32: 9 %). The two leading
 * factors are the median ratios of 190 published runs of unrecognized models
 * (tests/accuracy/results.md). The fits include the workspace, which is subtracted again here. */
static struct od_bytes fitted(const struct od_workload *workload, uint64_t parameters,
                              uint64_t activations)
{
    double size = parameters > 0 ? (double)parameters / 25e6 : 1;
    double density =
        parameters > 0 && activations > 0 ? (double)activations / (double)parameters : 1;
    bool full = od_precision_compute_bytes(workload->precision) == 4;
    double each = full ? 9.1 * pow(density, -0.15) * pow(size, -0.2) : 5.38 * pow(size, -0.1);
    double all = (double)activations * each / (1 + OD_PEAK_WORKSPACE_MEDIAN);
    if (all >= 0x1p60)
        return (struct od_bytes){0};
    return (struct od_bytes){.n = (uint64_t)all,
                             .lo = (uint64_t)(all * (full ? 0.75 : 0.64)),
                             .hi = (uint64_t)(all * 1.85),
                             .known = true};
}

void od_saved_from_counts(const struct od_workload *workload, uint64_t parameters,
                          uint64_t activations, struct od_arena *arena, struct od_saved *ret_saved)
{
    struct vit vit;
    *ret_saved = (struct od_saved){.fitted = true};
    if (find_vit(parameters, activations, &vit)) {
        ret_saved->fitted = false;
        count_vit(workload, &vit, arena, ret_saved);
        return;
    }
    ret_saved->per_sample = fitted(workload, parameters, activations);
    ret_saved->overflow = !ret_saved->per_sample.known;
    ret_saved->note = "activations are the outputs of convolutions and linear layers; what a model "
                      "keeps of them differs by family";
}
