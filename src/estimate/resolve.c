#include "estimate/resolve.h"

#include "estimate/known_nets.h"

struct splice {
    const struct od_model *model;
    OD_VEC(struct od_layer) layers;
    OD_VEC(uint32_t) inputs;
    uint32_t *now; /* for each layer of the model: index of the layer that makes its output */
};

static bool may_nest(const struct od_layer *layer)
{
    return layer->kind == OD_LAYER_CONTAINER && layer->parameters.known && layer->parameters.n > 0;
}

/* Side of the image in the rows above; 0 = not printed. */
static uint64_t side_above(const struct od_model *model, size_t row)
{
    for (size_t i = row; i > 0; i--) {
        const struct od_shape *shape = &model->layers.items[i - 1].output;
        bool image = shape->known && shape->n == 4 && shape->dims[3] == 3;
        if (image && shape->dims[1] != OD_DIM_UNKNOWN)
            return shape->dims[1];
    }
    return 0;
}

static void copy_row(struct splice *s, uint32_t index)
{
    struct od_layer layer = s->model->layers.items[index];
    uint32_t first = layer.first_input;
    layer.first_input = (uint32_t)s->inputs.n;
    for (uint32_t i = 0; i < layer.ninputs; i++) {
        uint32_t source = s->model->inputs.items[first + i];
        od_vec_push(&s->inputs, source < index ? s->now[source] : UINT32_MAX);
    }
    od_vec_push(&s->layers, layer);
}

/* The input of a nested model: the one in its row, otherwise the previous row. */
static uint32_t outside(const struct splice *s, uint32_t index)
{
    const struct od_layer *row = &s->model->layers.items[index];
    if (row->ninputs > 0 && s->model->inputs.items[row->first_input] < index)
        return s->now[s->model->inputs.items[row->first_input]];
    return index > 0 ? s->now[index - 1] : UINT32_MAX;
}

static bool lay_out(struct splice *s, uint32_t index)
{
    struct od_net net;
    const struct od_layer *row = &s->model->layers.items[index];
    uint32_t base = (uint32_t)s->layers.n, from = outside(s, index);
    if (!may_nest(row))
        return false;
    bool found = od_net_find(row, side_above(s->model, index), &net);
    for (size_t i = 0; found && i < net.layers.n; i++) {
        struct od_layer layer = net.layers.items[i];
        uint32_t first = layer.first_input;
        layer.at = row->at;
        layer.trainable =
            row->trainable.known && row->trainable.n == 0 ? row->trainable : layer.trainable;
        layer.first_input = (uint32_t)s->inputs.n;
        for (uint32_t j = 0; j < layer.ninputs; j++) {
            uint32_t source = net.inputs.items[first + j];
            od_vec_push(&s->inputs, source == OD_NET_OUTSIDE ? from : base + source);
        }
        if (from == UINT32_MAX && i == 0)
            layer.ninputs = 0;
        od_vec_push(&s->layers, layer);
    }
    od_net_done(&net);
    return found;
}

/* Adds the pooled output of a nested model created with pooling="avg". */
static void add_pool(struct splice *s, uint32_t index)
{
    const struct od_layer *row = &s->model->layers.items[index];
    struct od_layer pool = od_layer_blank();
    if (row->output.n != 2)
        return;
    pool.kind = OD_LAYER_AVG_POOL;
    pool.type = pool.name = OD_VIEW("GlobalAveragePooling2D");
    pool.output = row->output;
    pool.parameters = od_count_of(0);
    pool.first_input = (uint32_t)s->inputs.n;
    pool.ninputs = 1;
    od_vec_push(&s->inputs, (uint32_t)(s->layers.n - 1));
    od_vec_push(&s->layers, pool);
}

static struct od_model *spliced(const struct od_model *model, struct od_arena *arena)
{
    struct splice s = {.model = model, .now = OD_NEW_N(arena, model->layers.n + 1, uint32_t)};
    struct od_model *copy = OD_NEW(arena, struct od_model);
    for (uint32_t i = 0; i < model->layers.n; i++) {
        if (lay_out(&s, i))
            add_pool(&s, i);
        else
            copy_row(&s, i);
        s.now[i] = (uint32_t)(s.layers.n - 1);
    }
    *copy = *model;
    copy->layers.items = OD_NEW_N(arena, s.layers.n + 1, struct od_layer);
    copy->layers.n = s.layers.n;
    copy->inputs.items = OD_NEW_N(arena, s.inputs.n + 1, uint32_t);
    copy->inputs.n = s.inputs.n;
    memcpy(copy->layers.items, s.layers.items, s.layers.n * sizeof *s.layers.items);
    if (s.inputs.n > 0)
        memcpy(copy->inputs.items, s.inputs.items, s.inputs.n * sizeof *s.inputs.items);
    od_vec_done(&s.layers);
    od_vec_done(&s.inputs);
    return copy;
}

/* Number of moving means and variances, which are never trained. */
static uint64_t statistics_of(const struct od_layer *layer)
{
    const struct od_shape *shape = &layer->output;
    if (layer->kind != OD_LAYER_BATCH_NORM || !shape->known || shape->n == 0)
        return 0;
    uint64_t channels = shape->dims[shape->n - 1];
    return channels <= layer->parameters.n / 2 ? 2 * channels : 0;
}

/* Number of leading layers with exactly that many trainable parameters; 0 = none. */
static size_t prefix_of(const struct od_model *model, uint64_t numbers)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < model->layers.n && sum <= numbers; i++) {
        const struct od_layer *layer = &model->layers.items[i];
        uint64_t own = layer->parameters.known && !layer->recursive ? layer->parameters.n : 0;
        if (ckd_add(&sum, sum, own - statistics_of(layer)))
            return 0;
        if (sum == numbers && own > 0)
            return i + 1;
    }
    return 0;
}

/* Number of leading layers to mark as frozen: the totals count their parameters as not trained, and
 * no others except statistics. */
static size_t frozen_prefix(const struct od_model *model)
{
    uint64_t statistics = 0;
    if (model->format != OD_MODEL_KERAS || !model->non_trainable.known)
        return 0;
    OD_FOR_EACH (const struct od_layer, layer, model->layers) {
        if (layer->trainable.known && layer->trainable.n == 0)
            return 0; /* the table itself marks frozen layers */
        statistics += layer->parameters.known ? statistics_of(layer) : 0;
    }
    return model->non_trainable.n > statistics
               ? prefix_of(model, model->non_trainable.n - statistics)
               : 0;
}

const struct od_model *od_model_resolve(const struct od_model *model, struct od_arena *arena)
{
    bool nested = false;
    for (size_t i = 0; i < model->layers.n; i++)
        nested |= model->format == OD_MODEL_KERAS && may_nest(&model->layers.items[i]);
    if (!nested && frozen_prefix(model) == 0)
        return model;
    struct od_model *copy = spliced(model, arena);
    size_t frozen = frozen_prefix(copy);
    for (size_t i = 0; i < frozen; i++)
        if (copy->layers.items[i].parameters.known && copy->layers.items[i].parameters.n > 0)
            copy->layers.items[i].trainable = od_count_of(0);
    return copy;
}
