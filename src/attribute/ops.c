#include "attribute/ops.h"

#include "base/num.h"

static bool has_any(struct od_view op, const char *const *words, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (od_view_has(op, od_view_of(words[i])))
            return true;
    }
    return false;
}

bool od_op_is_backward(struct od_view op)
{
    static const char *const words[] = {"gradient", "Backprop", "Grad",    "_grad",
                                        "Adam",     "Momentum", "RMSProp", "Apply"};
    return has_any(op, words, OD_COUNT_OF(words));
}

bool od_op_is_parameter(struct od_view op)
{
    static const char *const words[] = {"BackpropFilter", "BiasAddGrad", "Apply", "update_",
                                        "L2Loss"};
    if (has_any(op, words, OD_COUNT_OF(words)))
        return true;
    if (!od_op_is_backward(op))
        return false;
    /* the second product of a matrix product's gradient is the matrix' own */
    return od_view_ends(op, OD_VIEW("MatMul_1")) ||
           (od_view_has(op, OD_VIEW("Adam")) && !od_view_has(op, OD_VIEW("gradient")));
}

bool od_op_is_setup(struct od_view op)
{
    static const char *const words[] = {"Restore", "Initializer", "initializer",
                                        "Assign",  "VarHandleOp", "VariableV2"};
    return has_any(op, words, OD_COUNT_OF(words)) || od_op_is_array(op);
}

bool od_op_is_array(struct od_view op)
{
    static const char *const words[] = {"EagerConst", "_Send", "ToDevice"};
    return has_any(op, words, OD_COUNT_OF(words));
}

bool od_op_is_forward(struct od_view op)
{
    static const char *const words[] = {
        "MatMul", "Conv", "BiasAdd", "Relu", "Softmax", "Norm",    "Pool",      "Add",
        "Mul",    "Sub",  "Tanh",    "Cast", "Sigmoid", "Concat",  "concat",    "dropout",
        "Gelu",   "Erf",  "Pad",     "Log",  "Einsum",  "Sqrt",    "Transpose", "transpose",
        "Rnn",    "RNN",  "Gather",  "Tile", "Resize",  "Reshape", "Square",    "Slice",
    };
    return has_any(op, words, OD_COUNT_OF(words)) && !od_op_is_backward(op) && !od_op_is_setup(op);
}
