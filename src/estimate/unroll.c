#include "estimate/unroll.h"

#include "base/num.h"
#include "estimate/module_count.h"

enum { DEEPEST = 64, USUAL_IMAGE = 224, USUAL_SEQUENCE = 128, EDGE_MOST = 1 << 20 };

/* A module that is being walked through. */
struct level {
    uint32_t depth;
    uint32_t holder; /* its row */
    struct od_shape entry;
};

struct unroll {
    const struct od_model *model;
    struct od_arena *arena;
    struct od_layer *rows;
    size_t n, room;
    struct od_shape
        now;       /* the newest tensor: [batch, channels, height, width] or [batch, .., width] */
    uint64_t edge; /* the longer one of the image */
    bool map;      /* its channels come first */
    const struct od_layer *pool; /* printed once, called before every level of a U-Net */
    struct level levels[DEEPEST];
    size_t nlevels;
};

/* ---- the input of a layer ---- */

static uint64_t channels_of(const struct od_shape *shape, bool map)
{
    return shape->n >= 2 ? shape->dims[map ? 1 : shape->n - 1] : 0;
}

static bool is_map(const struct od_shape *shape)
{
    return shape->n >= 4;
}

static bool is_shortcut(struct od_view name)
{
    return od_view_has(name, OD_VIEW("downsample")) || od_view_has(name, OD_VIEW("shortcut")) ||
           od_view_has(name, OD_VIEW("skip"));
}

/* The tensor that a layer of so many channels reads: the newest one, what a module around it was
 * given, an earlier output of fewer channels; else a concatenation as large as the newest. */
static struct od_shape input_of(const struct unroll *u, uint64_t channels)
{
    enum { REACH = 64 };
    const struct level *around = u->nlevels > 0 ? &u->levels[u->nlevels - 1] : NULL;
    if (around && u->n > 0 && u->rows[u->n - 1].depth == around->depth && u->nlevels > 1 &&
        is_shortcut(u->rows[u->n - 1].name) && is_map(&around[-1].entry))
        return around[-1].entry; /* its first layer reads what the block was given */
    if (channels_of(&u->now, u->map) == channels)
        return u->now;
    for (size_t i = u->nlevels; i > 0; i--)
        if (is_map(&u->levels[i - 1].entry) && u->levels[i - 1].entry.dims[1] == channels)
            return u->levels[i - 1].entry;
    bool fewer = channels < channels_of(&u->now, u->map);
    for (size_t i = u->n; fewer && i > 0 && i + REACH > u->n; i--)
        if (is_map(&u->rows[i - 1].output) && u->rows[i - 1].output.dims[1] == channels)
            return u->rows[i - 1].output;
    struct od_shape joined = u->now;
    if (joined.n >= 2)
        joined.dims[u->map ? 1 : joined.n - 1] = channels;
    return joined;
}

/* ---- sizes ---- */

/* Of one of several equal or different extents: "3" and "(1, 7)" both are printed. */
static uint64_t extent(const struct od_shape *shape, uint32_t i, uint64_t otherwise)
{
    if (!shape->known || shape->n == 0)
        return otherwise;
    uint64_t n = shape->dims[i < shape->n ? i : shape->n - 1];
    return n < EDGE_MOST ? n : otherwise;
}

static uint64_t strided(const struct od_layer *layer, uint32_t i, uint64_t in)
{
    bool pool = layer->kind != OD_LAYER_CONV;
    uint64_t kernel = extent(&layer->kernel, i, 1);
    uint64_t stride = extent(&layer->stride, i, pool ? kernel : 1);
    uint64_t dilation =
        layer->dilation.known && layer->dilation.n < EDGE_MOST ? layer->dilation.n : 1;
    uint64_t reach = dilation * (kernel > 0 ? kernel - 1 : 0) + 1;
    uint64_t padding = extent(&layer->padding, i, 0);
    stride = stride > 0 ? stride : 1;
    if (od_view_has(layer->type, OD_VIEW("Transpose"))) {
        uint64_t whole = (in > 0 ? in - 1 : 0) * stride + reach;
        return whole > 2 * padding ? whole - 2 * padding : 1;
    }
    return in + 2 * padding > reach ? (in + 2 * padding - reach) / stride + 1 : 1;
}

