/*
 * What each kind of layer keeps for its backward pass, by framework. Counted storage by storage on
 * PyTorch 1.13 (TensorFlow: from the gradients' definitions in python/ops/nn_grad.py and
 * math_grad.py); a storage counts once, no matter how many layers keep it.
 */
#pragma once

#include "estimate/estimate.h"

struct od_op {
    bool in;             /* keeps its input */
    bool out;            /* keeps its output */
    bool alias;          /* its output shares its input's storage */
    uint8_t extra;       /* additional bytes per element of its output: indices, masks */
    uint8_t row_floats;  /* float32 numbers per row (all dimensions but the last) */
    uint8_t wide;        /* computes in float32 under autocast */
    uint8_t out_copies;  /* further tensors of its output's size without a row */
    uint8_t ghost_slack; /* number of tensors of its output's size that may be kept or not */
};

/* Never NULL; a layer of unknown kind keeps its output. */
const struct od_op *od_op_of(enum od_layer_kind kind, enum od_framework framework);
