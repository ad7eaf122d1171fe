/*
 * Memory of 8-bit matrices in addition to their bytes, as in bitsandbytes' LLM.int8 (arXiv
 * 2208.07339; bitsandbytes' public source and documentation): a float32 scale per row; columns of
 * features beyond 6.0 in 16 bit; quantized inputs of matrices; the matrix converted back to 16 bit
 * for the gradient of its input.
 */
#pragma once

#include "estimate/transformer_run.h"

/* Bytes on this device. */
struct od_int8_bytes {
    double scales;                /* scales of rows, which stay with the weights */
    double columns, columns_most; /* 16-bit copies of outlier columns, which stay from step to
                                     step */
    double forward;               /* temporary in the forward pass, for the widest matrix */
    double backward;              /* temporary in a backward pass */
    double copies_most;           /* per token: inputs also kept in 8 bit, by releases up to 0.44 */
};

struct od_int8_bytes od_int8_count(const struct od_transformer_run *run);
