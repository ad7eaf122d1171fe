#include "estimate/conv_input.h"

#include "base/num.h"
#include "estimate/recurrent.h"

/* Weights of one input channel: sizes of kernels, likeliest first. */
static const uint32_t areas[] = {9,  1,  25, 49, 4,  3,   7, 5,  16, 121,
                                 36, 81, 27, 8,  64, 125, 2, 11, 343};

/* Weights of one output channel: exactly, or one less for a bias. */
struct weights {
    uint64_t with_bias, without;
};

static bool weights_of(const struct od_layer *layer, const struct od_walk_tensor *out,
                       struct weights *ret_weights)
{
    if (!layer->parameters.known || out->channels == 0 ||
        layer->parameters.n % out->channels != 0 || layer->parameters.n == 0)
        return false;
    uint64_t each = layer->parameters.n / out->channels;
    *ret_weights = (struct weights){.with_bias = layer->bias == OD_NO ? 0 : each - 1,
                                    .without = layer->bias == OD_YES ? 0 : each};
    return true;
}

/* The kernel's area where the text prints one; 0 = not printed. */
static uint64_t kernel_area(const struct od_layer *layer)
{
    uint64_t area;
    return od_shape_elements(&layer->kernel, &area) ? area : 0;
}

static bool is_area(const struct od_layer *layer, uint64_t area, uint64_t least)
{
    uint64_t stated = kernel_area(layer);
    if (area < least)
        return false;
    if (stated)
        return area == stated;
    for (size_t i = 0; i < OD_COUNT_OF(areas); i++)
        if (areas[i] == area)
            return true;
    return false;
}

/* Can so many weights come from so many channels? */
static bool fits(const struct od_layer *layer, uint64_t weights, uint64_t channels, uint64_t least)
{
    return weights > 0 && channels > 0 && weights % channels == 0 &&
           is_area(layer, weights / channels, least);
}

static uint64_t root(uint64_t n)
{
    uint64_t r = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit; bit >>= 1)
        if ((r + bit) * (r + bit) <= n)
            r += bit;
    return r;
}

/* The same with a square kernel, which most are: 3x3 of few channels is rather 1x3 of many. */
static bool reads_square(const struct od_layer *layer, const struct weights *w, uint64_t channels)
{
    const uint64_t options[] = {w->without, w->with_bias};
    for (size_t i = 0; i < OD_COUNT_OF(options); i++) {
        uint64_t side = fits(layer, options[i], channels, 1) ? root(options[i] / channels) : 0;
        if (side && side * side == options[i] / channels)
            return true;
    }
    return false;
}

static bool reads_all(const struct od_layer *layer, const struct weights *w, uint64_t channels)
{
    return fits(layer, w->without, channels, 1) || fits(layer, w->with_bias, channels, 1);
}

/* The same with an odd kernel of `least` weights or more: an even one explains nearly anything. */
static bool reads_odd(const struct od_layer *layer, const struct weights *w, uint64_t channels,
                      uint64_t least)
{
    const uint64_t options[] = {w->without, w->with_bias};
    for (size_t i = 0; i < OD_COUNT_OF(options); i++)
        if (fits(layer, options[i], channels, least) && options[i] / channels % 2 == 1)
            return true;
    return false;
}

/* Every output channel reads some of the channels: depthwise, grouped. */
static bool reads_groups(const struct od_layer *layer, const struct weights *w, uint64_t channels,
                         uint64_t out_channels)
{
    if (out_channels % channels == 0 && reads_odd(layer, w, 1, 3))
        return true;
    for (uint64_t groups = 128; groups >= 2; groups /= 2)
        if (channels % groups == 0 && out_channels % groups == 0 &&
            reads_odd(layer, w, channels / groups, 3))
            return true;
    return false;
}

/* One odd square kernel for each channel: 25 weights are rather that than a 1x1 kernel over 24
 * channels of another branch and a bias. */
