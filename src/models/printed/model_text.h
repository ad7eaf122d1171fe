/*
 * Parts of printed model tables: headings and their columns, rulers, cells. Columns are counted in
 * code points, as by the programs that print the tables.
 */
#pragma once

#include "models/model_builder.h"

enum od_model_column {
    OD_COL_LAYER,
    OD_COL_INPUT,
    OD_COL_OUTPUT,
    OD_COL_KERNEL,
    OD_COL_PARAMS,
    OD_COL_TRAINABLE_PARAMS, /* the column has numbers */
    OD_COL_TRAINABLE,        /* the column has words */
    OD_COL_CONNECTED,
    OD_COL_OTHER
};

enum { OD_MODEL_COLUMNS = 12 };

struct od_model_columns {
    enum od_model_column what[OD_MODEL_COLUMNS];
    size_t start[OD_MODEL_COLUMNS]; /* number of code points before each column */
    size_t n;
    bool boxed;     /* bars separate the columns; start is not used then */
    bool depth_idx; /* "Layer (type:depth-idx)" */
    bool var_name;  /* "Layer (type (var_name))" */
    size_t indent;  /* number of code points before the first word */
};

/* Reads a heading such as "Layer (type) Output Shape Param #". False for any other line. */
bool od_model_columns_read(struct od_view text, struct od_model_columns *ret_columns);

/* Index of a column; SIZE_MAX = none. */
size_t od_model_columns_find(const struct od_model_columns *columns, enum od_model_column what);

/* The text between two code points. The caller trims it. */
struct od_view od_model_cut(struct od_view text, size_t from, size_t to);

/* Is the line a ruler: at least four bars, dashes, equal signs or box characters, and blanks? */
bool od_model_is_rule(struct od_view text);

/* Does the text only have blanks and bars? */
bool od_model_is_blank(struct od_view text);

/* Removes a vertical bar ('|', a box character) from the start of *text. */
bool od_model_take_bar(struct od_view *text);

/* Splits a row into at most `max` cells, without bars and one blank on each side. Returns n. */
size_t od_model_cells(struct od_view row, struct od_view *cells, size_t max);

/* Takes the next cell of a row whose cells have blanks only in brackets. False at the end. */
bool od_model_next_cell(struct od_view *row, struct od_view *ret_cell);

/* Reads the output of a layer: "(None, 32)", "[-1, 32, 80, 80]", "[(None, 3)]", "[[-1, 2], [-1,
 * 3]]", "{'a': (None, 3)}". Stores the first shape and the number of shapes. A shape without
 * closing bracket is truncated, and its last dimension uncertain. "multiple", "?" and "--" give no
 * shape. */
void od_model_output_read(struct od_view text, struct od_layer *layer);

/* Reads a table's count of parameters. False if text is no count. "--", "(recursive)" and "0
 * (unbuilt)" are unknown counts; "(9,408)" are frozen parameters. */
bool od_model_params_read(struct od_view text, struct od_layer *layer);

/* Reads a cell of the given column. False if it must be a count of parameters and is none. */
bool od_model_cell_read(enum od_model_column what, struct od_view cell, struct od_layer *layer);

/* Reads a line of a table below its heading: a row, a total, a ruler. looks_like_row: a line that
 * cannot be read can only be a row. */
enum od_model_line od_model_table_line(struct od_model_builder *builder, struct od_view text,
                                       bool (*read_row)(struct od_model_builder *, struct od_view),
                                       bool (*looks_like_row)(struct od_view));

/* The kind of a PyTorch layer by its type. */
enum od_layer_kind od_model_torch_kind(struct od_view type);