/* A way up whose way down hides a pool (printed once, called at each level) ends at the image. */
static uint64_t capped(const struct unroll *u, uint64_t edge)
{
    return edge < u->edge ? edge : u->edge;
}

static struct od_shape convolved(const struct unroll *u, const struct od_layer *layer,
                                 struct od_shape in, uint64_t channels)
{
    bool adaptive = od_view_starts(layer->type, OD_VIEW("Adaptive"));
    in.dims[1] = channels;
    for (uint32_t i = 2; i < in.n; i++)
        in.dims[i] = adaptive ? extent(&layer->kernel, i - 2, 1)
                              : capped(u, strided(layer, i - 2, in.dims[i]));
    return in;
}

static struct od_shape vector_of(uint64_t width)
{
    return (struct od_shape){.dims = {OD_DIM_UNKNOWN, width}, .n = 2, .known = true};
}

/* [batch, channels, height, width] -> [batch, height, width, channels] and back. */
static void turn(struct od_shape *shape, bool first)
{
    uint64_t channels = shape->dims[first ? 1 : shape->n - 1];
    if (first)
        for (uint32_t i = 1; i + 1 < shape->n; i++)
            shape->dims[i] = shape->dims[i + 1];
    else
        for (uint32_t i = shape->n - 1; i > 1; i--)
            shape->dims[i] = shape->dims[i - 1];
    shape->dims[first ? shape->n - 1 : 1] = channels;
}

static struct od_shape after_linear(struct unroll *u, const struct od_layer *layer)
{
    struct od_shape in = u->now;
    bool rows = in.n > 2 && in.dims[in.n - 1] == layer->in_features.n && !u->map;
    bool turned = is_map(&in) && u->map && in.dims[1] == layer->in_features.n && in.dims[2] > 1;
    if (turned)
        turn(&in, true);
    if (!rows && !turned)
        in = in.n == 3 && !u->map ? in : vector_of(0);
    u->map = false;
    in.dims[in.n - 1] = layer->out_features.n;
    return in;
}

static struct od_shape after_map(struct unroll *u, const struct od_layer *layer)
{
    if (is_map(&u->now) && !u->map) {
        turn(&u->now, false);
        u->map = true;
    }
    if (layer->kind != OD_LAYER_CONV)
        return convolved(u, layer, u->now, channels_of(&u->now, true));
    struct od_shape in = input_of(u, layer->in_features.n);
    u->map = true;
    return convolved(u, layer, in, layer->out_features.n);
}

static struct od_shape after_upsample(const struct unroll *u, const struct od_layer *layer)
{
    struct od_shape out = u->now;
    for (uint32_t i = 2; i < out.n && od_view_starts(layer->type, OD_VIEW("Up")); i++)
        out.dims[i] = capped(u, out.dims[i] * extent(&layer->stride, i - 2, 1));
    return out;
}

static struct od_shape after_norm(struct unroll *u, const struct od_layer *layer)
{
    struct od_shape out = u->now;
    bool turned = layer->kind == OD_LAYER_NORM && layer->kernel.n == 1 && is_map(&out) && u->map &&
                  out.dims[1] == layer->kernel.dims[0];
    if (turned) {
        turn(&out, true);
        u->map = false;
    }
    if (layer->kind == OD_LAYER_BATCH_NORM && layer->out_features.known)
        out = input_of(u, layer->out_features.n);
    return out;
}