static bool is_depthwise(const struct od_layer *layer, const struct weights *w, uint64_t channels,
                         uint64_t out_channels)
{
    const uint64_t options[] = {w->without, w->with_bias};
    for (size_t i = 0; i < OD_COUNT_OF(options) && out_channels == channels; i++) {
        uint64_t side = root(options[i]);
        if (side >= 3 && side % 2 == 1 && side * side == options[i] &&
            is_area(layer, side * side, 9))
            return true;
    }
    return false;
}

static uint64_t area_of(const struct od_walk_tensor *t)
{
    return t->channels ? t->elements / t->channels : 0;
}

/* A tensor printed before, of a block's other branch. */
static uint32_t side_branch(const struct od_walk *walk, const struct od_layer *layer,
                            const struct weights *w, const struct od_walk_tensor *out)
{
    enum { REACH = 96 };
    for (size_t i = walk->tensors.n; i > 0 && i + REACH > walk->tensors.n; i--) {
        const struct od_walk_tensor *t = &walk->tensors.items[i - 1];
        if (t->channels > 3 && area_of(t) >= area_of(out) && reads_odd(layer, w, t->channels, 1))
            return (uint32_t)(i - 1);
    }
    return OD_NO_TENSOR;
}

/* What is made larger is read by the next layer alone: another one that could read it reads the
 * concatenation with a skip, which has as many channels. */
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

/* The same of a 1x1 convolution: a map as large as its output. 3 x 64 weights are rather that over
 * 192 channels than a 1x3 kernel. */
static uint32_t pointwise_branch(const struct od_walk *walk, const struct od_layer *layer,
                                 const struct weights *w, const struct od_walk_tensor *out)
{
    enum { REACH = 48, FEW = 32 };
    for (size_t i = walk->tensors.n; i > 0 && i + REACH > walk->tensors.n; i--) {
        const struct od_walk_tensor *t = &walk->tensors.items[i - 1];
        if (t->map && t->channels > FEW && area_of(t) == area_of(out) &&
            (t->channels == w->without || t->channels == w->with_bias) && is_area(layer, 1, 1) &&
            !is_upsampled(walk, (uint32_t)(i - 1)))
            return (uint32_t)(i - 1);
    }
    return OD_NO_TENSOR;
}

/* A half of what a block before has joined: ShuffleNet's units work on one. A chunk keeps all that
 * it is a view of. */
static bool reads_half(const struct od_layer *layer, const struct weights *w,
                       const struct od_walk_tensor *newest, const struct od_walk_tensor *out)
{
    return newest->hidden && newest->channels % 2 == 0 && area_of(newest) == area_of(out) &&
           reads_square(layer, w, newest->channels / 2);
}

static uint64_t concat_channels(const struct od_layer *layer, const struct weights *w,
                                uint64_t more_than)
{
    enum { CUBE = 27 }; /* of volumes the likeliest */
    uint64_t weights = w->without % CUBE == 0 ? w->without : w->with_bias;
    if (layer->output.n == 5 && weights % CUBE == 0 && weights / CUBE > more_than &&
        is_area(layer, CUBE, 1))
        return weights / CUBE;
    for (size_t i = 0; i < OD_COUNT_OF(areas); i++) {
        const uint64_t options[] = {w->without, w->with_bias};
        for (size_t j = 0; j < OD_COUNT_OF(options); j++) {
            uint64_t channels = options[j] / areas[i];
            if (channels > more_than && fits(layer, options[j], channels, 1) &&
                options[j] / channels == areas[i])
                return channels;
        }
    }
    return 0;
}

