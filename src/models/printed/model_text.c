#include "models/printed/model_text.h"

static const struct {
    const char *title;
    enum od_model_column what;
} titles[] = {
    {"Output Shape", OD_COL_OUTPUT},
    {"Input Shape", OD_COL_INPUT},
    {"Kernel Shape", OD_COL_KERNEL},
    {"Param #", OD_COL_PARAMS},
    {"Params #", OD_COL_PARAMS},
    {"Tr. Param #", OD_COL_TRAINABLE_PARAMS},
    {"Connected to", OD_COL_CONNECTED},
    {"Trainable", OD_COL_TRAINABLE},
    {"Trai\xe2\x80\xa6", OD_COL_TRAINABLE},
    {"Output shape", OD_COL_OUTPUT},
};

bool od_model_take_bar(struct od_view *text)
{
    return od_view_take(text, OD_VIEW("|")) || od_view_take(text, OD_VIEW("\xe2\x94\x82")) ||
           od_view_take(text, OD_VIEW("\xe2\x94\x83"));
}

/* Takes "Layer (type)", "Layer (type:depth-idx)", "Layer (type (var_name):depth-idx)". */
static bool take_layer_title(struct od_view *text, struct od_model_columns *columns)
{
    struct od_view v = *text;
    if (!od_view_take(&v, OD_VIEW("Layer (type")))
        return false;
    columns->var_name = od_view_take(&v, OD_VIEW(" (var_name)"));
    columns->depth_idx = od_view_take(&v, OD_VIEW(":depth-idx"));
    if (!od_view_take(&v, OD_VIEW(")")))
        return false;
    *text = v;
    return true;
}

/* Takes a known title, otherwise all text up to two blanks or a bar. */
static enum od_model_column take_title(struct od_view *text)
{
    for (size_t i = 0; i < OD_COUNT_OF(titles); i++) {
        if (od_view_take(text, od_view_of(titles[i].title)))
            return titles[i].what;
    }
    struct od_view v = *text;
    while (v.n > 0 && !od_view_starts(v, OD_VIEW("  ")) && !od_model_take_bar(&v))
        v = od_view_from(v, 1);
    *text = v;
    return OD_COL_OTHER;
}

static void add_column(struct od_model_columns *columns, enum od_model_column what, size_t start)
{
    if (columns->n == OD_MODEL_COLUMNS)
        return;
    columns->what[columns->n] = what;
    columns->start[columns->n++] = start;
}

static size_t skip_to_cell(struct od_view *rest, bool *ret_bar)
{
    size_t before = rest->n, bars = 0;
    od_view_skip_blanks(rest);
    while (od_model_take_bar(rest)) {
        bars++;
        od_view_skip_blanks(rest);
    }
    *ret_bar = bars > 0;
    return before - rest->n;
}

bool od_model_columns_read(struct od_view text, struct od_model_columns *ret_columns)
{
    struct od_model_columns columns = {0};
    struct od_view rest = text;
    bool bar;
    if (!od_view_has(text, OD_VIEW("Layer (type")))
        return false;
    (void)skip_to_cell(&rest, &columns.boxed);
    columns.indent = od_text_columns(od_view_head(text, text.n - rest.n));
    add_column(&columns, OD_COL_LAYER, 0);
    if (!take_layer_title(&rest, &columns))
        return false;
    while (skip_to_cell(&rest, &bar), rest.n > 0 && columns.n < OD_MODEL_COLUMNS) {
        size_t start = od_text_columns(od_view_head(text, text.n - rest.n));
        if (od_view_starts(rest, OD_VIEW("\n")) || od_view_starts(rest, OD_VIEW("\r")))
            break;
        add_column(&columns, take_title(&rest), start);
    }
    if (od_model_columns_find(&columns, OD_COL_PARAMS) == SIZE_MAX &&
        od_model_columns_find(&columns, OD_COL_OUTPUT) == SIZE_MAX)
        return false;
    *ret_columns = columns;
    return true;
}

size_t od_model_columns_find(const struct od_model_columns *columns, enum od_model_column what)
{
    for (size_t i = 0; i < columns->n; i++) {
        if (columns->what[i] == what)
            return i;
    }
    return SIZE_MAX;
}

