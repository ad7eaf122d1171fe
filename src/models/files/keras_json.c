/*
 * Keras models in JSON: model.to_json(), the config.json in a .keras file, and TensorFlow.js's
 * model.json: layers with their arguments and connections. Keras 2 and 3, Sequential and functional
 * models, nested models.
 */
#include "models/files/keras_json.h"
#include "models/json_load.h"

enum { JSON_MAX = 64 << 20, DEPTH_MAX = 8, LAYERS_MAX = 50000 };

static bool has_config(struct od_view text)
{
    static const char *const classes[] = {"\"class_name\": \"Functional\"",
                                          "\"class_name\": \"Sequential\"",
                                          "\"class_name\": \"Model\"",
                                          "\"class_name\":\"Functional\"",
                                          "\"class_name\":\"Sequential\"",
                                          "\"class_name\":\"Model\"",
                                          NULL};
    return od_view_has_any(text, classes) || od_view_has(text, OD_VIEW("\"modelTopology\""));
}

static const char *bids(struct od_view head)
{
    struct od_view text = od_view_trim(head);
    return text.n > 0 && text.p[0] == '{' && has_config(od_view_head(text, 512)) ? "Keras model"
                                                                                 : NULL;
}

/* ---- inputs of a layer ---- */

struct level {
    struct od_keras_net *net;
    struct od_view scope; /* prefix of the names: "outer/" */
    int depth;
};

static struct od_view scoped(const struct level *at, struct od_view name)
{
    return od_view_of(od_arena_printf(at->net->file->arena, "%.*s%.*s", (int)at->scope.n,
                                      at->scope.p ? at->scope.p : "", (int)name.n,
                                      name.p ? name.p : ""));
}

static void read_from(const struct level *at, struct od_keras_layer *layer, struct od_view name)
{
    const uint64_t *row = od_map_get(&at->net->rows, scoped(at, name));
    if (row && layer->ninputs < OD_KERAS_INPUTS)
        layer->inputs[layer->ninputs++] = (uint32_t)(*row - 1);
}

/* Is the value a reference to a tensor: ["conv", 0, 0, {...}] in Keras 2, {"keras_history":
 * ["conv", 0, 0]} in Keras 3? References to layers without a row are skipped: masks, values that
 * are not tensors. */
static bool is_reference(json_t *value)
{
    return json_array_size(value) >= 3 && json_is_string(json_array_get(value, 0)) &&
           json_is_integer(json_array_get(value, 1)) && json_is_integer(json_array_get(value, 2));
}

static void note_stated(const struct level *at, json_t *config, struct od_view name)
{
    struct od_shape shape = od_keras_shape(od_keras_key(config, "shape"));
    if (!shape.known)
        return;
    uint64_t *index = od_map_at(&at->net->shapes, scoped(at, name));
    if (*index > 0)
        return;
    od_vec_push(&at->net->stated, shape);
    *index = at->net->stated.n;
}

static void find_references(const struct level *at, struct od_keras_layer *layer, json_t *node,
                            int depth)
{
    json_t *value, *history = od_keras_key(node, "keras_history");
    const char *key;
    size_t i;
    if (depth > DEPTH_MAX)
        return;
    if (is_reference(history) || is_reference(node)) {
        struct od_view name = od_keras_text(json_array_get(history ? history : node, 0));
        if (layer)
            read_from(at, layer, name);
        else
            note_stated(at, node, name);
        if (!history)
            find_references(at, layer, json_array_get(node, 3), depth + 1);
        return;
    }
    if (json_is_array(node)) {
        json_array_foreach(node, i, value) find_references(at, layer, value, depth + 1);
        return;
    }
    if (!json_is_object(node))
        return;
    json_object_foreach(node, key, value) find_references(at, layer, value, depth + 1);
}

static void read_model(const struct level *at, json_t *whole, const struct od_keras_layer *outer);

static bool is_model(struct od_view type, json_t *config)
{
    static const char *const classes[] = {"Functional", "Model", "Sequential", NULL};
    json_t *layers = json_is_array(config) ? config : od_keras_key(config, "layers");
    return od_view_eq_any(type, classes) && json_is_array(layers);
}

