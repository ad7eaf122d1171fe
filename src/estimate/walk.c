#include "estimate/walk.h"

#include "estimate/conv_input.h"
#include "estimate/first_input.h"
#include "facts/module_count.h"

bool od_layer_elements(const struct od_model *model, const struct od_shape *shape,
                       uint64_t *ret_elements)
{
    uint64_t elements = 1, batch = model->batch.known ? model->batch.n : 0;
    uint32_t first = 0;
    if (!shape->known)
        return false;
    if (shape->n > 0 && (shape->dims[0] == OD_DIM_UNKNOWN || batch == 0 || shape->dims[0] == batch))
        first = 1;
    for (uint32_t i = first; i < shape->n; i++) {
        if (shape->dims[i] == OD_DIM_UNKNOWN || ckd_mul(&elements, elements, shape->dims[i]))
            return false;
    }
    if (first == 0 && batch > 1)
        elements = elements / batch + (elements % batch != 0);
    *ret_elements = elements;
    return true;
}

static bool channels_last(const struct od_model *model)
{
    return model->format == OD_MODEL_KERAS;
}

/* The tensor that a layer prints as output. PyTorch's maps have their channels first. */
static bool tensor_of(const struct od_model *model, const struct od_layer *layer,
                      struct od_walk_tensor *ret_tensor)
{
    const struct od_shape *shape = &layer->output;
    struct od_walk_tensor tensor = {.map = shape->n > 3};
    bool line = shape->n == 3 && od_view_ends(layer->type, OD_VIEW("1d"));
    bool first = (tensor.map || line) && !channels_last(model) && layer->kind != OD_LAYER_LINEAR;
    if (!od_layer_elements(model, shape, &tensor.elements))
        return false;
    if (shape->n >= 2)
        tensor.channels = shape->dims[first ? 1 : shape->n - 1];
    if (tensor.channels == OD_DIM_UNKNOWN)
        tensor.channels = 0;
    *ret_tensor = tensor;
    return true;
}

static uint32_t add_tensor(struct od_walk *walk, struct od_walk_tensor tensor)
{
    od_vec_push(&walk->tensors, tensor);
    return (uint32_t)(walk->tensors.n - 1);
}

static struct od_walk_tensor *newest(struct od_walk *walk)
{
    return walk->newest == OD_NO_TENSOR ? NULL : &walk->tensors.items[walk->newest];
}

static void set_newest(struct od_walk *walk, uint32_t tensor)
{
    walk->newest = tensor;
}

/* Adds a tensor without a row, such as a container's output that is not its last layer's. */
static uint32_t hidden(struct od_walk *walk, struct od_walk_tensor like)
{
    like.hidden = true;
    like.kept = false;
    return add_tensor(walk, like);
}

/* ---- inputs of a layer without printed connections ---- */

/* Features that a linear layer reads, from its parameters; 0 = not known. */
static uint64_t linear_features(const struct od_layer *layer, uint64_t out_features)
{
    if (layer->in_features.known)
        return layer->in_features.n;
    if (!layer->parameters.known || out_features == 0 || layer->parameters.n % out_features != 0)
        return 0;
    uint64_t each = layer->parameters.n / out_features;
    return each;
}

/* The latest of the last few tensors with that many elements and channels. */
static uint32_t find_like(const struct od_walk *walk, uint64_t elements, uint64_t channels)
{
    enum { REACH = 12 };
    for (size_t i = walk->tensors.n; i > 0 && i + REACH > walk->tensors.n; i--) {
        const struct od_walk_tensor *t = &walk->tensors.items[i - 1];
        if (t->elements == elements && t->channels == channels)
            return (uint32_t)(i - 1);
    }
    return OD_NO_TENSOR;
}

/* Adds the product for a tensor half as wide as the newest. It is usually the product of the
 * newest's halves, one of them after an activation (GEGLU, SwiGLU): the whole tensor and the
 * activation's output are kept. */
static uint32_t gated(struct od_walk *walk, struct od_walk_tensor like)
{
    const struct od_walk_tensor *t = newest(walk);
    bool half = t && !t->map && t->channels == 2 * like.channels &&
                t->elements / 2 == like.elements && t->elements % 2 == 0;
    if (half) {
        od_vec_push(&walk->gates, walk->newest);
        od_vec_push(&walk->gates, hidden(walk, like));
    }
    return hidden(walk, like);
}

