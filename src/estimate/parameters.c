#include "estimate/parameters.h"

#include "facts/module_count.h"

/* Learned positions, and at the end a head without bias as large as the embedding: GPT-2's
 * structure. */
static uint64_t tied_head(const struct od_model *model)
{
    const struct od_layer *first = NULL, *last = NULL;
    size_t embeddings = 0;
    OD_FOR_EACH (const struct od_layer, layer, model->layers) {
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
            od_module_holds(model, i))
            continue;
        any = true;
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
        p.why = "the head is as large as the embedding: they are taken as one tensor";
    } else if (!model->parameters.known) {
        p.why = "no total is printed: the parameters are the sum of the rows";
    }
    *ret_parameters = p;
    return true;
}
