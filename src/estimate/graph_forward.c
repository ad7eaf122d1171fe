#include "estimate/graph_parts.h"

#include "estimate/conv_input.h"
#include "estimate/ops.h"

#define NONE OD_NO_GRAPH_TENSOR

/* ---- layers with weights ---- */

/* Is the activation after a layer with weights an argument of the layer? Then no row of the
 * activation follows. */
static bool hides_function(const struct od_build *b, const struct od_site *s)
{
    const uint64_t tells =
        (1u << OD_LAYER_BATCH_NORM) | (1u << OD_LAYER_NORM) | (1u << OD_LAYER_RELU) |
        (1u << OD_LAYER_LEAKY_RELU) | (1u << OD_LAYER_RELU6) | (1u << OD_LAYER_SIGMOID) |
        (1u << OD_LAYER_TANH) | (1u << OD_LAYER_SOFTMAX) | (1u << OD_LAYER_SMOOTH) |
        (1u << OD_LAYER_ACTIVATION) | (1u << OD_LAYER_ADD) | (1u << OD_LAYER_MULTIPLY);
    uint64_t readers = b->read_by[s->step->out];
    bool up = od_site_is(s, "Conv2DTr") || od_site_is(s, "Conv3DTr") || od_site_is(s, "ConvTr");
    if (b->habits->bare || (b->torch && !b->functional_relu))
        return false;
    return readers != 0 && !(readers & tells) && !(up && readers & (1u << OD_LAYER_CONCAT));
}

/* Adds a function of one tensor, which overwrites its input if possible. ops.h lists the tensors
 * that its gradient reads. */
static uint32_t function(struct od_build *b, const struct od_site *s, uint32_t x,
                         enum od_layer_kind kind)
{
    const struct od_op *op = od_op_of(kind, b->workload->framework);
    uint32_t y = od_site_forward(b, s, x, od_site_size(b, s));
    od_build_newest(b)->over = !op->in && (!b->torch || s->layer->inplace);
    struct od_tape *tape = od_site_note(b, s, x, y);
    tape->how = b->torch ? OD_GRAD_NEW : OD_GRAD_OVER;
    tape->saved[0] = op->in ? x : NONE;
    tape->saved[1] = op->out ? y : NONE;
    if (kind == OD_LAYER_SMOOTH)
        tape->temporary = od_site_size(b, s);
    return y;
}

/* Workspace of Winograd transforms F(4x4, 3x3) of input and output: 36 numbers for each 16. */
static struct od_linear scratch_of(struct od_build *b, const struct od_site *s, uint64_t kernel)
{
    uint64_t weights, sum;
    if (!b->habits->scratch || b->workload->on_cpu || s->layer->kind != OD_LAYER_CONV || !s->in ||
        !s->in->channels || ckd_mul(&weights, s->in->channels * 9, s->out->channels) ||
        kernel != weights || ckd_add(&sum, s->in->elements, s->out->elements) ||
        ckd_mul(&sum, sum, b->width))
        return (struct od_linear){0};
    return (struct od_linear){.each = sum / 4 * 9};
}

/* Adds the 16-bit copy of a variable that a mixed policy makes in each step. */
static uint32_t cast_weight(struct od_build *b, const struct od_site *s, uint64_t elements)
{
    if (!b->mixed || elements == 0)
        return NONE;
    return od_build_op(b, s->index, NULL, 0, od_build_fixed(b, elements, 2));
}

static uint32_t product(struct od_build *b, const struct od_site *s)
{
    uint64_t all = s->layer->parameters.known ? s->layer->parameters.n : 0, bias = 0;
    if (all && od_has_bias(s->layer, s->in, s->out) && s->out->channels < all)
        bias = s->out->channels;
    uint32_t cast = cast_weight(b, s, all - bias);
    uint32_t inputs[] = {s->x, cast};
    struct od_linear scratch = scratch_of(b, s, all - bias);
    uint32_t y = od_build_op(b, s->index, inputs, 2, od_site_size(b, s));
    od_build_newest(b)->scratch = scratch;
    od_build_newest(b)->passes = OD_PASSES;
    struct od_tape *tape = od_site_note(b, s, s->x, y);
    tape->passes = OD_PASSES;
    tape->saved[0] = cast;
    tape->saved_for_weights = s->x;
    tape->weights[0] = od_site_variable(b, s, all - bias, true);
    tape->weights[1] = od_site_variable(b, s, bias, true);
    tape->scratch = scratch;
    od_site_columns(b, s, all - bias, tape);
    od_build_trained(b, tape);
    return hides_function(b, s) ? function(b, s, y, OD_LAYER_RELU) : y;
}

