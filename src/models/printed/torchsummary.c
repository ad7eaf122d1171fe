/*
 * torchsummary's summary() and its successors (torchsummary, torch-model-summary,
 * pytorch_model_summary): "Conv2d-1   [-1, 32, 80, 80]   864", one row for each call of a module,
 * children before their parent. The batch is -1, or the requested one.
 */
#include "models/printed/model_text.h"

struct rows {
    struct od_model_columns columns;
};

static const char *const literals[] = {"Layer (type)", NULL};

static bool begins(struct od_model_builder *b, struct od_view text)
{
    struct rows *own = b->own;
    if (!od_model_columns_read(text, &own->columns) || own->columns.boxed ||
        own->columns.depth_idx || own->columns.var_name ||
        od_model_columns_find(&own->columns, OD_COL_CONNECTED) != SIZE_MAX ||
        od_model_columns_find(&own->columns, OD_COL_PARAMS) == SIZE_MAX)
        return false;
    b->headed = true;
    return true;
}

/* Splits "Conv2d-1" into the type and the number of the call. */
static bool split_name(struct od_view cell, struct od_view *ret_type)
{
    size_t dash = od_back(cell, cell.n, od_is_digit);
    if (dash < 2 || dash == cell.n || cell.p[dash - 1] != '-')
        return false;
    *ret_type = od_view_head(cell, dash - 1);
    return true;
}

static bool read_row(struct od_model_builder *b, struct od_view text)
{
    const struct rows *own = b->own;
    struct od_layer layer = od_layer_blank();
    struct od_view cell;
    size_t column = 1;
    if (!od_model_next_cell(&text, &cell) || !split_name(cell, &layer.type))
        return false;
    layer.name = cell;
    layer.kind = od_model_torch_kind(layer.type);
    for (; column < own->columns.n && od_model_next_cell(&text, &cell); column++) {
        if (!od_model_cell_read(own->columns.what[column], cell, &layer))
            return false;
    }
    if (column <= od_model_columns_find(&own->columns, OD_COL_PARAMS))
        return false;
    (void)od_model_add(b, &layer);
    return true;
}

/* Does the line begin with the name of a row, but continue with other text? */
static bool looks_like_row(struct od_view text)
{
    struct od_view cell, type;
    return od_model_next_cell(&text, &cell) && split_name(cell, &type) &&
           od_view_starts(od_view_trim(text), OD_VIEW("["));
}

static enum od_model_line line(struct od_model_builder *b, struct od_view text)
{
    return od_model_table_line(b, text, read_row, looks_like_row);
}

/* Sets the batch, which is the first dimension of every shape. */
static void finish(struct od_model_builder *b)
{
    struct od_model *model = &b->model;
    uint64_t batch = 0;
    OD_FOR_EACH (const struct od_layer, layer, model->layers) {
        const struct od_shape *shape = layer->output.known ? &layer->output : &layer->input;
        if (!shape->known || shape->n == 0)
            continue;
        if (shape->dims[0] == OD_DIM_UNKNOWN)
            return;
        if (batch == 0)
            batch = shape->dims[0];
    }
    if (batch > 0)
        model->batch = od_count_of(batch);
}

static const struct od_model_dialect dialect = {
    .name = "torchsummary",
    .format = OD_MODEL_TORCHSUMMARY,
    .framework = "pytorch",
    .own_size = sizeof(struct rows),
    .begins = begins,
    .line = line,
    .finish = finish,
};

const struct od_reader od_reader_torchsummary = {
    .name = "torchsummary",
    .literals = literals,
    OD_MODEL_READER(dialect),
};
