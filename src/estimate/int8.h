/*
 * What matrices at 8 bits take beyond their bytes, as bitsandbytes' LLM.int8 does it (arXiv
 * 2208.07339; bitsandbytes' public source and documentation): a float32 scale for each row; columns
 * of features beyond 6.0 kept at 16 bits; activations quantized on their way into a matrix; the
 * matrix back at 16 bits for the gradient of its input.
 */
#pragma once

#include "estimate/transformer_run.h"

/* Bytes of this device. */
struct od_int8_bytes {
    double scales;                /* of rows, stay with the weights */
    double columns, columns_most; /* 16-bit copies of outlier columns, stay from step to step */
    double forward;               /* beside the widest matrix, one at a time */
    double backward;              /* the same in a backward pass */
    double copies_most;           /* of one token: inputs also kept at 8 bits, releases to 0.44 */
};

struct od_int8_bytes od_int8_count(const struct od_transformer_run *run);