static uint32_t linear_input(struct od_walk *walk, const struct od_layer *layer,
                             const struct od_walk_tensor *out)
{
    const struct od_walk_tensor *t = newest(walk);
    uint64_t each = linear_features(layer, out->channels), rows, elements;
    if (each == 0 || out->channels == 0)
        return walk->newest;
    rows = out->elements / out->channels;
    /* the last of `each` numbers may be a bias */
    for (uint64_t bias = 0; bias <= 1 && bias < each; bias++) {
        uint64_t features = each - bias;
        if (layer->in_features.known && bias)
            break;
        if (ckd_mul(&elements, rows, features))
            break;
        if (t && t->elements == elements)
            return walk->newest;
        if (find_like(walk, elements, features) != OD_NO_TENSOR)
            return find_like(walk, elements, features);
    }
    bool bare = layer->in_features.known || each == 1 || (t && t->channels == 2 * each);
    uint64_t features = bare ? each : each - 1;
    if (ckd_mul(&elements, rows, features))
        return walk->newest;
    return gated(walk, (struct od_walk_tensor){.elements = elements, .channels = features});
}

/* Layers whose output has the size of their input. */
static const bool keeps_size[OD_LAYER_END] = {
    [OD_LAYER_BATCH_NORM] = true, [OD_LAYER_NORM] = true,    [OD_LAYER_RELU] = true,
    [OD_LAYER_LEAKY_RELU] = true, [OD_LAYER_RELU6] = true,   [OD_LAYER_SIGMOID] = true,
    [OD_LAYER_TANH] = true,       [OD_LAYER_SOFTMAX] = true, [OD_LAYER_SMOOTH] = true,
    [OD_LAYER_ACTIVATION] = true, [OD_LAYER_DROPOUT] = true,
};

/* The input of a pool, which has as many channels as the output. */
static uint32_t pool_input(struct od_walk *walk, const struct od_walk_tensor *out)
{
    enum { REACH = 96 };
    const struct od_walk_tensor *t = newest(walk);
    if (!t || !out->map || !t->map || t->channels == out->channels || t->channels == 0)
        return walk->newest;
    for (size_t i = walk->tensors.n; i > 0 && i + REACH > walk->tensors.n; i--) {
        const struct od_walk_tensor *other = &walk->tensors.items[i - 1];
        if (other->map && other->channels == out->channels && other->elements >= out->elements)
            return (uint32_t)(i - 1);
    }
    return hidden(walk,
                  (struct od_walk_tensor){.elements = t->elements / t->channels * out->channels,
                                          .channels = out->channels,
                                          .map = true});
}

static uint32_t guess_input(struct od_walk *walk, const struct od_layer *layer,
                            const struct od_walk_tensor *out)
{
    const struct od_walk_tensor *t = newest(walk);
    if (layer->kind == OD_LAYER_CONV)
        return od_conv_input(walk, layer, out);
    if (layer->kind == OD_LAYER_LINEAR)
        return linear_input(walk, layer, out);
    if (layer->kind == OD_LAYER_MAX_POOL || layer->kind == OD_LAYER_AVG_POOL)
        return pool_input(walk, out);
    bool chunk = t && t->channels == 2 * out->channels && t->elements / 2 == out->elements;
    if (keeps_size[layer->kind] && !chunk && (!t || t->elements != out->elements))
        return hidden(walk, *out);
    return walk->newest;
}

/* ---- the layers in order ---- */

static uint32_t stated_inputs(struct od_walk *walk, const struct od_layer *layer,
                              struct od_step *step)
{
    uint32_t first = OD_NO_TENSOR;
    step->first_more = (uint32_t)walk->more.n;
    for (uint32_t i = 0; i < layer->ninputs; i++) {
        uint32_t source = walk->model->inputs.items[layer->first_input + i];
        uint32_t tensor = source < walk->model->layers.n ? walk->output_of[source] : OD_NO_TENSOR;
        if (tensor == OD_NO_TENSOR)
            continue;
        if (first == OD_NO_TENSOR)
            first = tensor;
        else
            od_vec_push(&walk->more, tensor);
    }
    step->nmore = (uint32_t)walk->more.n - step->first_more;
    return first;
}

/* Does the layer only reshape its input? */
static bool is_alias(const struct od_walk *walk, const struct od_layer *layer, uint32_t in,
                     const struct od_walk_tensor *out)
{
    return layer->kind == OD_LAYER_VIEW && in != OD_NO_TENSOR &&
           walk->tensors.items[in].elements == out->elements;
}

/* Gives an alias its printed shape; it shares the storage. */
static void rename_alias(struct od_walk *walk, uint32_t tensor, const struct od_walk_tensor *out)
{
    walk->tensors.items[tensor].channels = out->channels;
    walk->tensors.items[tensor].map = out->map;
}

