#include "estimate/block.h"

enum { VOLUMES_RANK = 5 }; /* dimensions: samples, channels, depth, height, width */

/* Known facts about a block. */
struct sight {
    const struct od_walk *walk;
    size_t before; /* number of tensors created before its output */
    struct od_view type;
    uint64_t parameters;
    uint64_t in_channels, in_area;
    /* channels and area of the previous row's input, if in the same module; 0 = none */
    uint64_t previous, previous_area;
    uint64_t channels, area;
    bool summed;     /* the block ends with its norm, because the activation follows a sum */
    bool volumes;    /* maps have a depth or time in addition to height and width */
    unsigned copies; /* tensors that an activation keeps in addition to the norm's input */
};

/* Checks that the sums below (squares of channels times maps) cannot overflow. */
static bool is_sane(const struct od_walk_tensor *t)
{
    return t->channels > 0 && t->channels >> 16 == 0 && t->elements >> 40 == 0;
}

/* Finds the tensors that activations keep. A norm keeps its input, and a ReLU its output, which the
 * next layer reads. Other activations also keep their input. An unprinted block is assumed to use
 * the activation of the last printed row. */
static void look_at_activations(const struct od_step *step, const struct od_walk *walk,
                                struct sight *sight)
{
    sight->copies = 1;
    for (const struct od_step *s = step; s > walk->steps.items; s--) {
        enum od_layer_kind kind = walk->model->layers.items[s[-1].layer].kind;
        if (kind == OD_LAYER_RELU)
            return;
        if (kind == OD_LAYER_RELU6 || kind == OD_LAYER_SMOOTH) {
            sight->copies = 2;
            return;
        }
    }
}

static void look_at_previous(const struct od_walk *walk, const struct od_step *step,
                             struct sight *sight)
{
    if (step == walk->steps.items || step[-1].holder != step->holder ||
        step[-1].in == OD_NO_TENSOR || !is_sane(&walk->tensors.items[step[-1].in]))
        return;
    const struct od_walk_tensor *in = &walk->tensors.items[step[-1].in];
    sight->previous = in->channels;
    sight->previous_area = in->elements / in->channels;
}

/* Does an activation of the enclosing module follow, with at most a shortcut before it? The
 * activation then belongs to a sum, and the block ends with its norm. */
static bool is_summed(const struct od_walk *walk, const struct od_step *step)
{
    const struct od_layer *layers = walk->model->layers.items;
    const struct od_step *end = walk->steps.items + walk->steps.n;
    if (!od_view_eq_str(layers[step->layer].type, "Sequential"))
        return false;
    for (const struct od_step *s = step + 1; s < end && s <= step + 2; s++) {
        if (s->holder != step->holder)
            return false;
        if (layers[s->layer].kind == OD_LAYER_RELU)
            return true;
    }
    return false;
}

static bool look(const struct od_walk *walk, const struct od_step *step, struct sight *ret_sight)
{
    const struct od_layer *layers = walk->model->layers.items;
    const struct od_walk_tensor *out = &walk->tensors.items[step->out];
    const struct od_walk_tensor *in =
        step->in == OD_NO_TENSOR ? out : &walk->tensors.items[step->in];
    if (!layers[step->layer].parameters.known || layers[step->layer].parameters.n >> 48 ||
        !is_sane(out) || !is_sane(in))
        return false;
    *ret_sight = (struct sight){.walk = walk,
                                .before = step->out,
                                .type = layers[step->layer].type,
                                .parameters = layers[step->layer].parameters.n,
                                .volumes = layers[step->layer].output.n == VOLUMES_RANK,
                                .in_channels = in->channels,
                                .in_area = in->elements / in->channels,
                                .channels = out->channels,
                                .area = out->elements / out->channels};
    if (step->holder != OD_NO_TENSOR)
        look_at_previous(walk, step, ret_sight);
    look_at_activations(step, walk, ret_sight);
    ret_sight->summed = is_summed(walk, step);
    return true;
}

/* Sets the elements as the sum of a and b channels over maps of two sizes. */
static bool fill(struct od_block *block, uint64_t a, uint64_t area_a, uint64_t b, uint64_t area_b)
{
    block->known = true;
    block->elements = a * area_a + b * area_b;
    return true;
}

/* Recognizes a 1x1 convolution and its norm in the shortcut of a residual block. The norm keeps its
 * input; the block's input is kept anyway. */
static bool is_downsample(const struct sight *s, struct od_block *block)
{
    enum { REACH = 96 };
    uint64_t weights;
    if (ckd_sub(&weights, s->parameters, 2 * s->channels) || weights == 0 ||
        weights % s->channels != 0)
        return false;
    block->tensors = 3;
    for (size_t i = s->before; i > 0 && i + REACH > s->before; i--)
        if (s->walk->tensors.items[i - 1].channels == weights / s->channels)
            return fill(block, s->channels, s->area, 0, 0);
    return false;
}

