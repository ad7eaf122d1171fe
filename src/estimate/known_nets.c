#include "estimate/known_nets.h"

#include "base/num.h"

/* The tensor that is being made. */
struct at {
    uint32_t layer; /* that made it */
    uint64_t side, channels;
};

struct plan {
    struct od_net *net;
    struct at at;
    uint64_t parameters;
};

static void add(struct plan *p, enum od_layer_kind kind, const char *type, uint64_t parameters)
{
    struct od_layer layer = od_layer_blank();
    layer.kind = kind;
    layer.name = layer.type = od_view_of(type);
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

static void conv(struct plan *p, uint64_t channels, uint64_t kernel, uint64_t stride, bool bias)
{
    uint64_t weights = kernel * kernel * p->at.channels * channels;
    p->at.side = (p->at.side + stride - 1) / stride;
    p->at.channels = channels;
    add(p, OD_LAYER_CONV, "Conv2D", weights + (bias ? channels : 0));
}

static void depthwise(struct plan *p, uint64_t stride)
{
    p->at.side = (p->at.side + stride - 1) / stride;
    add(p, OD_LAYER_CONV, "DepthwiseConv2D", 9 * p->at.channels);
}

static void norm(struct plan *p)
{
    add(p, OD_LAYER_BATCH_NORM, "BatchNormalization", 4 * p->at.channels);
}

static void relu(struct plan *p)
{
    add(p, OD_LAYER_RELU, "ReLU", 0);
}

/* The sum of the newest tensor and another one. */
static void sum(struct plan *p, uint32_t other)
{
    add(p, OD_LAYER_ADD, "Add", 0);
    od_vec_push(&p->net->inputs, other);
    p->net->layers.items[p->net->layers.n - 1].ninputs = 2;
}

/* ---- the networks ---- */

static void vgg(struct plan *p, unsigned depth)
{
    static const uint64_t channels[] = {64, 128, 256, 512, 512};
    for (unsigned block = 0; block < 5; block++) {
        unsigned n = block < 2 ? 2 : depth == 19 ? 4 : 3;
        for (unsigned i = 0; i < n; i++)
            conv(p, channels[block], 3, 1, true);
        p->at.side /= 2;
        add(p, OD_LAYER_MAX_POOL, "MaxPooling2D", 0);
    }
}

static void bottleneck(struct plan *p, uint64_t width, uint64_t stride, bool first)
{
    struct at in = p->at;
    uint32_t shortcut = in.layer;
    if (first) {
        conv(p, 4 * width, 1, stride, true);
        norm(p);
        shortcut = p->at.layer;
        p->at = in;
    }
    conv(p, width, 1, stride, true);
    norm(p);
    relu(p);
    conv(p, width, 3, 1, true);
    norm(p);
    relu(p);
    conv(p, 4 * width, 1, 1, true);
    norm(p);
    sum(p, shortcut);
    relu(p);
}

static void resnet(struct plan *p, unsigned depth)
{
    static const unsigned third[][2] = {{50, 6}, {101, 23}, {152, 36}};
    unsigned blocks[] = {3, depth == 152 ? 8 : 4, 0, 3};
    for (size_t i = 0; i < OD_COUNT_OF(third); i++)
        if (third[i][0] == depth)
            blocks[2] = third[i][1];
    p->at.side += 6;
    add(p, OD_LAYER_COPY, "ZeroPadding2D", 0);
    p->at.side -= 6;
    conv(p, 64, 7, 2, true);
    norm(p);
    relu(p);
    p->at.side += 2;
    add(p, OD_LAYER_COPY, "ZeroPadding2D", 0);
    p->at.side = (p->at.side - 3) / 2 + 1;
    add(p, OD_LAYER_MAX_POOL, "MaxPooling2D", 0);
    for (unsigned stack = 0; stack < 4; stack++)
        for (unsigned i = 0; i < blocks[stack]; i++)
            bottleneck(p, UINT64_C(64) << stack, i == 0 && stack > 0 ? 2 : 1, i == 0);
}

static void mobilenet(struct plan *p, unsigned version)
{
    static const struct {
        uint64_t channels, stride;
    } rows[] = {{64, 1},  {128, 2}, {128, 1}, {256, 2}, {256, 1},  {512, 2}, {512, 1},
                {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1}};
    (void)version;
    conv(p, 32, 3, 2, false);
    norm(p);
    relu(p);
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++) {
        depthwise(p, rows[i].stride);
        norm(p);
        relu(p);
        conv(p, rows[i].channels, 1, 1, false);
        norm(p);
        relu(p);
    }
}

static void inverted(struct plan *p, uint64_t expand, uint64_t channels, uint64_t stride)
{
    struct at in = p->at;
    if (expand > 1) {
        conv(p, in.channels * expand, 1, 1, false);
        norm(p);
        relu(p);
    }
    depthwise(p, stride);
    norm(p);
    relu(p);
    conv(p, channels, 1, 1, false);
    norm(p);
    if (stride == 1 && in.channels == channels)
        sum(p, in.layer);
}

static void mobilenet_v2(struct plan *p, unsigned version)
{
    static const struct {
        uint64_t expand, channels, n, stride;
    } rows[] = {{1, 16, 1, 1}, {6, 24, 2, 2},  {6, 32, 3, 2}, {6, 64, 4, 2},
                {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1}};
    (void)version;
    conv(p, 32, 3, 2, false);
    norm(p);
    relu(p);
    for (size_t i = 0; i < OD_COUNT_OF(rows); i++)
        for (uint64_t j = 0; j < rows[i].n; j++)
            inverted(p, rows[i].expand, rows[i].channels, j == 0 ? rows[i].stride : 1);
    conv(p, 1280, 1, 1, false);
    norm(p);
    relu(p);
}

/* Norm, ReLU, 1x1, norm, ReLU, 3x3; joined to what was there. */
static void dense_layer(struct plan *p)
{
    struct at in = p->at;
    norm(p);
    relu(p);
    conv(p, 128, 1, 1, false);
    norm(p);
    relu(p);
    conv(p, 32, 3, 1, false);
    p->at.channels = in.channels + 32;
    add(p, OD_LAYER_CONCAT, "Concatenate", 0);
    od_vec_push(&p->net->inputs, in.layer);
    p->net->layers.items[p->net->layers.n - 1].ninputs = 2;
}

static void densenet(struct plan *p, unsigned depth)
{
    unsigned blocks[] = {6, 12, depth == 121 ? 24 : depth == 169 ? 32 : 48, depth == 121 ? 16 : 32};
    conv(p, 64, 7, 2, false);
    norm(p);
    relu(p);
    p->at.side = (p->at.side + 1) / 2;
    add(p, OD_LAYER_MAX_POOL, "MaxPooling2D", 0);
    for (size_t block = 0; block < OD_COUNT_OF(blocks); block++) {
        for (unsigned i = 0; i < blocks[block]; i++)
            dense_layer(p);
        norm(p);
        relu(p);
        if (block + 1 == OD_COUNT_OF(blocks))
            break;
        conv(p, p->at.channels / 2, 1, 1, false);
        p->at.side /= 2;
        add(p, OD_LAYER_AVG_POOL, "AveragePooling2D", 0);
    }
}

static const struct {
    void (*lay_out)(struct plan *p, unsigned size);
    unsigned size;
} nets[] = {
    {vgg, 16},      {vgg, 19},         {resnet, 50},    {resnet, 101},   {resnet, 152},
    {mobilenet, 1}, {mobilenet_v2, 2}, {densenet, 121}, {densenet, 169}, {densenet, 201},
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
        struct plan plan = {.net = ret_net,
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
