/*
 * What each kind of layer keeps for its backward pass, by framework. Counted storage by storage on
 * PyTorch 1.13 (TensorFlow: from the gradients' definitions in python/ops/nn_grad.py and
 * math_grad.py); a storage counts once however many layers keep it.
 */
#pragma once

#include "estimate/estimate.h"

struct od_op {
    bool in;             /* keeps its input */
    bool out;            /* keeps its output */
    bool alias;          /* its output is its input's storage */
    uint8_t extra;       /* bytes beside, for each element of its output: indices, masks */
    uint8_t row_floats;  /* float32 numbers for each row (all but the last dimension) */
    uint8_t wide;        /* computes in float32 under autocast */
    uint8_t out_copies;  /* further tensors of its output's size that no row shows */
    uint8_t ghost_slack; /* so many tensors of its output's size may be kept or not */
};

/* Never NULL; a layer of unknown kind keeps its output. */
const struct od_op *od_op_of(enum od_layer_kind kind, enum od_framework framework);
