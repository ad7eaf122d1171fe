#include "attribute/weights.h"

#include "case/allocator.h"
#include "estimate/conv_input.h"
#include "estimate/walk.h"
#include "facts/meaning.h"

/* The tensors found so far, not sorted. */
struct od_found_tensors {
    const struct od_model *model;
    struct od_arena *arena;
    OD_VEC(struct od_named) items;
    uint64_t parameters;
    enum od_dtype dtype;
};

static int compare(const void *a, const void *b)
{
    const struct od_named *x = a, *y = b;
    if (x->bytes != y->bytes)
        return x->bytes < y->bytes ? -1 : 1;
    if (x->layer != y->layer)
        return x->layer < y->layer ? -1 : 1;
    return od_view_cmp(x->label, y->label);
}

static struct od_named_list finish(struct od_found_tensors *found)
{
    struct od_named_list list = {.n = found->items.n, .parameters = found->parameters};
    list.items = OD_NEW_N(found->arena, found->items.n + 1, struct od_named);
    for (size_t i = 0; i < list.n; i++) {
        list.items[i] = found->items.items[i];
        if (ckd_add(&list.bytes, list.bytes, list.items[i].bytes))
            list.bytes = UINT64_MAX;
    }
    qsort(list.items, list.n, sizeof *list.items, compare);
    od_vec_done(&found->items);
    return list;
}

/* Bytes of a chunk with this many elements; 0 on overflow. */
static uint64_t chunk_bytes(uint64_t elements, enum od_dtype dtype)
{
    uint64_t bits;
    if (elements == 0 || ckd_mul(&bits, elements, (uint64_t)od_dtype_bits(dtype)))
        return 0;
    struct od_bytes rounded = od_bfc_round(od_bytes_exact(bits / 8 + (bits % 8 != 0)));
    return rounded.known ? rounded.n : 0;
}

struct od_part_of_layer {
    const char *name; /* printed by Keras; for PyTorch derived from the format of the summary */
    uint64_t elements;
    struct od_shape shape;
    bool fixed; /* a statistic: has no gradient and no optimizer state */
};

static void add_part(struct od_found_tensors *found, uint32_t index,
                     const struct od_part_of_layer *part)
{
    const struct od_layer *layer = &found->model->layers.items[index];
    uint64_t bytes = chunk_bytes(part->elements, found->dtype);
    if (bytes == 0)
        return;
    bool frozen = layer->trainable.known && layer->trainable.n == 0;
    struct od_named named = {.bytes = bytes,
                             .elements = part->elements,
                             .shape = part->shape,
                             .dtype = found->dtype,
                             .layer = index,
                             .role = part->fixed ? OD_ROLE_BUFFERS : OD_ROLE_WEIGHTS,
                             .trained = !part->fixed && !frozen};
    named.label = od_view_of(od_arena_printf(found->arena, "%.*s/%s", (int)layer->name.n,
                                             layer->name.p ? layer->name.p : "", part->name));
    if (!ckd_add(&found->parameters, found->parameters, part->elements))
        od_vec_push(&found->items, named);
}

static struct od_shape shape_of(uint32_t n, const uint64_t *dims)
{
    struct od_shape shape = {.n = n, .known = true};
    for (uint32_t i = 0; i < n; i++)
        shape.dims[i] = dims[i];
    return shape;
}

static void add_vector(struct od_found_tensors *found, uint32_t layer, const char *name, uint64_t n,
                       bool fixed)
{
    struct od_part_of_layer part = {name, n, shape_of(1, &n), fixed};
    add_part(found, layer, &part);
}

/* Shape [h, w, in, out] of a kernel: as given, or square with this many parameters. */
static struct od_shape kernel_shape(uint64_t elements, const struct od_shape *given, uint64_t in,
                                    uint64_t out)
{
    uint64_t plane;
    if (in == 0 || out == 0 || ckd_mul(&plane, in, out) || elements % plane != 0)
        return (struct od_shape){0};
    uint64_t area = elements / plane, printed;
    if (given->known && given->n == 2 && !ckd_mul(&printed, given->dims[0], given->dims[1]) &&
        printed == area)
        return shape_of(4, (uint64_t[]){given->dims[0], given->dims[1], in, out});
    for (uint64_t k = 1; k <= 64 && k * k <= area; k++) {
        if (k * k == area)
            return shape_of(4, (uint64_t[]){k, k, in, out});
    }
    return (struct od_shape){0};
}

static struct od_walk_tensor tensor_at(const struct od_walk *walk, uint32_t index)
{
    return index < walk->tensors.n ? walk->tensors.items[index] : (struct od_walk_tensor){0};
}

