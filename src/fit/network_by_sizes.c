/*
 * For a dump of a recognized public network without a layer table (attribute/known.h): finds an
 * image size with which the outputs of the network's layers are in use. The layer table is then
 * known, too.
 */
#include "base/index.h"
#include "estimate/known_nets.h"
#include "estimate/resolve.h"
#include "fit/facts.h"

static const double outputs_least = 0.4; /* share of the memory in use that is not kernels */

struct network {
    const char *name;
    size_t which;
    uint64_t parameters, channels; /* parameters and channels of the part before the classifier */
    bool dense;                    /* the network's own head has two dense layers of 4096 */
};

static struct network network_of(const struct od_holding *holding)
{
    struct network n = {.name = holding->network,
                        .which = holding->net,
                        .dense = od_net_about(holding->net)->dense > 0};
    struct od_net net = {0};
    od_net_lay_out(n.which, &net);
    const struct od_shape *out = &net.layers.items[net.layers.n - 1].output;
    n.channels = out->dims[out->n - 1];
    for (size_t i = 0; i < net.layers.n; i++)
        n.parameters += net.layers.items[i].parameters.n;
    od_net_done(&net);
    return n;
}

struct sizes {
    const struct od_allocator *dump;
    struct od_index by_bytes; /* maps a size in bytes to the index of its row + 1 */
};

static struct sizes sizes_of(const struct od_allocator *dump)
{
    struct sizes s = {.dump = dump};
    for (size_t i = 0; i < dump->nsizes; i++)
        if (od_index_get(&s.by_bytes, dump->sizes[i].bytes) == 0)
            od_index_put(&s.by_bytes, dump->sizes[i].bytes, (uint32_t)i + 1);
    return s;
}

/* Number of chunks in use whose size is `bytes`, rounded as the allocator does. */
static uint64_t count_of(const struct sizes *s, uint64_t bytes)
{
    uint32_t row = od_index_get(&s->by_bytes, od_bfc_rounded(bytes));
    return row > 0 ? s->dump->sizes[row - 1].count : 0;
}

/* --- the table as if it had been printed --- */

enum { ROWS = 6 };
static const uint64_t usual_classes = 1000, few_classes = 10;

static struct od_layer *row(struct od_model *model, const char *name, enum od_layer_kind kind)
{
    struct od_layer layer = od_layer_blank();
    layer.name = layer.type = od_view_of(name);
    layer.kind = kind;
    layer.noutputs = 1;
    layer.parameters = od_count_of(0);
    model->layers.items[model->layers.n] = layer;
    return &model->layers.items[model->layers.n++];
}

static void flat(struct od_model *model, const char *name, enum od_layer_kind kind,
                 uint64_t features, uint64_t parameters)
{
    struct od_layer *layer = row(model, name, kind);
    layer->output = (struct od_shape){.dims = {OD_DIM_UNKNOWN, features}, .n = 2, .known = true};
    layer->parameters = od_count_of(parameters);
    model->parameters.n += parameters;
}

static void map(struct od_layer *layer, uint64_t side, uint64_t channels)
{
    layer->output =
        (struct od_shape){.dims = {OD_DIM_UNKNOWN, side, side, channels}, .n = 4, .known = true};
}

static uint64_t last_side(const struct network *n, uint64_t side)
{
    return n->dense ? side / 32 : (side + 31) / 32;
}

/* The features as one row for images of that size. The caller adds a head. */
static struct od_model *features_of(const struct network *n, uint64_t side, struct od_arena *arena)
{
    struct od_model *model = OD_NEW(arena, struct od_model);
    model->name = od_view_of(n->name);
    model->format = OD_MODEL_KERAS;
    model->framework = OD_VIEW("tensorflow");
    model->complete = true;
    model->layers.items = OD_NEW_N(arena, ROWS, struct od_layer);
    model->layers.room = ROWS;
    model->parameters = od_count_of(n->parameters);
    map(row(model, "InputLayer", OD_LAYER_INPUT), side, 3);
    struct od_layer *features = row(model, n->name, OD_LAYER_CONTAINER);
    map(features, last_side(n, side), n->channels);
    features->parameters = od_count_of(n->parameters);
    return model;
}

static uint64_t last_map(const struct network *n, uint64_t side)
{
    return last_side(n, side) * last_side(n, side) * n->channels;
}