/* ---- one or two convolutions ---- */

/* Areas of usual odd kernels; for volumes also flat ones and ones of depth only. */
static const uint64_t areas[] = {1, 9, 25, 49};
static const uint64_t volumes[] = {1, 9, 27, 125};
_Static_assert(sizeof areas == sizeof volumes, "as many of both");

/* Recognizes one convolution with its norm and activation. */
static bool is_conv_norm(const struct sight *s, struct od_block *block)
{
    block->keeps_in = block->keeps_out = true;
    block->tensors = 3;
    /* a 1x1 convolution without an activation */
    bool shortcut = od_view_eq_str(s->type, "Sequential");
    const uint64_t *kernels = s->volumes ? volumes : areas;
    for (size_t i = shortcut; i < OD_COUNT_OF(areas); i++) {
        uint64_t norm = 2 * s->channels, kernel = kernels[i];
        bool dense = s->parameters == kernel * s->in_channels * s->channels + norm;
        bool depthwise =
            s->in_channels == s->channels && s->parameters == kernel * s->channels + norm;
        if (!dense && !depthwise)
            continue;
        block->keeps_out = !s->summed;
        bool narrows = kernel == 1 && s->channels < s->in_channels; /* has no activation */
        fill(block, (narrows ? 1 : s->copies) * s->channels, s->area, 0, 0);
        return true;
    }
    return false;
}

/* Recognizes MobileNetV2's block: 1x1 to a width (unless the input has it), norm, activation;
 * depthwise, norm, activation; 1x1, norm. */
static bool try_inverted(const struct sight *s, uint64_t width, struct od_block *block)
{
    bool widens = width != s->in_channels;
    uint64_t most = widens ? s->in_channels * width + 2 * width : 0;
    most += 2 * width + width * s->channels + 2 * s->channels;
    for (size_t i = 0; i < OD_COUNT_OF(areas); i++) {
        if (s->parameters != most + areas[i] * width)
            continue;
        uint64_t each = (1 + s->copies) * width;
        block->keeps_in = true;
        block->tensors = 6 + (widens ? 3U : 0);
        return fill(block, widens ? each : 0, s->in_area, each + s->channels, s->area);
    }
    return false;
}

static bool is_inverted_residual(const struct sight *s, struct od_block *block)
{
    enum { WIDEST = 10, MOST = 4096 }; /* limits of the search, to bound its time */
    for (unsigned pass = 0; s->in_channels <= MOST && pass < 2; pass++) {
        /* first tries multiples of the input's channels, which are most likely */
        uint64_t step = pass == 0 ? s->in_channels : 8;
        uint64_t first = (s->in_channels + step - 1) / step * step;
        for (uint64_t width = first; width <= WIDEST * s->in_channels; width += step)
            if (try_inverted(s, width, block))
                return true;
    }
    return false;
}

/* ---- halves of a ShuffleNet unit ---- */

/* Recognizes 1x1, norm, ReLU, depthwise 3x3, norm, 1x1, norm, ReLU; without the first part on one
 * side of a unit with stride. It may read a half of its input, all of which is kept. */
static bool is_shuffle_half(const struct sight *s, struct od_block *block)
{
    uint64_t c = s->channels;
    block->keeps_in = block->keeps_out = true;
    if (s->copies > 1) /* MobileNetV2's first block has the same number of parameters */
        return false;
    const uint64_t inputs[] = {s->previous, s->in_channels / 2, s->in_channels};
    for (size_t i = 0; i < OD_COUNT_OF(inputs); i++) {
        uint64_t all = inputs[i] * c + 2 * c + 11 * c + c * c + 2 * c;
        block->tensors = 9;
        if (inputs[i] > 0 && s->parameters == all)
            return fill(block, 2 * c, i == 0 ? s->previous_area : s->in_area, 3 * c, s->area);
    }
    block->tensors = 6;
    return s->parameters == 11 * s->in_channels + s->in_channels * c + 2 * c &&
           fill(block, s->in_channels + c + c, s->area, 0, 0);
}

/* The width of the MLP, if the block has attention's four matrices, an MLP's two, their biases and
 * two norms; 0 = other block. */
static uint64_t mlp_width(uint64_t parameters, uint64_t h)
{
    uint64_t rest, width;
    if (ckd_sub(&rest, parameters, 4 * h * h + 9 * h) || rest % (2 * h + 1) != 0)
        return 0;
    width = rest / (2 * h + 1);
    return width % 8 == 0 && width >= h && width <= 8 * h ? width : 0;
}

