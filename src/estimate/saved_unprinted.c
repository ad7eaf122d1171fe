#include "estimate/saved_sum.h"

bool od_hides_relu(const struct od_model *model)
{
    if (model->all_operations)
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
    if (model->format != OD_MODEL_KERAS || model->all_operations)
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

/* PyTorch's tables print only modules, not the functions that they call: for 93 measured networks
 * the sum was within 3 percent. */
void od_saved_unprinted(struct od_saved_sum *sum)
{
    const struct od_walk *walk = &sum->walk;
    enum od_model_format format = walk->model->format;
    for (size_t i = 0; i < walk->scaled.n; i++)
        od_saved_keep(sum, walk->scaled.items[i], sum->width);
    for (size_t i = 0; i < walk->gates.n; i++)
        od_saved_keep(sum, walk->gates.items[i], sum->width);
    bool modules = format == OD_MODEL_TORCHINFO || format == OD_MODEL_TORCHSUMMARY;
    if (modules || walk->scaled.n > 0) {
        od_saved_add(sum, &sum->below, sum->n / 32, 1);
        od_saved_add(sum, &sum->above, sum->n / 32, 1);
    }
}
