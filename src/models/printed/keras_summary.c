/*
 * Keras' model.summary(), all versions. Keras 1 and classic Keras 2: columns, with cells truncated
 * at their edge (the last letter becomes a blank), rows between lines of '_', and further
 * "Connected to" references below the first. Keras 2.7 to 2.15: cells wrapped within words, rows
 * between empty lines, nested models (if expanded) between bars. Keras 3: a box, with cells wrapped
 * at words and an ellipsis for text that does not fit; without Unicode the box is drawn with '+',
 * '-' and '|'.
 *
 * torchsummary has the same heading; a table whose first row is not Keras' is dropped.
 */
#include "models/printed/keras_row.h"
#include "models/printed/model_text.h"

struct keras {
    struct od_model_columns columns;
    size_t name_at, shape_at, params_at, links_at, trainable_at;
    struct od_keras_row row;
};

static const char *const literals[] = {"Layer (type)", "Model: \"", NULL};

/* Reads the name of a model: Model: "resnet". */
static bool take_model_name(struct od_view text, struct od_view *ret_name)
{
    text = od_view_trim(text);
    if (!od_view_take(&text, OD_VIEW("Model: \"")) || text.n < 1 || text.p[text.n - 1] != '"')
        return false;
    *ret_name = od_view_head(text, text.n - 1);
    return true;
}

static bool take_heading(struct od_model_builder *b, struct od_view text)
{
    struct keras *k = b->own;
    struct od_model_columns columns;
    if (!od_model_columns_read(text, &columns) || columns.depth_idx || columns.var_name)
        return false;
    k->columns = columns;
    k->name_at = od_model_columns_find(&columns, OD_COL_LAYER);
    k->shape_at = od_model_columns_find(&columns, OD_COL_OUTPUT);
    k->params_at = od_model_columns_find(&columns, OD_COL_PARAMS);
    k->links_at = od_model_columns_find(&columns, OD_COL_CONNECTED);
    k->trainable_at = od_model_columns_find(&columns, OD_COL_TRAINABLE);
    k->row.boxed = columns.boxed;
    b->headed = k->shape_at != SIZE_MAX && k->params_at != SIZE_MAX;
    return b->headed;
}

static bool begins(struct od_model_builder *b, struct od_view text)
{
    struct od_view name;
    if (take_model_name(text, &name)) {
        b->model.name = od_model_text(b, name);
        return true;
    }
    return take_heading(b, text);
}

struct cells {
    struct od_view at[OD_MODEL_COLUMNS];
    uint32_t depth;
    bool name_full; /* the name fills its column, so that its end may be missing */
};

static struct od_view cell_of(const struct cells *cells, size_t column)
{
    return column == SIZE_MAX ? (struct od_view){0} : cells->at[column];
}

static struct od_view without_bars_after(struct od_view text)
{
    text = od_view_trim(text);
    while (od_view_ends(text, OD_VIEW("|")))
        text = od_view_trim(od_view_head(text, text.n - 1));
    return text;
}

static bool cut_box(const struct keras *k, struct od_view text, struct cells *cells)
{
    size_t n = od_model_cells(text, cells->at, OD_MODEL_COLUMNS);
    if (n != k->columns.n)
        return false;
    for (size_t i = 0; i < n; i++) {
        if (i != k->name_at) /* leading blanks mark the nesting */
            cells->at[i] = od_view_trim(cells->at[i]);
    }
    return true;
}

/* Removes the bars before the rows of a nested model, one for each level. */
static struct od_view take_bars(struct od_view cell, uint32_t *depth)
{
    while (od_view_take(&cell, OD_VIEW("|")))
        ++*depth;
    return od_view_trim(cell);
}