/* Adds a depthwise convolution, then a 1x1 convolution of its output. */
static uint32_t separable(struct od_build *b, const struct od_site *s)
{
    uint64_t all = s->layer->parameters.known ? s->layer->parameters.n : 0, out = s->out->channels;
    uint64_t in = s->in ? s->in->channels : 0, point = 0, depth;
    if (in == 0 || out == 0 || ckd_mul(&point, in, out) || point > all)
        return product(b, s);
    uint64_t bias = (all - point) % in == 0 || all - point < out ? 0 : out;
    depth = all - point - bias;
    uint32_t middle =
        od_site_forward(b, s, s->x, od_build_each(b, s->out->elements / out * in, b->width));
    struct od_tape *tape = od_site_note(b, s, s->x, middle);
    tape->saved_for_weights = s->x;
    tape->weights[0] = od_site_variable(b, s, depth, true);
    od_build_trained(b, tape);
    uint32_t y = od_site_forward(b, s, middle, od_site_size(b, s));
    tape = od_site_note(b, s, middle, y);
    tape->saved_for_weights = middle;
    tape->weights[0] = od_site_variable(b, s, point, true);
    tape->weights[1] = od_site_variable(b, s, bias, true);
    od_build_trained(b, tape);
    return hides_function(b, s) ? function(b, s, y, OD_LAYER_RELU) : y;
}

/* Adds a norm. Rows of Keras' norms often count 4 numbers per channel, of which 2 are trained;
 * PyTorch's count 2. */
static uint32_t norm(struct od_build *b, const struct od_site *s)
{
    uint64_t all = s->layer->parameters.known ? s->layer->parameters.n : 0, c = s->out->channels;
    bool batch = s->layer->kind == OD_LAYER_BATCH_NORM;
    uint64_t rows = c ? s->out->elements / c : 0;
    struct od_linear statistic = batch ? od_build_fixed(b, c, 4) : od_build_each(b, rows, 4);
    bool by_parts = batch && b->workload->on_cpu && b->habits->norms_split;
    if (by_parts) /* squared differences for their sum */
        od_site_forward(b, s, s->x, od_site_size(b, s));
    uint32_t y = od_site_forward(b, s, s->x, od_site_size(b, s));
    if (batch && !b->torch) { /* mean and variance of the batch, which update the moving ones */
        od_build_more(b, statistic);
        od_build_more(b, statistic);
    }
    uint32_t mean = od_build_more(b, statistic), deviation = od_build_more(b, statistic);
    struct od_tape *tape = od_site_note(b, s, s->x, y);
    tape->saved[0] = s->x;
    tape->saved[1] = mean;
    tape->saved[2] = deviation;
    tape->whole = true;
    tape->parts = by_parts ? OD_PARTS_NORM : OD_PARTS_ONE;
    for (uint64_t i = 0; c && i < 2 && (i + 1) * c <= all; i++)
        tape->weights[i] = od_site_variable(b, s, c, true);
    for (uint64_t i = 2; batch && c && i < 4 && (b->torch || i < all / c); i++)
        od_site_variable(b, s, c, false);
    od_build_trained(b, tape);
    return y;
}

static uint32_t embedding(struct od_build *b, const struct od_site *s)
{
    uint32_t y = od_site_forward(b, s, s->x, od_site_size(b, s));
    struct od_tape *tape = od_site_note(b, s, NONE, y);
    tape->saved_for_weights = s->x;
    tape->weights[0] =
        od_site_variable(b, s, s->layer->parameters.known ? s->layer->parameters.n : 0, true);
    od_build_trained(b, tape);
    return y;
}

/* ---- layers without weights ---- */

static uint32_t pool(struct od_build *b, const struct od_site *s)
{
    bool max = s->layer->kind == OD_LAYER_MAX_POOL;
    bool onednn = b->workload->on_cpu && b->habits->onednn;
    uint32_t y = od_site_forward(b, s, s->x, od_site_size(b, s)), indices = NONE;
    if (max && (b->torch || onednn))
        indices = od_build_more(b, od_build_each(b, s->out->elements, onednn ? 1 : 8));
    struct od_tape *tape = od_site_note(b, s, s->x, y);
    if (max || b->torch)
        tape->saved[0] = s->x;
    if (max)
        tape->saved[1] = b->torch ? indices : y;
    if (max && onednn)
        tape->saved[2] = indices;
    else if (max && b->workload->on_cpu)
        tape->parts = OD_PARTS_POOL;
    return y;
}