struct od_view od_model_cut(struct od_view text, size_t from, size_t to)
{
    size_t at = 0, start = text.n, columns = 0;
    uint32_t code;
    while (at < text.n && columns < to) {
        uint64_t word;
        if (columns == from)
            start = at;
        size_t left = (columns < from ? from : to) - columns;
        if (left >= sizeof word && text.n - at >= sizeof word) {
            memcpy(&word, text.p + at, sizeof word);
            if ((word & UINT64_C(0x8080808080808080)) == 0) {
                at += sizeof word;
                columns += sizeof word;
                continue;
            }
        }
        at += od_text_decode(od_view_from(text, at), &code);
        columns++;
    }
    return start < at ? od_view_from(od_view_head(text, at), start) : (struct od_view){0};
}

/* ---- rules and rows ---- */

/* '=', '-', '_', '+', the macron of Keras' nested tables, box drawing */
static bool is_rule_code(uint32_t code)
{
    return code == '=' || code == '-' || code == '_' || code == '+' || code == 0xAF ||
           code == 0x2014 || (code >= 0x2500 && code <= 0x257F);
}

static bool is_bar_code(uint32_t code)
{
    return code == '|' || code == 0x2502 || code == 0x2503;
}

bool od_model_is_rule(struct od_view text)
{
    size_t drawn = 0;
    text = od_view_trim(text);
    for (size_t at = 0; at < text.n;) {
        uint32_t code;
        at += od_text_decode(od_view_from(text, at), &code);
        if (is_bar_code(code) || code == ' ')
            continue;
        if (!is_rule_code(code))
            return false;
        drawn++;
    }
    return drawn >= 4;
}

bool od_model_is_blank(struct od_view text)
{
    for (;;) {
        text = od_view_trim(text);
        if (text.n == 0)
            return true;
        if (!od_model_take_bar(&text))
            return false;
    }
}

size_t od_model_cells(struct od_view row, struct od_view *cells, size_t max)
{
    size_t n = 0;
    row = od_view_trim(row);
    if (!od_model_take_bar(&row))
        return 0;
    while (row.n > 0) {
        struct od_view rest = row;
        size_t length = 0;
        while (rest.n > 0 && !od_model_take_bar(&rest)) {
            rest = od_view_from(rest, 1);
            length++;
        }
        struct od_view cell = od_view_head(row, length);
        (void)od_view_take(&cell, OD_VIEW(" "));
        if (n < max)
            cells[n] = cell;
        n++;
        row = rest;
    }
    return n;
}

bool od_model_next_cell(struct od_view *row, struct od_view *ret_cell)
{
    size_t depth = 0, n = 0;
    od_view_skip_blanks(row);
    for (; n < row->n; n++) {
        char c = row->p[n];
        if (c == '[' || c == '(' || c == '{')
            depth++;
        else if ((c == ']' || c == ')' || c == '}') && depth > 0)
            depth--;
        else if ((c == ' ' || c == '\t') && depth == 0)
            break;
    }
    *ret_cell = od_view_trim(od_view_head(*row, n));
    *row = od_view_from(*row, n);
    return ret_cell->n > 0;
}

static bool opens(char c)
{
    return c == '(' || c == '[';
}

/* Length of a bracket without inner brackets, whether it is closed or not. */
static size_t innermost(struct od_view text)
{
    for (size_t i = 1; i < text.n; i++) {
        if (text.p[i] == ')' || text.p[i] == ']')
            return i + 1;
        if (opens(text.p[i]))
            return 0;
    }
    return text.n;
}

/* Reads a truncated shape, "(None, 128, 128, 12". All numbers are valid except the last one, which
 * may lack digits. */
static bool read_cut_shape(struct od_view text, struct od_layer *layer)
{
    char closed[200];
    text = od_view_trim(text);
    if (text.n < 2 || text.n + 1 >= sizeof closed || text.p[text.n - 1] < '0' ||
        text.p[text.n - 1] > '9')
        return false;
    memcpy(closed, text.p, text.n);
    closed[text.n] = text.p[0] == '(' ? ')' : ']';
    if (!od_shape_parse((struct od_view){closed, text.n + 1}, &layer->output))
        return false;
    layer->output_cut = true;
    return true;
}

