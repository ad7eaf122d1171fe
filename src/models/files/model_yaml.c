/*
 * Our own description of a model (format: oomdoctor.model/1; `oomdoctor schema model`): layers by
 * type and shape, the numbers of a transformer, or only the numbers of parameters and activations.
 * Shapes are those of one sample. The parameters of a layer are computed from its type, kernel and
 * input channels, unless they are given.
 */
#include "models/file_reader.h"

#include "base/map.h"
#include "base/suggest.h"
#include "base/yaml.h"
#include "facts/model.h"

enum { LAYERS_MOST = 100000, VALUE_MOST_BITS = 50 };

struct yaml_model {
    const struct od_file *file;
    struct od_arena *arena;
    struct od_yaml_source source;
    struct od_model model;
    struct od_map names;    /* maps the name of a layer to its index + 1 */
    struct od_shape newest; /* output of the previous layer */
    bool channels_last;
    uint64_t total;
    bool total_known;
};

static void complain(struct yaml_model *y, const struct od_yaml_node *node, const char *help,
                     const char *message)
{
    struct od_yaml_problem problem = {.code = "M0101",
                                      .at = node->start,
                                      .width =
                                          node->end > node->start ? node->end - node->start : 1,
                                      .message = message,
                                      .help = help};
    od_yaml_report(&y->source, &problem);
}

static bool take_number(struct yaml_model *y, const struct od_yaml_node *node, uint64_t least,
                        uint64_t *ret_n)
{
    uint64_t n;
    struct od_buf plain = {0};
    bool ok = node->kind == OD_YAML_TEXT;
    for (const char *c = ok ? node->text : ""; *c; c++) {
        if (*c != '_')
            od_buf_add_char(&plain, *c);
    }
    ok = ok && od_num_parse_u64(od_buf_view(&plain), &n) && n >= least &&
         n < (uint64_t)1 << VALUE_MOST_BITS;
    od_buf_done(&plain);
    if (ok)
        *ret_n = n;
    else
        complain(y, node, NULL,
                 least > 0 ? "a whole number from 1 on is wanted" : "a whole number is wanted");
    return ok;
}

static void take_count(struct yaml_model *y, const struct od_yaml_node *node, uint64_t least,
                       struct od_count *ret_count)
{
    uint64_t n;
    if (node && take_number(y, node, least, &n))
        *ret_count = od_count_of(n);
}

static bool take_bool(struct yaml_model *y, const struct od_yaml_node *node, bool absent)
{
    if (!node)
        return absent;
    if (node->kind == OD_YAML_TEXT && strcmp(node->text, "true") == 0)
        return true;
    if (node->kind != OD_YAML_TEXT || strcmp(node->text, "false") != 0)
        complain(y, node, NULL, "true or false is wanted");
    return false;
}

/* Reads one or several numbers. with_batch inserts an unknown batch as first dimension. */
static struct od_shape take_shape(struct yaml_model *y, const struct od_yaml_node *node,
                                  bool with_batch)
{
    struct od_shape shape = {.known = true};
    if (with_batch)
        shape.dims[shape.n++] = OD_DIM_UNKNOWN;
    const struct od_yaml_node *dim = node->kind == OD_YAML_LIST ? node->first : node;
    for (; dim; dim = node->kind == OD_YAML_LIST ? dim->next : NULL) {
        uint64_t n;
        if (shape.n == OD_SHAPE_MAX / 2) {
            complain(y, node, NULL, "too many dimensions");
            break;
        }
        if (!take_number(y, dim, 1, &n))
            return (struct od_shape){0};
        shape.dims[shape.n++] = n;
    }
    return shape;
}

static struct od_view take_text(struct yaml_model *y, const struct od_yaml_node *node)
{
    if (!node)
        return (struct od_view){0};
    if (node->kind == OD_YAML_TEXT)
        return od_view_of(node->text);
    complain(y, node, NULL, "a word is wanted");
    return (struct od_view){0};
}

static void check_keys(struct yaml_model *y, const struct od_yaml_node *map,
                       const char *const *known, size_t n)
{
    for (const struct od_yaml_node *value = map->first; value; value = value->next) {
        size_t i = 0;
        while (i < n && strcmp(known[i], value->key->text) != 0)
            i++;
        if (i == n)
            complain(y, value->key, od_suggest_help(value->key->text, known, n, y->arena),
                     "no such key here");
    }
}

