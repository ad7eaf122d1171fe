#include "estimate/block.h"

#include "base/num.h"

/* What is known of a block. */
struct sight {
    const struct od_walk *walk;
    struct od_view holder; /* type of the module around it */
    uint64_t parameters;
    uint64_t in_channels, in_area;
    uint64_t channels, area;
};

static bool look(const struct od_walk *walk, const struct od_step *step, struct sight *ret_sight)
{
    const struct od_layer *layers = walk->model->layers.items;
    const struct od_walk_tensor *out = &walk->tensors.items[step->out];
    const struct od_walk_tensor *in =
        step->in == OD_NO_TENSOR ? out : &walk->tensors.items[step->in];
    /* squares of channels below must not overflow */
    if (!layers[step->layer].parameters.known || out->channels == 0 || in->channels == 0 ||
        out->channels >> 24 || in->channels >> 24)
        return false;
    *ret_sight = (struct sight){.walk = walk,
                                .parameters = layers[step->layer].parameters.n,
                                .in_channels = in->channels,
                                .in_area = in->elements / in->channels,
                                .channels = out->channels,
                                .area = out->elements / out->channels};
    if (step->holder != OD_NO_TENSOR)
        ret_sight->holder = layers[step->holder].type;
    return true;
}

/* Elements over maps of two sizes; what does not fit 64 bits is no block. */
static bool fill(struct od_block *block, uint64_t a, uint64_t area_a, uint64_t b, uint64_t area_b)
{
    uint64_t first, second;
    block->known = true;
    return !ckd_mul(&first, a, area_a) && !ckd_mul(&second, b, area_b) &&
           !ckd_add(&block->elements, first, second);
}

/* A 1x1 convolution and its norm beside a residual block: the norm keeps its input. The block's
 * own input is kept already. */
static bool is_downsample(const struct sight *s, struct od_block *block)
{
    enum { REACH = 96 };
    size_t n = s->walk->tensors.n;
    uint64_t weights;
    if (ckd_sub(&weights, s->parameters, 2 * s->channels) || weights == 0 ||
        weights % s->channels != 0)
        return false;
    block->tensors = 3;
    for (size_t i = n; i > 0 && i + REACH > n; i--)
        if (s->walk->tensors.items[i - 1].channels == weights / s->channels)
            return fill(block, s->channels, s->area, 0, 0);
    return false;
}

/*
 * MobileNetV2: 1x1 to a width w, norm, ReLU6, depthwise 3x3, norm, ReLU6, 1x1, norm; the first
 * three only where w is more than the input. Each norm and ReLU6 keeps its input, each
 * convolution too.
 */
static bool is_inverted_residual(const struct sight *s, struct od_block *block)
{
    uint64_t rest, width, each = s->in_channels + s->channels + 13;
    if (!od_view_has(s->holder, OD_VIEW("InvertedResidual")) ||
        ckd_sub(&rest, s->parameters, 2 * s->channels))
        return false;
    block->keeps_in = true;
    block->tensors = 6;
    if (rest == s->in_channels * (s->channels + 11)) {
        width = s->in_channels;
        return fill(block, 0, 0, 3 * width + s->channels, s->area);
    }
    width = rest / each;
    block->tensors = 9;
    return rest % each == 0 && fill(block, 3 * width, s->in_area, 3 * width + s->channels, s->area);
}

/* DenseNet: norm and ReLU of all channels so far, 1x1 to four times the growth, norm, ReLU, 3x3. */
static bool is_dense_layer(const struct sight *s, struct od_block *block)
{
    uint64_t growth = s->channels, rest, each = 4 * growth + 2;
    if (ckd_sub(&rest, s->parameters, 36 * growth * growth + 8 * growth) || rest % each != 0 ||
        rest / each <= growth)
        return false;
    block->tensors = 6;
    return fill(block, 2 * (rest / each), s->area, 8 * growth, s->area);
}

/*
 * ConvNeXt: depthwise 7x7, layer norm, linear to four times the channels, GELU, linear, layer
 * scale: 8 c^2 + 58 c parameters.
 */
static bool is_convnext(const struct sight *s, struct od_block *block)
{
    uint64_t c = s->channels;
    if (s->parameters != 8 * c * c + 58 * c)
        return false;
    block->keeps_in = true;
    block->tensors = 9;
    return fill(block, 11 * c + 2, s->area, 0, 0);
}

/* Three tensors as large as the input, three as the output. */
static void guess(const struct sight *s, struct od_block *block)
{
    uint64_t in = s->in_channels * 3, out = s->channels * 3;
    block->keeps_in = true;
    if (!fill(block, in, s->in_area, out, s->area))
        block->elements = 0;
    block->known = false;
    block->less = block->elements / 4 * 3;
    block->more = block->elements < UINT64_MAX / 4 ? block->elements * 3 : 0;
}

struct od_block od_block_of(const struct od_walk *walk, const struct od_step *step)
{
    static bool (*const plans[])(const struct sight *, struct od_block *) = {
        is_inverted_residual, is_convnext, is_dense_layer, is_downsample};
    struct od_block none = {.keeps_in = true}, block;
    struct sight sight;
    if (!look(walk, step, &sight))
        return none;
    for (size_t i = 0; i < OD_COUNT_OF(plans); i++) {
        block = (struct od_block){.known = false};
        if (!plans[i](&sight, &block))
            continue;
        block.less = block.more = block.elements / 200;
        return block;
    }
    block = (struct od_block){.known = false};
    guess(&sight, &block);
    block.tensors = 6;
    return block;
}
