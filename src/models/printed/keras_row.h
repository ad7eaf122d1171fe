/*
 * A row of a Keras summary: collects it from wrapped lines and converts it to a layer with links to
 * earlier ones.
 */
#pragma once

#include "models/model_builder.h"

struct od_keras_row {
    bool open;
    bool boxed; /* of Keras 3, which wraps at words and marks truncated text with an ellipsis */
    struct od_prov at;
    uint32_t depth;
    struct od_buf name, shape, params, links;
    struct od_view trainable; /* "Y", "N" or empty; a static text */
    size_t searched;          /* number of rows searched for truncated names in the whole table */
};

void od_keras_row_done(struct od_keras_row *row);

/* Starts a row with empty cells. */
void od_keras_row_start(struct od_keras_row *row, struct od_prov at);

/* Is the cell incomplete? The next line may then continue it. */
bool od_keras_row_wants_name(const struct od_keras_row *row);
bool od_keras_row_wants_shape(const struct od_keras_row *row);

/* Adds a line of the "Connected to" cell. */
void od_keras_row_add_links(struct od_keras_row *row, struct od_view piece);

/* Adds the row to the builder as a layer. Does nothing if no row was started. */
void od_keras_row_finish(struct od_keras_row *row, struct od_model_builder *builder);
