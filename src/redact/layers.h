/*
 * A text as its reader sees it: without colors, and with one layer of escapes after the other taken
 * off (JSON's, repr()'s, URLs', HTML's). Each byte knows which bytes of the text it stands for, so
 * that what is found in a layer can be replaced in the text.
 */
#ifndef OD_REDACT_LAYERS_H
#define OD_REDACT_LAYERS_H

#include "base/vec.h"
#include "base/view.h"

#include <stdbool.h>
#include <stdint.h>

enum { OD_LAYERS_MOST = 6 };

struct od_layer {
    OD_VEC(char) text;
    OD_VEC(uint32_t) start; /* of each byte: where what it stands for begins */
    OD_VEC(uint32_t) end;   /* and ends */
};

struct od_layers {
    struct od_layer made[2];
    unsigned n; /* of layers that were made */
    struct od_view text;
    bool is_plain; /* the present layer is the text itself */
};

/* Begins: the first layer is the text without escape sequences. */
void od_layers_start(struct od_layers *layers, struct od_view text);

/* The next layer; false when no escapes are left. */
bool od_layers_next(struct od_layers *layers);

/* The present layer. */
struct od_view od_layers_text(const struct od_layers *layers);

/* The bytes of the text that bytes from start to end (not empty) of the layer stand for. */
struct od_view od_layers_source(const struct od_layers *layers, size_t start, size_t end);

void od_layers_done(struct od_layers *layers);

#endif
