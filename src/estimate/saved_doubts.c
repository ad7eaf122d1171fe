#include "estimate/saved_sum.h"

#include "base/num.h"

bool od_hides_relu(const struct od_model *model)
{
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
    if (model->format != OD_MODEL_KERAS)
        return false;
    for (size_t i = 0; i < model->layers.n; i++)
        if (od_view_starts(model->layers.items[i].type, OD_VIEW("DepthwiseConv")))
            return true;
    return false;
}

bool od_model_enlarges(const struct od_model *model)
{
    for (size_t i = 0; i < model->layers.n; i++)
        if (od_view_starts(model->layers.items[i].type, OD_VIEW("Upsamp")) ||
            od_view_starts(model->layers.items[i].type, OD_VIEW("ConvTranspose")))
            return true;
    return false;
}

/* Products and pools that no row prints; beside them there may be others. */
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

/* Modules whose forward is known to call nothing that no row prints, or whose calls are counted. */
static bool is_well_known(struct od_view type)
{
    static const char *const exact[] = {
        "Sequential", "Fire",       "Transition", "_Transition", "DoubleConv",  "SqueezeExcitation",
        "CNBlock",    "BasicBlock", "Bottleneck", "MBConv",      "FusedMBConv", "BasicConv2d"};
    static const char *const parts[] = {
        "NormActivation", "ConvBN",        "InvertedResidual",    "Inception", "_Dense",
        "DenseLayer",     "ResBottleneck", "BottleneckTransform", "AnyStage",  "StemIN"};
    for (size_t i = 0; i < OD_COUNT_OF(exact); i++)
        if (od_view_eq_str(type, exact[i]))
            return true;
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++)
        if (od_view_has(type, od_view_of(parts[i])))
            return true;
    return false;
}

/* Attention written out: queries, keys and values are copied, and scores kept by heads that no row
 * tells of. */
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

/* A recurrence written out keeps a state as wide as many outputs for every step; a kernel of its
 * own keeps none. */
static bool scans(struct od_view type)
{
    static const char *const words[] = {"Mamba", "SSM", "Scan", "S4D", "S6", "RWKV", "Retention"};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++)
        if (od_view_has(type, od_view_of(words[i])))
            return true;
    return false;
}

/* Modules of somebody's own call functions: products, slices, copies and activations without a row.
 * In %: of 40 networks of that sort that were not tuned on, nine in ten lie inside. */
void od_saved_doubts(struct od_saved_sum *sum)
{
    enum { BELOW = 16, ABOVE = 28, SCANNED = 5, LITTLE = 400 };
    const struct od_model *model = sum->walk.model;
    if (model->format != OD_MODEL_TORCHINFO && model->format != OD_MODEL_TORCHSUMMARY)
        return;
    od_saved_add(sum, &sum->below, sum->n / LITTLE,
                 1); /* scalars, labels, a loss of another sort */
    od_saved_add(sum, &sum->above, sum->n / LITTLE, 1);
    od_saved_add(sum, &sum->below, sum->assumed, sum->width);
    bool scanned = false;
    for (size_t i = 1; i < model->layers.n; i++) {
        const struct od_layer *layer = &model->layers.items[i];
        bool holds = layer->kind == OD_LAYER_CONTAINER || layer->kind == OD_LAYER_OTHER;
        if (!holds || is_well_known(layer->type))
            continue;
        doubt_attention(sum, layer);
        sum->own = layer->type;
        scanned |= scans(layer->type);
    }
    if (sum->own.n == 0)
        return;
    od_saved_add(sum, &sum->below, sum->n / 100, BELOW);
    od_saved_add(sum, &sum->above, sum->n / 100, ABOVE);
    if (scanned)
        od_saved_add(sum, &sum->above, sum->n, SCANNED);
}