/* Recognizes a stack of transformer blocks: each keeps 8 rows of the model's width, 2 of the MLP's
 * width, and the scores of its heads, whose width is usually 64. The parameters do not show whether
 * scores pass a dropout (and are kept three times) or are never stored (fused kernel). */
static bool is_transformer(const struct sight *s, struct od_block *block)
{
    enum { DEEPEST = 48, LEAST = 32, HEAD = 64 };
    uint64_t h = s->channels, rows = s->area, heads = h / HEAD ? h / HEAD : 1, width;
    if (s->in_channels != h || s->in_area != rows || h < LEAST || rows < 2)
        return false;
    for (uint64_t n = 1; n <= DEEPEST; n++) {
        if (s->parameters % n != 0 || (width = mlp_width(s->parameters / n, h)) == 0)
            continue;
        uint64_t scores = n * heads * rows * rows, narrow = n * rows * h;
        block->keeps_in = true;
        block->tensors = 16 * n;
        fill(block, n * (8 * h + 2 * width), rows, 0, 0);
        block->elements += scores + scores / 2 + narrow / 4;
        block->less = scores + scores / 2 + narrow;
        block->more = 3 * scores + 3 * narrow;
        return true;
    }
    return false;
}

/* Recognizes DenseNet's layer: norm and ReLU of all channels so far, 1x1 to four times the growth,
 * norm, ReLU, 3x3. */
static bool is_dense_layer(const struct sight *s, struct od_block *block)
{
    uint64_t growth = s->channels, rest, each = 4 * growth + 2;
    if (ckd_sub(&rest, s->parameters, 36 * growth * growth + 8 * growth) || rest % each != 0 ||
        rest / each <= growth || rest / each >> 16)
        return false;
    block->tensors = 6;
    return fill(block, 2 * (rest / each), s->area, 8 * growth, s->area);
}

/* Recognizes ConvNeXt's block: depthwise 7x7, layer norm, linear to four times the channels, GELU,
 * linear, layer scale. It has 8 c^2 + 58 c parameters, or c less if the scale belongs to an
 * enclosing row. */
static bool is_convnext(const struct sight *s, struct od_block *block)
{
    uint64_t c = s->channels, all = 8 * c * c + 58 * c;
    bool scaled = s->parameters == all;
    block->keeps_in = true;
    block->tensors = scaled ? 9 : 8;
    return (scaled || s->parameters == all - c) &&
           fill(block, (scaled ? 11 : 10) * c + 2, s->area, 0, 0);
}

/* Recognizes a whole network in one row: the input is an image, the output at most a sixteenth as
 * wide, and there are more parameters than a few layers have. The numbers kept for each pixel of
 * the image were counted for 14 of torchvision's networks (ResNet-18 to EfficientNetV2-S, VGG-16,
 * DenseNet-121, ConvNeXt-T): 102 to 851, half of them below 409. */
static bool is_network(const struct sight *s, struct od_block *block)
{
    enum { IMAGE = 4, SHRINKS = 256, FEW = 100000, EACH = 410, LEAST = 105, MOST = 900 };
    if (s->in_channels > IMAGE || s->area == 0 || s->in_area / s->area < SHRINKS ||
        s->parameters < FEW)
        return false;
    block->elements = EACH * s->in_area;
    block->less = (EACH - LEAST) * s->in_area;
    block->more = (MOST - EACH) * s->in_area;
    block->tensors = 100;
    return true;
}

/* Guesses for unknown blocks: three tensors of the input's size, three of the output's. */
static void guess(const struct sight *s, struct od_block *block)
{
    *block = (struct od_block){.keeps_in = true, .tensors = 6};
    if (is_network(s, block))
        return;
    block->elements = 3 * (s->in_channels * s->in_area + s->channels * s->area);
    block->less = block->elements / 4 * 3;
    block->more = block->elements * 3;
}

struct od_block od_block_of(const struct od_walk *walk, const struct od_step *step)
{
    static bool (*const plans[])(const struct sight *, struct od_block *) = {
        is_transformer, is_convnext,     is_dense_layer,       is_conv_norm,
        is_downsample,  is_shuffle_half, is_inverted_residual,
    };
    struct od_block none = {.keeps_in = true}, block;
    struct sight sight;
    if (!look(walk, step, &sight))
        return none;
    for (size_t i = 0; i < OD_COUNT_OF(plans); i++) {
        block = (struct od_block){.known = false};
        if (!plans[i](&sight, &block))
            continue;
        block.less += block.elements / 200;
        block.more += block.elements / 200;
        return block;
    }
    guess(&sight, &block);
    return block;
}
