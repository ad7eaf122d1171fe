#include "facts/module_count.h"

static bool multiply(uint64_t *n, uint64_t by)
{
    return !ckd_mul(n, *n, by);
}

static struct od_count conv(const struct od_layer *layer)
{
    uint64_t groups = layer->groups.known && layer->groups.n > 0 ? layer->groups.n : 1, n;
    if (!od_shape_elements(&layer->kernel, &n) || !multiply(&n, layer->in_features.n / groups) ||
        !multiply(&n, layer->out_features.n) ||
        (layer->bias != OD_NO && ckd_add(&n, n, layer->out_features.n)))
        return (struct od_count){0};
    return od_count_of(n);
}

static struct od_count matrix(const struct od_layer *layer, bool bias)
{
    uint64_t n = layer->in_features.n;
    if (!multiply(&n, layer->out_features.n) || (bias && ckd_add(&n, n, layer->out_features.n)))
        return (struct od_count){0};
    return od_count_of(n);
}

/* Two matrices and two biases for each gate, layer and direction. */
static struct od_count recurrent(const struct od_layer *layer)
{
    uint64_t gates = od_view_has(layer->type, OD_VIEW("LSTM"))  ? 4
                     : od_view_has(layer->type, OD_VIEW("GRU")) ? 3
                                                                : 1;
    uint64_t directions = layer->bidirectional == OD_YES ? 2 : 1, h = layer->out_features.n;
    uint64_t layers = layer->num_layers.known && layer->num_layers.n > 0 ? layer->num_layers.n : 1;
    uint64_t bias = layer->bias == OD_NO ? 0 : 2, sum = 0;
    if (h >> 20 || layer->in_features.n >> 20 || layers >> 10)
        return (struct od_count){0};
    for (uint64_t i = 0; i < layers; i++)
        sum += directions * gates * h * ((i ? h * directions : layer->in_features.n) + h + bias);
    return od_count_of(sum);
}

static struct od_count norm(const struct od_layer *layer)
{
    uint64_t n = layer->out_features.n;
    bool bare = od_view_starts(layer->type, OD_VIEW("InstanceNorm"));
    bool scale_only =
        od_view_has(layer->type, OD_VIEW("RMS")) || od_view_has(layer->type, OD_VIEW("Rms"));
    if (bare)
        return od_count_of(0);
    if (!layer->out_features.known && !od_shape_elements(&layer->kernel, &n))
        return (struct od_count){0};
    return multiply(&n, scale_only ? 1 : 2) ? od_count_of(n) : (struct od_count){0};
}

struct od_count od_module_parameters(const struct od_layer *layer)
{
    bool sized = layer->in_features.known && layer->out_features.known;
    switch ((int)layer->kind) {
    case OD_LAYER_CONV:
        return sized ? conv(layer) : (struct od_count){0};
    case OD_LAYER_LINEAR:
        return sized ? matrix(layer, layer->bias != OD_NO) : (struct od_count){0};
    case OD_LAYER_EMBEDDING:
        return sized ? matrix(layer, false) : (struct od_count){0};
    case OD_LAYER_RECURRENT:
        return sized ? recurrent(layer) : (struct od_count){0};
    case OD_LAYER_BATCH_NORM:
    case OD_LAYER_NORM:
        return norm(layer);
    default:
        return (struct od_count){0};
    }
}
