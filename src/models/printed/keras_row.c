#include "models/printed/keras_row.h"

#include "models/printed/model_text.h"

#define ELLIPSIS "\xe2\x80\xa6"

enum {
    LINKS_MAX = 256, /* maximum number of inputs of a layer */
    CELL_MAX = 16384,
    /* maximum number of rows searched for truncated names; later names stay unresolved */
    SEARCHED_MAX = 4000000
};

void od_keras_row_done(struct od_keras_row *row)
{
    od_buf_done(&row->name);
    od_buf_done(&row->shape);
    od_buf_done(&row->params);
    od_buf_done(&row->links);
}

void od_keras_row_start(struct od_keras_row *row, struct od_prov at)
{
    row->open = true;
    row->at = at;
    row->depth = 0;
    row->trainable = (struct od_view){0};
    row->name.n = row->shape.n = row->params.n = row->links.n = 0;
}

bool od_keras_row_wants_name(const struct od_keras_row *row)
{
    return row->open && !od_view_ends(od_buf_view(&row->name), OD_VIEW(")"));
}

bool od_keras_row_wants_shape(const struct od_keras_row *row)
{
    struct od_view shape = od_buf_view(&row->shape);
    long depth = 0;
    for (size_t i = 0; i < shape.n; i++) {
        depth += shape.p[i] == '(' || shape.p[i] == '[' || shape.p[i] == '{';
        depth -= shape.p[i] == ')' || shape.p[i] == ']' || shape.p[i] == '}';
    }
    return row->open && depth > 0;
}

/* Keras 2 wraps a printed list anywhere, even within a name. Other versions start a new reference
 * on each line. */
void od_keras_row_add_links(struct od_keras_row *row, struct od_view piece)
{
    bool list = row->links.n > 0 && row->links.p[0] == '[';
    if (row->links.n + piece.n > CELL_MAX)
        return;
    if (!list && row->links.n > 0)
        od_buf_add_char(&row->links, ' ');
    od_buf_add(&row->links, piece);
}

/* ---- names and kinds ---- */

struct split {
    struct od_view name, type;
    bool name_cut, type_cut;
};

static bool take_ellipsis(struct od_view *text)
{
    if (!od_view_ends(*text, OD_VIEW(ELLIPSIS)))
        return false;
    text->n -= sizeof ELLIPSIS - 1;
    return true;
}

/* Splits a cell into name and type: "conv2d (Conv2D)", "batch_normalization_1 (BatchNor",
 * "batch_norm…(BatchNormalizatio…". */
static struct split split_name(struct od_view cell)
{
    struct split split = {0};
    size_t open = cell.n;
    while (open > 0 && cell.p[open - 1] != '(')
        open--;
    if (open == 0) {
        split.name = cell;
        split.name_cut = split.type_cut = true;
        (void)take_ellipsis(&split.name);
        return split;
    }
    split.name = od_view_trim(od_view_head(cell, open - 1));
    split.type = od_view_trim(od_view_from(cell, open));
    if (od_view_ends(split.type, OD_VIEW(")")))
        split.type.n--;
    else
        split.type_cut = true;
    split.type_cut = take_ellipsis(&split.type) || split.type_cut;
    split.name_cut = take_ellipsis(&split.name);
    return split;
}

/* Is it a type that wraps an operation, which only the name shows? */
static bool is_wrapper(struct od_view type)
{
    static const char *const words[] = {"TFOpLambda", "TensorFlowOpLayer", "Operation"};
    for (size_t i = 0; i < OD_COUNT_OF(words); i++) {
        struct od_view word = od_view_of(words[i]);
        if (type.n > 4 && od_view_starts(word, type))
            return true;
    }
    return false;
}

/* The operation in a name: "Relu_3" of "tf_op_layer_Relu_3". */
static struct od_view operation_of(struct od_view name)
{
    (void)od_view_take(&name, OD_VIEW("tf_op_layer_"));
    return name;
}

static enum od_layer_kind kind_of(const struct split *split)
{
    enum od_layer_kind kind = OD_LAYER_OTHER;
    if (!is_wrapper(split->type))
        kind =
            split->type_cut ? od_layer_kind_find_cut(split->type) : od_layer_kind_find(split->type);
    else
        return od_layer_kind_of_name(operation_of(split->name));
    if (kind == OD_LAYER_OTHER && split->type_cut && !split->name_cut)
        kind = od_layer_kind_of_name(split->name);
    return kind;
}

static bool between_links(char c)
{
    return c == ' ' || c == ',' || c == '\'' || c == '"' || c == '[' || c == ']' || c == '\t';
}

/* The next name in "['a[0][0]', 'b[0][0]']", "a[0][0] b[0][1]", "a[0][0], long_na…". *ret_cut: the
 * edge of the table truncated it. */
