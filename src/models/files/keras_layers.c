/*
 * Converts a layer of a Keras model to rows: its output shape and number of parameters from its
 * arguments, computed as Keras does (keras/src/layers), then its activation. The output of an
 * unknown class is the shape that its readers give, otherwise its input.
 */
#include "models/files/keras_json.h"

enum { MAPS_MAX = 3 };

json_t *od_keras_key(json_t *config, const char *key)
{
    json_t *value = json_object_get(config, key);
    return json_is_null(value) ? NULL : value;
}

bool od_keras_number(json_t *config, const char *key, uint64_t *ret_n)
{
    json_t *value = od_keras_key(config, key);
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return false;
    *ret_n = (uint64_t)json_integer_value(value);
    return true;
}

struct od_view od_keras_text(json_t *value)
{
    return json_is_string(value)
               ? (struct od_view){json_string_value(value), json_string_length(value)}
               : (struct od_view){0};
}

struct od_shape od_keras_shape(json_t *dims)
{
    struct od_shape shape = {.known = true, .n = (uint32_t)json_array_size(dims)};
    if (!json_is_array(dims) || shape.n == 0 || shape.n > OD_SHAPE_MAX)
        return (struct od_shape){0};
    for (uint32_t i = 0; i < shape.n; i++) {
        json_t *dim = json_array_get(dims, i);
        if (!json_is_integer(dim) && !json_is_null(dim))
            return (struct od_shape){0};
        shape.dims[i] = json_is_integer(dim) && json_integer_value(dim) >= 0 && i > 0
                            ? (uint64_t)json_integer_value(dim)
                            : OD_DIM_UNKNOWN;
    }
    return shape;
}

static uint64_t number_or(const struct od_keras_layer *l, const char *key, uint64_t otherwise)
{
    uint64_t n;
    return od_keras_number(l->config, key, &n) ? n : otherwise;
}

/* Reads an argument for one axis: 3 or [3, 3]. */
static uint64_t along(const struct od_keras_layer *l, const char *key, size_t axis,
                      uint64_t otherwise)
{
    json_t *value = od_keras_key(l->config, key);
    if (json_is_array(value))
        value = json_array_get(value, axis < json_array_size(value) ? axis : 0);
    return json_is_integer(value) && json_integer_value(value) > 0
               ? (uint64_t)json_integer_value(value)
               : otherwise;
}

static bool is_on(const struct od_keras_layer *l, const char *key, bool otherwise)
{
    json_t *value = od_keras_key(l->config, key);
    return json_is_boolean(value) ? json_is_true(value) : otherwise;
}

static bool is_class(const struct od_keras_layer *l, const char *part)
{
    return od_view_has(l->type, od_view_of(part));
}

static bool is_channels_first(const struct od_keras_layer *l)
{
    return od_view_eq_str(od_keras_text(od_keras_key(l->config, "data_format")), "channels_first");
}

static uint64_t last_of(const struct od_shape *shape)
{
    return shape->known && shape->n > 1 ? shape->dims[shape->n - 1] : OD_DIM_UNKNOWN;
}

static uint64_t channels_of(const struct od_keras_layer *l)
{
    return l->in.known && l->in.n > 2 && is_channels_first(l) ? l->in.dims[1] : last_of(&l->in);
}

static uint64_t size_after(const struct od_keras_layer *l, size_t axis, uint64_t size)
{
    bool pool = is_class(l, "Pool"), back = is_class(l, "Transpose");
    uint64_t kernel = along(l, pool ? "pool_size" : "kernel_size", axis, 1);
    uint64_t stride = along(l, "strides", axis, pool ? kernel : 1);
    uint64_t reach = (kernel - 1) * along(l, "dilation_rate", axis, 1) + 1;
    struct od_view padding = od_keras_text(od_keras_key(l->config, "padding"));
    bool same = od_view_eq_str(padding, "same") || od_view_eq_str(padding, "causal");
    if (size == OD_DIM_UNKNOWN || kernel > INT32_MAX || stride > INT32_MAX || size > INT32_MAX)
        return OD_DIM_UNKNOWN;
    if (back)
        return same ? size * stride : (size - 1) * stride + (reach > stride ? reach : stride);
    if (same)
        return (size + stride - 1) / stride;
    return size < reach ? 0 : (size - reach) / stride + 1;
}

