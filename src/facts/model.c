#include "facts/model.h"

#include "base/word_table.h"

static const char *const kinds[OD_LAYER_END] = {
#define OD_LAYER(constant, name) [OD_LAYER_##constant] = #name,
#include "facts/layers.def"
#undef OD_LAYER
};

/* Layer names of all frameworks, sorted; some are capitalized. */
static const struct od_word_means types[] = {
#include "facts/layers.inc"
};

/* Kinds by the end of a name, for layers that projects define themselves. */
static const struct {
    const char *suffix;
    enum od_layer_kind kind;
} suffixes[] = {
    {"RMSNorm", OD_LAYER_NORM},
    {"LayerNorm", OD_LAYER_NORM},
    {"LayerNormalization", OD_LAYER_NORM},
    {"GroupNorm", OD_LAYER_NORM},
    {"InstanceNorm2d", OD_LAYER_NORM},
    {"BatchNorm1d", OD_LAYER_BATCH_NORM},
    {"BatchNorm2d", OD_LAYER_BATCH_NORM},
    {"BatchNorm3d", OD_LAYER_BATCH_NORM},
    {"BatchNormalization", OD_LAYER_BATCH_NORM},
    {"GELUActivation", OD_LAYER_SMOOTH},
    {"Linear", OD_LAYER_LINEAR},
    {"WordEmbedding", OD_LAYER_EMBEDDING},
    {"LearnedPositionalEmbedding", OD_LAYER_EMBEDDING},
    {"Loss", OD_LAYER_LOSS},
};

/* "Conv2dSame", "Conv3DSimple" are a project's own convolutions; a name that also contains a norm
 * is a block. */
static bool is_own_conv(struct od_view type)
{
    static const char *const more[] = {"Norm", "BN", "Act", "Block", "Module", "ReLU", "Bn", NULL};
    bool conv = type.n > 6 && od_view_starts(type, OD_VIEW("Conv")) && type.p[4] >= '1' &&
                type.p[4] <= '3' && (type.p[5] | 0x20) == 'd';
    return conv && !od_view_has_any(type, more);
}

/* Index of the first type that does not sort before the word. */
static size_t type_at(struct od_view word)
{
    size_t low = 0, high = OD_COUNT_OF(types);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (od_view_cmp(od_view_of(types[middle].word), word) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

enum od_layer_kind od_layer_kind_find(struct od_view type)
{
    size_t at = type_at(type);
    if (type.n == 0)
        return OD_LAYER_OTHER;
    if (at < OD_COUNT_OF(types) && od_view_eq_str(type, types[at].word))
        return (enum od_layer_kind)types[at].means;
    for (size_t i = 0; i < OD_COUNT_OF(suffixes); i++) {
        if (od_view_ends(type, od_view_of(suffixes[i].suffix)))
            return suffixes[i].kind;
    }
    return is_own_conv(type) ? OD_LAYER_CONV : OD_LAYER_OTHER;
}

enum od_layer_kind od_layer_kind_find_cut(struct od_view start)
{
    enum od_layer_kind found = OD_LAYER_OTHER;
    if (start.n == 0)
        return found;
    for (size_t at = type_at(start); at < OD_COUNT_OF(types); at++) {
        enum od_layer_kind kind = (enum od_layer_kind)types[at].means;
        if (!od_view_starts(od_view_of(types[at].word), start))
            break;
        if (found != OD_LAYER_OTHER && found != kind)
            return OD_LAYER_OTHER;
        found = kind;
    }
    return found;
}

/* "tf.nn.relu6_1" -> "relu6", "batch_normalization_3" -> "batch_normalization" */
static struct od_view stem_of(struct od_view name)
{
    size_t end = od_back(name, name.n, od_is_digit);
    if (end > 0 && end < name.n && name.p[end - 1] == '_')
        name = od_view_head(name, end - 1);
    for (size_t i = name.n; i-- > 0;) {
        if (name.p[i] == '.' || name.p[i] == '/')
            return od_view_from(name, i + 1);
    }
    return name;
}

/* Are they equal apart from case and underscores? */
static bool same_letters(struct od_view name, struct od_view word)
{
    size_t at = 0;
    for (size_t i = 0; i < name.n; i++) {
        if (name.p[i] == '_')
            continue;
        if (at == word.n || od_lower(word.p[at]) != od_lower(name.p[i]))
            return false;
        at++;
    }
    return at > 0 && at == word.n;
}

enum od_layer_kind od_layer_kind_of_name(struct od_view name)
{
    name = stem_of(name);
    for (size_t i = 0; i < OD_COUNT_OF(types); i++)
        if (same_letters(name, od_view_of(types[i].word)))
            return (enum od_layer_kind)types[i].means;
    return OD_LAYER_OTHER;
}

const char *od_layer_kind_name(enum od_layer_kind kind)
{
    return kind < OD_LAYER_END ? kinds[kind] : NULL;
}

bool od_op_is_product(struct od_view op)
{
    static const char *const products[] = {"addmm",       "bmm",          "matmul",
                                           "attention",   "aten.mm.",     "aten::mm",
                                           "aten.linear", "aten::linear", NULL};
    return od_view_has_any(op, products);
}

const char *od_model_format_name(enum od_model_format format)
{
    static const char *const names[OD_MODEL_FORMATS] = {
        [OD_MODEL_KERAS] = "keras",
        [OD_MODEL_TORCHSUMMARY] = "torchsummary",
        [OD_MODEL_TORCHINFO] = "torchinfo",
        [OD_MODEL_LIGHTNING] = "lightning",
        [OD_MODEL_MODULE_TREE] = "module_tree",
        [OD_MODEL_HF_CONFIG] = "hf_config",
        [OD_MODEL_SAFETENSORS] = "safetensors",
        [OD_MODEL_GGUF] = "gguf",
        [OD_MODEL_YAML] = "yaml",
        [OD_MODEL_ONNX] = "onnx",
        [OD_MODEL_GRAPH] = "graph",
        [OD_MODEL_TRACE] = "trace",
        [OD_MODEL_PUBLIC] = "public",
        [OD_MODEL_BARE] = "bare",
    };
    return format < OD_MODEL_FORMATS ? names[format] : NULL;
}

struct od_layer od_layer_blank(void)
{
    return (struct od_layer){
        .bias = OD_CANNOT_TELL, .bidirectional = OD_CANNOT_TELL, .dropout = -1.0};
}

void od_model_done(struct od_model *model)
{
    od_vec_done(&model->layers);
    od_vec_done(&model->inputs);
}

double od_model_name_parameters(struct od_view name, struct od_view *ret_part)
{
    static const double billion = 1e9;
    struct od_view part = name;
    double count;
    for (size_t i = 0; i < name.n; i++)
        if (name.p[i] == '/')
            part = od_view_from(name, i + 1);
    *ret_part = part;
    for (size_t i = 1; i < part.n; i++) {
        size_t from = od_back_any(part, i, "0123456789.");
        bool begins = from > 0 && strchr("-_:", part.p[from - 1]);
        bool ends = i + 1 == part.n || !od_is_word(part.p[i + 1]) || part.p[i + 1] == '_';
        if (od_lower(part.p[i]) == 'b' && begins && ends &&
            od_num_parse_double(od_view_part(part, from, i), &count))
            return count * billion;
    }
    return 0;
}