static struct od_shape output_of(struct unroll *u, const struct od_layer *layer)
{
    uint64_t elements;
    struct od_shape out = u->now, one;
    switch ((int)layer->kind) {
    case OD_LAYER_CONV:
    case OD_LAYER_MAX_POOL:
    case OD_LAYER_AVG_POOL:
        return after_map(u, layer);
    case OD_LAYER_LINEAR:
        return after_linear(u, layer);
    case OD_LAYER_BATCH_NORM:
    case OD_LAYER_NORM:
        return after_norm(u, layer);
    case OD_LAYER_COPY:
        return after_upsample(u, layer);
    case OD_LAYER_EMBEDDING:
    case OD_LAYER_RECURRENT:
        out.dims[out.n - 1] = layer->out_features.n * (layer->bidirectional == OD_YES ? 2 : 1);
        return out;
    case OD_LAYER_VIEW:
        one = out;
        one.dims[0] = 1;
        if (od_view_eq_str(layer->type, "Flatten") && od_shape_elements(&one, &elements)) {
            u->map = false;
            return vector_of(elements);
        }
        return out;
    default:
        return out;
    }
}

/* ---- rows ---- */

static struct od_layer *push(struct unroll *u, const struct od_layer *layer)
{
    u->rows[u->n] = *layer;
    return &u->rows[u->n++];
}

static void add_leaf(struct unroll *u, const struct od_layer *layer)
{
    struct od_layer *row = push(u, layer);
    row->output = u->now = output_of(u, layer);
    if (!row->parameters.known)
        row->parameters = od_module_parameters(layer);
}

/* An activation printed once among several norms is called behind each of them. */
static const struct od_layer *shared_activation(const struct od_model *m, uint32_t holder)
{
    const struct od_layer *found = NULL;
    size_t norms = 0, activations = 0;
    uint32_t depth = m->layers.items[holder].depth;
    for (size_t i = holder + 1; i < m->layers.n && m->layers.items[i].depth > depth; i++) {
        const struct od_layer *layer = &m->layers.items[i];
        if (layer->depth != depth + 1)
            continue;
        norms += layer->kind == OD_LAYER_BATCH_NORM;
        if (layer->kind >= OD_LAYER_RELU && layer->kind <= OD_LAYER_SMOOTH) {
            activations++;
            found = layer;
        }
    }
    return activations == 1 && norms > 1 ? found : NULL;
}

static bool goes_up(const struct od_layer *layer)
{
    return od_view_starts(layer->type, OD_VIEW("Upsamp")) ||
           od_view_starts(layer->type, OD_VIEW("ConvTranspose"));
}

/* The only pool of a model that enlarges several times. */
static const struct od_layer *only_pool(const struct od_model *m)
{
    const struct od_layer *pool = NULL;
    size_t pools = 0, ups = 0;
    for (size_t i = 0; i < m->layers.n; i++) {
        const struct od_layer *layer = &m->layers.items[i];
        ups += goes_up(layer);
        if (layer->kind != OD_LAYER_MAX_POOL)
            continue;
        pools++;
        pool = layer;
    }
    return pools == 1 && ups > 1 ? pool : NULL;
}

/* On the way down a convolution to twice the channels begins a level: the pool comes before it. */
static bool begins_level(const struct unroll *u, const struct od_layer *layer)
{
    return u->pool && layer->kind == OD_LAYER_CONV &&
           layer->out_features.n == 2 * layer->in_features.n && extent(&layer->kernel, 0, 1) > 1 &&
           u->map;
}

static void close_levels(struct unroll *u, uint32_t depth)
{
    while (u->nlevels > 0 && u->levels[u->nlevels - 1].depth >= depth) {
        const struct level *level = &u->levels[--u->nlevels];
        /* one number for each channel at the end of a module that was given a map: their product */
        bool gate = is_map(&level->entry) && is_map(&u->now) && u->now.dims[2] == 1 &&
                    level->entry.dims[2] > 1 && u->now.dims[1] == level->entry.dims[1] &&
                    u->nlevels > 1;
        if (!gate)
            continue;
        u->now = level->entry;
        for (size_t i = 0; i < u->n; i++)
            if (u->rows[i].at.line == u->model->layers.items[level->holder].at.line)
                u->rows[i].output = u->now;
    }
}

