/*
 * A Keras model in JSON, as model.to_json() writes it: what the files of this reader share. The
 * rows that it makes hide nothing: an activation inside a layer is a row of its own, and so are the
 * products of attention.
 */
#pragma once

#include "base/map.h"
#include "facts/model.h"
#include "models/file_reader.h"

#include <jansson.h>

enum { OD_KERAS_INPUTS = 256 };

struct od_keras_net {
    const struct od_file *file;
    struct od_model model;
    struct od_map rows;             /* "scope/name" of a layer -> its last row + 1 */
    struct od_map shapes;           /* the same -> index + 1 into stated */
    OD_VEC(struct od_shape) stated; /* outputs, as those that read them tell */
    uint64_t non_trainable;
    bool overflow;
};

/* One layer's description, and what it reads. */
struct od_keras_layer {
    struct od_view name, type;
    json_t *config;
    uint32_t inputs[OD_KERAS_INPUTS]; /* rows */
    uint32_t ninputs;
    struct od_shape in;     /* of the first input; unknown where nothing tells */
    struct od_shape stated; /* output shape, as stated by a layer that reads it */
    bool frozen;
};

/* NULL when it is not there or null. */
json_t *od_keras_key(json_t *config, const char *key);
bool od_keras_number(json_t *config, const char *key, uint64_t *ret_n);
struct od_view od_keras_text(json_t *value);
/* [null, 224, 224, 3] */
struct od_shape od_keras_shape(json_t *dims);

/* The layer's rows at the end of the model; the last is what others read. */
void od_keras_add(struct od_keras_net *net, const struct od_keras_layer *layer);

/* The output of a layer without its activation; unknown where its class is not known. */
struct od_shape od_keras_output(const struct od_keras_layer *layer);

/* Numbers in it; 0 for those of classes without, unknown for classes that are not known. */
struct od_count od_keras_parameters(const struct od_keras_layer *layer, const struct od_shape *out);