static struct od_shape shape_of_input(const struct od_keras_net *net,
                                      const struct od_keras_layer *l, json_t *whole)
{
    json_t *built = od_keras_key(od_keras_key(whole, "build_config"), "input_shape");
    struct od_shape shape = {0};
    if (l->ninputs > 0)
        shape = net->model.layers.items[l->inputs[0]].output;
    if (!shape.known)
        shape = od_keras_shape(built);
    if (!shape.known)
        shape = od_keras_shape(od_keras_key(l->config, "batch_input_shape"));
    return shape;
}

static void add_input(struct od_keras_net *net, struct od_view name, const struct od_shape *shape)
{
    struct od_layer row = od_layer_blank();
    row.name = od_arena_view(net->file->arena, name);
    row.type = OD_VIEW("InputLayer");
    row.kind = OD_LAYER_INPUT;
    row.output = *shape;
    row.noutputs = 1;
    row.parameters = od_count_of(0);
    od_vec_push(&net->model.layers, row);
}

/* Adds the input of a Sequential, which its first layer defines. */
static void give_input(struct od_keras_net *net, struct od_keras_layer *layer, json_t *whole)
{
    layer->in = shape_of_input(net, layer, whole);
    if (layer->ninputs > 0 || !layer->in.known || net->model.layers.n > 0)
        return;
    add_input(net, OD_VIEW("input"), &layer->in);
    layer->inputs[layer->ninputs++] = 0;
}

static void take_row(const struct level *at, struct od_keras_layer *layer, json_t *whole)
{
    struct od_keras_net *net = at->net;
    const uint64_t *stated = od_map_get(&net->shapes, scoped(at, layer->name));
    if (stated)
        layer->stated = net->stated.items[*stated - 1];
    if (od_view_eq_str(layer->type, "InputLayer")) {
        struct od_shape shape = od_keras_shape(od_keras_key(layer->config, "batch_shape"));
        if (!shape.known)
            shape = od_keras_shape(od_keras_key(layer->config, "batch_input_shape"));
        add_input(net, layer->name, &shape);
        return;
    }
    give_input(net, layer, whole);
    od_keras_add(net, layer);
}

/* Row of a nested model that other layers read: its output layer, otherwise its last row. */
static uint64_t output_of(const struct level *inside, json_t *config)
{
    json_t *outputs = od_keras_key(config, "output_layers");
    json_t *first =
        json_is_string(json_array_get(outputs, 0)) ? outputs : json_array_get(outputs, 0);
    struct od_view name = od_keras_text(json_array_get(first, 0));
    const uint64_t *row = name.n > 0 ? od_map_get(&inside->net->rows, scoped(inside, name)) : NULL;
    return row ? *row : inside->net->model.layers.n;
}

/* Adds a layer. Returns the row + 1 that other layers read; 0 = none. */
static uint64_t take_layer(const struct level *at, json_t *whole, uint64_t previous,
                           const struct od_keras_layer *outer)
{
    struct od_keras_net *net = at->net;
    struct od_keras_layer layer = {.config = od_keras_key(whole, "config"),
                                   .type = od_keras_text(od_keras_key(whole, "class_name"))};
    json_t *named = od_keras_key(whole, "name");
    layer.name = od_keras_text(named ? named : od_keras_key(layer.config, "name"));
    layer.frozen =
        (outer && outer->frozen) || json_is_false(od_keras_key(layer.config, "trainable"));
    find_references(at, &layer, od_keras_key(whole, "inbound_nodes"), 0);
    if (previous > 0 && layer.ninputs == 0)
        layer.inputs[layer.ninputs++] = (uint32_t)previous - 1;
    bool given = od_view_eq_str(layer.type, "InputLayer") && outer && outer->ninputs > 0;
    uint64_t row = previous;
    if (net->model.layers.n >= LAYERS_MAX)
        return row;
    if (given) { /* the nested model reads the outer input */
        row = outer->inputs[0] + 1u;
    } else if (is_model(layer.type, layer.config)) {
        const struct level inside = {
            net,
            od_view_of(od_arena_printf(net->file->arena, "%.*s/", (int)layer.name.n,
                                       layer.name.p ? layer.name.p : "")),
            at->depth + 1};
        read_model(&inside, whole, &layer);
        row = output_of(&inside, layer.config);
    } else {
        take_row(at, &layer, whole);
        row = net->model.layers.n;
    }
    *od_map_at(&net->rows, scoped(at, layer.name)) = row;
    return row;
}