/* Adds the head that the dump shows. */
static struct od_model *model_of(const struct network *n, const struct sizes *s, uint64_t side,
                                 struct od_arena *arena)
{
    struct od_model *model = features_of(n, side, arena);
    uint64_t wide = last_map(n, side);
    if (n->dense && count_of(s, wide * 4096 * 4) > 0) {
        flat(model, "Flatten", OD_LAYER_VIEW, wide, 0);
        flat(model, "Dense", OD_LAYER_LINEAR, 4096, (wide + 1) * 4096);
        flat(model, "Dense", OD_LAYER_LINEAR, 4096, 4097 * UINT64_C(4096));
        flat(model, "Dense", OD_LAYER_LINEAR, usual_classes, 4097 * usual_classes);
        return model;
    }
    uint64_t classes =
        count_of(s, n->channels * usual_classes * 4) > 0 ? usual_classes : few_classes;
    flat(model, "GlobalAveragePooling2D", OD_LAYER_AVG_POOL, n->channels, 0);
    flat(model, "Dense", OD_LAYER_LINEAR, classes, (n->channels + 1) * classes);
    return model;
}

/* --- the size of the images --- */

static uint64_t bytes_of(const struct od_layer *layer, uint64_t batch, unsigned width)
{
    uint64_t bytes = batch * width;
    for (uint32_t k = 1; k < layer->output.n; k++)
        if (ckd_mul(&bytes, bytes, layer->output.dims[k]))
            return 0;
    return bytes;
}

static bool is_first_of_size(const struct od_model *model, size_t row, uint64_t batch,
                             unsigned width)
{
    uint64_t bytes = bytes_of(&model->layers.items[row], batch, width);
    for (size_t i = 0; i < row; i++)
        if (bytes_of(&model->layers.items[i], batch, width) == bytes)
            return false;
    return true;
}

/* Bytes in use that are outputs of the model's layers for that batch. 0 if none of the first
 * outputs is in use, because the network creates these before later ones. */
static double outputs_of(const struct sizes *s, const struct od_model *model, uint64_t batch,
                         unsigned width)
{
    enum { FIRST = 6 };
    double sum = 0;
    bool begins = false;
    for (size_t i = 0; i < model->layers.n; i++) {
        uint64_t bytes = bytes_of(&model->layers.items[i], batch, width);
        uint64_t count = count_of(s, bytes);
        begins = begins || (i > 0 && i <= FIRST && count > 0);
        if (i == FIRST && !begins)
            return 0;
        if (is_first_of_size(model, i, batch, width))
            sum += (double)count * (double)bytes;
    }
    return sum;
}

struct match {
    const struct od_model *model, *whole; /* whole has the network as one row */
    double bytes;
    uint64_t batch;
    unsigned width;
};

static void try_width(const struct sizes *s, const struct match *it, struct match *best)
{
    const struct od_model *whole = it->whole;
    double bytes = outputs_of(s, whole, it->batch, it->width);
    if (bytes <= best->bytes)
        return;
    *best = *it;
    best->bytes = bytes;
}

static void try_side(const struct network *n, const struct sizes *s, uint64_t side,
                     const struct od_fit_facts *facts, struct match *best)
{
    struct match it = {.model = model_of(n, s, side, facts->arena), .batch = facts->batch.n};
    it.whole = od_model_resolve(it.model, facts->arena);
    for (it.width = 4; it.width >= 2; it.width /= 2)
        try_width(s, &it, best);
}

static struct match best_match(const struct network *network, const struct sizes *s,
                               const struct od_fit_facts *facts)
{
    enum { STEP = 16, SIDE_MOST = 1024, PHOTO = 299, TENS_MOST = 600 };
    struct match best = {0};
    for (uint64_t side = 2 * STEP; side <= SIDE_MOST; side += STEP)
        try_side(network, s, side, facts, &best);
    for (uint64_t side = 50; side <= TENS_MOST; side += 10)
        try_side(network, s, side, facts, &best);
    try_side(network, s, PHOTO, facts, &best);
    return best;
}

static void know(const struct sizes *s, const struct network *network, struct od_fit_facts *facts)
{
    const struct od_holding *holding = facts->holding;
    struct match best = best_match(network, s, facts);
    double fixed = facts->fixed.known ? (double)facts->fixed.n : (double)network->parameters * 8;
    double rest = (double)facts->failure->in_use.n - fixed;
    if (!best.model || best.bytes < outputs_least * rest)
        return;
    facts->model = best.model;
    facts->network = network->name;
    facts->sixteen_bit = facts->sixteen_bit || best.width == 2;
    facts->parameters = best.model->parameters;
    facts->slots = holding->optimizer_copies.known ? holding->optimizer_copies
                                                   : od_count_of(holding->net_copies - 1);
}

void od_fit_network_by_sizes(struct od_fit_facts *facts)
{
    bool told = facts->model && facts->model->layers.n > 0;
    if (told || !facts->holding || !facts->holding->network || !facts->batch.known)
        return;
    struct sizes s = sizes_of(facts->failure->dump);
    struct network network = network_of(facts->holding);
    know(&s, &network, facts);
    od_index_done(&s.by_bytes);
}
