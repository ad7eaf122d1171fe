#include "estimate/first_input.h"

#include "estimate/conv_weights.h"
#include "estimate/recurrent.h"

/* Finds channels and kernel of a first convolution. Images have 3, 1, 4 or 2 channels. */
static bool first_channels(const struct od_layer *layer, const struct od_kernel_weights *w,
                           uint64_t *ret_channels, uint64_t *ret_area)
{
    static const uint32_t common[] = {3, 1, 4, 2};
    const uint64_t options[] = {w->without, w->with_bias};
    for (size_t i = 0; i < OD_COUNT_OF(common); i++) {
        for (size_t j = 0; j < OD_COUNT_OF(options); j++) {
            uint64_t side = od_root(options[j] / common[i]);
            if (!od_weights_fit(layer, options[j], common[i], 1) ||
                side * side != options[j] / common[i])
                continue;
            *ret_channels = common[i];
            *ret_area = options[j] / common[i];
            return true;
        }
    }
    return false;
}

/* Finds the kernel for a video or volume: cubes of 27, 125, 343 or 1 element. */
static bool first_cube(const struct od_layer *layer, const struct od_kernel_weights *w,
                       uint64_t *ret_channels)
{
    static const uint32_t common[] = {3, 1, 4, 2};
    static const uint32_t cubes[] = {27, 125, 343, 147, 49, 1}; /* 147 = 3x7x7, for videos */
    const uint64_t options[] = {w->without, w->with_bias};
    for (size_t i = 0; i < OD_COUNT_OF(common); i++)
        for (size_t j = 0; j < OD_COUNT_OF(cubes); j++)
            for (size_t k = 0; k < OD_COUNT_OF(options); k++)
                if (options[k] == (uint64_t)common[i] * cubes[j] &&
                    od_is_kernel_area(layer, cubes[j], 1)) {
                    *ret_channels = common[i];
                    return true;
                }
    return false;
}

static unsigned trailing_zeros(uint64_t n)
{
    return n ? (unsigned)__builtin_ctzll(n) : 0;
}

/* How usual a side is. Usual are sides of well-known data sets and networks, small multiples of
 * powers of two, round numbers. */
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

/* Known facts about the input of a first convolution. */
struct input_search {
    uint64_t channels, kernel;
    const uint64_t *map; /* dimensions of the output */
    uint32_t nmap;
    struct od_bytes bytes; /* bytes of one sample */
};

static bool is_printed(const struct input_search *s, uint64_t elements)
{
    uint64_t bytes;
    return !ckd_mul(&bytes, elements, 4u) && bytes >= s->bytes.lo && bytes <= s->bytes.hi;
}

/* The side of a square input: a stride must lead to the output, and a printed size must agree.
 * Padding that keeps the size, or none, is most likely. */
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

/* Elements of an input whose dimensions are those of the output times one stride; 0 = none fits. */
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
    uint64_t side = od_root(area);
    return side * side == area ? side : 1;
}

/* The side without a printed size: a large kernel has a stride, a small one does not. The roundest
 * possible side is chosen. */
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

/* Finds a one-dimensional input: kernels are long, with any number of channels. */
static uint64_t find_line(struct input_search *s, const struct od_kernel_weights *w)
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
    side =
        s->bytes.known ? find_side(s, od_root(out_area)) : usual_side(od_root(out_area), s->kernel);
    return ckd_mul(&elements, side, side) || ckd_mul(&elements, elements, s->channels) ? 0
                                                                                       : elements;
}

static bool first_conv(const struct od_model *model, const struct od_layer *layer,
                       const struct od_walk_tensor *out, struct od_walk_tensor *ret_input)
{
    struct od_kernel_weights w;
    uint64_t area = 1;
    struct od_walk_tensor input = {.map = true};
    const struct od_shape *shape = &layer->output;
    struct input_search search = {.bytes = sample_bytes(model)};
    if (!od_kernel_weights_of(layer, out, &w) || shape->n < 3)
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
        input.elements = find_map(&search, area, od_map_area(out));
    }
    input.channels = search.channels;
    if (input.elements == 0) {
        input.elements = search.bytes.n / 4;
        input.slack = (search.bytes.hi - search.bytes.lo) / 8 + 1;
    }
    *ret_input = input;
    return input.elements > 0;
}

/* Finds the input of a recurrent layer: a width that fits printed size and parameters. */
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
        /* indices of 8 bytes, counted as two floats of 4 */
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