/* ---- a layer's parameters ---- */

static uint64_t channels_of(const struct yaml_model *y, const struct od_shape *shape,
                            enum od_layer_kind kind)
{
    if (!shape->known || shape->n < 2)
        return 0;
    bool last = y->channels_last || kind == OD_LAYER_LINEAR || kind == OD_LAYER_NORM;
    return shape->dims[last ? shape->n - 1 : 1];
}

/* Channels of the layer's input and output, and its kernel. */
struct weights {
    uint64_t in, out, kernel;
    bool bias;
};

static bool multiply_add(uint64_t a, uint64_t b, uint64_t c, uint64_t *ret)
{
    return !ckd_mul(ret, a, b) && !ckd_add(ret, *ret, c);
}

/* Counts the parameters of a layer. False if its type does not determine them. */
static bool count_parameters(const struct od_layer *layer, const struct weights *w, uint64_t *ret_n)
{
    uint64_t groups = layer->groups.known ? layer->groups.n : 1, fan;
    switch ((int)layer->kind) {
    case OD_LAYER_CONV:
    case OD_LAYER_LINEAR:
        return w->in > 0 && w->out > 0 && !ckd_mul(&fan, w->in / groups, w->kernel) &&
               multiply_add(fan, w->out, w->bias ? w->out : 0, ret_n);
    case OD_LAYER_BATCH_NORM:
    case OD_LAYER_NORM:
        return w->out > 0 && !ckd_mul(ret_n, w->out, w->bias ? 2u : 1u);
    case OD_LAYER_EMBEDDING:
    case OD_LAYER_OTHER:
    case OD_LAYER_CONTAINER:
    case OD_LAYER_RECURRENT:
    case OD_LAYER_ATTENTION:
        return false;
    default:
        *ret_n = 0;
        return true;
    }
}

/* Elements of a kernel: "kernel: 3" means 3x3 for a layer of maps. */
static uint64_t kernel_of(const struct od_layer *layer)
{
    uint64_t product = 1;
    uint32_t spatial = layer->output.n > 2 ? layer->output.n - 2 : 1;
    const struct od_shape *kernel = &layer->kernel;
    if (!kernel->known)
        return 1;
    for (uint32_t i = 0; i < (kernel->n == 1 ? spatial : kernel->n); i++) {
        if (ckd_mul(&product, product, kernel->dims[kernel->n == 1 ? 0 : i]))
            return 0;
    }
    return product;
}

static void fill_parameters(struct yaml_model *y, struct od_layer *layer,
                            const struct od_yaml_node *map)
{
    const struct od_yaml_node *stated = od_yaml_get(map, "parameters");
    struct weights w = {.bias = take_bool(y, od_yaml_get(map, "bias"), true)};
    take_count(y, od_yaml_get(map, "in"), 1, &layer->in_features);
    w.in = layer->in_features.known ? layer->in_features.n
                                    : channels_of(y, &layer->input, layer->kind);
    w.out = channels_of(y, &layer->output, layer->kind);
    w.kernel = kernel_of(layer);
    layer->bias = w.bias ? OD_YES : OD_NO;
    if (w.in > 0 && (layer->kind == OD_LAYER_CONV || layer->kind == OD_LAYER_LINEAR)) {
        layer->in_features = od_count_of(w.in);
        layer->out_features = od_count_of(w.out);
    }
    uint64_t n;
    if (stated)
        take_count(y, stated, 0, &layer->parameters);
    else if (count_parameters(layer, &w, &n))
        layer->parameters = od_count_of(n);
    if (layer->parameters.known && !take_bool(y, od_yaml_get(map, "trainable"), true))
        layer->trainable = od_count_of(0);
}

static const char *const layer_keys[] = {"name",       "type",      "output",  "in",
                                         "kernel",     "groups",    "bias",    "inputs",
                                         "parameters", "trainable", "dropout", "repeat"};