static void add_kernel(struct od_found_tensors *found, const struct od_walk *walk,
                       const struct od_step *step)
{
    const struct od_layer *layer = &found->model->layers.items[step->layer];
    struct od_walk_tensor in = tensor_at(walk, step->in), out = tensor_at(walk, step->out);
    uint64_t n = layer->parameters.n, channels = out.channels;
    uint64_t type = od_op_means(layer->type);
    bool depthwise = od_means(type, OD_OP_DEPTHWISE);
    bool separable = !depthwise && od_means(type, OD_OP_SEPARABLE);
    bool bias = channels > 0 && channels < n && od_has_bias(layer, &in, &out);
    uint64_t kernel = bias ? n - channels : n;
    struct od_part_of_layer part = {.name = depthwise ? "depthwise_kernel" : "kernel"};
    if (separable && in.channels > 0 && channels > 0) {
        uint64_t pointwise;
        if (ckd_mul(&pointwise, in.channels, channels) || pointwise >= kernel)
            return;
        part = (struct od_part_of_layer){.name = "pointwise_kernel", .elements = pointwise};
        part.shape = shape_of(4, (uint64_t[]){1, 1, in.channels, channels});
        add_part(found, step->layer, &part);
        part =
            (struct od_part_of_layer){.name = "depthwise_kernel", .elements = kernel - pointwise};
    } else {
        part.elements = kernel;
        if (layer->kind == OD_LAYER_LINEAR && channels > 0 && kernel % channels == 0)
            part.shape = shape_of(2, (uint64_t[]){kernel / channels, channels});
        else if (layer->kind == OD_LAYER_CONV)
            part.shape = kernel_shape(kernel, &layer->kernel, depthwise ? channels : in.channels,
                                      depthwise ? 1 : channels);
    }
    add_part(found, step->layer, &part);
    if (bias)
        add_vector(found, step->layer, "bias", channels, false);
}

/* Adds the vectors of a norm. Keras counts statistics among its parameters, PyTorch does not. */
static void add_norm(struct od_found_tensors *found, const struct od_walk *walk,
                     const struct od_step *step)
{
    static const char *const names[] = {"gamma", "beta", "moving_mean", "moving_variance"};
    const struct od_layer *layer = &found->model->layers.items[step->layer];
    uint64_t channels = tensor_at(walk, step->out).channels;
    if (channels == 0 || layer->parameters.n % channels != 0)
        return;
    uint64_t each = layer->parameters.n / channels;
    bool statistics = layer->kind == OD_LAYER_BATCH_NORM && each > 2;
    for (uint64_t i = 0; i < each && i < OD_COUNT_OF(names); i++) {
        /* three vectors: the norm has no scale */
        uint64_t which = statistics && each == 3 ? i + 1 : i;
        add_vector(found, step->layer, names[which], channels, statistics && which >= 2);
    }
}

/* Adds the kernels over input and state and the bias, each for all gates of a cell. */
static void add_recurrent(struct od_found_tensors *found, const struct od_walk *walk,
                          const struct od_step *step)
{
    const struct od_layer *layer = &found->model->layers.items[step->layer];
    uint64_t h = tensor_at(walk, step->out).channels, n = layer->parameters.n;
    uint64_t type = od_op_means(layer->type);
    uint64_t gates = od_means(type, OD_OP_LSTM) ? 4 : od_means(type, OD_OP_GRU) ? 3 : 1;
    uint64_t biases = gates == 3 ? 2 : 1; /* a cell with reset_after has two biases */
    uint64_t row, state, bias;
    if (h == 0 || od_means(type, OD_OP_BIDIRECTIONAL) || ckd_mul(&row, gates, h) ||
        ckd_mul(&state, row, h) || ckd_mul(&bias, row, biases) || ckd_add(&state, state, bias) ||
        n <= state || (n - state) % row != 0)
        return;
    struct od_part_of_layer kernel = {.name = "kernel", .elements = n - state};
    kernel.shape = shape_of(2, (uint64_t[]){(n - state) / row, row});
    struct od_part_of_layer recurrent = {.name = "recurrent_kernel", .elements = row * h};
    recurrent.shape = shape_of(2, (uint64_t[]){h, row});
    add_part(found, step->layer, &kernel);
    add_part(found, step->layer, &recurrent);
    add_vector(found, step->layer, "bias", bias, false);
}

static void add_embedding(struct od_found_tensors *found, const struct od_walk *walk,
                          const struct od_step *step)
{
    const struct od_layer *layer = &found->model->layers.items[step->layer];
    uint64_t width = tensor_at(walk, step->out).channels;
    struct od_part_of_layer part = {.name = "embeddings", .elements = layer->parameters.n};
    if (width > 0 && layer->parameters.n % width == 0)
        part.shape = shape_of(2, (uint64_t[]){layer->parameters.n / width, width});
    add_part(found, step->layer, &part);
}

