#include "estimate/saved_sum.h"

#include "facts/module_count.h"
bool od_hides_relu(const struct od_model *model)
{
    if (model->told)
        return false;
    for (size_t i = 0; i < model->layers.n; i++) {
        enum od_layer_kind kind = model->layers.items[i].kind;
        if ((kind >= OD_LAYER_RELU && kind <= OD_LAYER_ACTIVATION && kind != OD_LAYER_SOFTMAX) ||
            kind == OD_LAYER_ATTENTION || kind == OD_LAYER_RECURRENT)
            return false;
    }
    return true;
}

bool od_may_clip(const struct od_model *model)
{
    if (model->format != OD_MODEL_KERAS || model->told)
        return false;
    for (size_t i = 0; i < model->layers.n; i++)
        if (od_view_starts(model->layers.items[i].type, OD_VIEW("DepthwiseConv")))
            return true;
    return false;
}

bool od_may_swish(const struct od_model *model)
{
    bool squeezes = false, scales = false;
    if (!od_may_clip(model))
        return false;
    OD_FOR_EACH (const struct od_layer, layer, model->layers) {
        const struct od_shape *out = &layer->output;
        squeezes |= layer->kind == OD_LAYER_CONV && out->known && out->n == 4 &&
                    out->dims[1] == 1 && out->dims[2] == 1;
        scales |= squeezes && layer->kind == OD_LAYER_MULTIPLY;
    }
    return scales;
}

bool od_model_enlarges(const struct od_model *model)
{
    for (size_t i = 0; i < model->layers.n; i++)
        if (od_view_starts(model->layers.items[i].type, OD_VIEW("Upsamp")) ||
            od_view_starts(model->layers.items[i].type, OD_VIEW("ConvTranspose")))
            return true;
    return false;
}

/* Adds products and pools without rows; there may be others. */
void od_saved_unprinted(struct od_saved_sum *sum)
{
    const struct od_walk *walk = &sum->walk;
    for (size_t i = 0; i < walk->scaled.n; i++)
        od_saved_keep(sum, walk->scaled.items[i], sum->width);
    for (size_t i = 0; i < walk->pooled.n; i++)
        od_saved_keep(sum, walk->pooled.items[i], sum->width);
    for (size_t i = 0; i < walk->gates.n; i++)
        od_saved_keep(sum, walk->gates.items[i], sum->width);
    od_saved_add(sum, &sum->n, walk->indices, 8);
    if (walk->scaled.n + walk->pooled.n > 0) {
        od_saved_add(sum, &sum->below, sum->n / 50, 1);
        od_saved_add(sum, &sum->above, sum->n / 50, 1);
    }
}

/* Modules whose forward calls nothing without a row, or whose calls are counted. */
static bool is_well_known(struct od_view type)
{
    static const char *const exact[] = {
        "Sequential",        "Fire",        "Transition", "_Transition", "DoubleConv",
        "SqueezeExcitation", "CNBlock",     "BasicBlock", "Bottleneck",  "MBConv",
        "FusedMBConv",       "BasicConv2d", NULL};
    static const char *const parts[] = {"NormActivation",
                                        "ConvBN",
                                        "InvertedResidual",
                                        "Inception",
                                        "_Dense",
                                        "DenseLayer",
                                        "ResBottleneck",
                                        "BottleneckTransform",
                                        "AnyStage",
                                        "StemIN",
                                        NULL};
    return od_view_eq_any(type, exact) || od_view_has_any(type, parts);
}

/* Attention in separate steps copies queries, keys and values, and keeps scores by heads that no
 * row shows. */
static void doubt_attention(struct od_saved_sum *sum, const struct od_layer *layer)
{
    enum { COPIES = 3, SCORES = 4 };
    uint64_t elements;
    bool attends =
        od_view_has(layer->type, OD_VIEW("Attention")) || od_view_has(layer->type, OD_VIEW("Attn"));
    if (!attends || !od_layer_elements(sum->walk.model, &layer->output, &elements))
        return;
    od_saved_add(sum, &sum->n, elements, COPIES * sum->width);
    od_saved_add(sum, &sum->below, elements, COPIES * sum->width);
    od_saved_add(sum, &sum->above, elements, SCORES * sum->width);
}

