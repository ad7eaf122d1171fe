#include "estimate/known_nets.h"

#include "base/num.h"
#include "estimate/known_nets_parts.h"

#include <string.h>

/* ---- the networks ---- */

static void vgg(struct od_net_plan *p, unsigned depth)
{
    static const uint64_t channels[] = {64, 128, 256, 512, 512};
    static const char *const stages[] = {"block1", "block2", "block3", "block4", "block5"};
    unsigned early = depth == 11 ? 1 : 2, late = depth < 16 ? 2 : depth == 19 ? 4 : 3;
    for (unsigned block = 0; block < 5; block++) {
        od_net_stage(p, stages[block]);
        for (unsigned i = 0; i < (block < 2 ? early : late); i++)
            od_net_conv_same(p, channels[block], 3, 1, true);
        p->at.side /= 2;
        od_net_add(p, OD_LAYER_MAX_POOL, "MaxPooling2D", 0);
    }
}

static void bottleneck(struct od_net_plan *p, uint64_t width, uint64_t stride, bool first)
{
    struct od_net_at in = p->at;
    uint32_t shortcut = in.layer;
    if (first) {
        od_net_conv_same(p, 4 * width, 1, stride, true);
        od_net_norm(p);
        shortcut = p->at.layer;
        p->at = in;
    }
    od_net_conv_same(p, width, 1, stride, true);
    od_net_norm(p);
    od_net_relu(p);
    od_net_conv_same(p, width, 3, 1, true);
    od_net_norm(p);
    od_net_relu(p);
    od_net_conv_same(p, 4 * width, 1, 1, true);
    od_net_norm(p);
    od_net_sum(p, shortcut);
    od_net_relu(p);
}

static void resnet(struct od_net_plan *p, unsigned depth)
{
    static const char *const stages[] = {"conv2", "conv3", "conv4", "conv5"};
    static const unsigned third[][2] = {{50, 6}, {101, 23}, {152, 36}};
    unsigned blocks[] = {3, depth == 152 ? 8 : 4, 0, 3};
    for (size_t i = 0; i < OD_COUNT_OF(third); i++)
        if (third[i][0] == depth)
            blocks[2] = third[i][1];
    p->at.side += 6;
    od_net_add(p, OD_LAYER_COPY, "ZeroPadding2D", 0);
    p->at.side -= 6;
    od_net_conv_same(p, 64, 7, 2, true);
    od_net_norm(p);
    od_net_relu(p);
    p->at.side += 2;
    od_net_add(p, OD_LAYER_COPY, "ZeroPadding2D", 0);
    p->at.side = (p->at.side - 3) / 2 + 1;
    od_net_add(p, OD_LAYER_MAX_POOL, "MaxPooling2D", 0);
    for (unsigned stack = 0; stack < 4; stack++) {
        od_net_stage(p, stages[stack]);
        for (unsigned i = 0; i < blocks[stack]; i++)
            bottleneck(p, UINT64_C(64) << stack, i == 0 && stack > 0 ? 2 : 1, i == 0);
    }
}

static void mobilenet(struct od_net_plan *p, unsigned version)
{
    static const struct {
        uint64_t channels, stride;
    } rows[] = {{64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2}, {512, 1},
                {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1}};
    (void)version;
    od_net_conv_same(p, 32, 3, 2, false);
    od_net_norm(p);
    od_net_relu6(p);
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        od_net_depthwise(p, rows[i].stride);
        od_net_norm(p);
        od_net_relu6(p);
        od_net_conv_same(p, rows[i].channels, 1, 1, false);
        od_net_norm(p);
        od_net_relu6(p);
    }
}

static void inverted(struct od_net_plan *p, uint64_t expand, uint64_t channels, uint64_t stride)
{
    struct od_net_at in = p->at;
    if (expand > 1) {
        od_net_conv_same(p, in.channels * expand, 1, 1, false);
        od_net_norm(p);
        od_net_relu6(p);
    }
    od_net_depthwise(p, stride);
    od_net_norm(p);
    od_net_relu6(p);
    od_net_conv_same(p, channels, 1, 1, false);
    od_net_norm(p);
    if (stride == 1 && in.channels == channels)
        od_net_sum(p, in.layer);
}