static void add_layer(struct od_found_tensors *found, const struct od_walk *walk,
                      const struct od_step *step)
{
    const struct od_layer *layer = &found->model->layers.items[step->layer];
    if (!layer->parameters.known || layer->parameters.n == 0 || layer->recursive)
        return;
    enum od_layer_kind kind = layer->kind;
    if (kind == OD_LAYER_CONV || kind == OD_LAYER_LINEAR)
        add_kernel(found, walk, step);
    else if (kind == OD_LAYER_BATCH_NORM || kind == OD_LAYER_NORM)
        add_norm(found, walk, step);
    else if (kind == OD_LAYER_RECURRENT)
        add_recurrent(found, walk, step);
    else if (kind == OD_LAYER_EMBEDDING)
        add_embedding(found, walk, step);
}

/* The printed number of parameters; if it is not printed, the sum of the rows. */
static uint64_t described(const struct od_model *model)
{
    uint64_t sum = 0;
    if (model->parameters.known)
        return model->parameters.n;
    OD_FOR_EACH (const struct od_layer, layer, model->layers)
        if (layer->parameters.known && !layer->recursive && ckd_add(&sum, sum, layer->parameters.n))
            return UINT64_MAX;
    return sum;
}

struct od_named_list od_weights_of(const struct od_model *model, struct od_arena *arena)
{
    struct od_found_tensors found = {.model = model, .arena = arena, .dtype = OD_FLOAT32};
    struct od_walk walk;
    if (model->dtype != OD_DTYPE_UNKNOWN)
        found.dtype = model->dtype;
    od_walk_init(&walk, model, arena);
    for (size_t i = 0; i < walk.steps.n; i++)
        add_layer(&found, &walk, &walk.steps.items[i]);
    od_walk_done(&walk);
    struct od_named_list list = finish(&found);
    list.described = described(model);
    return list;
}

struct od_named_list od_weights_cast(const struct od_named_list *weights, enum od_dtype dtype,
                                     struct od_arena *arena)
{
    struct od_named_list list = {.items = OD_NEW_N(arena, weights->n + 1, struct od_named)};
    for (size_t i = 0; i < weights->n; i++) {
        struct od_named named = weights->items[i];
        named.bytes = chunk_bytes(named.elements, dtype);
        named.dtype = dtype;
        if (named.bytes > 0)
            list.items[list.n++] = named;
    }
    qsort(list.items, list.n, sizeof *list.items, compare);
    return list;
}

static void add_output(struct od_found_tensors *found, uint32_t index)
{
    const struct od_layer *layer = &found->model->layers.items[index];
    uint64_t elements;
    if (!od_layer_elements(found->model, &layer->output, &elements) || elements == 0)
        return;
    struct od_named named = {.elements = elements,
                             .bytes = elements,
                             .shape = layer->output,
                             .label = layer->name,
                             .layer = index,
                             .role = layer->kind == OD_LAYER_INPUT ? OD_ROLE_INPUT
                                                                   : OD_ROLE_ACTIVATION};
    od_vec_push(&found->items, named);
}

struct od_named_list od_outputs_of(const struct od_model *model, struct od_arena *arena)
{
    struct od_found_tensors found = {.model = model, .arena = arena};
    for (size_t i = 0; i < model->layers.n; i++)
        add_output(&found, (uint32_t)i);
    return finish(&found);
}

struct od_named_list od_outputs_at(const struct od_named_list *of_one, uint64_t batch,
                                   enum od_dtype dtype, struct od_arena *arena)
{
    struct od_named_list list = {.items = OD_NEW_N(arena, of_one->n + 1, struct od_named)};
    for (size_t i = 0; i < of_one->n; i++) {
        struct od_named named = of_one->items[i];
        uint64_t elements;
        if (ckd_mul(&elements, named.elements, batch))
            continue;
        named.bytes = chunk_bytes(elements, dtype);
        named.batch = od_count_of(batch);
        named.dtype = dtype;
        if (named.shape.n > 0 && (named.shape.dims[0] == OD_DIM_UNKNOWN))
            named.shape.dims[0] = batch;
        if (named.bytes > 0)
            list.items[list.n++] = named;
    }
    return list;
}

const struct od_named *od_named_search(const struct od_named_list *list, uint64_t bytes,
                                       size_t *ret_n)
{
    size_t lo = 0, hi = list->n;
    while (lo < hi) {
        size_t mid = lo + (hi - lo) / 2;
        if (list->items[mid].bytes < bytes)
            lo = mid + 1;
        else
            hi = mid;
    }
    size_t end = lo;
    while (end < list->n && list->items[end].bytes == bytes)
        end++;
    *ret_n = end - lo;
    return end > lo ? &list->items[lo] : NULL;
}