uint32_t od_conv_input(struct od_walk *walk, const struct od_layer *layer,
                       const struct od_walk_tensor *out)
{
    struct weights w;
    if (walk->newest == OD_NO_TENSOR || !weights_of(layer, out, &w))
        return walk->newest;
    const struct od_walk_tensor t = walk->tensors.items[walk->newest];
    if (t.channels == 0 || reads_square(layer, &w, t.channels))
        return walk->newest;
    if (is_depthwise(layer, &w, t.channels, out->channels) || reads_half(layer, &w, &t, out))
        return walk->newest;
    uint32_t side = side_branch(walk, layer, &w, out);
    if (side != OD_NO_TENSOR && is_upsampled(walk, side))
        side = OD_NO_TENSOR;
    if (side != OD_NO_TENSOR && reads_square(layer, &w, walk->tensors.items[side].channels))
        return side;
    uint32_t pointwise = pointwise_branch(walk, layer, &w, out);
    if (pointwise != OD_NO_TENSOR)
        return pointwise;
    if (reads_all(layer, &w, t.channels))
        return walk->newest;
    if (side != OD_NO_TENSOR)
        return side;
    if (reads_groups(layer, &w, t.channels, out->channels))
        return walk->newest;
    struct od_walk_tensor joined = {.map = true, .hidden = true};
    joined.channels = concat_channels(layer, &w, t.channels);
    if (joined.channels == 0 || ckd_mul(&joined.elements, area_of(&t), joined.channels))
        return walk->newest;
    od_vec_push(&walk->tensors, joined);
    return (uint32_t)(walk->tensors.n - 1);
}

bool od_has_bias(const struct od_layer *layer, const struct od_walk_tensor *in,
                 const struct od_walk_tensor *out)
{
    struct weights w;
    if (layer->bias != OD_CANNOT_TELL)
        return layer->bias == OD_YES;
    if (!weights_of(layer, out, &w) || !in || in->channels == 0)
        return false;
    if (layer->kind == OD_LAYER_LINEAR) {
        uint64_t rows = out->elements / out->channels, elements;
        return !ckd_mul(&elements, rows, w.without) && elements != in->elements;
    }
    if (fits(layer, w.without, in->channels, 1))
        return false;
    return fits(layer, w.with_bias, in->channels, 1) ||
           (!reads_odd(layer, &(struct weights){.without = w.without}, 1, 3) &&
            reads_groups(layer, &(struct weights){.with_bias = w.with_bias}, in->channels,
                         out->channels));
}

/* ---- the input of the model ---- */

/* Channels and kernel of a first convolution: images have 3, 1, 4 or 2 channels. */
static bool first_channels(const struct od_layer *layer, const struct weights *w,
                           uint64_t *ret_channels, uint64_t *ret_area)
{
    static const uint32_t common[] = {3, 1, 4, 2};
    const uint64_t options[] = {w->without, w->with_bias};
    for (size_t i = 0; i < OD_COUNT_OF(common); i++) {
        for (size_t j = 0; j < OD_COUNT_OF(options); j++) {
            uint64_t side = root(options[j] / common[i]);
            if (!fits(layer, options[j], common[i], 1) || side * side != options[j] / common[i])
                continue;
            *ret_channels = common[i];
            *ret_area = options[j] / common[i];
            return true;
        }
    }
    return false;
}

/* The same of a video or a volume: cubes of 27, 125, 343 or 1. */
static bool first_cube(const struct od_layer *layer, const struct weights *w,
                       uint64_t *ret_channels)
{
    static const uint32_t common[] = {3, 1, 4, 2};
    static const uint32_t cubes[] = {27, 125, 343, 1};
    const uint64_t options[] = {w->without, w->with_bias};
    for (size_t i = 0; i < OD_COUNT_OF(common); i++)
        for (size_t j = 0; j < OD_COUNT_OF(cubes); j++)
            for (size_t k = 0; k < OD_COUNT_OF(options); k++)
                if (options[k] == (uint64_t)common[i] * cubes[j] && is_area(layer, cubes[j], 1)) {
                    *ret_channels = common[i];
                    return true;
                }
    return false;
}

static unsigned trailing_zeros(uint64_t n)
{
    return n ? (unsigned)__builtin_ctzll(n) : 0;
}

/* Sides that people choose: those of well-known data sets and networks, powers of two times
 * little, round numbers. */
