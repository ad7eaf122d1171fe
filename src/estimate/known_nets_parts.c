#include "estimate/known_nets_parts.h"

#include "base/num.h"

#include <string.h>

void od_net_stage(struct od_net_plan *p, const char *stage)
{
    p->stage = stage;
    memset(p->named, 0, sizeof p->named);
}

static struct od_view name_of(struct od_net_plan *p, enum od_layer_kind kind, const char *type)
{
    if (!p->arena)
        return od_view_of(type);
    return od_view_of(od_arena_printf(p->arena, "%s%s%s%u", p->stage ? p->stage : "",
                                      p->stage ? "_" : "", od_layer_kind_name(kind),
                                      ++p->named[kind]));
}

void od_net_add(struct od_net_plan *p, enum od_layer_kind kind, const char *type,
                uint64_t parameters)
{
    struct od_layer layer = od_layer_blank();
    layer.kind = kind;
    layer.type = od_view_of(type);
    layer.name = name_of(p, kind, type);
    layer.output = (struct od_shape){
        .dims = {OD_DIM_UNKNOWN, p->at.side, p->at.side, p->at.channels}, .n = 4, .known = true};
    layer.noutputs = 1;
    layer.parameters = od_count_of(parameters);
    layer.first_input = (uint32_t)p->net->inputs.n;
    layer.ninputs = 1;
    od_vec_push(&p->net->inputs, p->at.layer);
    od_vec_push(&p->net->layers, layer);
    p->parameters += parameters;
    p->at.layer = (uint32_t)(p->net->layers.n - 1);
}

static uint64_t shrunk(uint64_t side, uint64_t kernel, uint64_t stride, bool valid)
{
    if (!valid)
        return (side + stride - 1) / stride;
    return side < kernel ? 0 : (side - kernel) / stride + 1;
}

void od_net_conv(struct od_net_plan *p, const struct od_net_conv *conv)
{
    uint64_t across = conv->across > 0 ? conv->across : conv->kernel;
    uint64_t weights = conv->kernel * across * p->at.channels * conv->channels;
    p->at.side = shrunk(p->at.side, conv->kernel, conv->stride, conv->valid);
    p->at.channels = conv->channels;
    od_net_add(p, OD_LAYER_CONV, "Conv2D", weights + (conv->bias ? conv->channels : 0));
    struct od_layer *layer = &p->net->layers.items[p->at.layer];
    layer->kernel = (struct od_shape){.dims = {conv->kernel, across}, .n = 2, .known = true};
    layer->stride = (struct od_shape){.dims = {conv->stride, conv->stride}, .n = 2, .known = true};
    layer->bias = conv->bias ? OD_YES : OD_NO;
}

void od_net_conv_same(struct od_net_plan *p, uint64_t channels, uint64_t kernel, uint64_t stride,
                      bool bias)
{
    od_net_conv(p, &(struct od_net_conv){
                       .channels = channels, .kernel = kernel, .stride = stride, .bias = bias});
}

void od_net_depthwise(struct od_net_plan *p, uint64_t stride)
{
    p->at.side = (p->at.side + stride - 1) / stride;
    od_net_add(p, OD_LAYER_CONV, "DepthwiseConv2D", 9 * p->at.channels);
}

void od_net_norm(struct od_net_plan *p)
{
    od_net_add(p, OD_LAYER_BATCH_NORM, "BatchNormalization", 4 * p->at.channels);
}

void od_net_relu(struct od_net_plan *p)
{
    od_net_add(p, OD_LAYER_RELU, "ReLU", 0);
}

void od_net_relu6(struct od_net_plan *p)
{
    od_net_add(p, OD_LAYER_RELU6, "ReLU", 0);
}

void od_net_max_pool(struct od_net_plan *p, uint64_t kernel, bool valid)
{
    p->at.side = shrunk(p->at.side, kernel, 2, valid);
    od_net_add(p, OD_LAYER_MAX_POOL, "MaxPooling2D", 0);
}

void od_net_sum(struct od_net_plan *p, uint32_t other)
{
    od_net_add(p, OD_LAYER_ADD, "Add", 0);
    od_vec_push(&p->net->inputs, other);
    p->net->layers.items[p->net->layers.n - 1].ninputs = 2;
}

void od_net_concat(struct od_net_plan *p, const struct od_net_at *branches, size_t n)
{
    uint64_t channels = 0;
    for (size_t i = 0; i < n; i++)
        channels += branches[i].channels;
    p->at = branches[0];
    p->at.channels = channels;
    od_net_add(p, OD_LAYER_CONCAT, "Concatenate", 0);
    for (size_t i = 1; i < n; i++)
        od_vec_push(&p->net->inputs, branches[i].layer);
    p->net->layers.items[p->net->layers.n - 1].ninputs = (uint32_t)n;
}
