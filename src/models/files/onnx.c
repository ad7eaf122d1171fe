#include "models/files/onnx.h"
#include "models/files/protobuf.h"

/* Field numbers in onnx.proto. */
enum {
    MODEL_IR = 1,
    MODEL_PRODUCER = 2,
    MODEL_GRAPH = 7,
    GRAPH_NODE = 1,
    GRAPH_NAME = 2,
    GRAPH_INITIALIZER = 5,
    GRAPH_INPUT = 11,
    GRAPH_VALUE = 13,
    NODE_INPUT = 1,
    NODE_OUTPUT = 2,
    NODE_NAME = 3,
    NODE_OP = 4,
    NODE_ATTRIBUTE = 5,
    TENSOR_DIM = 1,
    TENSOR_TYPE = 2,
    TENSOR_INT64 = 7,
    TENSOR_NAME = 8,
    TENSOR_RAW = 9,
    DIM_VALUE = 1,
    DIM_NAME = 2,
    TYPE_INT32 = 6,
    TYPE_INT64 = 7,
    TYPE_FLOAT = 1,
    TYPE_FLOAT16 = 10,
    TYPE_DOUBLE = 11,
    TYPE_BFLOAT16 = 16
};

enum { IR_MOST = 32, PRODUCER_MOST = 64, VALUES_MAX = 1 << 20 };

static const char *bids(struct od_view head)
{
    struct od_proto_field field;
    bool version = od_proto_next(&head, &field) == OD_PROTO_FIELD && field.number == MODEL_IR &&
                   field.type == OD_PROTO_VARINT && field.value > 0 && field.value <= IR_MOST;
    if (!version || od_proto_next(&head, &field) != OD_PROTO_FIELD ||
        field.number != MODEL_PRODUCER || field.type != OD_PROTO_BYTES ||
        field.bytes.n > PRODUCER_MOST)
        return NULL;
    for (size_t i = 0; i < field.bytes.n; i++)
        if (field.bytes.p[i] < ' ' || field.bytes.p[i] > '~')
            return NULL;
    return "ONNX model";
}

static bool is_floating(uint64_t type)
{
    return type == TYPE_FLOAT || type == TYPE_FLOAT16 || type == TYPE_DOUBLE ||
           type == TYPE_BFLOAT16;
}

/* Reads the raw little-endian integers of a tensor. */
static void read_raw(struct od_view raw, size_t width, struct od_onnx_ints *ints)
{
    for (size_t at = 0; at + width <= raw.n && ints->n < OD_ONNX_INTS; at += width) {
        uint64_t n = 0;
        for (size_t i = width; i-- > 0;)
            n = n << 8 | (unsigned char)raw.p[at + i];
        ints->at[ints->n++] = width == 4 ? (int32_t)n : (int64_t)n;
    }
}

/* Reads a TensorProto: an initializer, or the value of a Constant. */
static void read_tensor(struct od_view message, struct od_onnx_value *value,
                        struct od_view *ret_name, uint64_t *ret_elements)
{
    struct od_proto_field field;
    struct od_view raw = {0};
    uint64_t type = 0;
    *value = (struct od_onnx_value){.shape.known = true, .ints.known = true};
    while (od_proto_next(&message, &field) == OD_PROTO_FIELD) {
        if (field.number == TENSOR_DIM && field.type == OD_PROTO_VARINT &&
            value->shape.n < OD_SHAPE_MAX)
            value->shape.dims[value->shape.n++] = field.value;
        else if (field.number == TENSOR_TYPE)
            type = field.value;
        else if (field.number == TENSOR_NAME)
            *ret_name = field.bytes;
        else if (field.number == TENSOR_RAW)
            raw = field.bytes;
        else if (field.number == TENSOR_INT64 && field.type == OD_PROTO_VARINT &&
                 value->ints.n < OD_ONNX_INTS)
            value->ints.at[value->ints.n++] = (int64_t)field.value;
    }
    if (!od_shape_elements(&value->shape, ret_elements))
        *ret_elements = UINT64_MAX;
    value->weight = is_floating(type);
    value->scalar = *ret_elements == 1;
    value->ints.known = (type == TYPE_INT32 || type == TYPE_INT64) && *ret_elements <= OD_ONNX_INTS;
    if (value->ints.known && value->ints.n == 0)
        read_raw(raw, type == TYPE_INT32 ? 4 : 8, &value->ints);
}