/* A recurrence in separate steps keeps a state as wide as many outputs for every step; a kernel
 * keeps none. */
static bool scans(struct od_view type)
{
    static const char *const words[] = {"Mamba", "SSM",  "Scan",      "S4D",
                                        "S6",    "RWKV", "Retention", NULL};
    return od_view_has_any(type, words);
}

/* A module with own parameters besides those of its layers (more than a scale or two) calls
 * convolutions or products with them. */
static void doubt_own(struct od_saved_sum *sum, uint32_t index)
{
    enum { SCALES = 4, TENSORS = 4 };
    const struct od_model *model = sum->walk.model;
    const struct od_layer *layer = &model->layers.items[index];
    uint32_t tensor = sum->walk.output_of[index];
    if (tensor == OD_NO_TENSOR || !layer->parameters.known)
        return;
    const struct od_walk_tensor *out = &sum->walk.tensors.items[tensor];
    if (layer->parameters.n / SCALES > out->channels && od_module_holds(model, index))
        od_saved_add(sum, &sum->above, out->elements, TENSORS * sum->width);
}

/* Parallel matrices with the same input compute queries, keys and values: attention may be in
 * separate steps, with heads as narrow as 32. */
static void doubt_scores(struct od_saved_sum *sum)
{
    enum { NARROW = 32, COPIES = 2 };
    const struct od_walk *walk = &sum->walk;
    for (size_t i = 1; i < walk->steps.n; i++) {
        const struct od_step *step = &walk->steps.items[i], *before = step - 1;
        const struct od_walk_tensor *out = &walk->tensors.items[step->out];
        uint64_t rows = out->channels ? out->elements / out->channels : 0, scores;
        bool beside = step->in != OD_NO_TENSOR && step->in == before->in &&
                      walk->model->layers.items[step->layer].kind == OD_LAYER_LINEAR &&
                      walk->model->layers.items[before->layer].kind == OD_LAYER_LINEAR;
        if (!beside || out->map || rows < 2)
            continue;
        if (ckd_mul(&scores, rows, rows))
            sum->overflow = true;
        od_saved_add(sum, &sum->above, scores,
                     COPIES * sum->width * (out->channels / NARROW ? out->channels / NARROW : 1));
        od_saved_add(sum, &sum->above, out->elements, COPIES * sum->width);
    }
}

/* Custom modules call functions without a row: products, slices, copies and activations. In
 * percent: for nine in ten of 40 custom networks that were not used for tuning, the truth is within
 * the range. */
void od_saved_doubts(struct od_saved_sum *sum)
{
    enum { BELOW = 25, ABOVE = 28, SCANNED = 5, LITTLE = 400 };
    const struct od_model *model = sum->walk.model;
    if (model->format != OD_MODEL_TORCHINFO && model->format != OD_MODEL_TORCHSUMMARY)
        return;
    od_saved_add(sum, &sum->below, sum->n / LITTLE, 1); /* scalars, labels, another kind of loss */
    od_saved_add(sum, &sum->above, sum->n / LITTLE, 1);
    od_saved_add(sum, &sum->below, sum->assumed, sum->width);
    bool scanned = false;
    for (size_t i = 1; i < model->layers.n; i++) {
        const struct od_layer *layer = &model->layers.items[i];
        bool holds = layer->kind == OD_LAYER_CONTAINER || layer->kind == OD_LAYER_OTHER;
        if (!holds || is_well_known(layer->type))
            continue;
        doubt_attention(sum, layer);
        doubt_own(sum, (uint32_t)i);
        sum->own = layer->type;
        scanned |= scans(layer->type);
    }
    if (sum->own.n == 0)
        return;
    doubt_scores(sum);
    od_saved_add(sum, &sum->below, sum->n / 100, BELOW);
    od_saved_add(sum, &sum->above, sum->n / 100, ABOVE);
    if (scanned)
        od_saved_add(sum, &sum->above, sum->n, SCANNED);
}
