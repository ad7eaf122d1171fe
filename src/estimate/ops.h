/*
 * The tensors that each kind of layer keeps for its backward pass, by framework. Counted storage by
 * storage on PyTorch 1.13 (TensorFlow: from the gradients' definitions in python/ops/nn_grad.py and
 * math_grad.py). A storage counts once, no matter how many layers keep it.
 */
#pragma once

#include "estimate/estimate.h"

struct od_op {
    bool in;             /* keeps the input */
    bool out;            /* keeps the output */
    uint8_t extra;       /* additional bytes per element of the output: indices, masks */
    uint8_t row_floats;  /* number of float32 values per row (all dimensions except the last) */
    uint8_t wide;        /* computes in float32 under autocast */
    uint8_t out_copies;  /* number of further tensors of the output's size without a row */
    uint8_t ghost_slack; /* number of tensors of the output's size that may or may not be kept */
};

/* Never NULL. A layer of unknown kind keeps its output. */
const struct od_op *od_op_of(enum od_layer_kind kind, enum od_framework framework);
