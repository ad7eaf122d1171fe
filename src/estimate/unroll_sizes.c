#include "estimate/unroll_parts.h"

#include "estimate/conv_weights.h"

/* ---- the input of a layer ---- */

static uint64_t channels_of(const struct od_shape *shape, bool map)
{
    return shape->n >= 2 ? shape->dims[map ? 1 : shape->n - 1] : 0;
}

bool od_unroll_is_map(const struct od_shape *shape)
{
    return shape->n >= 4;
}

/* The tensor that a layer of that many channels reads: the newest one, the input of an enclosing
 * module, an earlier output with these channels; else a concatenation as large as the newest. */
static struct od_shape input_of(const struct od_unroll *u, uint64_t channels)
{
    enum { REACH = 64 };
    if (channels_of(&u->now, u->map) == channels)
        return u->now;
    for (size_t i = u->nlevels; i > 0; i--)
        if (od_unroll_is_map(&u->levels[i - 1].entry) && u->levels[i - 1].entry.dims[1] == channels)
            return u->levels[i - 1].entry;
    bool fewer = channels < channels_of(&u->now, u->map);
    bool half = 2 * channels == channels_of(&u->now, u->map);
    for (size_t i = u->n; fewer && i > 0 && i + REACH > u->n; i--) {
        const struct od_shape *earlier = &u->rows[i - 1].output;
        if (!od_unroll_is_map(earlier) || earlier->dims[1] != channels)
            continue;
        if (half && earlier->dims[2] != u->now.dims[2])
            break; /* more likely a chunk of the newest tensor */
        return *earlier;
    }
    struct od_shape joined = u->now;
    if (joined.n >= 2)
        joined.dims[u->map ? 1 : joined.n - 1] = channels;
    return joined;
}

uint64_t od_unroll_extent(const struct od_shape *shape, uint32_t i, uint64_t otherwise)
{
    if (!shape->known || shape->n == 0)
        return otherwise;
    uint64_t n = shape->dims[i < shape->n ? i : shape->n - 1];
    return n < OD_UNROLL_EDGE_MOST ? n : otherwise;
}

static uint64_t strided(const struct od_layer *layer, uint32_t i, uint64_t in)
{
    bool pool = layer->kind != OD_LAYER_CONV;
    uint64_t kernel = od_unroll_extent(&layer->kernel, i, 1);
    uint64_t stride = od_unroll_extent(&layer->stride, i, pool ? kernel : 1);
    uint64_t dilation =
        layer->dilation.known && layer->dilation.n < OD_UNROLL_EDGE_MOST ? layer->dilation.n : 1;
    uint64_t reach = dilation * (kernel > 0 ? kernel - 1 : 0) + 1;
    uint64_t padding = od_unroll_extent(&layer->padding, i, 0);
    stride = stride > 0 ? stride : 1;
    if (od_view_has(layer->type, OD_VIEW("Transpose"))) {
        uint64_t whole = (in > 0 ? in - 1 : 0) * stride + reach;
        return whole > 2 * padding ? whole - 2 * padding : 1;
    }
    return in + 2 * padding > reach ? (in + 2 * padding - reach) / stride + 1 : 1;
}

/* Limits the size on the way up to that of the image, because the way down has a hidden pool
 * (printed once, called at each level). */
static uint64_t capped(const struct od_unroll *u, uint64_t edge)
{
    return edge < u->edge ? edge : u->edge;
}

static struct od_shape convolved(const struct od_unroll *u, const struct od_layer *layer,
                                 struct od_shape in, uint64_t channels)
{
    bool adaptive = od_view_starts(layer->type, OD_VIEW("Adaptive"));
    in.dims[1] = channels;
    for (uint32_t i = 2; i < in.n; i++)
        in.dims[i] = adaptive ? od_unroll_extent(&layer->kernel, i - 2, 1)
                              : capped(u, strided(layer, i - 2, in.dims[i]));
    return in;
}

struct od_shape od_unroll_vector(uint64_t width)
{
    return (struct od_shape){.dims = {OD_DIM_UNKNOWN, width}, .n = 2, .known = true};
}

/* Moves channels: [batch, channels, height, width] -> [batch, height, width, channels], or back. */
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

/* Do rows for maps follow? A matrix without a map is then parallel to them: a time embedding. */
static bool maps_follow(const struct od_unroll *u, const struct od_layer *layer)
{
    const struct od_layer *end = u->model->layers.items + u->model->layers.n;
    for (const struct od_layer *next = layer + 1; next < end; next++)
        if (next->kind == OD_LAYER_CONV)
            return true;
    return false;
}

