/*
 * A text as it is displayed: without colors, and with layers of escapes (JSON's, repr()'s, URLs',
 * HTML's) decoded one after the other. Runs map each layer to the bytes of the text, so that finds
 * in a layer can be replaced in the text.
 */
#pragma once

#include "base/base.h"

enum { OD_LAYERS_MOST = 6 };

/* Consecutive bytes of a layer: copied from the text, or the value of an escape. */
struct od_layer_run {
    size_t at;             /* offset in the layer */
    size_t source, length; /* offset and length in the text */
};

struct od_layer {
    struct od_buf text;
    OD_VEC(struct od_layer_run) runs;
};

struct od_layers {
    struct od_layer made[2];
    unsigned n; /* number of layers made */
    struct od_view text;
    bool is_plain; /* the only layer is the text itself */
    /* the text is {"log": "...\n", ...}, escaped only at its end, without a backslash */
    bool is_ended;
    size_t escapes[2]; /* offsets of the next escapes, from od_layers_escape */
};

/* Offset of the first escape from `at` on; the end if there is none. Calls for one text must have
 * rising offsets from 0. */
size_t od_layers_escape(struct od_layers *layers, struct od_view text, size_t at);

/* Starts with a text without escapes, whose only layer is the text itself. */
void od_layers_plain(struct od_layers *layers, struct od_view text);

/* Starts with the text without terminal sequences as first layer. False = the text has neither
 * sequences nor escapes. */
bool od_layers_start(struct od_layers *layers, struct od_view text);

/* Makes the next layer; false if no escapes are left. */
bool od_layers_next(struct od_layers *layers);

/* The present layer. */
struct od_view od_layers_text(const struct od_layers *layers);

/* The bytes of the text that became bytes start to end (not empty) of the layer. */
struct od_view od_layers_source(const struct od_layers *layers, size_t start, size_t end);

void od_layers_done(struct od_layers *layers);
