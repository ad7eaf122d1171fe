#include "estimate/conv_input.h"

#include "estimate/conv_weights.h"

/* Finds an earlier printed tensor that belongs to another branch of the block. */
static uint32_t side_branch(const struct od_walk *walk, const struct od_layer *layer,
                            const struct od_kernel_weights *w, const struct od_walk_tensor *out)
{
    enum { REACH = 96 };
    for (size_t i = walk->tensors.n; i > 0 && i + REACH > walk->tensors.n; i--) {
        const struct od_walk_tensor *t = &walk->tensors.items[i - 1];
        if (t->channels > 3 && od_map_area(t) >= od_map_area(out) &&
            od_reads_odd(layer, w, t->channels, 1))
            return (uint32_t)(i - 1);
    }
    return OD_NO_TENSOR;
}

/* Is the tensor upsampled? Only the next layer reads it then: any other layer that could read it
 * reads its concatenation with a skip connection, which has as many channels. */
static bool is_upsampled(const struct od_walk *walk, uint32_t tensor)
{
    for (size_t i = walk->steps.n; i > 0; i--) {
        const struct od_step *step = &walk->steps.items[i - 1];
        if (step->out == tensor)
            return i < walk->steps.n &&
                   od_view_starts(walk->model->layers.items[step->layer].type, OD_VIEW("Up"));
    }
    return false;
}

/* Finds the input of a 1x1 convolution, a map as large as its output. 3 x 64 weights are more
 * likely a 1x1 kernel over 192 channels than a 1x3 kernel. */
static uint32_t pointwise_branch(const struct od_walk *walk, const struct od_layer *layer,
                                 const struct od_kernel_weights *w,
                                 const struct od_walk_tensor *out)
{
    enum { REACH = 48, FEW = 32 };
    for (size_t i = walk->tensors.n; i > 0 && i + REACH > walk->tensors.n; i--) {
        const struct od_walk_tensor *t = &walk->tensors.items[i - 1];
        if (t->map && t->channels > FEW && od_map_area(t) == od_map_area(out) &&
            (t->channels == w->without || t->channels == w->with_bias) &&
            od_is_kernel_area(layer, 1, 1) && !is_upsampled(walk, (uint32_t)(i - 1)))
            return (uint32_t)(i - 1);
    }
    return OD_NO_TENSOR;
}

/* Does the layer read a half of the newest tensor? A chunk keeps its whole tensor. */
static bool reads_half(const struct od_layer *layer, const struct od_kernel_weights *w,
                       const struct od_walk_tensor *newest, const struct od_walk_tensor *out)
{
    return newest->channels % 2 == 0 && od_map_area(newest) == od_map_area(out) &&
           od_reads_square(layer, w, newest->channels / 2, false);
}

/* Does a unit work on one half with an output of equal size (as in CSP), or does a branch shrink a
 * larger map to the size of the tensor to which it is added? */
static bool works_on_half(const struct od_walk *walk, uint32_t side,
                          const struct od_walk_tensor *newest, const struct od_walk_tensor *out)
{
    if (out->channels * 2 != newest->channels)
        return false;
    return side == OD_NO_TENSOR || od_map_area(&walk->tensors.items[side]) > od_map_area(out);
}

/* Is the input a concatenation? A map that keeps its size is not read by an even kernel, nor by a
 * 1x3 kernel that changes the number of channels (those come in pairs, with equal channels in
 * between). Both are then 1x1 kernels over a concatenation. */
static bool is_joined(const struct od_layer *layer, const struct od_kernel_weights *w,
                      const struct od_walk_tensor *in, const struct od_walk_tensor *out)
{
    bool told = od_kernel_area(layer) > 0 || layer->output.n != 4;
    if (told || od_map_area(in) != od_map_area(out) ||
        od_concat_channels(layer, w, in->channels) == 0)
        return false;
    return in->channels != out->channels || !od_reads_odd(layer, w, in->channels, 1);
}

