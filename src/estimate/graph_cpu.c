/*
 * Memory of TensorFlow's CPU kernels in addition to their outputs (without oneDNN).
 */
#include "estimate/graph_parts.h"

/* Number of floats in a group of images: core/kernels/conv_grad_filter_ops.cc ("30MB is from
 * ivybridge"), conv_grad_input_ops.cc (the level 3 cache, with a default if Eigen cannot query
 * it). */
static const uint64_t group_of_filters = (UINT64_C(30) << 20) / 4;
static const uint64_t group_of_inputs = (UINT64_C(2) << 20) / 4;

/* The matrix of patches of an image: its rows are the positions of the kernel. */
struct patches {
    uint64_t image, products;
};

static uint64_t group(const struct patches *patches, uint64_t numbers)
{
    uint64_t images = (numbers + patches->products - 1) / patches->products;
    return images > UINT64_MAX / 4 / patches->image ? 0 : images * patches->image * 4;
}

/* A transposed convolution applies the kernel to its input, and computes its output like the
 * gradient of a convolution. */
void od_site_columns(struct od_build *b, const struct od_site *s, uint64_t weights,
                     struct od_tape *tape)
{
    bool up = od_site_is(s, "Conv2DTr") || od_site_is(s, "Conv3DTr") || od_site_is(s, "ConvTr");
    const struct od_walk_tensor *map = up ? s->in : s->out;
    struct patches p;
    if (!b->workload->on_cpu || b->habits->onednn || s->layer->kind != OD_LAYER_CONV || !map ||
        map->channels == 0 ||
        ckd_mul(&p.image, map->elements / map->channels, weights / map->channels) || p.image == 0 ||
        ckd_add(&p.products, p.image, map->elements) || ckd_add(&p.products, p.products, weights))
        return;
    tape->columns.fixed = group(&p, group_of_filters);
    if (up)
        od_build_more(b, (struct od_linear){.fixed = group(&p, group_of_inputs)});
    else
        tape->temporary.fixed = group(&p, group_of_inputs);
}

static uint32_t norm(struct od_build *b, const struct od_tape *tape, struct od_linear size,
                     uint32_t dy)
{
    struct od_linear none = {0};
    uint32_t inputs[] = {dy, tape->saved[0]};
    uint32_t scaled = od_build_op(b, tape->layer, inputs, 2, size);
    inputs[0] = od_build_op(b, tape->layer, &scaled, 1, none);
    uint32_t of_mean = od_build_op(b, tape->layer, inputs, 1, size);
    uint32_t of_squares = od_build_op(b, tape->layer, inputs, 2, size);
    uint32_t all[] = {dy, of_mean, of_squares};
    uint32_t dx = od_build_op(b, tape->layer, all, 3, size);
    od_build_newest(b)->over = true;
    return dx;
}

/* Adds a pool: a second copy of the output (in place if unread elsewhere), and 64-bit positions. */
static uint32_t max_pool(struct od_build *b, const struct od_tape *tape, struct od_linear size,
                         uint32_t dy)
{
    struct od_linear out = b->graph->tensors.items[tape->out];
    uint32_t inputs[] = {tape->saved[1], dy}, all[] = {dy, tape->saved[0], 0, 0};
    all[2] = od_build_op(b, tape->layer, inputs, 2, out);
    od_build_newest(b)->over = true;
    all[3] = od_build_op(b, tape->layer, &dy, 1, (struct od_linear){.each = out.each * 2});
    return od_build_op(b, tape->layer, all, 4, size);
}

uint32_t od_gradient_by_parts(struct od_build *b, const struct od_tape *tape, uint32_t in,
                              uint32_t dy)
{
    struct od_linear size = b->graph->tensors.items[in];
    return tape->parts == OD_PARTS_NORM ? norm(b, tape, size, dy) : max_pool(b, tape, size, dy);
}