/* Flattens rows and columns of a map into one dimension of vectors. */
static struct od_shape in_line(struct od_shape in)
{
    struct od_shape out = {.dims = {in.dims[0], 1, in.dims[in.n - 1]}, .n = 3, .known = true};
    for (uint32_t i = 1; i + 1 < in.n; i++)
        if (ckd_mul(&out.dims[1], out.dims[1], in.dims[i]))
            out.known = false;
    return out;
}

/* Returns the shape with the features of a matrix last: unchanged; with channels moved to the end;
 * with positions moved to the end (mixing tokens); with channels and one side of a map as one
 * vector (spectrograms, lines of text). False if the matrix reads none of these. */
static bool features_last(const struct od_unroll *u, uint64_t features, struct od_shape *ret_in)
{
    struct od_shape in = u->now, line;
    uint64_t folded;
    if (in.n < 3)
        return false;
    if (u->map)
        turn(&in, true);
    line = in_line(in);
    if (u->map && od_unroll_is_map(&u->now) && in.dims[1] == 1 && in.dims[2] == 1)
        return false; /* the map was pooled to a vector */
    if (in.dims[in.n - 1] == features) {
        *ret_in = in;
        return true;
    }
    *ret_in = line;
    if (line.known && line.dims[1] == features) {
        ret_in->dims[1] = line.dims[2];
        ret_in->dims[2] = line.dims[1];
        return true;
    }
    for (uint32_t side = 1; u->map && in.n == 4 && side <= 2; side++)
        if (!ckd_mul(&folded, in.dims[3], in.dims[side]) && folded == features &&
            in.dims[side] > 1) {
            ret_in->dims[1] = in.dims[3 - side];
            ret_in->dims[2] = features;
            return true;
        }
    return false;
}

static struct od_shape after_linear(struct od_unroll *u, const struct od_layer *layer)
{
    struct od_shape in;
    if (features_last(u, layer->in_features.n, &in)) {
        u->map = false;
    } else if (od_unroll_is_map(&u->now) && u->map && maps_follow(u, layer)) {
        in = od_unroll_vector(0);
    } else {
        in = u->now.n >= 3 && !u->map ? u->now : od_unroll_vector(0);
        u->map = false;
    }
    in.dims[in.n - 1] = layer->out_features.n;
    return in;
}

/* Turns vectors back into a square map, if a two-dimensional convolution reads them. */
static bool unfold(struct od_unroll *u, const struct od_layer *layer)
{
    struct od_shape *now = &u->now;
    uint64_t side = now->n == 3 && !u->map ? od_root(now->dims[1]) : 0;
    if (side < 2 || side * side != now->dims[1] || !od_view_has(layer->type, OD_VIEW("2d")))
        return false;
    *now =
        (struct od_shape){.dims = {now->dims[0], now->dims[2], side, side}, .n = 4, .known = true};
    return u->map = true;
}

static struct od_shape after_map(struct od_unroll *u, const struct od_layer *layer)
{
    if (u->now.n >= 3 && !u->map && !unfold(u, layer)) {
        turn(&u->now, false);
        u->map = true;
    }
    if (u->stem == layer) {
        u->now = u->image;
        u->map = true;
    }
    if (layer->kind != OD_LAYER_CONV)
        return convolved(u, layer, u->now, channels_of(&u->now, true));
    struct od_shape in = input_of(u, layer->in_features.n);
    u->map = true;
    return convolved(u, layer, in, layer->out_features.n);
}

static struct od_shape after_upsample(const struct od_unroll *u, const struct od_layer *layer)
{
    struct od_shape out = u->now;
    for (uint32_t i = 2; i < out.n && od_view_starts(layer->type, OD_VIEW("Up")); i++)
        out.dims[i] = capped(u, out.dims[i] * od_unroll_extent(&layer->stride, i - 2, 1));
    return out;
}

static struct od_shape after_norm(struct od_unroll *u, const struct od_layer *layer)
{
    struct od_shape out = u->now;
    bool vectors = layer->kind == OD_LAYER_NORM && layer->kernel.n == 1 && out.n >= 3;
    uint64_t width = vectors ? layer->kernel.dims[0] : 0;
    if (vectors && u->map && out.dims[1] == width) {
        turn(&out, true);
        u->map = false;
    } else if (vectors && !u->map && out.n == 3 && out.dims[2] != width && out.dims[1] == width) {
        turn(&out, true); /* positions were the last dimension */
    } else if (vectors && !u->map && out.dims[out.n - 1] == 2 * width) {
        out.dims[out.n - 1] = width; /* the layer outputs a half of it */
    }
    if (layer->kind == OD_LAYER_BATCH_NORM && layer->out_features.known)
        out = input_of(u, layer->out_features.n);
    return out;
}

struct od_shape od_unroll_output(struct od_unroll *u, const struct od_layer *layer)
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
            return od_unroll_vector(elements);
        }
        return out;
    default:
        return out;
    }
}