/* Adds a global pool without a row, if the layer reads one number per channel of the newest map. */
static uint32_t pooled_map(struct od_walk *walk, uint32_t in)
{
    const struct od_walk_tensor *t = newest(walk);
    if (!t || in == walk->newest || in == OD_NO_TENSOR || !t->map ||
        !walk->tensors.items[in].hidden)
        return OD_NO_TENSOR;
    return walk->tensors.items[in].elements == t->channels ? walk->newest : OD_NO_TENSOR;
}

/* Sets the position of channels as in the input, because three dimensions do not show it. */
static void read_as(struct od_walk_tensor *out, const struct od_walk *walk, uint32_t in)
{
    if (in == OD_NO_TENSOR || walk->tensors.items[in].elements != out->elements)
        return;
    out->channels = walk->tensors.items[in].channels;
    out->map = walk->tensors.items[in].map;
}

/* Is it a list of modules without printed members? It has no size, because it is not called. */
static bool is_list(const struct od_layer *layer)
{
    return od_view_eq_str(layer->type, "ModuleList") && layer->parameters.known &&
           layer->parameters.n > 0;
}

static void add_leaf(struct od_walk *walk, uint32_t index)
{
    const struct od_layer *layer = &walk->model->layers.items[index];
    struct od_walk_tensor out;
    struct od_step step = {.layer = index,
                           .in = OD_NO_TENSOR,
                           .out = OD_NO_TENSOR,
                           .holder = OD_NO_TENSOR,
                           .pooled = OD_NO_TENSOR};
    if (walk->holders.n > 0)
        step.holder = walk->holders.items[walk->holders.n - 1];
    bool sized = tensor_of(walk->model, layer, &out);
    if (!sized && is_list(layer) && walk->newest != OD_NO_TENSOR) {
        out = walk->tensors.items[walk->newest]; /* a stack has an output like its input */
        out.kept = false;
        sized = true;
    }
    if (!sized) {
        if (walk->unsized++ == 0)
            walk->first_unsized = index;
        return;
    }
    if (layer->ninputs > 0)
        step.in = stated_inputs(walk, layer, &step);
    else if (layer->kind != OD_LAYER_INPUT)
        step.in =
            walk->model->format == OD_MODEL_KERAS ? walk->newest : guess_input(walk, layer, &out);
    if (layer->ninputs == 0)
        step.pooled = pooled_map(walk, step.in);
    if (keeps_size[layer->kind])
        read_as(&out, walk, step.in);
    if (is_alias(walk, layer, step.in, &out)) {
        step.out = step.in;
        rename_alias(walk, step.out, &out);
    } else {
        step.out = add_tensor(walk, out);
    }
    walk->output_of[index] = step.out;
    set_newest(walk, step.out);
    od_vec_push(&walk->steps, step);
}

/* Is it ConvNeXt's block, which ends with a product with one number per channel? */
static bool is_scaled_block(struct od_view type)
{
    return od_view_eq_str(type, "CNBlock") || od_view_eq_str(type, "ConvNeXtBlock") ||
           od_view_eq_str(type, "ConvNextLayer");
}

/* Number of products with one number per channel in a block. It is known for the type, otherwise
 * one or two according to the block's own parameters (without those of its layers); or with a
 * single number. */
static uint64_t layer_scales(const struct od_layer *block, const struct od_walk_tensor *out)
{
    enum { MOST = 2 };
    uint64_t own = block->parameters.known ? block->parameters.n : 0;
    if (is_scaled_block(block->type))
        return 1;
    bool holds = block->kind == OD_LAYER_OTHER || block->kind == OD_LAYER_CONTAINER;
    if (!holds || out->channels <= 1)
        return 0;
    return own == 1                                                  ? 1
           : own % out->channels == 0 && own / out->channels <= MOST ? own / out->channels
                                                                     : 0;
}

bool od_drops_branch(struct od_view type)
{
    return od_view_eq_str(type, "StochasticDepth") || od_view_eq_str(type, "DropPath") ||
           od_view_eq_str(type, "ConvNextDropPath");
}

/* Adds the factors of products without a row that a block keeps. */
static void note_products(struct od_walk *walk, const struct od_layer *block,
                          const struct od_walk_tensor *out)
{
    uint64_t scales = layer_scales(block, out);
    if (scales == 0 || walk->steps.n == 0)
        return;
    const struct od_step *last = &walk->steps.items[walk->steps.n - 1];
    bool drops = od_drops_branch(walk->model->layers.items[last->layer].type);
    uint32_t product = drops ? last->in : last->out;
    if (product != OD_NO_TENSOR)
        od_vec_push(&walk->scaled, product);
    for (uint64_t i = 1; i < scales; i++)
        od_vec_push(&walk->scaled, hidden(walk, *out));
}

