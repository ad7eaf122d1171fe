/*
 * Writes kernels and sides as rows of a layer table.
 */
#include "fit/rebuild.h"

struct writer {
    struct od_model *model;
    struct od_arena *arena;
    uint32_t row[OD_KERNELS_MOST]; /* index of the row with each kernel's output */
    uint32_t last;
    uint64_t side;
    bool transposed;
};

/* Keras' default names: "conv2d", "conv2d_1", ... */
static struct od_view name_of(const struct writer *w, const char *type, const char *name)
{
    unsigned n = 0;
    for (size_t i = 0; i < w->model->layers.n; i++)
        n += od_view_eq_str(w->model->layers.items[i].type, type);
    return od_view_of(n == 0 ? name : od_arena_printf(w->arena, "%s_%u", name, n));
}

struct kind {
    enum od_layer_kind kind;
    const char *type, *name;
};

static struct od_layer *add(struct writer *w, const struct kind *kind, uint64_t channels,
                            uint64_t parameters)
{
    struct od_layer layer = od_layer_blank();
    layer.kind = kind->kind;
    layer.name = name_of(w, kind->type, kind->name);
    layer.type = od_view_of(kind->type);
    layer.output = (struct od_shape){
        .dims = {OD_DIM_UNKNOWN, w->side, w->side, channels}, .n = 4, .known = true};
    layer.noutputs = 1;
    layer.parameters = od_count_of(parameters);
    layer.first_input = (uint32_t)w->model->inputs.n;
    layer.ninputs = w->model->layers.n > 0;
    if (layer.ninputs > 0)
        w->model->inputs.items[w->model->inputs.n++] = w->last;
    w->model->layers.items[w->model->layers.n] = layer;
    w->model->parameters.n += parameters;
    w->last = (uint32_t)w->model->layers.n++;
    return &w->model->layers.items[w->last];
}

static void add_between(struct writer *w, const struct od_map *map, uint64_t channels)
{
    static const struct kind pool = {OD_LAYER_MAX_POOL, "MaxPooling2D", "max_pooling2d"};
    static const struct kind up = {OD_LAYER_COPY, "UpSampling2D", "up_sampling2d"};
    if (map->before == OD_MAP_POOL) {
        w->side = map->valid || map->side == w->side / 2 ? w->side / 2 : map->side;
        add(w, &pool, channels, 0);
    } else if (map->before == OD_MAP_UP) {
        w->side *= 2;
        add(w, &up, channels, 0);
    }
}

static void add_join(struct writer *w, const struct od_chain *chain, size_t i)
{
    static const struct kind join = {OD_LAYER_CONCAT, "Concatenate", "concatenate"};
    struct od_layer *layer = add(w, &join, chain->list[i].in, 0);
    layer->ninputs = 2;
    w->model->inputs.items[w->model->inputs.n++] = w->row[chain->list[i].skip];
}

static void add_conv(struct writer *w, const struct od_chain *chain, const struct od_maps *maps,
                     size_t i)
{
    static const struct kind plain = {OD_LAYER_CONV, "Conv2D", "conv2d"};
    static const struct kind turned = {OD_LAYER_CONV, "Conv2DTranspose", "conv2d_transpose"};
    const struct od_kernel *kernel = &chain->list[i];
    const struct od_map *map = &maps->list[i];
    bool turns = map->before == OD_MAP_TRANSPOSED ||
                 (kernel->side == 2 && map->before == OD_MAP_UP && w->transposed);
    if (i > 0 && kernel->skip != OD_NO_SKIP)
        add_join(w, chain, i);
    else if (i > 0 && !turns)
        add_between(w, map, kernel->in);
    w->side = map->side;
    uint64_t stride = map->before == OD_MAP_STRIDE || turns ? 2 : 1;
    struct od_layer *layer = add(w, turns ? &turned : &plain, kernel->out,
                                 (kernel->side * kernel->side * kernel->in + 1) * kernel->out);
    layer->kernel = (struct od_shape){.dims = {kernel->side, kernel->side}, .n = 2, .known = true};
    layer->stride = (struct od_shape){.dims = {stride, stride}, .n = 2, .known = true};
    layer->bias = OD_YES;
    w->row[i] = w->last;
}

const struct od_model *od_rebuild_model(const struct od_chain *chain, const struct od_maps *maps,
                                        bool transposed, struct od_arena *arena)
{
    static const struct kind input = {OD_LAYER_INPUT, "InputLayer", "input"};
    enum { ROWS_EACH = 3 };
    size_t rows = 1 + ROWS_EACH * chain->n;
    struct od_model *model = OD_NEW(arena, struct od_model);
    struct writer w = {
        .model = model, .arena = arena, .side = maps->input, .transposed = transposed};
    model->name = OD_VIEW("rebuilt");
    model->format = OD_MODEL_KERAS;
    model->framework = OD_VIEW("tensorflow");
    model->complete = true;
    model->parameters = od_count_of(0);
    model->layers.items = OD_NEW_N(arena, rows, struct od_layer);
    model->inputs.items = OD_NEW_N(arena, 2 * rows, uint32_t);
    model->layers.room = rows;
    model->inputs.room = 2 * rows;
    add(&w, &input, chain->list[0].in, 0);
    for (size_t i = 0; i < chain->n; i++)
        add_conv(&w, chain, maps, i);
    return model;
}