static void take_inputs(struct yaml_model *y, struct od_layer *layer,
                        const struct od_yaml_node *list)
{
    if (!list)
        return;
    if (list->kind != OD_YAML_LIST) {
        complain(y, list, NULL, "a list of layers' names is wanted");
        return;
    }
    layer->first_input = (uint32_t)y->model.inputs.n;
    for (const struct od_yaml_node *name = list->first; name; name = name->next) {
        const uint64_t *index =
            name->kind == OD_YAML_TEXT ? od_map_get(&y->names, od_view_of(name->text)) : NULL;
        if (!index) {
            complain(y, name, NULL, "no layer above has this name");
            continue;
        }
        od_vec_push(&y->model.inputs, (uint32_t)(*index - 1));
        layer->ninputs++;
        if (layer->ninputs == 1)
            layer->input = y->model.layers.items[*index - 1].output;
    }
}

static void take_dropout(struct yaml_model *y, struct od_layer *layer,
                         const struct od_yaml_node *node)
{
    double p;
    if (!node)
        return;
    if (node->kind == OD_YAML_TEXT && od_num_parse_double(od_view_of(node->text), &p) && p >= 0 &&
        p <= 1)
        layer->dropout = p;
    else
        complain(y, node, NULL, "a number from 0 to 1 is wanted");
}

static void add_total(struct yaml_model *y, const struct od_layer *layer)
{
    uint64_t all, times = layer->repeat > 1 ? layer->repeat : 1;
    y->total_known = y->total_known && layer->parameters.known &&
                     !ckd_mul(&all, layer->parameters.n, times) &&
                     !ckd_add(&y->total, y->total, all);
}

static void take_layer(struct yaml_model *y, const struct od_yaml_node *map)
{
    struct od_layer layer = od_layer_blank();
    const struct od_yaml_node *node;
    if (map->kind != OD_YAML_MAP || !od_yaml_get(map, "type")) {
        complain(y, map, "layers: [{type: Conv2d, kernel: 3, output: [64, 112, 112]}, ...]",
                 "a layer has a type");
        return;
    }
    check_keys(y, map, layer_keys, OD_COUNT_OF(layer_keys));
    layer.name = take_text(y, od_yaml_get(map, "name"));
    layer.type = take_text(y, od_yaml_get(map, "type"));
    layer.kind = od_layer_kind_find(layer.type);
    layer.at = (struct od_prov){.source = y->file->source, .line = map->line, .nlines = 1};
    layer.input = y->newest;
    take_inputs(y, &layer, od_yaml_get(map, "inputs"));
    node = od_yaml_get(map, "output");
    layer.output = node ? take_shape(y, node, true) : layer.input;
    layer.noutputs = 1;
    if ((node = od_yaml_get(map, "kernel")))
        layer.kernel = take_shape(y, node, false);
    take_count(y, od_yaml_get(map, "groups"), 1, &layer.groups);
    take_dropout(y, &layer, od_yaml_get(map, "dropout"));
    if ((node = od_yaml_get(map, "repeat")))
        (void)take_number(y, node, 1, &layer.repeat);
    fill_parameters(y, &layer, map);
    add_total(y, &layer);
    y->newest = layer.output;
    od_vec_push(&y->model.layers, layer);
    if (layer.name.n > 0)
        *od_map_at(&y->names, layer.name) = y->model.layers.n;
}

static void take_layers(struct yaml_model *y, const struct od_yaml_node *list)
{
    if (!list)
        return;
    if (list->kind != OD_YAML_LIST || list->n == 0 || list->n > LAYERS_MOST) {
        complain(y, list, NULL, "a list of layers is wanted");
        return;
    }
    y->total_known = true;
    for (const struct od_yaml_node *layer = list->first; layer; layer = layer->next)
        take_layer(y, layer);
    if (y->total_known)
        y->model.parameters = od_count_of(y->total);
}

/* ---- a transformer's numbers ---- */

