/* Shapes of the layers: the papers of AlexNet (2012 and its one-tower form of 2014), GoogLeNet
 * (2014), Inception v3 (2015) and residual networks (2015). */
#include "estimate/known_nets_parts.h"

#include "base/num.h"

void od_net_alexnet(struct od_net_plan *p, unsigned size)
{
    /* the paper's; one tower as programs lay it out, the fourth with 384 or 256 channels */
    static const uint64_t channels[][5] = {
        {96, 256, 384, 384, 256}, {64, 192, 384, 384, 256}, {64, 192, 384, 256, 256}};
    const uint64_t *width = channels[size < OD_COUNT_OF(channels) ? size : 0];
    struct od_net_conv first = {
        .channels = width[0], .kernel = 11, .stride = 4, .valid = true, .bias = true};
    p->at.side += p->at.side % 4 == 0 ? 3 : 0; /* 224 is padded to 227 */
    od_net_conv(p, &first);
    od_net_max_pool(p, 3, true);
    od_net_conv_same(p, width[1], 5, 1, true);
    od_net_max_pool(p, 3, true);
    for (unsigned i = 2; i < 5; i++)
        od_net_conv_same(p, width[i], 3, 1, true);
    od_net_max_pool(p, 3, true);
}

static void conv_relu(struct od_net_plan *p, uint64_t channels, uint64_t kernel)
{
    od_net_conv_same(p, channels, kernel, 1, true);
    od_net_relu(p);
}

/* Widths of a block: 1x1; the way to 3x3; to 5x5; behind the pool. */
static void inception(struct od_net_plan *p, const uint64_t *width, uint64_t large)
{
    enum { BRANCHES = 4 };
    struct od_net_at in = p->at, out[BRANCHES];
    conv_relu(p, width[0], 1);
    out[0] = p->at;
    p->at = in;
    conv_relu(p, width[1], 1);
    conv_relu(p, width[2], 3);
    out[1] = p->at;
    p->at = in;
    conv_relu(p, width[3], 1);
    conv_relu(p, width[4], large);
    out[2] = p->at;
    p->at = in;
    od_net_add(p, OD_LAYER_MAX_POOL, "MaxPooling2D", 0);
    conv_relu(p, width[5], 1);
    out[3] = p->at;
    od_net_concat(p, out, BRANCHES);
}

void od_net_inception_v1(struct od_net_plan *p, unsigned size)
{
    static const struct {
        const char *name;
        bool pool_after;
        uint64_t width[6];
    } blocks[] = {
        {"3a", false, {64, 96, 128, 16, 32, 32}},     {"3b", true, {128, 128, 192, 32, 96, 64}},
        {"4a", false, {192, 96, 208, 16, 48, 64}},    {"4b", false, {160, 112, 224, 24, 64, 64}},
        {"4c", false, {128, 128, 256, 24, 64, 64}},   {"4d", false, {112, 144, 288, 32, 64, 64}},
        {"4e", true, {256, 160, 320, 32, 128, 128}},  {"5a", false, {256, 160, 320, 32, 128, 128}},
        {"5b", false, {384, 192, 384, 48, 128, 128}},
    };
    od_net_conv_same(p, 64, 7, 2, true);
    od_net_relu(p);
    od_net_max_pool(p, 3, false);
    conv_relu(p, 64, 1);
    conv_relu(p, 192, 3);
    od_net_max_pool(p, 3, false);
    for (size_t i = 0; i < OD_COUNT_OF(blocks); i++) {
        od_net_stage(p, blocks[i].name);
        inception(p, blocks[i].width, size);
        if (blocks[i].pool_after)
            od_net_max_pool(p, 3, false);
    }
}

/* ---- Inception v3 ---- */

/* Its norms have no scale. */
static void unit(struct od_net_plan *p, const struct od_net_conv *conv)
{
    od_net_conv(p, conv);
    od_net_add(p, OD_LAYER_BATCH_NORM, "BatchNormalization", 3 * p->at.channels);
    od_net_relu(p);
}

static void same(struct od_net_plan *p, uint64_t channels, uint64_t kernel)
{
    unit(p, &(struct od_net_conv){.channels = channels, .kernel = kernel, .stride = 1});
}

static void valid(struct od_net_plan *p, uint64_t channels, uint64_t kernel, uint64_t stride)
{
    unit(p, &(struct od_net_conv){
                .channels = channels, .kernel = kernel, .stride = stride, .valid = true});
}

static void oblong(struct od_net_plan *p, uint64_t channels, uint64_t kernel, uint64_t across)
{
    unit(p, &(struct od_net_conv){
                .channels = channels, .kernel = kernel, .across = across, .stride = 1});
}

static struct od_net_at pooled(struct od_net_plan *p, uint64_t channels)
{
    od_net_add(p, OD_LAYER_AVG_POOL, "AveragePooling2D", 0);
    same(p, channels, 1);
    return p->at;
}

/* 35 by 35: 1x1, 5x5, twice 3x3, a pool. */
static void mixed_square(struct od_net_plan *p, uint64_t behind_pool)
{
    struct od_net_at in = p->at, out[4];
    same(p, 64, 1);
    out[0] = p->at;
    p->at = in;
    same(p, 48, 1);
    same(p, 64, 5);
    out[1] = p->at;
    p->at = in;
    same(p, 64, 1);
    same(p, 96, 3);
    same(p, 96, 3);
    out[2] = p->at;
    p->at = in;
    out[3] = pooled(p, behind_pool);
    od_net_concat(p, out, OD_COUNT_OF(out));
}

