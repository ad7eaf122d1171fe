/*
 * An ONNX file, shared by the files of this reader. Its messages are those of onnx.proto
 * (github.com/onnx/onnx); of weights only the shapes are read.
 */
#pragma once

#include "base/map.h"
#include "facts/model.h"
#include "models/file_reader.h"

/* OD_ONNX_STAND_IN: a prime that replaces an open batch. Shapes are inferred with it: a size
 * divisible by it contains the batch, wherever the graph moved it. */
enum { OD_ONNX_INPUTS = 64, OD_ONNX_INTS = 16, OD_ONNX_STAND_IN = 99991 };

/* An unknown dimension in a vector of integers. */
#define OD_ONNX_OPEN INT64_MIN

/* Small vectors of integers that graphs use to compute shapes. */
struct od_onnx_ints {
    int64_t at[OD_ONNX_INTS];
    uint32_t n;
    bool known;
};

/* A value with a name in the graph. */
struct od_onnx_value {
    struct od_shape shape;
    struct od_onnx_ints ints;
    uint32_t row; /* row + 1 that creates the value; 0 = none: a weight, or a number for a shape */
    bool weight;  /* an initializer of floating-point numbers */
    bool scalar;  /* an initializer of a single number */
    uint8_t gate; /* steps after the erf, from 1, of a GELU that consists of several nodes */
};

struct od_onnx_node {
    struct od_view op, name;
    struct od_view inputs[OD_ONNX_INPUTS];
    uint32_t ninputs;
    struct od_view outputs[OD_ONNX_INPUTS];
    uint32_t noutputs;
    struct od_view attributes; /* the whole message, to search it for attributes */
};

struct od_onnx {
    const struct od_file *file;
    struct od_model model;
    struct od_map names; /* maps a name to its index in values + 1 */
    OD_VEC(struct od_onnx_value) values;
    uint64_t weights; /* number of elements in all weights */
    uint64_t batch;   /* batch in the shapes: from the file, or OD_ONNX_STAND_IN; 0 = none */
    struct od_view batch_word; /* name of the batch in the file */
    uint64_t across;           /* number of operations whose size contains the batch twice */
    uint64_t unsized;
    struct od_view open; /* first named dimension after the batch without a size */
    bool overflow;
};

struct od_onnx_value *od_onnx_value_of(struct od_onnx *onnx, struct od_view name);

/* Reads the message of an attribute. False if the node lacks it. */
bool od_onnx_attribute(const struct od_onnx_node *node, const char *name,
                       struct od_view *ret_message);

/* Reads the value of an attribute; `otherwise` if the node lacks it. */
int64_t od_onnx_int(const struct od_onnx_node *node, const char *name, int64_t otherwise);
struct od_onnx_ints od_onnx_ints_of(const struct od_onnx_node *node, const char *name);
double od_onnx_float(const struct od_onnx_node *node, const char *name, double otherwise);

/* Infers shapes and integers of a node's results, if possible. */
void od_onnx_infer(struct od_onnx *onnx, const struct od_onnx_node *node);

/* The shape for one sample, with an open batch first. False if the shape grows with the square of
 * the batch, as for attention across samples. */
bool od_onnx_sample(const struct od_onnx *onnx, const struct od_shape *shape,
                    struct od_shape *ret_sample);

/* Adds a row for the node if its inputs depend on samples. */
void od_onnx_add(struct od_onnx *onnx, const struct od_onnx_node *node);
