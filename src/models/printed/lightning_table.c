/*
 * PyTorch Lightning's table of modules, printed when a fit starts:
 *
 *     | Name  | Type   | Params | Mode | In sizes | Out sizes
 *   ---------------------------------------------------------
 *   0 | net   | ResNet | 11.2 M | train | [1, 3] | [1, 10]
 *   ---------------------------------------------------------
 *   11.2 M    Trainable params
 *
 * Counts are rounded: down to a whole unit from 100 on, otherwise to a tenth. Dots in a name show
 * nesting.
 */
#include "models/model_builder.h"
#include "models/printed/model_text.h"

enum { COLUMNS = 12 };

enum what { NUMBER, NAME, TYPE, PARAMS, IN_SIZES, OUT_SIZES, OTHER };

struct table {
    enum what what[COLUMNS];
    size_t n;
};

static const char *const literals[] = {"| Name ", "| Name\t", NULL};

static bool next_cell(struct od_view *row, struct od_view *ret_cell)
{
    if (!od_view_cut(row, '|', ret_cell))
        return false;
    *ret_cell = od_view_trim(*ret_cell);
    return true;
}

static bool begins(struct od_model_builder *b, struct od_view text)
{
    static const struct {
        const char *title;
        enum what what;
    } titles[] = {{"Name", NAME},
                  {"Type", TYPE},
                  {"Params", PARAMS},
                  {"In sizes", IN_SIZES},
                  {"Out sizes", OUT_SIZES}};
    struct table *own = b->own;
    struct od_view cell;
    bool seen[OTHER] = {false};
    while (own->n < COLUMNS && next_cell(&text, &cell)) {
        enum what what = own->n == 0 && cell.n == 0 ? NUMBER : OTHER;
        for (size_t i = 0; i < OD_COUNT_OF(titles); i++) {
            if (od_view_eq_str(cell, titles[i].title))
                what = titles[i].what;
        }
        own->what[own->n++] = what;
        if (what != OTHER)
            seen[what] = true;
    }
    b->headed = own->what[0] == NUMBER && seen[NAME] && seen[TYPE] && seen[PARAMS];
    return b->headed;
}

/* Reads "11.2 M", "217 M", "1.5 K", "840", and the largest rounding error. */
static bool read_count(struct od_view text, struct od_count *ret_count, uint64_t *ret_slack)
{
    static const char *const units[] = {"", "K", "M", "B", "T"};
    struct od_view number;
    double value, scale = 1;
    size_t unit = 0;
    (void)od_view_cut(&text, ' ', &number);
    text = od_view_trim(text);
    while (unit < OD_COUNT_OF(units) && !od_view_eq_str(text, units[unit])) {
        unit++;
        scale *= 1000;
    }
    if (unit == OD_COUNT_OF(units) || !od_num_parse_double(number, &value) || value < 0 ||
        value > 99999)
        return false;
    bool tenths = od_view_find_char(number, '.', 0) != OD_VIEW_NONE;
    *ret_slack = 0;
    if (unit > 0 && tenths) {
        *ret_slack = (uint64_t)(scale / 20);
    } else if (unit > 0) {
        value += 0.5;
        *ret_slack = (uint64_t)(scale / 2);
    }
    *ret_count = od_count_of((uint64_t)(value * scale + 0.5));
    return true;
}

static bool read_cell(enum what what, struct od_view cell, struct od_layer *layer)
{
    struct od_layer probe = od_layer_blank();
    uint64_t number;
    switch (what) {
    case NUMBER:
        return od_num_parse_u64(cell, &number);
    case NAME:
        layer->name = cell;
        layer->depth = (uint32_t)od_view_count(cell, '.');
        return cell.n > 0;
    case TYPE:
        layer->type = cell;
        layer->kind = od_model_torch_kind(cell);
        return cell.n > 0;
    case PARAMS:
        return read_count(cell, &layer->parameters, &layer->parameters_slack) ||
               od_view_eq_str(cell, "?") || od_view_eq_str(cell, "n/a");
    case IN_SIZES:
        od_model_output_read(cell, &probe);
        layer->input = probe.output;
        return true;
    case OUT_SIZES:
        od_model_output_read(cell, layer);
        return true;
    case OTHER:
    default:
        return true;
    }
}

