#include "estimate/ops.h"

/* torch/csrc/autograd: derivatives.yaml defines which tensors a backward function saves. */
static const struct od_op pytorch[OD_LAYER_END] = {
    [OD_LAYER_OTHER] = {.in = true},
    [OD_LAYER_CONV] = {.in = true},
    [OD_LAYER_LINEAR] = {.in = true},
    [OD_LAYER_BATCH_NORM] = {.in = true},
    [OD_LAYER_NORM] = {.in = true, .row_floats = 2, .wide = true},
    [OD_LAYER_RELU] = {.out = true},
    [OD_LAYER_LEAKY_RELU] = {.in = true},
    [OD_LAYER_RELU6] = {.in = true},
    [OD_LAYER_SIGMOID] = {.out = true},
    [OD_LAYER_TANH] = {.out = true},
    [OD_LAYER_SOFTMAX] = {.out = true, .wide = true},
    [OD_LAYER_SMOOTH] = {.in = true},
    [OD_LAYER_ACTIVATION] = {.out = true, .ghost_slack = 1},
    [OD_LAYER_MAX_POOL] = {.in = true, .extra = 8},
    [OD_LAYER_AVG_POOL] = {.in = true},
    [OD_LAYER_DROPOUT] = {.extra = 1},
    [OD_LAYER_MULTIPLY] = {.in = true},
    [OD_LAYER_RECURRENT] = {.in = true},
    [OD_LAYER_ATTENTION] = {.in = true, .out = true, .out_copies = 3, .ghost_slack = 1},
    [OD_LAYER_LOSS] = {.out = true},
};

/* Differences in TensorFlow: ReluGrad and Relu6Grad read the output, MaxPoolGrad input and output,
 * AvgPoolGrad only the shape. */
static const struct {
    enum od_layer_kind kind;
    struct od_op op;
} tensorflow[] = {
    {OD_LAYER_RELU6, {.out = true}},
    {OD_LAYER_MAX_POOL, {.in = true, .out = true}},
    {OD_LAYER_AVG_POOL, {.in = false}},
};

const struct od_op *od_op_of(enum od_layer_kind kind, enum od_framework framework)
{
    enum od_layer_kind known = kind < OD_LAYER_END ? kind : OD_LAYER_OTHER;
    for (size_t i = 0; framework != OD_FW_PYTORCH && i < OD_COUNT_OF(tensorflow); i++)
        if (tensorflow[i].kind == known)
            return &tensorflow[i].op;
    return &pytorch[known];
}