static void reduce_square(struct od_net_plan *p)
{
    struct od_net_at in = p->at, out[3];
    valid(p, 384, 3, 2);
    out[0] = p->at;
    p->at = in;
    same(p, 64, 1);
    same(p, 96, 3);
    valid(p, 96, 3, 2);
    out[1] = p->at;
    p->at = in;
    od_net_max_pool(p, 3, true);
    out[2] = p->at;
    od_net_concat(p, out, OD_COUNT_OF(out));
}

/* 17 by 17: kernels of seven by one. */
static void mixed_oblong(struct od_net_plan *p, uint64_t width)
{
    struct od_net_at in = p->at, out[4];
    same(p, 192, 1);
    out[0] = p->at;
    p->at = in;
    same(p, width, 1);
    oblong(p, width, 1, 7);
    oblong(p, 192, 7, 1);
    out[1] = p->at;
    p->at = in;
    same(p, width, 1);
    oblong(p, width, 7, 1);
    oblong(p, width, 1, 7);
    oblong(p, width, 7, 1);
    oblong(p, 192, 1, 7);
    out[2] = p->at;
    p->at = in;
    out[3] = pooled(p, 192);
    od_net_concat(p, out, OD_COUNT_OF(out));
}

static void reduce_oblong(struct od_net_plan *p)
{
    struct od_net_at in = p->at, out[3];
    same(p, 192, 1);
    valid(p, 320, 3, 2);
    out[0] = p->at;
    p->at = in;
    same(p, 192, 1);
    oblong(p, 192, 1, 7);
    oblong(p, 192, 7, 1);
    valid(p, 192, 3, 2);
    out[1] = p->at;
    p->at = in;
    od_net_max_pool(p, 3, true);
    out[2] = p->at;
    od_net_concat(p, out, OD_COUNT_OF(out));
}

/* One by three beside three by one. */
static struct od_net_at forked(struct od_net_plan *p)
{
    struct od_net_at in = p->at, out[2];
    oblong(p, 384, 1, 3);
    out[0] = p->at;
    p->at = in;
    oblong(p, 384, 3, 1);
    out[1] = p->at;
    od_net_concat(p, out, OD_COUNT_OF(out));
    return p->at;
}

/* 8 by 8. */
static void mixed_wide(struct od_net_plan *p)
{
    struct od_net_at in = p->at, out[4];
    same(p, 320, 1);
    out[0] = p->at;
    p->at = in;
    same(p, 384, 1);
    out[1] = forked(p);
    p->at = in;
    same(p, 448, 1);
    same(p, 384, 3);
    out[2] = forked(p);
    p->at = in;
    out[3] = pooled(p, 192);
    od_net_concat(p, out, OD_COUNT_OF(out));
}

void od_net_inception_v3(struct od_net_plan *p, unsigned size)
{
    static const char *const stages[] = {"mixed0", "mixed1", "mixed2", "mixed3", "mixed4", "mixed5",
                                         "mixed6", "mixed7", "mixed8", "mixed9", "mixed10"};
    static const uint64_t width[] = {128, 160, 160, 192};
    (void)size;
    valid(p, 32, 3, 2);
    valid(p, 32, 3, 1);
    same(p, 64, 3);
    od_net_max_pool(p, 3, true);
    valid(p, 80, 1, 1);
    valid(p, 192, 3, 1);
    od_net_max_pool(p, 3, true);
    for (unsigned i = 0; i < OD_COUNT_OF(stages); i++) {
        od_net_stage(p, stages[i]);
        if (i < 3)
            mixed_square(p, i == 0 ? 32 : 64);
        else if (i == 3)
            reduce_square(p);
        else if (i < 8)
            mixed_oblong(p, width[i - 4]);
        else if (i == 8)
            reduce_oblong(p);
        else
            mixed_wide(p);
    }
}

/* ---- residual networks of two convolutions a block ---- */

static void basic(struct od_net_plan *p, uint64_t width, uint64_t stride)
{
    struct od_net_at in = p->at;
    uint32_t shortcut = in.layer;
    if (stride > 1) {
        od_net_conv_same(p, width, 1, stride, false);
        od_net_norm(p);
        shortcut = p->at.layer;
        p->at = in;
    }
    od_net_conv_same(p, width, 3, stride, false);
    od_net_norm(p);
    od_net_relu(p);
    od_net_conv_same(p, width, 3, 1, false);
    od_net_norm(p);
    od_net_sum(p, shortcut);
    od_net_relu(p);
}

void od_net_resnet_basic(struct od_net_plan *p, unsigned size)
{
    static const char *const stages[] = {"conv2", "conv3", "conv4", "conv5"};
    static const unsigned blocks[][4] = {{2, 2, 2, 2}, {3, 4, 6, 3}};
    od_net_conv_same(p, 64, 7, 2, false);
    od_net_norm(p);
    od_net_relu(p);
    od_net_max_pool(p, 3, false);
    for (unsigned stack = 0; stack < 4; stack++) {
        od_net_stage(p, stages[stack]);
        for (unsigned i = 0; i < blocks[size == 34][stack]; i++)
            basic(p, UINT64_C(64) << stack, i == 0 && stack > 0 ? 2 : 1);
    }
}