static void mobilenet_v2(struct od_net_plan *p, unsigned version)
{
    static const struct {
        uint64_t expand, channels, n, stride;
    } rows[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    (void)version;
    od_net_conv_same(p, 32, 3, 2, false);
    od_net_norm(p);
    od_net_relu6(p);
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++)
        for (uint64_t j = 0; j < rows[i].n; j++)
            inverted(p, rows[i].expand, rows[i].channels, j == 0 ? rows[i].stride : 1);
    od_net_conv_same(p, 1280, 1, 1, false);
    od_net_norm(p);
    od_net_relu6(p);
}

/* Norm, ReLU, 1x1, norm, ReLU, 3x3; joined to what was there. */
static void dense_layer(struct od_net_plan *p)
{
    struct od_net_at in = p->at;
    od_net_norm(p);
    od_net_relu(p);
    od_net_conv_same(p, 128, 1, 1, false);
    od_net_norm(p);
    od_net_relu(p);
    od_net_conv_same(p, 32, 3, 1, false);
    p->at.channels = in.channels + 32;
    od_net_add(p, OD_LAYER_CONCAT, "Concatenate", 0);
    od_vec_push(&p->net->inputs, in.layer);
    p->net->layers.items[p->net->layers.n - 1].ninputs = 2;
}

static void densenet(struct od_net_plan *p, unsigned depth)
{
    static const char *const stages[] = {"block1", "block2", "block3", "block4"};
    unsigned blocks[] = {6, 12, depth == 121 ? 24 : depth == 169 ? 32 : 48, depth == 121 ? 16 : 32};
    od_net_conv_same(p, 64, 7, 2, false);
    od_net_norm(p);
    od_net_relu(p);
    p->at.side = (p->at.side + 1) / 2;
    od_net_add(p, OD_LAYER_MAX_POOL, "MaxPooling2D", 0);
    for (size_t block = 0; block < OD_COUNT_OF(blocks); block++) {
        od_net_stage(p, stages[block]);
        for (unsigned i = 0; i < blocks[block]; i++)
            dense_layer(p);
        od_net_norm(p);
        od_net_relu(p);
        if (block + 1 == OD_COUNT_OF(blocks))
            break;
        od_net_conv_same(p, p->at.channels / 2, 1, 1, false);
        p->at.side /= 2;
        od_net_add(p, OD_LAYER_AVG_POOL, "AveragePooling2D", 0);
    }
}

static const struct {
    struct od_net_about about;
    void (*lay_out)(struct od_net_plan *p, unsigned size);
    unsigned size;
} nets[] = {
    {{"VGG-16", 224, 4096}, vgg, 16},
    {{"VGG-19", 224, 4096}, vgg, 19},
    {{"ResNet-50", 224, 0}, resnet, 50},
    {{"ResNet-101", 224, 0}, resnet, 101},
    {{"ResNet-152", 224, 0}, resnet, 152},
    {{"MobileNet", 224, 0}, mobilenet, 1},
    {{"MobileNet v2", 224, 0}, mobilenet_v2, 2},
    {{"DenseNet-121", 224, 0}, densenet, 121},
    {{"DenseNet-169", 224, 0}, densenet, 169},
    {{"DenseNet-201", 224, 0}, densenet, 201},
    {{"VGG-11", 224, 4096}, vgg, 11},
    {{"VGG-13", 224, 4096}, vgg, 13},
    {{"AlexNet", 227, 4096}, od_net_alexnet, 0},
    {{"AlexNet", 227, 4096}, od_net_alexnet, 1},
    {{"AlexNet", 227, 4096}, od_net_alexnet, 2},
    {{"Inception v1", 224, 0}, od_net_inception_v1, 5},
    {{"Inception v1", 224, 0}, od_net_inception_v1, 3},
    {{"Inception v3", 299, 0}, od_net_inception_v3, 3},
    {{"ResNet-18", 224, 0}, od_net_resnet_basic, 18},
    {{"ResNet-34", 224, 0}, od_net_resnet_basic, 34},
};

