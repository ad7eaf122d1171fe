#include "attribute/ops.h"

bool od_op_is_backward(struct od_view op)
{
    static const char *const words[] = {"gradient", "Backprop", "Grad",  "_grad", "Adam",
                                        "Momentum", "RMSProp",  "Apply", NULL};
    return od_view_has_any(op, words);
}

bool od_op_is_parameter(struct od_view op)
{
    static const char *const words[] = {"BackpropFilter", "BiasAddGrad", "Apply",
                                        "update_",        "L2Loss",      NULL};
    if (od_view_has_any(op, words))
        return true;
    if (!od_op_is_backward(op))
        return false;
    /* the second product of a matrix product's gradient is the matrix' own */
    return od_view_ends(op, OD_VIEW("MatMul_1")) ||
           (od_view_has(op, OD_VIEW("Adam")) && !od_view_has(op, OD_VIEW("gradient")));
}

bool od_op_is_setup(struct od_view op)
{
    static const char *const words[] = {"Restore",     "Initializer", "initializer", "Assign",
                                        "VarHandleOp", "VariableV2",  NULL};
    return od_view_has_any(op, words) || od_op_is_array(op);
}

bool od_op_is_array(struct od_view op)
{
    static const char *const words[] = {"EagerConst", "_Send", "ToDevice", NULL};
    return od_view_has_any(op, words);
}

bool od_op_is_forward(struct od_view op)
{
    static const char *const words[] = {
        "MatMul", "Conv",      "BiasAdd",   "Relu",  "Softmax", "Norm",    "Pool",
        "Add",    "Mul",       "Sub",       "Tanh",  "Cast",    "Sigmoid", "Concat",
        "concat", "dropout",   "Gelu",      "Erf",   "Pad",     "Log",     "Einsum",
        "Sqrt",   "Transpose", "transpose", "Rnn",   "RNN",     "Gather",  "Tile",
        "Resize", "Reshape",   "Square",    "Slice", NULL};
    return od_view_has_any(op, words) && !od_op_is_backward(op) && !od_op_is_setup(op);
}
