/*
 * An ONNX file: what the files of this reader share. Its messages are those of onnx.proto
 * (github.com/onnx/onnx); weights are not looked at, only their shapes.
 */
#pragma once

#include "base/map.h"
#include "facts/model.h"
#include "models/file_reader.h"

/* OD_ONNX_STAND_IN: a prime, for a batch that the file leaves open. Shapes are inferred with it as
 * numbers; a size that it divides has the batch in it, wherever the graph moved it. */
enum { OD_ONNX_INPUTS = 64, OD_ONNX_INTS = 16, OD_ONNX_STAND_IN = 99991 };

/* In a vector of integers: a dimension that is not known. */
#define OD_ONNX_OPEN INT64_MIN

/* Small vectors of integers, with which graphs compute shapes. */
struct od_onnx_ints {
    int64_t at[OD_ONNX_INTS];
    uint32_t n;
    bool known;
};

/* A name in the graph. */
struct od_onnx_value {
    struct od_shape shape;
    struct od_onnx_ints ints;
    uint32_t row; /* that makes it, + 1; 0 = none: a weight, or a number of a shape's */
    bool weight;  /* an initializer of floating numbers */
    bool scalar;  /* one of a single number */
    uint8_t
        gate; /* position in a GELU that is written as several nodes: steps after the erf, from 1 */
};

struct od_onnx_node {
    struct od_view op, name;
    struct od_view inputs[OD_ONNX_INPUTS];
    uint32_t ninputs;
    struct od_view outputs[OD_ONNX_INPUTS];
    uint32_t noutputs;
    struct od_view attributes; /* the whole message: its attributes are looked up in it */
};

struct od_onnx {
    const struct od_file *file;
    struct od_model model;
    struct od_map names; /* -> index + 1 into values */
    OD_VEC(struct od_onnx_value) values;
    uint64_t weights;          /* elements */
    uint64_t batch;            /* batch in the shapes: of the file, or a substitute; 0 = none */
    struct od_view batch_word; /* the file's for it */
    uint64_t across;           /* operations whose size has the batch twice in it */
    uint64_t unsized;
    struct od_view open; /* the first named dimension without a size after the batch */
    bool overflow;
};

struct od_onnx_value *od_onnx_value_of(struct od_onnx *onnx, struct od_view name);

/* The message of an attribute; false where there is none of that name. */
bool od_onnx_attribute(const struct od_onnx_node *node, const char *name,
                       struct od_view *ret_message);

/* Attributes; otherwise where there is none. */
int64_t od_onnx_int(const struct od_onnx_node *node, const char *name, int64_t otherwise);
struct od_onnx_ints od_onnx_ints_of(const struct od_onnx_node *node, const char *name);
double od_onnx_float(const struct od_onnx_node *node, const char *name, double otherwise);

/* Infers shapes and integers of the results of a node, as far as possible. */
void od_onnx_infer(struct od_onnx *onnx, const struct od_onnx_node *node);

/* What one sample has of a shape: the batch first, and open. False where the shape grows with the
 * square of the batch, as with attention across samples. */
bool od_onnx_sample(const struct od_onnx *onnx, const struct od_shape *shape,
                    struct od_shape *ret_sample);

/* The node's row, where it computes with what samples make. */
void od_onnx_add(struct od_onnx *onnx, const struct od_onnx_node *node);