static bool cut_columns(const struct keras *k, struct od_view text, struct cells *cells)
{
    const struct od_model_columns *columns = &k->columns;
    for (size_t i = 0; i < columns->n; i++) {
        size_t end = i + 1 < columns->n ? columns->start[i + 1] : SIZE_MAX;
        struct od_view raw = od_model_cut(text, columns->start[i], end);
        bool last = end == SIZE_MAX;
        if (!last && raw.n >= end - columns->start[i] && raw.p[raw.n - 1] != ' ')
            return false;
        cells->at[i] = last ? without_bars_after(raw) : od_view_trim(raw);
        if (i == k->name_at) {
            cells->name_full = od_view_trim(raw).n + columns->indent + 2 >= end;
            cells->at[i] = take_bars(cells->at[i], &cells->depth);
        }
    }
    return true;
}

/* Splits a row that lost its columns: "conv2d (Conv2D) (None, 30, 30, 8) 224 a[0][0]". */
static bool cut_words(const struct keras *k, struct od_view text, struct cells *cells)
{
    uint32_t depth = 0;
    text = take_bars(od_view_trim(text), &depth);
    size_t open = od_view_find(text, OD_VIEW(" ("), 0);
    size_t close = open == OD_VIEW_NONE ? open : od_view_find_char(text, ')', open);
    if (close == OD_VIEW_NONE || od_view_find_char(od_view_head(text, open), ' ', 0) < open)
        return false;
    struct od_view rest = od_view_from(text, close + 1);
    cells->depth = depth;
    cells->at[k->name_at] = od_view_head(text, close + 1);
    if (!od_model_next_cell(&rest, &cells->at[k->shape_at]) ||
        !od_model_next_cell(&rest, &cells->at[k->params_at]))
        return false;
    if (k->links_at != SIZE_MAX)
        cells->at[k->links_at] = od_view_trim(rest);
    return true;
}

static bool is_shape(struct od_view text)
{
    return text.n > 0 && (text.p[0] == '(' || text.p[0] == '[' || text.p[0] == '{' ||
                          od_view_eq_str(text, "multiple") || od_view_eq_str(text, "?") ||
                          od_view_eq_str(text, "unknown") || od_view_eq_str(text, "unbuilt"));
}

/* Does the line start a row? Only the first line of a row has a number of parameters. */
static bool is_row(const struct keras *k, const struct cells *cells)
{
    struct od_layer probe = od_layer_blank();
    struct od_view name = od_view_trim(cell_of(cells, k->name_at));
    if (name.n == 0 || !od_model_params_read(cell_of(cells, k->params_at), &probe) ||
        !is_shape(cell_of(cells, k->shape_at)))
        return false;
    return k->columns.boxed || cells->name_full || od_view_has(name, OD_VIEW(" ("));
}

static void start_row(struct od_model_builder *b, const struct cells *cells)
{
    struct keras *k = b->own;
    struct od_keras_row *row = &k->row;
    od_keras_row_finish(row, b);
    od_keras_row_start(row, b->at);
    row->depth = cells->depth;
    struct od_view name = cell_of(cells, k->name_at);
    while (od_view_ends(name, OD_VIEW(" ")))
        name.n--;
    od_buf_add(&row->name, name);
    od_buf_add(&row->shape, cell_of(cells, k->shape_at));
    od_buf_add(&row->params, cell_of(cells, k->params_at));
    od_keras_row_add_links(row, cell_of(cells, k->links_at));
    if (od_view_eq_str(cell_of(cells, k->trainable_at), "N"))
        row->trainable = OD_VIEW("N");
}