/* Output shape of a convolution or pool. */
static struct od_shape maps_after(const struct od_keras_layer *l, uint64_t channels)
{
    struct od_shape out = l->in;
    uint32_t first = is_channels_first(l) ? 2 : 1;
    if (!out.known || out.n < 3 || out.n > MAPS_MAX + 2)
        return (struct od_shape){0};
    for (uint32_t i = 0; i + 2 < out.n; i++)
        out.dims[first + i] = size_after(l, i, out.dims[first + i]);
    out.dims[first == 2 ? 1 : out.n - 1] = channels;
    return out;
}

static uint64_t filters_of(const struct od_keras_layer *l)
{
    uint64_t out, channels = channels_of(l);
    if (!is_class(l, "DepthwiseConv"))
        return number_or(l, "filters", OD_DIM_UNKNOWN);
    return channels == OD_DIM_UNKNOWN ||
                   ckd_mul(&out, channels, number_or(l, "depth_multiplier", 1))
               ? OD_DIM_UNKNOWN
               : out;
}

/* Output shape of padding, cropping and upsampling: all but batch and channels change. */
static struct od_shape resized(const struct od_keras_layer *l)
{
    struct od_shape out = l->in;
    bool pads = is_class(l, "ZeroPadding"), crops = is_class(l, "Cropping");
    json_t *value = od_keras_key(l->config, pads ? "padding" : crops ? "cropping" : "size");
    uint32_t first = is_channels_first(l) ? 2 : 1;
    if (!out.known || out.n < 3)
        return (struct od_shape){0};
    for (uint32_t i = 0; i + 2 < out.n; i++) {
        json_t *side = json_is_array(value) ? json_array_get(value, i) : value;
        json_int_t n = json_integer_value(json_is_array(side) ? json_array_get(side, 0) : side);
        json_int_t m = json_is_array(side) ? json_integer_value(json_array_get(side, 1)) : n;
        uint64_t *dim = &out.dims[first + i];
        if (n < 0 || m < 0 || n > INT32_MAX || m > INT32_MAX || *dim > INT32_MAX)
            return (struct od_shape){0};
        if (pads)
            *dim += (uint64_t)(n + m);
        else if (crops)
            *dim = *dim > (uint64_t)(n + m) ? *dim - (uint64_t)(n + m) : 0;
        else
            *dim *= (uint64_t)n;
    }
    return out;
}

static struct od_shape reshaped(const struct od_keras_layer *l)
{
    json_t *target = od_keras_key(l->config, "target_shape");
    struct od_shape all = od_shape_flattened(&l->in),
                    out = {.known = json_is_array(target), .n = 1};
    uint64_t known = 1;
    uint32_t open = 0;
    out.dims[0] = OD_DIM_UNKNOWN;
    for (size_t i = 0; i < json_array_size(target) && out.n < OD_SHAPE_MAX; i++, out.n++) {
        json_int_t n = json_integer_value(json_array_get(target, i));
        out.dims[out.n] = n > 0 ? (uint64_t)n : OD_DIM_UNKNOWN;
        open = n > 0 ? open : out.n;
        if (n > 0 && ckd_mul(&known, known, (uint64_t)n))
            return (struct od_shape){0};
    }
    if (open > 0 && all.known)
        out.dims[open] = all.dims[1] / known;
    return out;
}

static struct od_shape with_last(struct od_shape in, uint64_t last)
{
    if (in.known && in.n > 1)
        in.dims[in.n - 1] = last;
    return in;
}

static struct od_shape sequence(const struct od_keras_layer *l, uint64_t units)
{
    struct od_shape out = with_last(l->in, units);
    if (out.known && out.n == 3 && !is_on(l, "return_sequences", false)) {
        out.n = 2;
        out.dims[1] = units;
    }
    return out;
}

static struct od_shape pooled(const struct od_keras_layer *l)
{
    struct od_shape out = l->in;
    uint64_t channels = channels_of(l);
    if (!is_class(l, "Global"))
        return maps_after(l, channels);
    if (!out.known || out.n < 3)
        return (struct od_shape){0};
    if (!is_on(l, "keepdims", false))
        return (struct od_shape){.known = true, .n = 2, .dims = {OD_DIM_UNKNOWN, channels}};
    for (uint32_t i = 1; i < out.n; i++)
        out.dims[i] = 1;
    out.dims[is_channels_first(l) ? 1 : out.n - 1] = channels;
    return out;
}

