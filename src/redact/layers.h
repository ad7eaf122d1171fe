/*
 * A text as its reader sees it: without colors, and with one layer of escapes after the other taken
 * off (JSON's, repr()'s, URLs', HTML's). Its runs know which bytes of the text they come from, so
 * that what is found in a layer can be replaced in the text.
 */
#pragma once

#include "base/base.h"

enum { OD_LAYERS_MOST = 6 };

/* Bytes of a layer, up to the next run: those of the text, or the meaning of an escape. */
struct od_layer_run {
    size_t at;             /* in the layer */
    size_t source, length; /* in the text */
};

struct od_layer {
    struct od_buf text;
    OD_VEC(struct od_layer_run) runs;
};

struct od_layers {
    struct od_layer made[2];
    unsigned n; /* number of layers that were made */
    struct od_view text;
    bool is_plain; /* the present layer is the text itself */
    bool is_ended; /* {"log": "...\n", ...}: its end alone is escaped, and the first layer has none
                    */
    size_t escapes[2]; /* of each kind, the next that od_layers_escape found */
};

/* Where the first escape of a text from at on begins; its end where none does. Of one text it is
 * asked forwards, from 0 on. */
size_t od_layers_escape(struct od_layers *layers, struct od_view text, size_t at);

/* A text that has none: its only layer. */
void od_layers_plain(struct od_layers *layers, struct od_view text);

/* Begins: the first layer is the text without escape sequences. False = the text has none, and no
 * escapes. */
bool od_layers_start(struct od_layers *layers, struct od_view text);

/* The next layer; false when no escapes are left. */
bool od_layers_next(struct od_layers *layers);

/* The present layer. */
struct od_view od_layers_text(const struct od_layers *layers);

/* The bytes of the text that bytes from start to end (not empty) of the layer come from. */
struct od_view od_layers_source(const struct od_layers *layers, size_t start, size_t end);

void od_layers_done(struct od_layers *layers);