static void take_initializer(struct od_onnx *onnx, struct od_view message)
{
    struct od_onnx_value value;
    struct od_view name = {0};
    uint64_t elements;
    read_tensor(message, &value, &name, &elements);
    if (elements == UINT64_MAX ||
        (value.weight && ckd_add(&onnx->weights, onnx->weights, elements)))
        onnx->overflow = true;
    *od_onnx_value_of(onnx, name) = value;
}

/* The user's size for a named dimension: "seq=128,height=224". */
static uint64_t size_of(const struct od_onnx *onnx, struct od_view name)
{
    const char *said = onnx->file->dims;
    struct od_view rest = od_view_of(said ? said : ""), one, word;
    uint64_t n;
    while (rest.n > 0) {
        if (!od_view_cut(&rest, ',', &one)) {
            one = rest;
            rest.n = 0;
        }
        if (od_view_cut(&one, '=', &word) && od_view_eq(od_view_trim(word), name) &&
            od_num_parse_u64(od_view_trim(one), &n) && n > 0)
            return n;
    }
    return OD_DIM_UNKNOWN;
}

/* Reads a dimension: a number or a name. */
static uint64_t read_dim(struct od_view dim, struct od_view *ret_word)
{
    struct od_proto_field field;
    if (od_proto_next(&dim, &field) != OD_PROTO_FIELD)
        return OD_DIM_UNKNOWN;
    if (field.number == DIM_NAME && field.type == OD_PROTO_BYTES)
        *ret_word = field.bytes;
    return field.number == DIM_VALUE && field.type == OD_PROTO_VARINT ? field.value
                                                                      : OD_DIM_UNKNOWN;
}

/* Index of an input's batch dimension: the first with a usual name, otherwise the first. */
static uint32_t batch_of(struct od_onnx *onnx, const struct od_shape *shape,
                         const struct od_view *words)
{
    uint32_t at = 0;
    while (at < shape->n && !od_view_has(words[at], OD_VIEW("batch")))
        at++;
    at = at < shape->n ? at : 0;
    if (onnx->batch == 0 && shape->n > 0) {
        bool open = shape->dims[at] == OD_DIM_UNKNOWN || shape->dims[at] == 0;
        onnx->batch = open ? OD_ONNX_STAND_IN : shape->dims[at];
        onnx->batch_word = words[at];
    }
    return at;
}

static void fill_open(struct od_onnx *onnx, struct od_shape *shape, const struct od_view *words,
                      bool input)
{
    uint32_t batch = input ? batch_of(onnx, shape, words) : OD_SHAPE_MAX;
    for (uint32_t i = 0; i < shape->n; i++) {
        bool same = words[i].n > 0 && od_view_eq(words[i], onnx->batch_word);
        if (shape->dims[i] != OD_DIM_UNKNOWN)
            continue;
        shape->dims[i] = i == batch || same ? onnx->batch : size_of(onnx, words[i]);
        if (input && shape->dims[i] == OD_DIM_UNKNOWN && onnx->open.n == 0)
            onnx->open = words[i];
    }
}

/* Reads TypeProto.tensor_type.shape.dim: each dimension is a number, or a name if it is open. */
static struct od_shape read_type(struct od_onnx *onnx, struct od_view type, bool input)
{
    struct od_proto_field field;
    struct od_shape shape = {0};
    struct od_view tensor = {0}, dims = {0}, words[OD_SHAPE_MAX] = {{0}};
    if (od_proto_next(&type, &field) == OD_PROTO_FIELD && field.number == 1)
        tensor = field.bytes;
    while (od_proto_next(&tensor, &field) == OD_PROTO_FIELD)
        if (field.number == 2 && field.type == OD_PROTO_BYTES) {
            dims = field.bytes;
            shape.known = true;
        }
    while (od_proto_next(&dims, &field) == OD_PROTO_FIELD && shape.n < OD_SHAPE_MAX) {
        shape.dims[shape.n] = read_dim(field.bytes, &words[shape.n]);
        shape.n++;
    }
    fill_open(onnx, &shape, words, input);
    return shape;
}

