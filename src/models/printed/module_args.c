#include "models/printed/module_args.h"

size_t od_module_args_length(struct od_view text)
{
    size_t depth = 0;
    for (size_t i = 0; i < text.n; i++) {
        if (text.p[i] == '(')
            depth++;
        else if (text.p[i] == ')' && --depth == 0)
            return i + 1;
        if (depth == 0)
            break;
    }
    return OD_VIEW_NONE;
}

/* Takes the next argument. Commas in brackets do not end it. */
static bool next_argument(struct od_view *args, struct od_view *ret_argument)
{
    size_t depth = 0, n = 0;
    if (args->n == 0)
        return false;
    for (; n < args->n; n++) {
        char c = args->p[n];
        if (c == '(' || c == '[' || c == '{')
            depth++;
        else if ((c == ')' || c == ']' || c == '}') && depth > 0)
            depth--;
        else if (c == ',' && depth == 0)
            break;
    }
    *ret_argument = od_view_trim(od_view_head(*args, n));
    *args = od_view_from(*args, n + 1);
    return true;
}

/* Reads an extent: 3 or (3, 3). */
static struct od_shape extent_of(struct od_view value)
{
    struct od_shape shape = {0};
    uint64_t n;
    if (od_num_parse_u64(value, &n)) {
        shape.dims[0] = n;
        shape.n = 1;
        shape.known = true;
    } else if (!od_shape_parse(value, &shape)) {
        shape = (struct od_shape){0};
    }
    return shape;
}

static enum od_tri tri_of(struct od_view value)
{
    if (od_view_eq_str(value, "True"))
        return OD_YES;
    return od_view_eq_str(value, "False") ? OD_NO : OD_CANNOT_TELL;
}

static void read_number(struct od_view value, struct od_count *to)
{
    uint64_t n;
    if (od_num_parse_u64(value, &n))
        *to = od_count_of(n);
}

static void read_count_argument(struct od_view name, struct od_view value, struct od_layer *layer)
{
    struct {
        const char *name;
        struct od_count *to;
    } counts[] = {
        {"in_features", &layer->in_features},
        {"out_features", &layer->out_features},
        {"in_channels", &layer->in_features},
        {"out_channels", &layer->out_features},
        {"input_size", &layer->in_features},
        {"hidden_size", &layer->out_features},
        {"num_embeddings", &layer->in_features},
        {"embedding_dim", &layer->out_features},
        {"num_features", &layer->out_features},
        {"num_channels", &layer->out_features},
        {"nx", &layer->in_features},
        {"nf", &layer->out_features},
        {"groups", &layer->groups},
        {"num_groups", &layer->groups},
        {"padding_idx", &layer->padding_idx},
        {"num_layers", &layer->num_layers},
        {"infeatures", &layer->in_features},
        {"outfeatures", &layer->out_features},
        {"embed_dim", &layer->out_features},
    };
    for (size_t i = 0; i < OD_COUNT_OF(counts); i++) {
        if (od_view_eq_str(name, counts[i].name))
            read_number(value, counts[i].to);
    }
}

static void read_named(struct od_view name, struct od_view value, struct od_layer *layer)
{
    double p;
    if (od_view_eq_str(name, "kernel_size") || od_view_eq_str(name, "normalized_shape") ||
        od_view_eq_str(name, "output_size"))
        layer->kernel = extent_of(value);
    else if (od_view_eq_str(name, "stride"))
        layer->stride = extent_of(value);
    else if (od_view_eq_str(name, "scale_factor") && od_num_parse_double(value, &p) && p >= 1 &&
             p < 64)
        layer->stride = (struct od_shape){.dims = {(uint64_t)p}, .n = 1, .known = true};
    else if (od_view_eq_str(name, "padding"))
        layer->padding = extent_of(value);
    else if (od_view_eq_str(name, "dilation") && extent_of(value).n > 0)
        layer->dilation = od_count_of(extent_of(value).dims[0]);
    else if (od_view_eq_str(name, "bias"))
        layer->bias = tri_of(value);
    else if (od_view_ends(name, OD_VIEW("affine")) && tri_of(value) == OD_NO)
        layer->parameters = od_count_of(0);
    else if (od_view_eq_str(name, "bidirectional"))
        layer->bidirectional = tri_of(value);
    else if (od_view_eq_str(name, "inplace"))
        layer->inplace = tri_of(value) == OD_YES;
    else if ((od_view_eq_str(name, "p") || od_view_eq_str(name, "dropout")) &&
             od_num_parse_double(value, &p) && p >= 0 && p <= 1)
        layer->dropout = p;
    else
        read_count_argument(name, value, layer);
}

/* Reads a value without a name. Old versions print "inplace" for inplace=True. */
static void read_positional(size_t index, struct od_view value, struct od_layer *layer)
{
    bool group_norm = od_view_has(layer->type, OD_VIEW("GroupNorm"));
    if (od_view_eq_str(value, "inplace")) {
        layer->inplace = true;
        return;
    }
    switch (layer->kind) {
    case OD_LAYER_CONV:
    case OD_LAYER_LINEAR:
    case OD_LAYER_EMBEDDING:
    case OD_LAYER_RECURRENT:
        if (index < 2)
            read_number(value, index == 0 ? &layer->in_features : &layer->out_features);
        break;
    case OD_LAYER_BATCH_NORM:
        if (index == 0)
            read_number(value, &layer->out_features);
        break;
    case OD_LAYER_NORM:
        if (group_norm && index < 2)
            read_number(value, index == 0 ? &layer->groups : &layer->out_features);
        else if (!group_norm && index == 0)
            layer->kernel = extent_of(value);
        break;
    case OD_LAYER_AVG_POOL:
    case OD_LAYER_MAX_POOL:
    case OD_LAYER_OTHER:
    case OD_LAYER_CONTAINER:
    case OD_LAYER_INPUT:
    case OD_LAYER_RELU:
    case OD_LAYER_LEAKY_RELU:
    case OD_LAYER_RELU6:
    case OD_LAYER_SIGMOID:
    case OD_LAYER_TANH:
    case OD_LAYER_SOFTMAX:
    case OD_LAYER_SMOOTH:
    case OD_LAYER_ACTIVATION:
    case OD_LAYER_DROPOUT:
    case OD_LAYER_ADD:
    case OD_LAYER_MULTIPLY:
    case OD_LAYER_CONCAT:
    case OD_LAYER_VIEW:
    case OD_LAYER_COPY:
    case OD_LAYER_ATTENTION:
    case OD_LAYER_LOSS:
    case OD_LAYER_END:
    default:
        break;
    }
}

static size_t equals_sign(struct od_view argument)
{
    for (size_t i = 0; i < argument.n; i++) {
        char c = argument.p[i];
        if (c == '=')
            return i;
        if (!od_is_word(c))
            break;
    }
    return OD_VIEW_NONE;
}

/* Sets the bias of convolutions and linear layers, which have one by default. */
static void default_bias(struct od_layer *layer)
{
    bool silent =
        layer->kind == OD_LAYER_CONV && layer->in_features.known && layer->bias == OD_CANNOT_TELL;
    if (silent)
        layer->bias = OD_YES;
}

void od_module_args_read(struct od_view args, struct od_layer *layer)
{
    struct od_view argument;
    size_t index = 0;
    while (next_argument(&args, &argument)) {
        size_t sign = equals_sign(argument);
        if (sign == OD_VIEW_NONE)
            read_positional(index, argument, layer);
        else
            read_named(od_view_head(argument, sign), od_view_trim(od_view_from(argument, sign + 1)),
                       layer);
        index++;
    }
    default_bias(layer);
}