static unsigned roundness(uint64_t side)
{
    static const uint16_t usual[] = {28,  32,  48,  64,  96,  112, 128, 150, 160, 192, 224, 227,
                                     256, 299, 300, 320, 384, 416, 448, 480, 512, 600, 608, 640};
    for (size_t i = 0; i < OD_COUNT_OF(usual); i++)
        if (side == usual[i])
            return 8;
    unsigned decimal = side % 100 == 0 ? 6 : side % 50 == 0 ? 5 : side % 10 == 0 ? 3 : 0;
    return decimal > trailing_zeros(side) ? decimal : trailing_zeros(side);
}

/* What is known of the input of a first convolution. */
struct input_search {
    uint64_t channels, kernel;
    const uint64_t *map; /* dimensions of the output */
    uint32_t nmap;
    struct od_bytes bytes; /* of one sample */
};

static bool is_printed(const struct input_search *s, uint64_t elements)
{
    uint64_t bytes;
    return !ckd_mul(&bytes, elements, 4u) && bytes >= s->bytes.lo && bytes <= s->bytes.hi;
}

/* The side of a square input: a stride that leads to the output, within the printed size. Padding
 * that keeps the size, or none, is likelier than any other. */
static uint64_t find_side(const struct input_search *s, uint64_t out_side)
{
    enum { SAME_PADDING = 3, NO_PADDING = 2 };
    uint64_t best = 0;
    unsigned most = 0;
    for (uint64_t stride = 1; stride <= 16; stride *= 2) {
        for (uint64_t slack = 0; slack < s->kernel + stride; slack++) {
            uint64_t side, elements;
            if (ckd_mul(&side, stride, out_side) || ckd_add(&side, side, slack) ||
                ckd_mul(&elements, side, side) || ckd_mul(&elements, elements, s->channels))
                return best;
            if (!is_printed(s, elements))
                continue;
            bool none = slack + stride >= s->kernel && slack < s->kernel;
            unsigned padding = slack == 0 ? SAME_PADDING : none ? NO_PADDING : 0;
            unsigned score = roundness(side) + padding;
            if (best == 0 || score > most) {
                best = side;
                most = score;
            }
        }
    }
    return best;
}

/* Elements of an input whose every dimension is a stride times the output's; 0 = none fits. */
static uint64_t find_strided(const struct input_search *s)
{
    for (uint64_t stride = 1; stride <= 16; stride *= 2) {
        uint64_t elements = s->channels;
        bool fits64 = true;
        for (uint32_t i = 0; i < s->nmap && fits64; i++)
            fits64 = s->map[i] != OD_DIM_UNKNOWN && !ckd_mul(&elements, elements, s->map[i]) &&
                     !ckd_mul(&elements, elements, stride);
        if (fits64 && is_printed(s, elements))
            return elements;
    }
    return 0;
}

static uint64_t kernel_side(uint64_t area)
{
    uint64_t side = root(area);
    return side * side == area ? side : 1;
}

/* Without a printed size: a large kernel strides, a small one does not; of the sides that lead
 * there the roundest. */
static uint64_t usual_side(uint64_t out_side, uint64_t kernel)
{
    uint64_t stride = kernel >= 11 ? 4 : kernel >= 7 ? 2 : 1, best = 0;
    for (uint64_t slack = 0; slack < kernel + stride - 1; slack++) {
        uint64_t side = out_side * stride + slack;
        if (best == 0 || roundness(side) > roundness(best))
            best = side;
    }
    return best;
}

static struct od_bytes sample_bytes(const struct od_model *model)
{
    struct od_bytes bytes = model->input_bytes;
    uint64_t batch = model->batch.known && model->batch.n > 0 ? model->batch.n : 1;
    bytes.n /= batch;
    bytes.lo /= batch;
    bytes.hi = bytes.hi / batch + 1;
    return bytes;
}

/* Of one dimension: kernels are long, channels any. */
static uint64_t find_line(struct input_search *s, const struct weights *w)
{
    const uint64_t options[] = {w->without, w->with_bias};
    enum { LONGEST = 31 };
    for (uint64_t less = 0; s->bytes.known && less < LONGEST; less += 2) {
        uint64_t kernel = LONGEST - less;
        for (size_t i = 0; i < OD_COUNT_OF(options); i++) {
            s->channels = options[i] % kernel == 0 ? options[i] / kernel : 0;
            uint64_t elements = s->channels ? find_strided(s) : 0;
            if (elements)
                return elements;
        }
    }
    return 0;
}