static uint32_t dropout(struct od_build *b, const struct od_site *s)
{
    uint32_t mask, inputs[2];
    if (s->layer->dropout >= 0 && s->layer->dropout <= 0)
        return s->x;
    if (b->torch) {
        uint32_t y = od_site_forward(b, s, s->x, od_site_size(b, s));
        mask = od_build_more(b, od_build_each(b, s->out->elements, 1));
        od_site_note(b, s, s->x, y)->saved[0] = mask;
        return y;
    }
    inputs[0] = od_site_forward(b, s, s->x, od_site_size(b, s)); /* the scaled scores */
    uint32_t chance =
        od_build_op(b, s->index, NULL, 0, od_build_each(b, s->out->elements, b->width));
    mask = od_site_forward(b, s, chance, od_build_each(b, s->out->elements, 1));
    if (b->habits->masks_cast)
        mask = od_site_forward(b, s, mask, od_site_size(b, s));
    inputs[1] = mask;
    uint32_t y = od_build_op(b, s->index, inputs, 2, od_site_size(b, s));
    od_build_newest(b)->over = b->habits->masks_cast;
    struct od_tape *tape = od_site_note(b, s, s->x, y);
    tape->saved[0] = mask;
    tape->how = b->habits->masks_cast ? OD_GRAD_OVER : OD_GRAD_NEW;
    return y;
}

/* Writes all inputs of a layer that are in the graph. Returns their number. */
static size_t inputs_of(const struct od_build *b, const struct od_site *s, uint32_t *inputs,
                        size_t room)
{
    size_t n = 0;
    inputs[n++] = s->x;
    for (uint32_t i = 0; i < s->step->nmore && n < room; i++)
        inputs[n++] = b->value[b->walk.more.items[s->step->first_more + i]];
    return n;
}

enum { JOINED_MAX = 64 };

static uint32_t join(struct od_build *b, const struct od_site *s)
{
    uint32_t inputs[JOINED_MAX];
    size_t n = inputs_of(b, s, inputs, JOINED_MAX);
    uint32_t y = od_build_op(b, s->index, inputs, n, od_site_size(b, s));
    enum od_layer_kind kind = s->layer->kind;
    od_build_newest(b)->over = kind == OD_LAYER_ADD && !b->torch;
    struct od_tape *tape = od_site_note(b, s, NONE, y);
    for (size_t i = 0; i < n; i++)
        if (inputs[i] != NONE) {
            od_vec_push(&b->tape_inputs, inputs[i]);
            tape->nin++;
        }
    tape->how = kind == OD_LAYER_ADD ? OD_GRAD_SAME : OD_GRAD_SLICES;
    for (size_t i = 0; kind == OD_LAYER_MULTIPLY && i < n && i < OD_TAPE_SAVED; i++)
        tape->saved[i] = inputs[i];
    return y;
}

/* Adds a reshape. Keras reshapes with channels last; with channels first the map is transposed
 * before it, which is a copy. */
static uint32_t view(struct od_build *b, const struct od_site *s)
{
    bool turned = b->channels_first && s->step->in != OD_NO_TENSOR && b->map[s->step->in];
    if (s->step->in == s->step->out && (!turned || s->layer->output.n > 3))
        return s->x;
    return od_site_copy(b, s, s->x, od_site_size(b, s));
}

static uint32_t build_layer(struct od_build *b, const struct od_site *s)
{
    switch (s->layer->kind) {
    case OD_LAYER_CONV:
        return od_site_is(s, "Separable") ? separable(b, s) : product(b, s);
    case OD_LAYER_LINEAR:
        return product(b, s);
    case OD_LAYER_BATCH_NORM:
    case OD_LAYER_NORM:
        return norm(b, s);
    case OD_LAYER_EMBEDDING:
        return embedding(b, s);
    case OD_LAYER_RECURRENT:
        return od_site_recurrent(b, s);
    case OD_LAYER_MAX_POOL:
    case OD_LAYER_AVG_POOL:
        return pool(b, s);
    case OD_LAYER_DROPOUT:
        return dropout(b, s);
    case OD_LAYER_ADD:
    case OD_LAYER_MULTIPLY:
    case OD_LAYER_CONCAT:
        return join(b, s);
    case OD_LAYER_VIEW:
        return view(b, s);
    case OD_LAYER_COPY:
        return od_site_copy(b, s, s->x, od_site_size(b, s));
    case OD_LAYER_RELU:
    case OD_LAYER_RELU6:
    case OD_LAYER_ACTIVATION:
    case OD_LAYER_LEAKY_RELU:
    case OD_LAYER_SIGMOID:
    case OD_LAYER_TANH:
    case OD_LAYER_SOFTMAX:
    case OD_LAYER_SMOOTH:
        return function(b, s, s->x, s->layer->kind);
    case OD_LAYER_OTHER:
        if (od_site_is(s, "TimeDistributed"))
            return product(b, s);
        break;
    case OD_LAYER_INPUT:
    case OD_LAYER_CONTAINER:
    case OD_LAYER_ATTENTION:
    case OD_LAYER_LOSS:
    case OD_LAYER_END:
        break;
    }
    if (s->layer->parameters.known && s->layer->parameters.n == 0 &&
        s->layer->kind == OD_LAYER_OTHER)
        return od_site_copy(b, s, s->x, od_site_size(b, s));
    b->unknown = true;
    return NONE;
}

