/*
 * torchinfo's summary() and its predecessor torch-summary: a tree of modules, "├─Conv2d: 1-1", "│
 * └─Conv2d (conv1): 3-2" or with '|' and '+', with any columns in any order. Modules below the
 * requested depth are not shown; the module that contains them has their numbers. Rows for single
 * weights (verbose=2) are not layers.
 */
#include "models/printed/model_text.h"

struct tree {
    struct od_model_columns columns;
};

static const char *const literals[] = {"Layer (type", NULL};

static bool begins(struct od_model_builder *b, struct od_view text)
{
    struct tree *own = b->own;
    if (!od_model_columns_read(text, &own->columns) || own->columns.boxed ||
        od_model_columns_find(&own->columns, OD_COL_CONNECTED) != SIZE_MAX)
        return false;
    b->headed = true;
    return true;
}

/* Removes the branches before a name, five columns for each level. The root has none. */
static struct od_view take_branches(struct od_view text, uint32_t *ret_depth)
{
    static const char *const forks[] = {"\xe2\x94\x9c\xe2\x94\x80", "\xe2\x94\x94\xe2\x94\x80",
                                        "+ ", NULL};
    uint32_t depth = 0;
    *ret_depth = 0;
    for (;;) {
        od_view_skip_blanks(&text);
        if (od_view_take_any(&text, forks)) {
            *ret_depth = depth + 1;
            od_view_skip_blanks(&text);
            return text;
        }
        if (!od_model_take_bar(&text))
            return text;
        depth++;
    }
}

static bool split_row(const struct tree *own, struct od_view text, struct od_view *ret_name,
                      struct od_view *ret_cells)
{
    size_t start = own->columns.n > 1 ? own->columns.start[1] : SIZE_MAX;
    struct od_view head = od_model_cut(text, 0, start);
    bool at_column = od_view_ends(head, OD_VIEW(" ")) && head.n < text.n;
    if (!at_column) { /* without columns, two blanks end a name */
        uint32_t depth;
        size_t gap = od_view_find(text, OD_VIEW("  "), text.n - take_branches(text, &depth).n);
        if (gap == OD_VIEW_NONE)
            return false;
        head = od_view_head(text, gap);
    }
    *ret_name = od_view_trim(head);
    *ret_cells = od_view_from(text, head.n);
    return ret_name->n > 0;
}

static bool is_type_letter(char c)
{
    return od_is_word(c) || c == '.' || c == '[' || c == ']';
}

/* Reads "Conv2d: 1-1", "Conv2d (conv1): 3-2", "Conv2d (conv1)", "Conv2d". */
static bool read_name(struct od_view text, struct od_layer *layer)
{
    struct od_view rest = text;
    size_t n = od_past(rest, 0, is_type_letter);
    if (n == 0)
        return false;
    layer->type = od_view_head(rest, n);
    rest = od_view_from(rest, n);
    size_t close = od_view_find_char(rest, ')', 0);
    if (od_view_take(&rest, OD_VIEW(" (")) && close != OD_VIEW_NONE) {
        layer->name = od_view_head(rest, close - 2);
        rest = od_view_from(rest, close - 1);
    }
    if (layer->name.n == 0)
        layer->name = text;
    layer->kind = od_model_torch_kind(layer->type);
    return od_view_trim(rest).n == 0 || od_view_starts(rest, OD_VIEW(": "));
}

static bool is_weight(struct od_view cell)
{
    return od_view_starts(cell, OD_VIEW("\xe2\x94\x9c\xe2\x94\x80")) ||
           od_view_starts(cell, OD_VIEW("\xe2\x94\x94\xe2\x94\x80")) ||
           od_view_starts(cell, OD_VIEW("|")) || od_view_starts(cell, OD_VIEW("+"));
}

enum row { NO_ROW, WEIGHT_ROW, LAYER_ROW };

static enum row read_cells(const struct tree *own, struct od_view cells, struct od_layer *layer)
{
    struct od_view cell;
    size_t column = 1;
    for (; column < own->columns.n && od_model_next_cell(&cells, &cell); column++) {
        if (is_weight(cell))
            return WEIGHT_ROW;
        if (!od_model_cell_read(own->columns.what[column], cell, layer))
            return NO_ROW;
    }
    size_t params = od_model_columns_find(&own->columns, OD_COL_PARAMS);
    bool all = column == own->columns.n || (params != SIZE_MAX && column > params);
    return all ? LAYER_ROW : NO_ROW;
}

/* Can the row be the first one, which has no branch? Without depths in the names the table could be
 * torchsummary's or Keras'. */
static bool may_be_first(const struct tree *own, struct od_view name)
{
    if (own->columns.depth_idx || own->columns.var_name)
        return true;
    char last = name.p[name.n - 1];
    return od_view_find_char(name, '(', 0) == OD_VIEW_NONE &&
           !(od_view_find_char(name, '-', 0) != OD_VIEW_NONE && last >= '0' && last <= '9');
}

static enum row row_of(struct od_model_builder *b, struct od_view text)
{
    const struct tree *own = b->own;
    struct od_layer layer = od_layer_blank();
    struct od_view name, cells;
    if (!split_row(own, text, &name, &cells))
        return NO_ROW;
    name = take_branches(name, &layer.depth);
    if (name.n == 0 || (b->model.layers.n == 0 && !may_be_first(own, name)))
        return NO_ROW;
    enum row row = read_cells(own, cells, &layer);
    if (row != LAYER_ROW)
        return row;
    bool branch = layer.depth > 0;
    if (!read_name(name, &layer) || (!branch && b->model.layers.n > 0))
        return NO_ROW;
    if (b->model.layers.n == 0 && !branch)
        b->model.name = od_model_text(b, layer.type);
    (void)od_model_add(b, &layer);
    return LAYER_ROW;
}

static bool looks_like_row(struct od_view text)
{
    uint32_t depth;
    (void)take_branches(text, &depth);
    return depth > 0;
}

static bool read_row(struct od_model_builder *b, struct od_view text)
{
    return row_of(b, text) != NO_ROW;
}

static enum od_model_line line(struct od_model_builder *b, struct od_view text)
{
    return od_model_table_line(b, text, read_row, looks_like_row);
}

/* Sets the batch: torchinfo runs the model on a batch, so the first shape starts with its size. */
static void finish(struct od_model_builder *b)
{
    struct od_model *model = &b->model;
    od_model_mark_containers(model);
    for (size_t i = 0; i < model->layers.n; i++) {
        const struct od_shape *shape = &model->layers.items[i].output;
        if (!shape->known || shape->n < 2)
            continue;
        if (shape->dims[0] != OD_DIM_UNKNOWN)
            model->batch = od_count_of(shape->dims[0]);
        return;
    }
}

static const struct od_model_dialect dialect = {
    .name = "torchinfo",
    .format = OD_MODEL_TORCHINFO,
    .framework = "pytorch",
    .own_size = sizeof(struct tree),
    .begins = begins,
    .line = line,
    .finish = finish,
};

const struct od_reader od_reader_torchinfo = {
    .name = "torchinfo",
    .literals = literals,
    OD_MODEL_READER(dialect),
};