/* Appends the cells of a further line to the incomplete cells of the row. */
static bool continue_row(struct od_model_builder *b, const struct cells *cells)
{
    struct keras *k = b->own;
    struct od_keras_row *row = &k->row;
    struct od_view name = od_view_trim(cell_of(cells, k->name_at));
    struct od_view shape = cell_of(cells, k->shape_at);
    struct od_view links = cell_of(cells, k->links_at);
    struct od_view params = cell_of(cells, k->params_at);
    bool unbuilt = od_view_eq_str(params, "(unbuilt)") || od_view_eq_str(params, "(unused)");
    if (!row->open || (params.n > 0 && !unbuilt))
        return false;
    if ((name.n > 0 && !od_keras_row_wants_name(row)) ||
        (shape.n > 0 && !od_keras_row_wants_shape(row)) ||
        name.n + shape.n + links.n + params.n == 0)
        return false;
    od_buf_add(&row->params, params);
    od_buf_add(&row->name, name);
    od_buf_add(&row->shape, shape);
    od_keras_row_add_links(row, links);
    return true;
}

/* Does the line look like the start of a row that cannot be read completely? */
static bool looks_like_row(struct od_view text)
{
    text = od_view_trim(text);
    size_t open = od_view_find(text, OD_VIEW(" ("), 0);
    size_t close = open == OD_VIEW_NONE ? open : od_view_find(text, OD_VIEW(") "), open);
    return close != OD_VIEW_NONE && od_view_find_char(od_view_head(text, open), ' ', 0) >= open &&
           od_view_has(od_view_from(text, close), OD_VIEW(" ("));
}

static enum od_model_line read_row(struct od_model_builder *b, struct od_view text)
{
    struct keras *k = b->own;
    struct cells cells = {0};
    bool cut = k->columns.boxed ? cut_box(k, text, &cells) : cut_columns(k, text, &cells);
    if (cut && continue_row(b, &cells))
        return OD_MODEL_TAKEN;
    if (!cut || !is_row(k, &cells)) {
        cells = (struct cells){0};
        cut = !k->columns.boxed && cut_words(k, text, &cells) && is_row(k, &cells);
    }
    if (cut) {
        start_row(b, &cells);
        return OD_MODEL_TAKEN;
    }
    od_keras_row_finish(&k->row, b);
    if (b->model.layers.n == 0 || !looks_like_row(text))
        return OD_MODEL_FOREIGN;
    od_model_unreadable(b);
    return OD_MODEL_TAKEN;
}

static enum od_model_line line(struct od_model_builder *b, struct od_view text)
{
    struct keras *k = b->own;
    struct od_view name;
    if (!b->headed) {
        if (od_model_is_rule(text) || od_model_is_blank(text) || take_heading(b, text))
            return OD_MODEL_TAKEN;
        return OD_MODEL_ENDS;
    }
    if (take_model_name(text, &name) || od_view_has(text, OD_VIEW("Layer (type")))
        return OD_MODEL_ENDS;
    if (od_model_take_total(b, text)) {
        od_keras_row_finish(&k->row, b);
        return OD_MODEL_TAKEN;
    }
    if (od_model_is_rule(text)) {
        od_keras_row_finish(&k->row, b);
        return OD_MODEL_TAKEN;
    }
    if (b->has_totals)
        return OD_MODEL_ENDS;
    if (od_model_is_blank(text)) {
        od_keras_row_finish(&k->row, b);
        return OD_MODEL_TAKEN;
    }
    return read_row(b, text);
}

static void finish(struct od_model_builder *b)
{
    struct keras *k = b->own;
    struct od_view params = od_buf_view(&k->row.params);
    /* may be the start of "(unbuilt)" */
    if (k->columns.boxed && od_view_eq_str(params, "0"))
        k->row.params.n = 0;
    od_keras_row_finish(&k->row, b);
    od_model_mark_containers(&b->model);
}

static void release(void *own)
{
    struct keras *k = own;
    od_keras_row_done(&k->row);
}

static const struct od_model_dialect dialect = {
    .name = "keras_summary",
    .format = OD_MODEL_KERAS,
    .framework = "tensorflow",
    .own_size = sizeof(struct keras),
    .begins = begins,
    .line = line,
    .finish = finish,
    .release = release,
};

const struct od_reader od_reader_keras_summary = {
    .name = "keras_summary",
    .literals = literals,
    OD_MODEL_READER(dialect),
};