static void take_transformer(struct yaml_model *y, const struct od_yaml_node *map)
{
    static const char *const keys[] = {
#define OD_NUMBER(name) #name,
#define OD_SWITCH(name) #name,
#include "models/files/transformer_keys.def"
    };
    struct od_transformer *t = &y->model.transformer;
    if (!map)
        return;
    if (map->kind != OD_YAML_MAP) {
        complain(y, map, "transformer: {hidden: 768, layers: 12, heads: 12, vocab: 50257}",
                 "numbers by their names are wanted");
        return;
    }
    check_keys(y, map, keys, OD_COUNT_OF(keys));
#undef OD_NUMBER
#undef OD_SWITCH
#define OD_NUMBER(name) take_count(y, od_yaml_get(map, #name), 1, &t->name);
#define OD_SWITCH(name) t->name = take_bool(y, od_yaml_get(map, #name), false);
#include "models/files/transformer_keys.def"
    t->head = t->vocab.known ? OD_HEAD_LM : OD_HEAD_NONE;
    t->traits = (t->rms_norm ? 0U : (uint32_t)OD_TR_NORM_BIAS) |
                (t->attention_bias ? (uint32_t)OD_TR_OUT_BIAS : 0U) | (uint32_t)OD_TR_CAUSAL;
    t->known = t->hidden.known && t->layers.known && t->heads.known;
    if (!t->known)
        complain(y, map, NULL, "a transformer needs at least hidden, layers and heads");
}

static void take_model(struct yaml_model *y, const struct od_yaml_node *root)
{
    static const char *const keys[] = {"format", "name",        "framework",  "dtype",      "input",
                                       "layers", "transformer", "parameters", "activations"};
    const struct od_yaml_node *node;
    if (root->kind != OD_YAML_MAP || !od_yaml_get(root, "format") ||
        !od_view_eq_str(take_text(y, od_yaml_get(root, "format")), "oomdoctor.model/1")) {
        complain(y, root, NULL, "only format oomdoctor.model/1 is known");
        return;
    }
    check_keys(y, root, keys, OD_COUNT_OF(keys));
    y->model.name = take_text(y, od_yaml_get(root, "name"));
    y->model.framework = take_text(y, od_yaml_get(root, "framework"));
    y->channels_last = y->model.framework.n > 0 && !od_view_eq_str(y->model.framework, "pytorch");
    node = od_yaml_get(root, "dtype");
    if (node && (y->model.dtype = od_dtype_parse(take_text(y, node))) == OD_DTYPE_UNKNOWN)
        complain(y, node, NULL, "no type that we know: float32, bfloat16, int8, ...");
    if ((node = od_yaml_get(root, "input")))
        y->newest = take_shape(y, node, true);
    take_layers(y, od_yaml_get(root, "layers"));
    take_transformer(y, od_yaml_get(root, "transformer"));
    take_count(y, od_yaml_get(root, "parameters"), 0, &y->model.parameters);
    take_count(y, od_yaml_get(root, "activations"), 0, &y->model.activations);
    if (y->model.layers.n == 0 && !y->model.transformer.known && !y->model.parameters.known)
        complain(y, root, NULL, "a model has layers, a transformer or parameters");
}

static enum od_err read_model(const struct od_file *file)
{
    struct yaml_model y = {.file = file, .arena = file->arena};
    const struct od_yaml_node *root;
    y.source =
        (struct od_yaml_source){.text = file->bytes, .name = file->name, .diags = file->diags};
    y.model.format = OD_MODEL_YAML;
    enum od_err err = od_yaml_read(&y.source, y.arena, &root) == OD_OK ? OD_OK : OD_EINPUT;
    if (err == OD_OK) {
        take_model(&y, root);
        err = y.source.errors > 0 ? OD_EINPUT : OD_OK;
    }
    y.model.at.source = file->source;
    y.model.complete = true;
    if (err == OD_OK)
        od_file_put_model(file, &y.model, "model_yaml", "format: oomdoctor.model/1");
    od_map_done(&y.names);
    od_model_done(&y.model);
    return err;
}

/* Finds the format near the top, on a line of its own at the left edge. */
static const char *bids(struct od_view head)
{
    struct od_view line;
    while (od_view_cut(&head, '\n', &line)) {
        if (!od_view_take(&line, OD_VIEW("format:")))
            continue;
        od_view_skip_blanks(&line);
        return od_view_starts(line, OD_VIEW("oomdoctor.model/")) ? "model yaml" : NULL;
    }
    return NULL;
}

const struct od_file_reader od_file_reader_model_yaml = {
    .name = "model_yaml", .bids = bids, .read = read_model};
