/*
 * Tensor shapes and element types, as logs print them. Dimensions may be unknown (None, ?, -1).
 */
#pragma once

#include "base/base.h"

enum { OD_SHAPE_MAX = 16 };

#define OD_DIM_UNKNOWN UINT64_MAX

struct od_shape {
    uint64_t dims[OD_SHAPE_MAX];
    uint32_t n;
    bool known; /* all zero bytes are an unknown shape; [] is known with n == 0 */
};

/* A closed list of the JSON contract. */
enum od_dtype {
    OD_DTYPE_UNKNOWN,
    OD_FLOAT64,
    OD_FLOAT32,
    OD_FLOAT16,
    OD_BFLOAT16,
    OD_FLOAT8,
    OD_INT64,
    OD_INT32,
    OD_INT16,
    OD_INT8,
    OD_INT4,
    OD_UINT8,
    OD_BOOL,
    OD_COMPLEX64,
    OD_COMPLEX128,
    OD_DTYPE_END
};

/* Reads "[180,64,224,224]", "(16283, 150, 150, 3)", "(N,)", "180x64"; at most OD_SHAPE_MAX
 * dimensions. */
bool od_shape_parse(struct od_view text, struct od_shape *ret_shape);

/* Number of elements; false if a dimension is unknown, or on overflow. */
bool od_shape_elements(const struct od_shape *shape, uint64_t *ret_elements);

/* Bytes of the tensor without padding; unknown if shape or dtype is unknown, or on overflow. */
struct od_bytes od_shape_bytes(const struct od_shape *shape, enum od_dtype dtype);

/* An element type in any program's spelling: float, float32, torch.float32, f32, half, bf16,
 * DT_FLOAT, <f4, uint8, ...; OD_DTYPE_UNKNOWN if it is none. */
enum od_dtype od_dtype_parse(struct od_view text);

/* Name in the JSON contract; NULL for OD_DTYPE_UNKNOWN. */
const char *od_dtype_name(enum od_dtype dtype);

/* Bits of one element; 0 for OD_DTYPE_UNKNOWN. */
unsigned od_dtype_bits(enum od_dtype dtype);

/* [batch, 7, 7, 512] -> [unknown, 25088]: multiplies all dimensions but the first; unknown if one
 * of them is. */
struct od_shape od_shape_flattened(const struct od_shape *shape);
