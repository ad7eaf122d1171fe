/*
 * A Keras model in JSON, as written by model.to_json(). Shared by the files of this reader. Its
 * rows are complete: an activation within a layer has its own row, and so have the products of
 * attention.
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
    struct od_map rows;             /* maps "scope/name" of a layer to its last row + 1 */
    struct od_map shapes;           /* maps "scope/name" of a layer to an index in `stated` + 1 */
    OD_VEC(struct od_shape) stated; /* shapes of outputs, as given by the layers that read them */
    uint64_t non_trainable;
    bool overflow;
};

/* The description of a layer, and its inputs. */
struct od_keras_layer {
    struct od_view name, type;
    json_t *config;
    uint32_t inputs[OD_KERAS_INPUTS]; /* rows of the inputs */
    uint32_t ninputs;
    struct od_shape in;     /* shape of the first input; unknown if not given */
    struct od_shape stated; /* output shape, if given by a layer that reads it */
    bool frozen;
};

/* The value of a key; NULL if it is missing or null. */
json_t *od_keras_key(json_t *config, const char *key);
bool od_keras_number(json_t *config, const char *key, uint64_t *ret_n);
struct od_view od_keras_text(json_t *value);
/* Reads a shape such as [null, 224, 224, 3]. */
struct od_shape od_keras_shape(json_t *dims);

/* Appends the rows of a layer to the model. Layers that use its output read the last row. */
void od_keras_add(struct od_keras_net *net, const struct od_keras_layer *layer);

/* Output shape of a layer without its activation; unknown for an unknown class. */
struct od_shape od_keras_output(const struct od_keras_layer *layer);

/* Number of a layer's parameters; 0 for classes without any, unknown for unknown classes. */
struct od_count od_keras_parameters(const struct od_keras_layer *layer, const struct od_shape *out);