static void take_value(struct od_onnx *onnx, struct od_view message, bool input)
{
    struct od_proto_field field;
    struct od_view name = {0}, type = {0};
    while (od_proto_next(&message, &field) == OD_PROTO_FIELD) {
        if (field.number == 1)
            name = field.bytes;
        else if (field.number == 2)
            type = field.bytes;
    }
    struct od_onnx_value *value = od_onnx_value_of(onnx, name);
    if (value->weight || value->ints.known || value->shape.known)
        return;
    value->shape = read_type(onnx, type, input);
    if (!input)
        return;
    struct od_layer row = od_layer_blank();
    row.name = od_arena_view(onnx->file->arena, name);
    row.type = OD_VIEW("Input");
    row.kind = OD_LAYER_INPUT;
    (void)od_onnx_sample(onnx, &value->shape, &row.output);
    row.noutputs = 1;
    row.parameters = od_count_of(0);
    od_vec_push(&onnx->model.layers, row);
    value->row = (uint32_t)onnx->model.layers.n;
}

/* Reads a Constant, whose value is an attribute. */
static void take_constant(struct od_onnx *onnx, const struct od_onnx_node *node)
{
    struct od_view message, name = {0};
    struct od_proto_field field;
    struct od_onnx_value value = {0};
    uint64_t elements;
    if (node->noutputs == 0 || !od_onnx_attribute(node, "value", &message))
        return;
    while (od_proto_next(&message, &field) == OD_PROTO_FIELD)
        if (field.number == 5 && field.type == OD_PROTO_BYTES)
            read_tensor(field.bytes, &value, &name, &elements);
    value.weight = false;
    *od_onnx_value_of(onnx, node->outputs[0]) = value;
}

static void take_node(struct od_onnx *onnx, struct od_view message)
{
    struct od_onnx_node node = {.attributes = message};
    struct od_proto_field field;
    while (od_proto_next(&message, &field) == OD_PROTO_FIELD) {
        if (field.number == NODE_INPUT && node.ninputs < OD_ONNX_INPUTS)
            node.inputs[node.ninputs++] = field.bytes;
        else if (field.number == NODE_OUTPUT && node.noutputs < OD_ONNX_INPUTS)
            node.outputs[node.noutputs++] = field.bytes;
        else if (field.number == NODE_NAME)
            node.name = field.bytes;
        else if (field.number == NODE_OP)
            node.op = field.bytes;
    }
    if (onnx->values.n > VALUES_MAX || node.noutputs == 0)
        return;
    if (od_view_eq_str(node.op, "Constant")) {
        take_constant(onnx, &node);
        return;
    }
    /* grows the vector here, so that pointers into it stay valid below */
    for (uint32_t i = 0; i < node.ninputs; i++)
        (void)od_onnx_value_of(onnx, node.inputs[i]);
    for (uint32_t i = 0; i < node.noutputs; i++)
        (void)od_onnx_value_of(onnx, node.outputs[i]);
    od_onnx_infer(onnx, &node);
    od_onnx_add(onnx, &node);
}

/* Reads weights first, then inputs and given values, then operations, as a file has any order. */
static void read_graph(struct od_onnx *onnx, struct od_view graph)
{
    static const uint32_t order[] = {GRAPH_INITIALIZER, GRAPH_INPUT, GRAPH_VALUE, GRAPH_NODE};
    for (size_t i = 0; i < OD_COUNT_OF(order); i++) {
        struct od_view rest = graph;
        struct od_proto_field field;
        while (od_proto_next(&rest, &field) == OD_PROTO_FIELD) {
            if (field.number == GRAPH_NAME && i == 0)
                onnx->model.name = od_arena_view(onnx->file->arena, field.bytes);
            if (field.number != order[i] || field.type != OD_PROTO_BYTES)
                continue;
            if (order[i] == GRAPH_INITIALIZER)
                take_initializer(onnx, field.bytes);
            else if (order[i] == GRAPH_NODE)
                take_node(onnx, field.bytes);
            else
                take_value(onnx, field.bytes, order[i] == GRAPH_INPUT);
        }
    }
}