static struct od_shape embedded(const struct od_keras_layer *l)
{
    struct od_shape out = l->in;
    if (!out.known || out.n + 1 >= OD_SHAPE_MAX)
        return (struct od_shape){0};
    out.dims[out.n++] = number_or(l, "output_dim", OD_DIM_UNKNOWN);
    return out;
}

static struct od_shape computed(const struct od_keras_layer *l)
{
    enum od_layer_kind kind = od_layer_kind_find(l->type);
    if (kind == OD_LAYER_CONV)
        return maps_after(l, filters_of(l));
    if (kind == OD_LAYER_MAX_POOL || kind == OD_LAYER_AVG_POOL)
        return pooled(l);
    if (kind == OD_LAYER_LINEAR)
        return with_last(l->in, number_or(l, "units", OD_DIM_UNKNOWN));
    if (kind == OD_LAYER_EMBEDDING)
        return embedded(l);
    if (kind == OD_LAYER_RECURRENT)
        return sequence(l, number_or(l, "units", OD_DIM_UNKNOWN));
    if (is_class(l, "Flatten"))
        return od_shape_flattened(&l->in);
    if (is_class(l, "Reshape"))
        return reshaped(l);
    if (is_class(l, "ZeroPadding") || is_class(l, "Cropping") || is_class(l, "UpSampling"))
        return resized(l);
    return l->in;
}

static bool is_sized(const struct od_shape *shape)
{
    for (uint32_t i = 1; i < shape->n; i++)
        if (shape->dims[i] == OD_DIM_UNKNOWN)
            return false;
    return shape->known;
}

/* A nested model may have been built for inputs of any size. */
struct od_shape od_keras_output(const struct od_keras_layer *l)
{
    struct od_shape own = computed(l);
    return l->stated.known && (is_sized(&l->stated) || !is_sized(&own)) ? l->stated : own;
}

static struct od_count product(uint64_t a, uint64_t b, uint64_t more)
{
    uint64_t n;
    if (a == OD_DIM_UNKNOWN || b == OD_DIM_UNKNOWN || ckd_mul(&n, a, b) || ckd_add(&n, n, more))
        return (struct od_count){0};
    return od_count_of(n);
}

static struct od_count of_conv(const struct od_keras_layer *l, const struct od_shape *out)
{
    uint64_t places = 1, channels = channels_of(l), filters = filters_of(l);
    uint64_t bias = is_on(l, "use_bias", true) && filters != OD_DIM_UNKNOWN ? filters : 0;
    for (uint32_t i = 0; i + 2 < out->n; i++)
        if (ckd_mul(&places, places, along(l, "kernel_size", i, 1)))
            return (struct od_count){0};
    if (is_class(l, "DepthwiseConv"))
        return product(places, filters, bias);
    uint64_t groups = number_or(l, "groups", 1);
    if (channels == OD_DIM_UNKNOWN || ckd_mul(&places, places, channels / (groups ? groups : 1)))
        return (struct od_count){0};
    return product(places, filters, bias);
}

static struct od_count of_recurrent(const struct od_keras_layer *l)
{
    uint64_t units = number_or(l, "units", OD_DIM_UNKNOWN), in = last_of(&l->in);
    bool gru = is_class(l, "GRU");
    uint64_t gates = gru ? 3 : is_class(l, "LSTM") ? 4 : 1;
    uint64_t biases = !is_on(l, "use_bias", true)            ? 0
                      : gru && is_on(l, "reset_after", true) ? 2
                                                             : 1;
    if (in == OD_DIM_UNKNOWN || units > INT32_MAX || in > INT32_MAX)
        return (struct od_count){0};
    return product(gates * units, in + units + biases, 0);
}

static struct od_count of_norm(const struct od_keras_layer *l, unsigned most)
{
    uint64_t each = (uint64_t)is_on(l, "scale", true) + (uint64_t)is_on(l, "center", true);
    uint64_t axis = number_or(l, "axis", 0);
    uint64_t channels = axis == 1 && l->in.n > 2 ? l->in.dims[1] : last_of(&l->in);
    return product(most > 2 ? each + 2 : each, channels, 0);
}

