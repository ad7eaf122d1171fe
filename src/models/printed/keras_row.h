/*
 * One row of a Keras summary, gathered from the lines it is wrapped over, and what it becomes: a
 * layer with its links to earlier ones.
 */
#pragma once

#include "models/model_draft.h"

struct od_keras_row {
    bool open;
    bool boxed; /* Keras 3: wraps at words, marks cuts with an ellipsis */
    struct od_prov at;
    uint32_t depth;
    struct od_buf name, shape, params, links;
    struct od_view trainable; /* "Y", "N" or empty; a literal */
    size_t searched;          /* rows looked at for cut names, over the whole table */
};

void od_keras_row_done(struct od_keras_row *row);

/* Begins a row; its cells are empty. */
void od_keras_row_start(struct od_keras_row *row, struct od_prov at);

/* Is the cell cut off in the middle, so that the next line may bring the rest? */
bool od_keras_row_wants_name(const struct od_keras_row *row);
bool od_keras_row_wants_shape(const struct od_keras_row *row);

/* Adds a line of the "Connected to" cell. */
void od_keras_row_add_links(struct od_keras_row *row, struct od_view piece);

/* Makes the row a layer of the draft; nothing when none is open. */
void od_keras_row_finish(struct od_keras_row *row, struct od_model_draft *draft);