void od_model_output_read(struct od_view text, struct od_layer *layer)
{
    text = od_view_trim(text);
    for (size_t i = 0; i < text.n; i++) {
        if (!opens(text.p[i]))
            continue;
        struct od_view here = od_view_from(text, i);
        size_t n = innermost(here);
        if (n < 2)
            continue;
        bool closed = !od_is_digit(here.p[n - 1]) && here.p[n - 1] != ',';
        struct od_view shape = od_view_head(here, n);
        if (layer->noutputs == 0 &&
            !(closed ? od_shape_parse(shape, &layer->output) : read_cut_shape(shape, layer)))
            return;
        layer->noutputs++;
        i += n - 1;
    }
}

/* Reads "(9,408)", torchinfo's form for frozen parameters. */
static bool read_frozen(struct od_view text, struct od_layer *layer)
{
    uint64_t value;
    if (text.n < 3 || text.p[0] != '(' || text.p[text.n - 1] != ')' ||
        !od_num_parse_u64(od_view_from(od_view_head(text, text.n - 1), 1), &value))
        return false;
    layer->parameters = od_count_of(value);
    layer->trainable = od_count_of(0);
    return true;
}

bool od_model_params_read(struct od_view text, struct od_layer *layer)
{
    uint64_t value;
    text = od_view_trim(text);
    layer->parameters = (struct od_count){0};
    if (od_num_parse_u64(text, &value)) {
        layer->parameters = od_count_of(value);
        return true;
    }
    if (od_view_eq_str(text, "(recursive)")) {
        layer->recursive = true;
        return true;
    }
    if (od_view_eq_str(text, "--") || od_view_eq_str(text, "?"))
        return true;
    if (read_frozen(text, layer))
        return true;
    struct od_view rest = text;
    if (!od_num_take_u64(&rest, &value))
        return false;
    rest = od_view_trim(rest);
    return od_view_eq_str(rest, "(unbuilt)") || od_view_eq_str(rest, "(unused)");
}

bool od_model_cell_read(enum od_model_column what, struct od_view cell, struct od_layer *layer)
{
    struct od_layer probe = od_layer_blank();
    uint64_t value;
    if (what == OD_COL_PARAMS)
        return od_model_params_read(cell, layer);
    od_model_output_read(cell, what == OD_COL_OUTPUT ? layer : &probe);
    if (what == OD_COL_INPUT)
        layer->input = probe.output;
    else if (what == OD_COL_KERNEL)
        layer->kernel = probe.output;
    else if (what == OD_COL_TRAINABLE && od_view_eq_str(cell, "False"))
        layer->trainable = od_count_of(0);
    else if (what == OD_COL_TRAINABLE_PARAMS && od_num_parse_u64(cell, &value))
        layer->trainable = od_count_of(value);
    return true;
}

enum od_model_line od_model_table_line(struct od_model_builder *b, struct od_view text,
                                       bool (*read_row)(struct od_model_builder *, struct od_view),
                                       bool (*looks_like_row)(struct od_view))
{
    if (od_view_has(text, OD_VIEW("Layer (type")))
        return OD_MODEL_ENDS;
    if (od_model_take_total(b, text) || od_model_is_rule(text))
        return OD_MODEL_TAKEN;
    if (b->has_totals)
        return OD_MODEL_ENDS;
    if (od_model_is_blank(text))
        return b->model.layers.n > 0 ? OD_MODEL_FOREIGN : OD_MODEL_TAKEN;
    if (read_row(b, text))
        return OD_MODEL_TAKEN;
    if (!looks_like_row(text))
        return OD_MODEL_FOREIGN;
    od_model_unreadable(b);
    return OD_MODEL_TAKEN;
}

/* Kind of a type. "Conv1D" is a convolution in Keras, but GPT-2's linear layer in Transformers. */
enum od_layer_kind od_model_torch_kind(struct od_view type)
{
    return od_view_eq_str(type, "Conv1D") ? OD_LAYER_LINEAR : od_layer_kind_find(type);
}
