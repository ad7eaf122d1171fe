/*
 * An ONNX file, shared by the files of this reader. Its messages are those of onnx.proto
 * (github.com/onnx/onnx); only the shapes of weights are read.
 */
#pragma once

#include "base/map.h"
#include "facts/model.h"
#include "models/file_reader.h"

/* OD_ONNX_STAND_IN: a prime used for an open batch. Shapes are inferred with this number; a size
 * that is divisible by it contains the batch, wherever the graph moved it. */
enum { OD_ONNX_INPUTS = 64, OD_ONNX_INTS = 16, OD_ONNX_STAND_IN = 99991 };

/* An unknown dimension in a vector of integers. */
#define OD_ONNX_OPEN INT64_MIN

/* Small vectors of integers that graphs use to compute shapes. */
struct od_onnx_ints {
    int64_t at[OD_ONNX_INTS];
    uint32_t n;
    bool known;
};

/* A name in the graph. */
struct od_onnx_value {
    struct od_shape shape;
    struct od_onnx_ints ints;
    uint32_t row; /* row + 1 that creates it; 0 = none: a weight, or a number for a shape */
    bool weight;  /* an initializer of floating-point numbers */
    bool scalar;  /* an initializer of a single number */
    uint8_t gate; /* position in a GELU written as several nodes: steps after the erf, from 1 */
};

struct od_onnx_node {
    struct od_view op, name;
    struct od_view inputs[OD_ONNX_INPUTS];
    uint32_t ninputs;
    struct od_view outputs[OD_ONNX_INPUTS];
    uint32_t noutputs;
    struct od_view attributes; /* the whole message, in which attributes are searched */
};

struct od_onnx {
    const struct od_file *file;
    struct od_model model;
    struct od_map names; /* -> index + 1 in values */
    OD_VEC(struct od_onnx_value) values;
    uint64_t weights;          /* number of elements */
    uint64_t batch;            /* batch in the shapes: from the file, or a substitute; 0 = none */
    struct od_view batch_word; /* the file's name for it */
    uint64_t across;           /* operations whose size contains the batch twice */
    uint64_t unsized;
    struct od_view open; /* the first named dimension after the batch without a value */
    bool overflow;
};

struct od_onnx_value *od_onnx_value_of(struct od_onnx *onnx, struct od_view name);

/* The message of an attribute; false if there is none of that name. */
bool od_onnx_attribute(const struct od_onnx_node *node, const char *name,
                       struct od_view *ret_message);

/* Values of attributes; `otherwise` if there is none. */
int64_t od_onnx_int(const struct od_onnx_node *node, const char *name, int64_t otherwise);
struct od_onnx_ints od_onnx_ints_of(const struct od_onnx_node *node, const char *name);
double od_onnx_float(const struct od_onnx_node *node, const char *name, double otherwise);

/* Infers shapes and integers of a node's results, as far as possible. */
void od_onnx_infer(struct od_onnx *onnx, const struct od_onnx_node *node);

/* The shape for one sample, with an open batch first. False if the shape grows with the square of
 * the batch, as for attention across samples. */
bool od_onnx_sample(const struct od_onnx *onnx, const struct od_shape *shape,
                    struct od_shape *ret_sample);

/* Adds the node's row, if its inputs depend on samples. */
void od_onnx_add(struct od_onnx *onnx, const struct od_onnx_node *node);
