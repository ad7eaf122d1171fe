#include "estimate/parameters.h"

#include "facts/module_count.h"

bool od_parameters_of(const struct od_model *model, struct od_parameters *ret_parameters)
{
    struct od_parameters p = {0};
    uint64_t rows = 0;
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
    if (!model->parameters.known)
        p.why = "no total is printed: the parameters are the sum of the rows";
    *ret_parameters = p;
    return true;
}