static void add_row(struct unroll *u, uint32_t i)
{
    const struct od_layer *layer = &u->model->layers.items[i];
    const struct od_layer *shared = NULL;
    bool holds = i + 1 < u->model->layers.n && layer[1].depth > layer->depth;
    close_levels(u, layer->depth);
    if (holds) {
        if (u->nlevels < DEEPEST)
            u->levels[u->nlevels++] =
                (struct level){.depth = layer->depth, .holder = i, .entry = u->now};
        push(u, layer)->parameters = od_module_parameters(layer);
        return;
    }
    if (u->nlevels > 0 && u->levels[u->nlevels - 1].depth + 1 == layer->depth)
        shared = shared_activation(u->model, u->levels[u->nlevels - 1].holder);
    if (shared == layer || layer == u->pool)
        return;
    if (goes_up(layer))
        u->pool = NULL;
    if (begins_level(u, layer))
        add_leaf(u, u->pool);
    add_leaf(u, layer);
    if (shared && layer->kind == OD_LAYER_BATCH_NORM)
        add_leaf(u, shared);
}

/* The input: an image for a convolution, indices for an embedding, numbers for the others. */
static const char *start(struct unroll *u, const struct od_workload *w)
{
    const struct od_model *m = u->model;
    uint64_t h = w->image_h ? w->image_h : USUAL_IMAGE, v = w->image_w ? w->image_w : h;
    uint64_t s = w->sequence ? w->sequence : USUAL_SEQUENCE;
    for (size_t i = 0; i < m->layers.n; i++) {
        const struct od_layer *layer = &m->layers.items[i];
        if (layer->kind == OD_LAYER_CONV && od_view_ends(layer->type, OD_VIEW("2d"))) {
            u->map = true;
            u->edge = h > v ? h : v;
            u->now = (struct od_shape){
                .dims = {OD_DIM_UNKNOWN, layer->in_features.n, h, v}, .n = 4, .known = true};
            return w->image_h
                       ? NULL
                       : "the size of the images is not printed: 224x224 is assumed (--image HxW)";
        }
        if (layer->kind == OD_LAYER_EMBEDDING || layer->kind == OD_LAYER_RECURRENT) {
            u->now = (struct od_shape){
                .dims = {OD_DIM_UNKNOWN, s, layer->in_features.n}, .n = 3, .known = true};
            return w->sequence
                       ? NULL
                       : "the length of a sequence is not printed: 128 is assumed (--seq N)";
        }
        if (layer->kind == OD_LAYER_LINEAR) {
            u->now = vector_of(layer->in_features.n);
            return NULL;
        }
        if (layer->kind == OD_LAYER_CONV)
            break;
    }
    return "what the model reads is not printed: its activations are not counted";
}

static struct od_bytes bytes_of(struct od_shape shape)
{
    if (shape.known)
        shape.dims[0] = 1;
    return od_shape_bytes(&shape, OD_FLOAT32);
}

const struct od_model *od_model_unroll(const struct od_workload *workload, struct od_arena *arena,
                                       const char **ret_note)
{
    const struct od_model *m = workload->model;
    *ret_note = NULL;
    if (m->format != OD_MODEL_MODULE_TREE || m->layers.n == 0)
        return m;
    struct unroll u = {.model = m, .arena = arena};
    struct od_model *whole = OD_NEW(arena, struct od_model);
    u.rows = OD_NEW_N(arena, 3 * m->layers.n + 1, struct od_layer);
    u.pool = only_pool(m);
    *ret_note = start(&u, workload);
    struct od_bytes input = bytes_of(u.now);
    for (uint32_t i = 0; i < m->layers.n; i++)
        add_row(&u, i);
    *whole = *m;
    whole->input_bytes = input;
    whole->layers.items = u.rows;
    whole->layers.n = whole->layers.room = u.n;
    return whole;
}