/* Is the tensor one number per channel of the output, which was then multiplied by it. */
static bool is_gate(const struct od_walk_tensor *t, const struct od_walk_tensor *out)
{
    return t->map && out->map && t->channels == out->channels && t->elements == t->channels &&
           out->elements > t->elements;
}

/* Sets a container's output: its last layer's, or a tensor without a row. */
static void close_container(struct od_walk *walk, uint32_t index)
{
    struct od_walk_tensor out;
    if (!tensor_of(walk->model, &walk->model->layers.items[index], &out))
        return;
    note_products(walk, &walk->model->layers.items[index], &out);
    const struct od_walk_tensor *t = newest(walk);
    if (t && is_gate(t, &out))
        od_vec_push(&walk->gates, walk->newest);
    if (!t || t->elements != out.elements)
        set_newest(walk, hidden(walk, out));
    walk->output_of[index] = walk->newest;
}

static void close_holders(struct od_walk *walk, uint32_t depth)
{
    while (walk->holders.n > 0) {
        uint32_t index = walk->holders.items[walk->holders.n - 1];
        if (walk->model->layers.items[index].depth < depth)
            return;
        walk->holders.n--;
        close_container(walk, index);
    }
}

static bool is_indented(const struct od_model *model)
{
    return model->format == OD_MODEL_TORCHINFO || model->format == OD_MODEL_MODULE_TREE ||
           model->format == OD_MODEL_LIGHTNING;
}

/* Can indented rows below this layer be its parts? Older tables do not print the row of a list of
 * modules, so rows below a pool or an activation are parts of that list. */
static bool may_hold(enum od_layer_kind kind)
{
    return !keeps_size[kind] && kind != OD_LAYER_MAX_POOL && kind != OD_LAYER_AVG_POOL;
}

/* Are deeper rows below the layer its parts? */
static bool is_holder(const struct od_model *model, uint32_t index)
{
    const struct od_layer *layer = &model->layers.items[index];
    return is_indented(model) && may_hold(layer->kind) && od_module_holds(model, index);
}

/* Is it a container in torchsummary's table? It follows its modules, without parameters. */
static bool is_flat_container(const struct od_model *model, const struct od_layer *layer)
{
    return model->format == OD_MODEL_TORCHSUMMARY &&
           (layer->kind == OD_LAYER_OTHER || layer->kind == OD_LAYER_CONTAINER) &&
           layer->parameters.known && layer->parameters.n == 0;
}

/* Is it "Sequential()", a shortcut that returns its input? */
static bool is_empty_shortcut(const struct od_layer *layer)
{
    return od_view_eq_str(layer->type, "Sequential") &&
           (!layer->parameters.known || layer->parameters.n == 0);
}

static void add_row(struct od_walk *walk, uint32_t index)
{
    const struct od_model *model = walk->model;
    const struct od_layer *layer = &model->layers.items[index];
    bool indented = is_indented(model);
    if (indented)
        close_holders(walk, layer->depth);
    if (is_holder(model, index)) {
        od_vec_push(&walk->holders, index);
        return;
    }
    if (is_flat_container(model, layer)) {
        close_container(walk, index);
        return;
    }
    if (indented && is_empty_shortcut(layer))
        return;
    add_leaf(walk, index);
}

/* ---- the model's own input ---- */

static void add_model_input(struct od_walk *walk)
{
    struct od_walk_tensor input, first;
    const struct od_model *model = walk->model;
    for (uint32_t i = 0; i < model->layers.n; i++) {
        const struct od_layer *layer = &model->layers.items[i];
        if (layer->kind == OD_LAYER_OTHER || layer->kind == OD_LAYER_CONTAINER ||
            is_holder(model, i))
            continue;
        if (tensor_of(model, layer, &first) && od_first_input(model, layer, &first, &input))
            set_newest(walk, hidden(walk, input));
        return;
    }
}

void od_walk_init(struct od_walk *walk, const struct od_model *model, struct od_arena *arena)
{
    *walk = (struct od_walk){.model = model, .newest = OD_NO_TENSOR};
    walk->output_of = OD_NEW_N(arena, model->layers.n + 1, uint32_t);
    for (size_t i = 0; i < model->layers.n; i++)
        walk->output_of[i] = OD_NO_TENSOR;
    add_model_input(walk);
    for (uint32_t i = 0; i < model->layers.n; i++)
        add_row(walk, i);
    close_holders(walk, 0);
}

void od_walk_done(struct od_walk *walk)
{
    od_vec_done(&walk->tensors);
    od_vec_done(&walk->steps);
    od_vec_done(&walk->more);
    od_vec_done(&walk->scaled);
    od_vec_done(&walk->gates);
    od_vec_done(&walk->holders);
}