static bool next_link(struct od_view *text, struct od_view *ret_name, bool *ret_cut)
{
    size_t at = 0, end;
    at = od_past(*text, at, between_links);
    struct od_view rest = od_view_from(*text, at);
    end = od_until_any(rest, 0, "[ ,'\"");
    *ret_name = od_view_head(rest, end);
    *ret_cut = end == rest.n || rest.p[end] != '[';
    *ret_cut = take_ellipsis(ret_name) || *ret_cut;
    /* skips the indices of node and tensor, possibly truncated: "[0][0]", "[0]…" */
    end = od_until_any(rest, end, " ,'\"");
    *text = od_view_from(rest, end);
    return ret_name->n > 0;
}

static bool same_shape_or_unknown(const struct od_layer *a, const struct od_layer *b, bool one_off)
{
    const struct od_shape *x = &a->output, *y = &b->output;
    size_t differ = 0;
    if (!x->known || !y->known)
        return true;
    if (x->n != y->n)
        return false;
    for (uint32_t i = 0; i < x->n; i++)
        differ += x->dims[i] != y->dims[i];
    return differ <= one_off;
}

/* Do the shapes allow that the layer reads `from`? */
static bool may_read(const struct od_layer *layer, const struct od_layer *from)
{
    bool same = layer->kind == OD_LAYER_ADD || layer->kind == OD_LAYER_BATCH_NORM ||
                layer->kind == OD_LAYER_NORM || layer->kind == OD_LAYER_RELU ||
                layer->kind == OD_LAYER_ACTIVATION || layer->kind == OD_LAYER_DROPOUT;
    bool joins = layer->kind == OD_LAYER_CONCAT;
    return !(same || joins) || same_shape_or_unknown(layer, from, joins);
}

static bool is_linked(const struct od_model *model, size_t first, uint32_t index)
{
    for (size_t i = first; i < model->inputs.n; i++) {
        if (model->inputs.items[i] == index)
            return true;
    }
    return false;
}

/* Finds the layer with a truncated name: the nearest previous row that starts like it, has no
 * reader yet and has a compatible shape, otherwise the nearest row that starts like it. */
static uint32_t find_cut(struct od_keras_row *self, const struct od_model_builder *builder,
                         const struct od_layer *layer, struct od_view start)
{
    const struct od_model *model = &builder->model;
    uint32_t nearest = UINT32_MAX;
    size_t n = model->layers.n;
    for (size_t back = 1; start.n > 0 && back <= n && self->searched < SEARCHED_MAX; back++) {
        const struct od_layer *row = &model->layers.items[n - back];
        uint32_t index = (uint32_t)(n - back);
        self->searched++;
        if (!od_view_starts(row->name, start) || is_linked(model, layer->first_input, index))
            continue;
        if (may_read(layer, row))
            return index;
        if (nearest == UINT32_MAX)
            nearest = index;
    }
    return nearest;
}

/* Sets either all links of the layer or none, because some of them would be misleading. */
static void link_layer(struct od_keras_row *row, struct od_model_builder *builder,
                       struct od_layer *layer)
{
    struct od_model *model = &builder->model;
    struct od_view links = od_buf_view(&row->links);
    struct od_view name;
    bool cut;
    size_t first = model->inputs.n;
    layer->first_input = (uint32_t)first;
    while (next_link(&links, &name, &cut)) {
        if (od_view_eq_str(name, "-"))
            continue;
        uint32_t index = cut ? find_cut(row, builder, layer, name) : od_model_find(builder, name);
        if (index == UINT32_MAX || model->inputs.n - first == LINKS_MAX) {
            model->inputs.n = first;
            break;
        }
        od_vec_push(&model->inputs, index);
    }
    layer->ninputs = (uint32_t)(model->inputs.n - first);
}

/* Removes the marks of nesting in Keras 3: " └ dense (Dense)" has three blanks and a corner per
 * level. */
static struct od_view take_corner(struct od_view cell, uint32_t *depth)
{
    size_t blanks = od_past_any(cell, 0, " ");
    struct od_view rest = od_view_from(cell, blanks);
    if (!od_view_take(&rest, OD_VIEW("\xe2\x94\x94")))
        return od_view_trim(cell);
    *depth = blanks >= 3 ? (uint32_t)(blanks / 3) : 1;
    return od_view_trim(rest);
}

void od_keras_row_finish(struct od_keras_row *row, struct od_model_builder *builder)
{
    if (!row->open)
        return;
    row->open = false;
    struct split split = split_name(take_corner(od_buf_view(&row->name), &row->depth));
    struct od_layer layer = od_layer_blank();
    layer.name = split.name;
    layer.type = split.type;
    layer.kind = kind_of(&split);
    layer.depth = row->depth;
    layer.at = row->at;
    od_model_output_read(od_buf_view(&row->shape), &layer);
    (void)od_model_params_read(od_buf_view(&row->params), &layer);
    if (od_view_eq_str(row->trainable, "N"))
        layer.trainable = od_count_of(0);
    size_t first = builder->model.inputs.n;
    link_layer(row, builder, &layer);
    if (!od_model_add(builder, &layer))
        builder->model.inputs.n = first;
}