/* Is the input too small? Only transposed convolutions enlarge much. */
static bool is_smaller(const struct od_layer *layer, const struct od_walk_tensor *in,
                       const struct od_walk_tensor *out)
{
    return layer->output.n == 4 && in->map && !od_view_has(layer->type, OD_VIEW("Transpose")) &&
           od_view_starts(layer->type, OD_VIEW("Conv")) && od_map_area(out) / 3 >= od_map_area(in);
}

/* Adds the input of a convolution that a function enlarged: interpolation, unpooling, or a product
 * of a map with one number per channel. OD_NO_TENSOR on overflow. */
static uint32_t enlarged(struct od_walk *walk, const struct od_walk_tensor *newest,
                         const struct od_walk_tensor *out)
{
    struct od_walk_tensor larger = {.channels = newest->channels, .map = true, .hidden = true};
    if (ckd_mul(&larger.elements, newest->channels, od_map_area(out)))
        return OD_NO_TENSOR;
    od_vec_push(&walk->tensors, larger);
    return (uint32_t)(walk->tensors.n - 1);
}

uint32_t od_conv_input(struct od_walk *walk, const struct od_layer *layer,
                       const struct od_walk_tensor *out)
{
    struct od_kernel_weights w;
    if (walk->newest == OD_NO_TENSOR || !od_kernel_weights_of(layer, out, &w))
        return walk->newest;
    const struct od_walk_tensor t = walk->tensors.items[walk->newest];
    if (is_smaller(layer, &t, out) && od_reads_square(layer, &w, t.channels, false))
        return enlarged(walk, &t, out);
    bool same = layer->output.n == 4 && od_map_area(&t) == od_map_area(out);
    if (t.channels == 0 || od_reads_square(layer, &w, t.channels, !same || od_kernel_area(layer)))
        return walk->newest;
    /* units of ShuffleNet concatenate before they split */
    bool half = reads_half(layer, &w, &t, out);
    if (od_is_depthwise(layer, &w, t.channels, out->channels) || (t.hidden && half))
        return walk->newest;
    uint32_t side = side_branch(walk, layer, &w, out);
    if (half && works_on_half(walk, side, &t, out))
        return walk->newest;
    if (side != OD_NO_TENSOR && is_upsampled(walk, side))
        side = OD_NO_TENSOR;
    if (side != OD_NO_TENSOR &&
        od_reads_square(layer, &w, walk->tensors.items[side].channels, true))
        return side;
    uint32_t pointwise = pointwise_branch(walk, layer, &w, out);
    if (pointwise != OD_NO_TENSOR)
        return pointwise;
    if (od_reads_all(layer, &w, t.channels) && !is_joined(layer, &w, &t, out))
        return walk->newest;
    if (side != OD_NO_TENSOR)
        return side;
    if (od_reads_groups(layer, &w, t.channels, out->channels))
        return walk->newest;
    struct od_walk_tensor joined = {.map = true, .hidden = true};
    joined.channels = od_concat_channels(layer, &w, t.channels);
    if (joined.channels == 0 || ckd_mul(&joined.elements, od_map_area(&t), joined.channels))
        return walk->newest;
    od_vec_push(&walk->tensors, joined);
    return (uint32_t)(walk->tensors.n - 1);
}

bool od_has_bias(const struct od_layer *layer, const struct od_walk_tensor *in,
                 const struct od_walk_tensor *out)
{
    struct od_kernel_weights w;
    if (layer->bias != OD_CANNOT_TELL)
        return layer->bias == OD_YES;
    if (!od_kernel_weights_of(layer, out, &w) || !in || in->channels == 0)
        return false;
    if (layer->kind == OD_LAYER_LINEAR) {
        uint64_t rows = out->elements / out->channels, elements;
        return !ckd_mul(&elements, rows, w.without) && elements != in->elements;
    }
    if (od_weights_fit(layer, w.without, in->channels, 1))
        return false;
    return od_weights_fit(layer, w.with_bias, in->channels, 1) ||
           (!od_reads_odd(layer, &(struct od_kernel_weights){.without = w.without}, 1, 3) &&
            od_reads_groups(layer, &(struct od_kernel_weights){.with_bias = w.with_bias},
                            in->channels, out->channels));
}
