#include "estimate/parameters.h"

#include "base/num.h"

/*
 * A bias adds one to what each output channel has of weights. Kernels and channels make products of
 * small factors, so whichever of n and n - 1 is the rounder is the weights; a first layer of three
 * channels is told by the three.
 */
static bool has_bias(const struct od_layer *layer, uint64_t channels)
{
    uint64_t each = layer->parameters.n / channels;
    if (layer->parameters.n % channels != 0 || each < 2)
        return false;
    if (each % 2 == 0 || each % 9 == 0)
        return false;
    return true;
}

/* Output channels: first in PyTorch's maps, last elsewhere; 0 = not told. */
static uint64_t channels_of(const struct od_model *model, const struct od_layer *layer)
{
    const struct od_shape *shape = &layer->output;
    if (!shape->known || shape->n < 2)
        return 0;
    bool first = shape->n > 3 && model->format != OD_MODEL_KERAS && layer->kind == OD_LAYER_CONV;
    uint64_t channels = shape->dims[first ? 1 : shape->n - 1];
    return channels == OD_DIM_UNKNOWN ? 0 : channels;
}

/* Tensors of a layer's parameters that are trained. */
static uint64_t tensors_of(const struct od_model *model, const struct od_layer *layer)
{
    uint64_t channels = channels_of(model, layer);
    switch ((int)layer->kind) {
    case OD_LAYER_EMBEDDING:
        return 1;
    case OD_LAYER_BATCH_NORM:
    case OD_LAYER_NORM:
        return 2;
    case OD_LAYER_RECURRENT:
    case OD_LAYER_ATTENTION:
        return 4;
    default:
        break;
    }
    if (layer->bias != OD_CANNOT_TELL)
        return layer->bias == OD_YES ? 2 : 1;
    return channels && has_bias(layer, channels) ? 2 : 1;
}

static bool is_holder(const struct od_model *model, size_t i)
{
    return i + 1 < model->layers.n &&
           model->layers.items[i + 1].depth > model->layers.items[i].depth;
}

/* Learned positions, then a head without bias as large as the embedding: GPT-2's plan. */
static uint64_t tied_head(const struct od_model *model)
{
    const struct od_layer *first = NULL, *last = NULL;
    size_t embeddings = 0;
    for (size_t i = 0; i < model->layers.n; i++) {
        const struct od_layer *layer = &model->layers.items[i];
        if (layer->kind == OD_LAYER_EMBEDDING && embeddings++ == 0)
            first = layer;
        if (layer->kind == OD_LAYER_LINEAR)
            last = layer;
    }
    bool tied = model->format == OD_MODEL_TORCHINFO && embeddings >= 2 && last &&
                !last->recursive && first->parameters.known && last->parameters.known &&
                first->parameters.n == last->parameters.n;
    return tied ? first->parameters.n : 0;
}

bool od_parameters_of(const struct od_model *model, struct od_parameters *ret_parameters)
{
    struct od_parameters p = {0};
    uint64_t rows = 0, tied = tied_head(model);
    bool any = false;
    for (size_t i = 0; i < model->layers.n; i++) {
        const struct od_layer *layer = &model->layers.items[i];
        if (!layer->parameters.known || layer->parameters.n == 0 || layer->recursive ||
            is_holder(model, i))
            continue;
        any = true;
        p.tensors += tensors_of(model, layer);
        if (ckd_add(&rows, rows, layer->parameters.n))
            return false;
    }
    if (!any && !model->parameters.known)
        return false;
    p.all = model->parameters.known ? model->parameters.n : rows;
    p.trainable = model->trainable.known ? model->trainable.n : p.all;
    if (p.trainable > p.all)
        p.trainable = p.all;
    if (tied > 0 && tied < p.trainable) {
        p.all -= tied;
        p.trainable -= tied;
        p.tensors -= 1;
        p.why = "the head is as large as the embedding: they are taken as one tensor";
    } else if (!model->parameters.known) {
        p.why = "no total is printed: the parameters are the sum of the rows";
    }
    *ret_parameters = p;
    return true;
}