static void read_model(const struct level *at, json_t *whole, const struct od_keras_layer *outer)
{
    json_t *config = od_keras_key(whole, "config"), *layer;
    json_t *layers = json_is_array(config) ? config : od_keras_key(config, "layers");
    bool sequential =
        od_view_eq_str(od_keras_text(od_keras_key(whole, "class_name")), "Sequential");
    size_t i;
    if (at->depth > DEPTH_MAX)
        return;
    json_array_foreach(layers, i, layer)
        find_references(at, NULL, od_keras_key(layer, "inbound_nodes"), 0);
    uint64_t previous = outer && outer->ninputs > 0 ? outer->inputs[0] + 1u : 0;
    json_array_foreach(layers, i, layer)
    {
        uint64_t row = take_layer(at, layer, sequential ? previous : 0, outer);
        previous = row > 0 ? row : previous;
    }
}

static enum od_err emit(struct od_keras_net *net, json_t *whole)
{
    struct od_model *model = &net->model;
    uint64_t all = 0;
    model->name = od_arena_view(net->file->arena,
                                od_keras_text(od_keras_key(od_keras_key(whole, "config"), "name")));
    for (size_t i = 0; i < model->layers.n; i++)
        if (ckd_add(&all, all, model->layers.items[i].parameters.n))
            net->overflow = true;
    if (model->layers.n < 2 || net->overflow) {
        od_file_say(net->file, OD_ERROR, NULL, "%s",
                    net->overflow ? "the sizes exceed 64 bits" : "the model has no layers");
        return OD_LOST;
    }
    model->parameters = od_count_of(all);
    model->non_trainable = od_count_of(net->non_trainable);
    model->trainable = od_count_of(all - net->non_trainable);
    od_file_put_model(net->file, model, "keras_json", "Keras model");
    return OD_OK;
}

static enum od_err read(const struct od_file *file)
{
    json_error_t fault;
    struct od_view text = od_view_head(file->bytes, JSON_MAX);
    struct od_foreign held;
    json_t *whole = od_json_load(text, JSON_ALLOW_NUL | JSON_DISABLE_EOF_CHECK, &fault, &held);
    if (!whole && file->bytes.n > JSON_MAX) {
        od_file_say(file, OD_WARNING, NULL, "a model in JSON of more than 64 MiB is not read");
        return OD_ELIMIT;
    }
    if (whole)
        od_file_used(file, (size_t)fault.position);
    json_t *model = whole, *topology = od_keras_key(whole, "modelTopology");
    struct od_keras_net net = {.file = file,
                               .model = {.format = OD_MODEL_KERAS,
                                         .framework = OD_VIEW("tensorflow"),
                                         .at = {.source = file->source, .line = 1, .nlines = 1},
                                         .all_operations = true,
                                         .complete = true}};
    const struct level top = {.net = &net};
    enum od_err err = OD_LOST;
    if (topology)
        model = od_keras_key(topology, "model_config") ? od_keras_key(topology, "model_config")
                                                       : topology;
    if (json_is_object(whole)) {
        read_model(&top, model, NULL);
        err = emit(&net, model);
    } else {
        od_file_say(file, OD_ERROR, NULL, "line %d, column %d: %s", fault.line, fault.column,
                    fault.text);
    }
    od_foreign_release(&held);
    od_map_done(&net.rows);
    od_map_done(&net.shapes);
    od_vec_done(&net.stated);
    od_model_done(&net.model);
    return err;
}

const struct od_file_reader od_file_reader_keras_json = {
    .name = "keras_json", .bids = bids, .read = read};