static uint64_t find_map(struct input_search *s, uint64_t area, uint64_t out_area)
{
    bool square = s->nmap == 2 && s->map[0] == s->map[1];
    uint64_t side, elements;
    s->kernel = kernel_side(area);
    if (!square)
        return s->bytes.known ? find_strided(s) : 0;
    side = s->bytes.known ? find_side(s, root(out_area)) : usual_side(root(out_area), s->kernel);
    return ckd_mul(&elements, side, side) || ckd_mul(&elements, elements, s->channels) ? 0
                                                                                       : elements;
}

static bool first_conv(const struct od_model *model, const struct od_layer *layer,
                       const struct od_walk_tensor *out, struct od_walk_tensor *ret_input)
{
    struct weights w;
    uint64_t area = 1;
    struct od_walk_tensor input = {.map = true};
    const struct od_shape *shape = &layer->output;
    struct input_search search = {.bytes = sample_bytes(model)};
    if (!weights_of(layer, out, &w) || shape->n < 3)
        return false;
    search.map = shape->dims + (model->format == OD_MODEL_KERAS ? 1 : 2);
    search.nmap = shape->n - 2;
    if (search.nmap == 1) {
        input.elements = find_line(&search, &w);
    } else {
        bool told = search.nmap == 3 ? first_cube(layer, &w, &search.channels)
                                     : first_channels(layer, &w, &search.channels, &area);
        if (!told)
            return false;
        input.elements = find_map(&search, area, area_of(out));
    }
    input.channels = search.channels;
    if (input.elements == 0) {
        input.elements = search.bytes.n / 4;
        input.slack = (search.bytes.hi - search.bytes.lo) / 8 + 1;
    }
    *ret_input = input;
    return input.elements > 0;
}

/* A series of numbers: as wide as the printed size and the parameters agree on. */
static bool first_recurrent(const struct od_model *model, const struct od_layer *layer,
                            const struct od_walk_tensor *out, struct od_walk_tensor *ret_input)
{
    struct od_bytes bytes = sample_bytes(model);
    uint64_t steps = out->elements / out->channels, width;
    if ((!bytes.known && !layer->in_features.known) || steps == 0)
        return false;
    width = layer->in_features.n;
    if (!layer->in_features.known)
        width = od_recurrent_input(layer, out->channels, bytes.lo / 4 / steps,
                                   bytes.hi / 4 / steps + 1);
    struct od_walk_tensor input = {.channels = width};
    *ret_input = input;
    return width > 0 && !ckd_mul(&ret_input->elements, width, steps);
}

bool od_first_input(const struct od_model *model, const struct od_layer *layer,
                    const struct od_walk_tensor *out, struct od_walk_tensor *ret_input)
{
    uint64_t each, elements;
    if (layer->kind == OD_LAYER_CONV)
        return first_conv(model, layer, out, ret_input);
    if (layer->kind == OD_LAYER_RECURRENT && out->channels)
        return first_recurrent(model, layer, out, ret_input);
    if (layer->kind == OD_LAYER_EMBEDDING && out->channels) {
        /* indices of 8 bytes, counted in floats of 4 */
        *ret_input = (struct od_walk_tensor){.elements = out->elements / out->channels * 2};
        return true;
    }
    if (layer->kind != OD_LAYER_LINEAR || !layer->parameters.known || out->channels == 0 ||
        layer->parameters.n % out->channels != 0)
        return false;
    each = layer->parameters.n / out->channels;
    each -= layer->bias != OD_NO && each > 1;
    if (ckd_mul(&elements, out->elements / out->channels, each))
        return false;
    *ret_input = (struct od_walk_tensor){.elements = elements, .channels = each};
    return true;
}