bool od_net_find(const struct od_layer *row, uint64_t side, struct od_net *ret_net)
{
    enum { RATIO = 32, SIDE_MAX = 1 << 16 };
    const struct od_shape *shape = &row->output;
    *ret_net = (struct od_net){0};
    if (!row->parameters.known || !shape->known || shape->n < 2)
        return false;
    uint64_t channels = shape->dims[shape->n - 1], out = shape->n == 4 ? shape->dims[1] : 0;
    if (side == 0 && out <= SIDE_MAX / RATIO)
        side = out * RATIO;
    if (side == 0 || side > SIDE_MAX)
        return false;
    for (size_t i = 0; i < OD_COUNT_OF(nets); i++) {
        struct od_net_plan plan = {.net = ret_net,
                                   .at = {.layer = OD_NET_OUTSIDE, .side = side, .channels = 3}};
        ret_net->layers.n = ret_net->inputs.n = 0;
        nets[i].lay_out(&plan, nets[i].size);
        if (plan.parameters == row->parameters.n && plan.at.channels == channels &&
            (out == 0 || out == plan.at.side))
            return true;
    }
    return false;
}

void od_net_done(struct od_net *net)
{
    od_vec_done(&net->layers);
    od_vec_done(&net->inputs);
}

/* ---- whole networks ---- */

size_t od_net_count(void)
{
    return OD_COUNT_OF(nets);
}

const struct od_net_about *od_net_about(size_t which)
{
    return &nets[which].about;
}

void od_net_lay_out(size_t which, struct od_net *net)
{
    net->layers.n = net->inputs.n = 0;
    struct od_net_plan plan = {
        .net = net, .at = {.layer = OD_NET_OUTSIDE, .side = nets[which].about.side, .channels = 3}};
    nets[which].lay_out(&plan, nets[which].size);
}

static void linear(struct od_net_plan *p, uint64_t in, uint64_t features)
{
    od_net_add(p, OD_LAYER_LINEAR, "Dense", (in + 1) * features);
    struct od_layer *layer = &p->net->layers.items[p->at.layer];
    layer->output = (struct od_shape){.dims = {OD_DIM_UNKNOWN, features}, .n = 2, .known = true};
    layer->bias = OD_YES;
}

static void add_head(struct od_net_plan *p, uint64_t dense, uint64_t classes)
{
    uint64_t wide = p->at.channels * (dense > 0 ? p->at.side * p->at.side : 1);
    od_net_stage(p, NULL);
    od_net_add(p, dense > 0 ? OD_LAYER_VIEW : OD_LAYER_AVG_POOL,
               dense > 0 ? "Flatten" : "GlobalAveragePooling2D", 0);
    p->net->layers.items[p->at.layer].output =
        (struct od_shape){.dims = {OD_DIM_UNKNOWN, wide}, .n = 2, .known = true};
    if (dense > 0) {
        linear(p, wide, dense);
        linear(p, dense, dense);
    }
    linear(p, dense > 0 ? dense : wide, classes);
}

const struct od_model *od_net_model(size_t which, uint64_t side, uint64_t classes,
                                    struct od_arena *arena)
{
    struct od_net net = {0};
    struct od_net_plan plan = {
        .net = &net, .at = {.layer = OD_NET_OUTSIDE, .side = side, .channels = 3}, .arena = arena};
    od_net_add(&plan, OD_LAYER_INPUT, "InputLayer", 0);
    net.layers.items[0].ninputs = 0;
    nets[which].lay_out(&plan, nets[which].size);
    if (classes > 0)
        add_head(&plan, nets[which].about.dense, classes);
    struct od_model *model = OD_NEW(arena, struct od_model);
    model->name = od_view_of(nets[which].about.name);
    model->format = OD_MODEL_KERAS;
    model->parameters = od_count_of(plan.parameters);
    model->layers.items = OD_NEW_N(arena, net.layers.n + 1, struct od_layer);
    model->layers.n = net.layers.n;
    memcpy(model->layers.items, net.layers.items, net.layers.n * sizeof *net.layers.items);
    model->inputs.items = OD_NEW_N(arena, net.inputs.n + 1, uint32_t);
    model->inputs.n = net.inputs.n;
    memcpy(model->inputs.items, net.inputs.items, net.inputs.n * sizeof *net.inputs.items);
    od_net_done(&net);
    return model;
}