struct od_count od_keras_parameters(const struct od_keras_layer *l, const struct od_shape *out)
{
    enum od_layer_kind kind = od_layer_kind_find(l->type);
    uint64_t units = number_or(l, "units", OD_DIM_UNKNOWN);
    if (kind == OD_LAYER_CONV)
        return of_conv(l, out);
    if (kind == OD_LAYER_LINEAR)
        return product(last_of(&l->in), units, is_on(l, "use_bias", true) ? units : 0);
    if (kind == OD_LAYER_EMBEDDING)
        return product(number_or(l, "input_dim", OD_DIM_UNKNOWN),
                       number_or(l, "output_dim", OD_DIM_UNKNOWN), 0);
    if (kind == OD_LAYER_RECURRENT)
        return of_recurrent(l);
    if (kind == OD_LAYER_BATCH_NORM || kind == OD_LAYER_NORM)
        return of_norm(l, kind == OD_LAYER_BATCH_NORM ? 4 : 2);
    return kind == OD_LAYER_OTHER ? (struct od_count){0} : od_count_of(0);
}

static uint32_t add_row(struct od_keras_net *net, const struct od_keras_layer *l,
                        struct od_layer row, const uint32_t *inputs, uint32_t n)
{
    row.name = od_arena_view(net->file->arena, l->name);
    row.type = od_arena_view(net->file->arena, row.type);
    row.noutputs = 1;
    row.first_input = (uint32_t)net->model.inputs.n;
    row.ninputs = n;
    for (uint32_t i = 0; i < n; i++)
        od_vec_push(&net->model.inputs, inputs[i]);
    if (l->frozen && row.parameters.n > 0)
        row.trainable = od_count_of(0);
    if (l->frozen && ckd_add(&net->non_trainable, net->non_trainable, row.parameters.n))
        net->overflow = true;
    od_vec_push(&net->model.layers, row);
    return (uint32_t)net->model.layers.n - 1;
}

static struct od_layer row_of(enum od_layer_kind kind, struct od_view type, struct od_shape output)
{
    struct od_layer row = od_layer_blank();
    row.kind = kind;
    row.type = type;
    row.output = output;
    row.parameters = od_count_of(0);
    return row;
}

/* Name of an activation: "relu"; for a function {"class_name": "function", "config": "relu6"}. */
static struct od_view activation_of(const struct od_keras_layer *l)
{
    json_t *value = od_keras_key(l->config, "activation");
    if (json_is_object(value)) {
        json_t *config = od_keras_key(value, "config");
        value = json_is_string(config) ? config : od_keras_key(value, "class_name");
    }
    return od_keras_text(value);
}

/* Distinguishes ReLU(max_value=6) and ReLU(negative_slope=0.1) from a plain ReLU. */
static enum od_layer_kind kind_of_relu(const struct od_keras_layer *l)
{
    json_t *slope = od_keras_key(l->config, "negative_slope");
    json_t *most = od_keras_key(l->config, "max_value");
    if (json_is_number(most))
        return OD_LAYER_RELU6;
    return json_is_number(slope) && json_number_value(slope) > 0 ? OD_LAYER_LEAKY_RELU
                                                                 : OD_LAYER_RELU;
}

static void add_activation(struct od_keras_net *net, const struct od_keras_layer *l, uint32_t row)
{
    struct od_view word = activation_of(l);
    enum od_layer_kind kind = od_layer_kind_of_name(word);
    if (word.n == 0 || od_view_eq_str(word, "linear"))
        return;
    if (kind == OD_LAYER_OTHER)
        kind = OD_LAYER_ACTIVATION;
    struct od_shape output = net->model.layers.items[row].output;
    add_row(net, l, row_of(kind, word, output), &row, 1);
}

static uint32_t add_linear(struct od_keras_net *net, const struct od_keras_layer *l, uint64_t in,
                           struct od_shape output, uint32_t from)
{
    struct od_layer row = row_of(OD_LAYER_LINEAR, OD_VIEW("EinsumDense"), output);
    uint64_t out = last_of(&output);
    row.parameters = product(in, out, is_on(l, "use_bias", true) ? out : 0);
    return add_row(net, l, row, &from, 1);
}