/* Can batch norms be folded into the convolutions before them? Exporters do that unless they export
 * for training. */
static bool may_be_folded(const struct od_model *model)
{
    enum { SOME = 4 };
    size_t convs = 0;
    for (size_t i = 0; i < model->layers.n; i++) {
        enum od_layer_kind kind = model->layers.items[i].kind;
        convs += kind == OD_LAYER_CONV;
        if (kind == OD_LAYER_BATCH_NORM || kind == OD_LAYER_NORM || kind == OD_LAYER_DROPOUT)
            return false;
    }
    return convs >= SOME;
}

/* Reports a graph across samples whose memory is not computed, because the known part could be
 * taken for the whole. */
static void say_across(struct od_onnx *onnx)
{
    for (size_t i = 0; i < onnx->model.layers.n; i++)
        onnx->model.layers.items[i].output.known = false;
    od_file_say(onnx->file, OD_WARNING, NULL,
                "%" PRIu64 " operations compute across samples: their size grows with the square "
                "of the batch, so activations are not counted",
                onnx->across);
}

static enum od_err emit(struct od_onnx *onnx)
{
    struct od_model *model = &onnx->model;
    if (onnx->overflow || model->layers.n < 2) {
        od_file_say(onnx->file, OD_ERROR, NULL, "%s",
                    onnx->overflow ? "the sizes exceed 64 bits" : "the graph has no operations");
        return OD_LOST;
    }
    if (may_be_folded(model))
        od_file_say(onnx->file, OD_WARNING,
                    "export it for training: torch.onnx.export(..., "
                    "training=TrainingMode.TRAINING, do_constant_folding=False)",
                    "no batch norm and no dropout: an export for inference leaves them out, and "
                    "training keeps more then");
    if (onnx->unsized > 0 && onnx->open.n > 0)
        od_file_say(onnx->file, OD_WARNING, "say how large it is, as in --dim seq=128",
                    "%" PRIu64 " operations have no size and are not counted: dimension '%.*s' is "
                    "open",
                    onnx->unsized, (int)onnx->open.n, onnx->open.p);
    else if (onnx->unsized > 0)
        od_file_say(onnx->file, OD_WARNING,
                    "onnx.save(onnx.shape_inference.infer_shapes(onnx.load(a), data_prop=True), b) "
                    "writes the sizes into the file",
                    "%" PRIu64 " operations have no size and are not counted", onnx->unsized);
    if (onnx->across > 0)
        say_across(onnx);
    model->parameters = od_count_of(onnx->weights);
    od_file_put_model(onnx->file, model, "onnx", "ONNX model");
    return OD_OK;
}

static enum od_err read(const struct od_file *file)
{
    struct od_onnx onnx = {.file = file,
                           .model = {.format = OD_MODEL_ONNX,
                                     .at = {.source = file->source, .line = 1, .nlines = 1},
                                     .all_operations = true,
                                     .complete = true}};
    struct od_view rest = file->bytes;
    struct od_proto_field field;
    enum od_proto_result result;
    while ((result = od_proto_next(&rest, &field)) == OD_PROTO_FIELD) {
        if (field.number == MODEL_PRODUCER)
            onnx.model.framework = od_view_starts(field.bytes, OD_VIEW("tf2onnx"))
                                       ? OD_VIEW("tensorflow")
                                       : OD_VIEW("pytorch");
        if (field.number == MODEL_GRAPH && field.type == OD_PROTO_BYTES)
            read_graph(&onnx, field.bytes);
    }
    enum od_err err = OD_LOST;
    if (result == OD_PROTO_END)
        err = emit(&onnx);
    else
        od_file_say(file, OD_ERROR, NULL, "the file is cut or damaged");
    od_map_done(&onnx.names);
    od_vec_done(&onnx.values);
    od_model_done(&onnx.model);
    return err;
}

const struct od_file_reader od_file_reader_onnx = {.name = "onnx", .bids = bids, .read = read};
