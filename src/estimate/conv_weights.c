#include "estimate/conv_weights.h"

/* Areas of kernels, most likely first. */
static const uint32_t areas[] = {9,  1,  25, 49, 4,  3,   7, 5,  16,  121,
                                 36, 81, 27, 8,  64, 125, 2, 11, 343, 147};

bool od_kernel_weights_of(const struct od_layer *layer, const struct od_walk_tensor *out,
                          struct od_kernel_weights *ret_weights)
{
    if (!layer->parameters.known || out->channels == 0 ||
        layer->parameters.n % out->channels != 0 || layer->parameters.n == 0)
        return false;
    uint64_t each = layer->parameters.n / out->channels;
    *ret_weights = (struct od_kernel_weights){.with_bias = layer->bias == OD_NO ? 0 : each - 1,
                                              .without = layer->bias == OD_YES ? 0 : each};
    return true;
}

uint64_t od_kernel_area(const struct od_layer *layer)
{
    uint64_t area;
    return od_shape_elements(&layer->kernel, &area) ? area : 0;
}

bool od_is_kernel_area(const struct od_layer *layer, uint64_t area, uint64_t least)
{
    uint64_t stated = od_kernel_area(layer);
    if (area < least)
        return false;
    if (stated)
        return area == stated;
    for (size_t i = 0; i < OD_COUNT_OF(areas); i++)
        if (areas[i] == area)
            return true;
    return false;
}

bool od_weights_fit(const struct od_layer *layer, uint64_t weights, uint64_t channels,
                    uint64_t least)
{
    return weights > 0 && channels > 0 && weights % channels == 0 &&
           od_is_kernel_area(layer, weights / channels, least);
}

uint64_t od_root(uint64_t n)
{
    uint64_t r = 0;
    for (uint64_t bit = UINT64_C(1) << 31; bit; bit >>= 1)
        if ((r + bit) * (r + bit) <= n)
            r += bit;
    return r;
}

bool od_reads_square(const struct od_layer *layer, const struct od_kernel_weights *w,
                     uint64_t channels, bool even)
{
    const uint64_t options[] = {w->without, w->with_bias};
    for (size_t i = 0; i < OD_COUNT_OF(options); i++) {
        bool can = od_weights_fit(layer, options[i], channels, 1);
        uint64_t side = can ? od_root(options[i] / channels) : 0;
        if (side && side * side == options[i] / channels && (even || side % 2 == 1))
            return true;
    }
    return false;
}

bool od_reads_all(const struct od_layer *layer, const struct od_kernel_weights *w,
                  uint64_t channels)
{
    return od_weights_fit(layer, w->without, channels, 1) ||
           od_weights_fit(layer, w->with_bias, channels, 1);
}

bool od_reads_odd(const struct od_layer *layer, const struct od_kernel_weights *w,
                  uint64_t channels, uint64_t least)
{
    const uint64_t options[] = {w->without, w->with_bias};
    for (size_t i = 0; i < OD_COUNT_OF(options); i++)
        if (od_weights_fit(layer, options[i], channels, least) && options[i] / channels % 2 == 1)
            return true;
    return false;
}

bool od_reads_groups(const struct od_layer *layer, const struct od_kernel_weights *w,
                     uint64_t channels, uint64_t out_channels)
{
    if (out_channels % channels == 0 && od_reads_odd(layer, w, 1, 3))
        return true;
    for (uint64_t groups = 128; groups >= 2; groups /= 2)
        if (channels % groups == 0 && out_channels % groups == 0 &&
            od_reads_odd(layer, w, channels / groups, 3))
            return true;
    return false;
}

bool od_is_depthwise(const struct od_layer *layer, const struct od_kernel_weights *w,
                     uint64_t channels, uint64_t out_channels)
{
    const uint64_t options[] = {w->without, w->with_bias};
    for (size_t i = 0; i < OD_COUNT_OF(options) && out_channels == channels; i++) {
        uint64_t side = od_root(options[i]);
        if (side >= 3 && side % 2 == 1 && side * side == options[i] &&
            od_is_kernel_area(layer, side * side, 9))
            return true;
    }
    return false;
}

uint64_t od_map_area(const struct od_walk_tensor *t)
{
    return t->channels ? t->elements / t->channels : 0;
}

uint64_t od_concat_channels(const struct od_layer *layer, const struct od_kernel_weights *w,
                            uint64_t more_than)
{
    enum { CUBE = 27 }; /* most likely kernel for volumes */
    uint64_t weights = w->without % CUBE == 0 ? w->without : w->with_bias;
    if (layer->output.n == 5 && weights % CUBE == 0 && weights / CUBE > more_than &&
        od_is_kernel_area(layer, CUBE, 1))
        return weights / CUBE;
    for (size_t i = 0; i < OD_COUNT_OF(areas); i++) {
        const uint64_t options[] = {w->without, w->with_bias};
        for (size_t j = 0; j < OD_COUNT_OF(options); j++) {
            uint64_t channels = options[j] / areas[i];
            if (channels > more_than && od_weights_fit(layer, options[j], channels, 1) &&
                options[j] / channels == areas[i])
                return channels;
        }
    }
    return 0;
}