/* Adds an input batch: float32 (or indices) with channels last, converted for the model. */
static uint32_t arrive(struct od_build *b, uint32_t tensor)
{
    uint64_t elements = b->walk.tensors.items[tensor].elements;
    bool indices = b->read_by[tensor] & (1u << OD_LAYER_EMBEDDING);
    uint32_t x = od_build_op(b, UINT32_MAX, NULL, 0, od_build_each(b, elements, 4));
    b->input_elements = elements;
    if (b->torch || indices)
        return x;
    if ((b->channels_first && b->map[tensor]) || b->mixed)
        x = od_build_op(b, UINT32_MAX, &x, 1, od_build_each(b, elements, b->width));
    return x;
}

static uint32_t value_of(struct od_build *b, uint32_t tensor)
{
    if (tensor == OD_NO_TENSOR)
        return NONE;
    if (b->value[tensor] == NONE)
        b->value[tensor] = arrive(b, tensor);
    return b->value[tensor];
}

/* Adds an input of unknown shape, with the size that the first layer's parameters suggest. */
static uint32_t unprinted_input(struct od_build *b, const struct od_site *s)
{
    uint64_t elements = s->out->elements, all = s->layer->parameters.n, c = s->out->channels;
    if (s->layer->kind == OD_LAYER_RECURRENT) {
        elements = od_recurrent_reads(s);
    } else if (s->layer->kind == OD_LAYER_LINEAR && c && all / c > 1) {
        elements = elements / c * (all / c - 1);
    } else if (s->layer->kind == OD_LAYER_CONV && c) {
        elements = elements / c * 3;
    }
    return od_build_op(b, UINT32_MAX, NULL, 0, od_build_each(b, elements, 4));
}

static void build_step(struct od_build *b, const struct od_step *step)
{
    const struct od_layer *layer = &b->walk.model->layers.items[step->layer];
    struct od_site s = {.layer = layer, .step = step, .index = step->layer};
    s.out = &b->walk.tensors.items[step->out];
    s.in = step->in == OD_NO_TENSOR ? NULL : &b->walk.tensors.items[step->in];
    if (layer->kind == OD_LAYER_INPUT) {
        b->map[step->out] = layer->output.n > 3;
        return;
    }
    s.x = s.in ? value_of(b, step->in) : unprinted_input(b, &s);
    for (uint32_t i = 0; i < step->nmore; i++)
        value_of(b, b->walk.more.items[step->first_more + i]);
    b->value[step->out] = build_layer(b, &s);
    if (b->workload->on_cpu && b->input_elements > 0 && b->next_batch == NONE)
        b->next_batch = od_build_op(b, UINT32_MAX, NULL, 0, od_build_each(b, b->input_elements, 4));
    b->map[step->out] = layer->output.n > 3;
}

void od_build_forward(struct od_build *b)
{
    const struct od_walk *walk = &b->walk;
    for (size_t t = 0; t < walk->tensors.n; t++) {
        b->value[t] = NONE;
        b->map[t] = walk->tensors.items[t].map;
    }
    OD_FOR_EACH (const struct od_step, step, walk->steps) {
        enum od_layer_kind kind = walk->model->layers.items[step->layer].kind;
        if (kind == OD_LAYER_VIEW && step->in == step->out)
            continue;
        if (step->in != OD_NO_TENSOR)
            b->read_by[step->in] |= UINT64_C(1) << kind;
        for (uint32_t j = 0; j < step->nmore; j++)
            b->read_by[walk->more.items[step->first_more + j]] |= UINT64_C(1) << kind;
    }
    for (size_t i = 0; i < walk->steps.n && !b->unknown; i++)
        build_step(b, &walk->steps.items[i]);
    b->unknown |= walk->unsized > 0 || b->tape.n == 0;
}