/* Adds MultiHeadAttention as in TensorFlow: scores are kept before and after dropout. */
static bool add_attention(struct od_keras_net *net, const struct od_keras_layer *l)
{
    uint64_t heads = number_or(l, "num_heads", 0), each = number_or(l, "key_dim", 0), wide, high;
    uint64_t value = number_or(l, "value_dim", each), in = last_of(&l->in);
    uint32_t from = l->inputs[0], other = l->ninputs > 1 ? l->inputs[1] : from;
    const struct od_shape *keys = &net->model.layers.items[other].output;
    if (heads == 0 || each == 0 || l->in.n != 3 || keys->n != 3 || in == OD_DIM_UNKNOWN ||
        ckd_mul(&wide, heads, each) || ckd_mul(&high, heads, value))
        return false;
    struct od_shape long_ = *keys, scores = l->in;
    uint64_t read = last_of(keys);
    scores.n = 4;
    scores.dims[1] = heads;
    scores.dims[2] = l->in.dims[1];
    scores.dims[3] = keys->dims[1];
    uint32_t q = add_linear(net, l, in, with_last(l->in, wide), from);
    uint32_t k = add_linear(net, l, read, with_last(long_, wide), other);
    uint32_t v = add_linear(net, l, read, with_last(long_, high), other);
    const struct od_layer times = row_of(OD_LAYER_MULTIPLY, OD_VIEW("Scores"), scores);
    uint32_t row = add_row(net, l, times, (const uint32_t[]){q, k}, 2);
    row = add_row(net, l, row_of(OD_LAYER_SOFTMAX, OD_VIEW("Softmax"), scores), &row, 1);
    struct od_layer dropout = row_of(OD_LAYER_DROPOUT, OD_VIEW("Dropout"), scores);
    dropout.dropout = json_number_value(od_keras_key(l->config, "dropout"));
    if (dropout.dropout > 0)
        row = add_row(net, l, dropout, &row, 1);
    struct od_shape context = with_last(l->in, high);
    row = add_row(net, l, row_of(OD_LAYER_MULTIPLY, OD_VIEW("Context"), context),
                  (const uint32_t[]){row, v}, 2);
    struct od_shape out = l->stated.known ? l->stated : l->in;
    add_linear(net, l, high, out, row);
    return true;
}

/* Replaces a wrapper by its layer, with the wrapper's name and inputs. */
static bool unwrap(struct od_keras_layer *l)
{
    json_t *inner = od_keras_key(l->config, "layer");
    if (!json_is_object(inner) || is_class(l, "Bidirectional"))
        return false;
    l->type = od_keras_text(od_keras_key(inner, "class_name"));
    l->config = od_keras_key(inner, "config");
    return true;
}

/* Adds a bidirectional layer. Directions have one input, and separate or merged outputs. */
static void add_both_ways(struct od_keras_net *net, const struct od_keras_layer *l)
{
    struct od_keras_layer one = *l;
    json_t *inner = od_keras_key(l->config, "layer");
    one.type = od_keras_text(od_keras_key(inner, "class_name"));
    one.config = od_keras_key(inner, "config");
    one.stated = (struct od_shape){0};
    struct od_shape out = od_keras_output(&one);
    struct od_layer row = row_of(OD_LAYER_RECURRENT, one.type, out);
    row.parameters = od_keras_parameters(&one, &out);
    uint32_t rows[2] = {add_row(net, l, row, l->inputs, l->ninputs)};
    rows[1] = add_row(net, l, row, l->inputs, l->ninputs);
    struct od_view merge = od_keras_text(od_keras_key(l->config, "merge_mode"));
    bool joins = merge.n == 0 || od_view_eq_str(merge, "concat");
    uint64_t wide;
    if (joins && last_of(&out) != OD_DIM_UNKNOWN && !ckd_mul(&wide, last_of(&out), (uint64_t)2))
        out = with_last(out, wide);
    add_row(net, l, row_of(joins ? OD_LAYER_CONCAT : OD_LAYER_ADD, l->type, out), rows, 2);
}

