#include "case/builder.h"

/* Keras numbers layers over the whole process, so a model that is built again has other names. */
static struct od_view first_name(const struct od_model *model)
{
    for (size_t i = 0; i < model->layers.n; i++)
        if (model->layers.items[i].kind != OD_LAYER_INPUT)
            return model->layers.items[i].name;
    return (struct od_view){0};
}

static bool same_model(const struct od_model *a, const struct od_model *b)
{
    return a->format == b->format && od_view_eq(a->name, b->name) && a->layers.n == b->layers.n &&
           od_view_eq(first_name(a), first_name(b)) && a->complete == b->complete &&
           a->parameters.known == b->parameters.known && a->parameters.n == b->parameters.n &&
           a->transformer.hidden.n == b->transformer.hidden.n &&
           a->transformer.layers.n == b->transformer.layers.n;
}

/* Is an equal model known? A run that prints its model for each fold or rank has one model. */
static bool is_known(const struct od_case *c, const struct od_model *model)
{
    for (size_t i = 0; i < c->models.n; i++) {
        if (same_model(&c->models.items[i], model))
            return true;
    }
    return false;
}

static int by_place(const void *left, const void *right)
{
    const struct od_model *l = left, *r = right;
    return od_prov_cmp(&l->at, &r->at);
}

void od_models_finish(struct od_case_builder *b)
{
    if (b->c->models.n > 1)
        qsort(b->c->models.items, b->c->models.n, sizeof *b->c->models.items, by_place);
}

void od_fold_model(struct od_case_builder *b, const struct od_event *event)
{
    struct od_model *model = event->model;
    struct od_case *c = b->c;
    if (!model || is_known(c, model))
        return;
    if (c->models.n >= OD_MODELS_MAX || b->model_layers + model->layers.n > OD_MODEL_LAYERS_MAX) {
        c->closed |= 1U << OD_LIST_MODELS;
        return;
    }
    if (model->shortened)
        c->closed |= 1U << OD_LIST_LAYERS;
    b->model_layers += model->layers.n;
    od_vec_push(&c->models, *model);
    model->layers.items = NULL;
    model->layers.n = model->layers.room = 0;
    model->inputs.items = NULL;
    model->inputs.n = model->inputs.room = 0;
}