static bool read_row(struct od_model_builder *b, struct od_view text)
{
    const struct table *own = b->own;
    struct od_layer layer = od_layer_blank();
    struct od_view cell;
    size_t column = 0;
    for (; column < own->n && next_cell(&text, &cell); column++) {
        if (!read_cell(own->what[column], cell, &layer))
            return false;
    }
    if (column < own->n || layer.type.n == 0)
        return false;
    (void)od_model_add(b, &layer);
    return true;
}

/* "8,044.755    Total estimated model params size (MB)": decimal megabytes. */
static bool read_size(struct od_model *model, struct od_view number)
{
    struct od_bytes bytes;
    char plain[32];
    size_t n = 0;
    for (size_t i = 0; i < number.n && n < sizeof plain; i++) {
        if (number.p[i] != ',')
            plain[n++] = number.p[i];
    }
    if (od_bytes_parse_unit((struct od_view){plain, n}, OD_VIEW("MB"), OD_UNIT_DECIMAL, &bytes))
        model->weight_bytes = bytes;
    return true;
}

/* Reads a total. The model's rounding error is that of its least precise total. */
static bool read_total(struct od_model *model, struct od_view number, struct od_count *ret_count)
{
    uint64_t slack;
    if (!read_count(number, ret_count, &slack))
        return false;
    if (slack > model->parameters_slack)
        model->parameters_slack = slack;
    return true;
}

static bool take_total(struct od_model_builder *b, struct od_view text)
{
    static const char *const others[] = {"Modules in train mode", "Modules in eval mode",
                                         "Total FLOPs", NULL};
    struct od_model *model = &b->model;
    text = od_view_trim(text);
    size_t gap = od_view_find(text, OD_VIEW("  "), 0);
    struct od_view number = od_view_trim(od_view_head(text, gap));
    struct od_view words =
        gap == OD_VIEW_NONE ? (struct od_view){0} : od_view_trim(od_view_from(text, gap));
    if (od_view_eq_str(words, "Trainable params"))
        return read_total(model, number, &model->trainable);
    if (od_view_eq_str(words, "Non-trainable params"))
        return read_total(model, number, &model->non_trainable);
    if (od_view_eq_str(words, "Total params")) {
        b->has_totals = read_total(model, number, &model->parameters);
        return b->has_totals;
    }
    if (od_view_starts(words, OD_VIEW("Total estimated model params size")))
        return read_size(model, number);
    return od_view_starts_any(words, others);
}

static enum od_model_line line(struct od_model_builder *b, struct od_view text)
{
    if (od_model_is_rule(text))
        return OD_MODEL_TAKEN;
    if (take_total(b, text))
        return OD_MODEL_TAKEN;
    if (!b->has_totals && read_row(b, text))
        return OD_MODEL_TAKEN;
    return b->has_totals || od_view_has(text, OD_VIEW("| Name")) ? OD_MODEL_ENDS : OD_MODEL_FOREIGN;
}

/* Sets the parents: "model.encoder" belongs to "model" if that has a row, otherwise to the root. */
static void finish(struct od_model_builder *b)
{
    struct od_model *model = &b->model;
    OD_FOR_EACH (struct od_layer, layer, model->layers) {
        size_t dot = layer->name.n;
        while (dot > 0 && layer->name.p[dot - 1] != '.')
            dot--;
        if (dot > 1 && od_model_find(b, od_view_head(layer->name, dot - 1)) == UINT32_MAX)
            layer->depth = 0;
    }
    od_model_mark_containers(model);
}

static const struct od_model_dialect dialect = {
    .name = "lightning_table",
    .format = OD_MODEL_LIGHTNING,
    .framework = "pytorch",
    .own_size = sizeof(struct table),
    .begins = begins,
    .line = line,
    .finish = finish,
};

const struct od_reader od_reader_lightning_table = {
    .name = "lightning_table",
    .literals = literals,
    OD_MODEL_READER(dialect),
};
