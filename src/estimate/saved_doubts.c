#include "estimate/saved_sum.h"

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

/* Custom modules call functions without a row: products, slices, copies and activations. In
 * percent: for nine in ten of 40 custom networks that were not used for tuning, the truth is within
 * the range. */
void od_saved_doubts(struct od_saved_sum *sum)
{
    enum { BELOW = 25, ABOVE = 28, LITTLE = 400 };
    const struct od_model *model = sum->walk.model;
    if (model->format != OD_MODEL_TORCHINFO && model->format != OD_MODEL_TORCHSUMMARY)
        return;
    od_saved_add(sum, &sum->below, sum->n / LITTLE, 1); /* scalars, labels, another kind of loss */
    od_saved_add(sum, &sum->above, sum->n / LITTLE, 1);
    od_saved_add(sum, &sum->below, sum->assumed, sum->width);
    for (size_t i = 1; i < model->layers.n; i++) {
        const struct od_layer *layer = &model->layers.items[i];
        bool holds = layer->kind == OD_LAYER_CONTAINER || layer->kind == OD_LAYER_OTHER;
        if (holds && !is_well_known(layer->type))
            sum->own = layer->type;
    }
    if (sum->own.n == 0)
        return;
    od_saved_add(sum, &sum->below, sum->n / 100, BELOW);
    od_saved_add(sum, &sum->above, sum->n / 100, ABOVE);
}