/* Adds SeparableConv2D, which keeps the tensor between its two convolutions. */
static void add_separable(struct od_keras_net *net, const struct od_keras_layer *l)
{
    struct od_keras_layer deep = *l;
    deep.type = OD_VIEW("DepthwiseConv2D");
    deep.stated = (struct od_shape){0};
    struct od_shape between = od_keras_output(&deep);
    uint64_t filters = number_or(l, "filters", OD_DIM_UNKNOWN), middle = filters_of(&deep);
    bool bias = is_on(l, "use_bias", true);
    struct od_layer row = row_of(OD_LAYER_CONV, OD_VIEW("DepthwiseConv2D"), between);
    row.parameters = of_conv(&deep, &between);
    if (bias && row.parameters.known)
        row.parameters.n -= middle;
    uint32_t from = add_row(net, l, row, l->inputs, l->ninputs);
    row = row_of(OD_LAYER_CONV, l->type, with_last(between, filters));
    row.parameters = product(middle, filters, bias ? filters : 0);
    add_activation(net, l, add_row(net, l, row, &from, 1));
}

static struct od_shape joined(const struct od_keras_net *net, const struct od_keras_layer *l)
{
    struct od_shape out = l->in;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < l->ninputs; i++) {
        uint64_t last = last_of(&net->model.layers.items[l->inputs[i]].output);
        if (last == OD_DIM_UNKNOWN || ckd_add(&sum, sum, last))
            return (struct od_shape){0};
    }
    return with_last(out, sum);
}

/* The largest input shape of a sum or product (a gate has maps of 1x1). */
static struct od_shape largest(const struct od_keras_net *net, const struct od_keras_layer *l)
{
    struct od_shape out = l->in;
    for (uint32_t i = 0; i < l->ninputs; i++) {
        const struct od_shape *in = &net->model.layers.items[l->inputs[i]].output;
        for (uint32_t d = 1; out.known && in->known && in->n == out.n && d < out.n; d++)
            out.dims[d] = in->dims[d] > out.dims[d] ? in->dims[d] : out.dims[d];
    }
    return out;
}

static enum od_layer_kind kind_of(const struct od_keras_layer *l)
{
    static const char *const wrappers[] = {"TFOpLambda", "TensorFlowOpLayer", "Operation", NULL};
    if (od_view_eq_any(l->type, wrappers))
        return od_layer_kind_of_name(l->name);
    if (is_class(l, "Activation") && od_layer_kind_of_name(activation_of(l)) != OD_LAYER_OTHER)
        return od_layer_kind_of_name(activation_of(l));
    enum od_layer_kind kind = od_layer_kind_find(l->type);
    return kind == OD_LAYER_RELU ? kind_of_relu(l) : kind;
}

static void note_statistics(struct od_keras_net *net, const struct od_keras_layer *l,
                            const struct od_layer *row)
{
    bool moving = row->kind == OD_LAYER_BATCH_NORM && !l->frozen && row->parameters.known;
    uint64_t channels = last_of(&l->in);
    if (moving && channels <= row->parameters.n / 2)
        net->non_trainable += 2 * channels;
}

void od_keras_add(struct od_keras_net *net, const struct od_keras_layer *layer)
{
    struct od_keras_layer l = *layer;
    while (unwrap(&l))
        ;
    if (is_class(&l, "Bidirectional")) {
        add_both_ways(net, &l);
        return;
    }
    if (is_class(&l, "SeparableConv2D")) {
        add_separable(net, &l);
        return;
    }
    if (is_class(&l, "MultiHeadAttention") && l.ninputs > 0 && add_attention(net, &l))
        return;
    struct od_layer row = row_of(kind_of(&l), l.type, od_keras_output(&l));
    if (row.kind == OD_LAYER_CONCAT && !l.stated.known)
        row.output = joined(net, &l);
    if ((row.kind == OD_LAYER_ADD || row.kind == OD_LAYER_MULTIPLY) && !l.stated.known)
        row.output = largest(net, &l);
    row.parameters = od_keras_parameters(&l, &row.output);
    if (row.kind == OD_LAYER_DROPOUT)
        row.dropout = json_number_value(od_keras_key(l.config, "rate"));
    note_statistics(net, &l, &row);
    uint32_t at = add_row(net, &l, row, l.inputs, l.ninputs);
    if (row.kind == OD_LAYER_CONV || row.kind == OD_LAYER_LINEAR || row.kind == OD_LAYER_ADD)
        add_activation(net, &l, at);
}
