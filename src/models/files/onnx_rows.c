/*
 * Operations of an ONNX graph: the output shape of each (docs/Operators.md of ONNX), and rows for
 * those of which training keeps a tensor. Integers that compute shapes give no rows.
 */
#include "models/files/onnx.h"

static bool is_op(const struct od_onnx_node *node, const char *op)
{
    return od_view_eq_str(node->op, op);
}

static const struct od_onnx_value *input(struct od_onnx *onnx, const struct od_onnx_node *node,
                                         uint32_t i)
{
    static const struct od_onnx_value nothing;
    return i < node->ninputs && node->inputs[i].n > 0 ? od_onnx_value_of(onnx, node->inputs[i])
                                                      : &nothing;
}

static struct od_onnx_ints of_shape(const struct od_shape *shape)
{
    struct od_onnx_ints ints = {.known = shape->known, .n = shape->n};
    for (uint32_t i = 0; i < shape->n; i++)
        ints.at[i] = shape->dims[i] == OD_DIM_UNKNOWN ? OD_ONNX_OPEN : (int64_t)shape->dims[i];
    return ints;
}

static struct od_onnx_ints gathered(const struct od_onnx_ints *from, const struct od_onnx_ints *at)
{
    struct od_onnx_ints out = {.known = from->known && at->known, .n = at->n};
    for (uint32_t i = 0; i < at->n; i++) {
        int64_t index = at->at[i] < 0 ? at->at[i] + (int64_t)from->n : at->at[i];
        if (index < 0 || index >= (int64_t)from->n)
            return (struct od_onnx_ints){0};
        out.at[i] = from->at[index];
    }
    return out;
}

static struct od_onnx_ints joined_ints(struct od_onnx *onnx, const struct od_onnx_node *node)
{
    struct od_onnx_ints out = {.known = true};
    for (uint32_t i = 0; i < node->ninputs; i++) {
        const struct od_onnx_ints *in = &input(onnx, node, i)->ints;
        if (!in->known || out.n + in->n > OD_ONNX_INTS)
            return (struct od_onnx_ints){0};
        for (uint32_t k = 0; k < in->n; k++)
            out.at[out.n++] = in->at[k];
    }
    return out;
}

/* Reads integers such as starts and ends: from an input, or from an attribute in older files. */
static struct od_onnx_ints given(struct od_onnx *onnx, const struct od_onnx_node *node, uint32_t i,
                                 const char *name)
{
    const struct od_onnx_value *in = input(onnx, node, i);
    return in->ints.known ? in->ints : od_onnx_ints_of(node, name);
}

/* Computes an operation on two integers. False if the result is undefined. */
static bool compute(const struct od_onnx_node *node, int64_t a, int64_t b, int64_t *ret_number)
{
    if (is_op(node, "Mul"))
        return !ckd_mul(ret_number, a, b);
    if (is_op(node, "Add") || is_op(node, "Sub"))
        return is_op(node, "Add") ? !ckd_add(ret_number, a, b) : !ckd_sub(ret_number, a, b);
    if (b < 1 || b > INT32_MAX)
        return false;
    *ret_number = is_op(node, "Div") ? a / b : (a % b + b) % b;
    return true;
}

/* Computes an operation on two vectors by element; a single number applies to all. */
static struct od_onnx_ints computed(const struct od_onnx_node *node, const struct od_onnx_ints *a,
                                    const struct od_onnx_ints *b)
{
    struct od_onnx_ints out = {.known = a->known && b->known, .n = a->n > b->n ? a->n : b->n};
    if (!out.known || a->n == 0 || b->n == 0 || (a->n != b->n && a->n != 1 && b->n != 1))
        return (struct od_onnx_ints){0};
    for (uint32_t i = 0; i < out.n; i++) {
        int64_t x = a->at[a->n == 1 ? 0 : i], y = b->at[b->n == 1 ? 0 : i];
        if (x == OD_ONNX_OPEN || y == OD_ONNX_OPEN || !compute(node, x, y, &out.at[i]))
            return (struct od_onnx_ints){0};
    }
    return out;
}

/* Converts an index, which counts from the end if negative, to 0..n. */
static uint64_t place(int64_t at, uint64_t n)
{
    uint64_t back = at < 0 ? (uint64_t)0 - (uint64_t)at : 0;
    return at < 0 ? (back > n ? 0 : n - back) : (uint64_t)at > n ? n : (uint64_t)at;
}

static struct od_onnx_ints cut(struct od_onnx *onnx, const struct od_onnx_node *node,
                               const struct od_onnx_ints *in)
{
    struct od_onnx_ints starts = given(onnx, node, 1, "starts");
    struct od_onnx_ints ends = given(onnx, node, 2, "ends");
    struct od_onnx_ints out = {.known = in->known && starts.n == 1 && ends.n == 1};
    if (!out.known || node->ninputs > 4)
        return (struct od_onnx_ints){0};
    for (uint64_t i = place(starts.at[0], in->n); i < place(ends.at[0], in->n); i++)
        out.at[out.n++] = in->at[i];
    return out;
}

static struct od_onnx_ints ints_of(struct od_onnx *onnx, const struct od_onnx_node *node)
{
    static const char *const same[] = {"Unsqueeze", "Squeeze", "Reshape", "Cast", "Identity", NULL};
    static const char *const computes[] = {"Add", "Sub", "Mul", "Div", "Mod", NULL};
    const struct od_onnx_value *first = input(onnx, node, 0), *second = input(onnx, node, 1);
    if (is_op(node, "Shape"))
        return of_shape(&first->shape);
    if (is_op(node, "Gather"))
        return gathered(&first->ints, &second->ints);
    if (is_op(node, "Concat"))
        return joined_ints(onnx, node);
    if (od_view_eq_any(node->op, same))
        return first->ints;
    if (od_view_eq_any(node->op, computes))
        return computed(node, &first->ints, &second->ints);
    if (is_op(node, "Slice"))
        return cut(onnx, node, &first->ints);
    return (struct od_onnx_ints){0};
}

/* Output shape of a convolution or pool: out = (in + pads - reach) / stride + 1. */
static struct od_shape windowed(const struct od_onnx_node *node, struct od_shape in,
                                const struct od_shape *weight, bool back)
{
    struct od_onnx_ints kernel = od_onnx_ints_of(node, "kernel_shape");
    struct od_onnx_ints strides = od_onnx_ints_of(node, "strides");
    struct od_onnx_ints pads = od_onnx_ints_of(node, "pads");
    struct od_onnx_ints dilations = od_onnx_ints_of(node, "dilations");
    int64_t up = od_onnx_int(node, "ceil_mode", 0);
    if (!in.known || in.n < 3)
        return (struct od_shape){0};
    for (uint32_t i = 2; i < in.n; i++) {
        uint32_t d = i - 2, spatial = in.n - 2;
        int64_t k = d < kernel.n              ? kernel.at[d]
                    : weight && i < weight->n ? (int64_t)weight->dims[i]
                                              : 1;
        int64_t stride = d < strides.n && strides.at[d] > 0 ? strides.at[d] : 1;
        int64_t pad = d + spatial < pads.n ? pads.at[d] + pads.at[d + spatial] : 0;
        int64_t reach = (k - 1) * (d < dilations.n ? dilations.at[d] : 1) + 1;
        if (in.dims[i] > INT32_MAX || reach < 1 || reach > INT32_MAX || pad < 0 || pad > INT32_MAX)
            return (struct od_shape){0};
        int64_t size = (int64_t)in.dims[i];
        int64_t out = back ? (size - 1) * stride + reach - pad
                           : (size + pad - reach + (up ? stride - 1 : 0)) / stride + 1;
        if (out < 1)
            return (struct od_shape){0};
        in.dims[i] = (uint64_t)out;
    }
    if (weight && weight->n > 1) {
        uint64_t group = (uint64_t)od_onnx_int(node, "group", 1);
        in.dims[1] = back ? weight->dims[1] * group : weight->dims[0];
    }
    return in;
}

/* Output of Reshape. Its first dimension is replaced: it may be the trace's batch. */
static struct od_shape reshaped(const struct od_shape *in, const struct od_onnx_ints *to)
{
    struct od_shape out = {.known = to->known && to->n > 0, .n = to->n};
    uint64_t all, others = 1;
    uint32_t open = to->n;
    if (!out.known || !od_shape_elements(in, &all))
        return (struct od_shape){0};
    for (uint32_t i = 0; i < to->n; i++) {
        bool keeps = to->at[i] == 0 && i < in->n;
        if (to->at[i] < 0 && open < to->n)
            return (struct od_shape){0};
        if (to->at[i] < 0)
            open = i;
        else
            out.dims[i] = keeps ? in->dims[i] : (uint64_t)to->at[i];
        if (to->at[i] >= 0 && (out.dims[i] == 0 || ckd_mul(&others, others, out.dims[i])))
            return (struct od_shape){0};
    }
    if (open == to->n && others != all) {
        open = 0;
        others /= out.dims[0];
    }
    if (open < to->n && all % others != 0)
        return (struct od_shape){0};
    if (open < to->n)
        out.dims[open] = all / others;
    return out;
}

/* Broadcasts two shapes from the last dimension on. */
static struct od_shape together(struct od_shape a, struct od_shape b)
{
    if (!a.known || !b.known)
        return a.known ? a : b;
    struct od_shape out = a.n >= b.n ? a : b, less = a.n >= b.n ? b : a;
    for (uint32_t i = 0; i < less.n; i++) {
        uint64_t *to = &out.dims[out.n - less.n + i], from = less.dims[i];
        *to = *to == OD_DIM_UNKNOWN || from == OD_DIM_UNKNOWN ? OD_DIM_UNKNOWN
              : from > *to                                    ? from
                                                              : *to;
    }
    return out;
}

static struct od_shape multiplied(struct od_shape a, const struct od_shape *b)
{
    if (!a.known || !b->known || a.n < 2 || b->n < 2)
        return (struct od_shape){0};
    struct od_shape out = a.n >= b->n ? a : *b;
    for (uint32_t i = 0; i + 2 < a.n && i + 2 < b->n; i++) {
        uint64_t *to = &out.dims[out.n - 3 - i], x = a.dims[a.n - 3 - i], y = b->dims[b->n - 3 - i];
        *to = x > y ? x : y;
    }
    out.dims[out.n - 2] = a.dims[a.n - 2];
    out.dims[out.n - 1] = b->dims[b->n - 1];
    return out;
}

static struct od_shape transposed(const struct od_onnx_node *node, const struct od_shape *in)
{
    struct od_onnx_ints order = od_onnx_ints_of(node, "perm");
    struct od_shape out = *in;
    for (uint32_t i = 0; i < out.n; i++) {
        int64_t from = i < order.n ? order.at[i] : (int64_t)(out.n - 1 - i);
        if (from < 0 || from >= (int64_t)in->n)
            return (struct od_shape){0};
        out.dims[i] = in->dims[from];
    }
    return out;
}

static struct od_shape concatenated(struct od_onnx *onnx, const struct od_onnx_node *node)
{
    struct od_shape out = input(onnx, node, 0)->shape;
    int64_t axis = od_onnx_int(node, "axis", 1);
    axis = axis < 0 ? axis + (int64_t)out.n : axis;
    for (uint32_t i = 1; i < node->ninputs; i++) {
        const struct od_shape *in = &input(onnx, node, i)->shape;
        if (!in->known || in->n != out.n || axis < 0 || axis >= (int64_t)out.n ||
            ckd_add(&out.dims[axis], out.dims[axis], in->dims[axis]))
            return (struct od_shape){0};
    }
    return out;
}

static struct od_shape averaged(struct od_onnx *onnx, const struct od_onnx_node *node,
                                struct od_shape in, bool global)
{
    struct od_onnx_ints axes = given(onnx, node, 1, "axes");
    struct od_shape out = in;
    bool keeps = global || od_onnx_int(node, "keepdims", 1) != 0;
    if (!in.known || (!global && !axes.known))
        return (struct od_shape){0};
    out.n = 0;
    for (uint32_t i = 0; i < in.n; i++) {
        bool gone = global && i >= 2;
        for (uint32_t k = 0; k < axes.n; k++)
            gone = gone || axes.at[k] == (int64_t)i || axes.at[k] + (int64_t)in.n == (int64_t)i;
        if (!gone || keeps)
            out.dims[out.n++] = gone ? 1 : in.dims[i];
    }
    return out;
}

/* Appends dimensions [from, to) of a shape to another, unknown if too many. */
static void append(struct od_shape *out, const struct od_shape *of, uint32_t from, uint32_t to)
{
    out->known = out->known && of->known && to <= of->n && out->n + (to - from) <= OD_SHAPE_MAX;
    for (uint32_t i = from; out->known && i < to; i++)
        out->dims[out->n++] = of->dims[i];
}

/* Output shape of Gather: rows of a table (or along another axis), one for each index. */
static struct od_shape looked_up(const struct od_onnx_node *node, const struct od_shape *table,
                                 const struct od_shape *numbers)
{
    struct od_shape out = {.known = true};
    int64_t said = od_onnx_int(node, "axis", 0);
    uint32_t axis = (uint32_t)place(said, table->n);
    if (!table->known || axis >= table->n)
        return (struct od_shape){0};
    append(&out, table, 0, axis);
    append(&out, numbers, 0, numbers->n);
    append(&out, table, axis + 1, table->n);
    return out;
}

/* Removes dimensions of 1, or inserts them if `more`. */
static struct od_shape squeezed(struct od_onnx *onnx, const struct od_onnx_node *node,
                                const struct od_shape *in, bool more)
{
    static const struct od_shape one = {.dims = {1}, .n = 1, .known = true};
    struct od_onnx_ints axes = given(onnx, node, 1, "axes");
    uint32_t n = in->n + (more ? axes.n : 0);
    struct od_shape out = {.known = in->known && (axes.known || (!more && node->ninputs < 2))};
    for (uint32_t i = 0, from = 0; i < n && out.known; i++) {
        bool named = !axes.known && in->dims[i] == 1;
        for (uint32_t k = 0; k < axes.n; k++)
            named = named || place(axes.at[k], n) == i;
        if (more && named)
            append(&out, &one, 0, 1);
        else if (!named)
            append(&out, in, more ? from : i, (more ? from : i) + 1);
        from += !named;
    }
    return out;
}

static struct od_shape sliced(struct od_onnx *onnx, const struct od_onnx_node *node,
                              struct od_shape out)
{
    struct od_onnx_ints starts = given(onnx, node, 1, "starts");
    struct od_onnx_ints ends = given(onnx, node, 2, "ends");
    struct od_onnx_ints axes = given(onnx, node, 3, "axes");
    struct od_onnx_ints steps = given(onnx, node, 4, "steps");
    if (!out.known || !starts.known || starts.n != ends.n || (axes.known && axes.n != starts.n))
        return (struct od_shape){0};
    for (uint32_t i = 0; i < starts.n; i++) {
        uint64_t axis = axes.known ? place(axes.at[i], out.n) : i;
        uint64_t step = i < steps.n && steps.at[i] > 0 ? (uint64_t)steps.at[i] : 1;
        if (axis >= out.n || out.dims[axis] == OD_DIM_UNKNOWN || (i < steps.n && steps.at[i] < 1))
            return (struct od_shape){0};
        uint64_t from = place(starts.at[i], out.dims[axis]);
        uint64_t to = place(ends.at[i], out.dims[axis]);
        out.dims[axis] = to > from ? (to - from - 1) / step + 1 : 0;
    }
    return out;
}

/* Output shape of a node with several outputs. */
static struct od_shape part(struct od_onnx *onnx, const struct od_onnx_node *node, uint32_t i)
{
    struct od_shape out = input(onnx, node, 0)->shape;
    struct od_onnx_ints sizes = given(onnx, node, 1, "split");
    uint64_t axis = place(od_onnx_int(node, "axis", 0), out.n);
    if (!out.known || axis >= out.n || out.dims[axis] == OD_DIM_UNKNOWN ||
        (sizes.known && i >= sizes.n))
        return (struct od_shape){0};
    out.dims[axis] = sizes.known ? (uint64_t)sizes.at[i] : out.dims[axis] / node->noutputs;
    return out;
}

static struct od_shape flattened(const struct od_onnx_node *node, const struct od_shape *in)
{
    struct od_shape out = {.known = in->known, .n = 2, .dims = {1, 1}};
    uint64_t axis = place(od_onnx_int(node, "axis", 1), in->n);
    for (uint32_t i = 0; i < in->n; i++)
        if (in->dims[i] == OD_DIM_UNKNOWN ||
            ckd_mul(&out.dims[i >= axis], out.dims[i >= axis], in->dims[i]))
            return (struct od_shape){0};
    return out;
}

static struct od_shape joined(struct od_onnx *onnx, const struct od_onnx_node *node)
{
    struct od_shape out = input(onnx, node, 0)->shape;
    for (uint32_t i = 1; i < node->ninputs; i++)
        out = together(out, input(onnx, node, i)->shape);
    return out;
}

static struct od_shape moved(struct od_onnx *onnx, const struct od_onnx_node *node)
{
    const struct od_onnx_value *a = input(onnx, node, 0), *b = input(onnx, node, 1);
    if (is_op(node, "Reshape"))
        return reshaped(&a->shape, &b->ints);
    if (is_op(node, "Flatten"))
        return flattened(node, &a->shape);
    if (is_op(node, "Transpose"))
        return transposed(node, &a->shape);
    if (is_op(node, "Concat"))
        return concatenated(onnx, node);
    if (is_op(node, "Gather"))
        return looked_up(node, &a->shape, &b->shape);
    if (is_op(node, "Squeeze") || is_op(node, "Unsqueeze"))
        return squeezed(onnx, node, &a->shape, is_op(node, "Unsqueeze"));
    if (is_op(node, "Slice"))
        return sliced(onnx, node, a->shape);
    if (is_op(node, "Split"))
        return part(onnx, node, 0);
    return (struct od_shape){0};
}

static struct od_shape shape_of(struct od_onnx *onnx, const struct od_onnx_node *node)
{
    static const char *const joins[] = {"Add", "Sub", "Mul", "Div", "Pow", "Sum", "Where", NULL};
    static const char *const same[] = {
#define OD_SAME_SHAPE(name) name,
#include "models/files/onnx_same.def"
        NULL};
    const struct od_onnx_value *a = input(onnx, node, 0), *b = input(onnx, node, 1);
    if (od_view_eq_any(node->op, same))
        return a->shape;
    if (od_view_eq_any(node->op, joins))
        return joined(onnx, node);
    if (is_op(node, "Conv") || is_op(node, "ConvTranspose"))
        return windowed(node, a->shape, &b->shape, is_op(node, "ConvTranspose"));
    if (is_op(node, "MaxPool") || is_op(node, "AveragePool"))
        return windowed(node, a->shape, NULL, false);
    if (is_op(node, "GlobalAveragePool") || is_op(node, "ReduceMean"))
        return averaged(onnx, node, a->shape, is_op(node, "GlobalAveragePool"));
    if (is_op(node, "MatMul"))
        return multiplied(a->shape, &b->shape);
    if (is_op(node, "Gemm") && b->shape.n == 2) {
        struct od_shape out = a->shape;
        if (out.known && out.n == 2)
            out.dims[1] = b->shape.dims[od_onnx_int(node, "transB", 0) ? 0 : 1];
        return out;
    }
    return moved(onnx, node);
}

/* Prefers the given shape to the inferred one, unless it leaves more dimensions open. If only its
 * first dimension is open, that is the batch. */
static struct od_shape settled(const struct od_onnx *onnx, struct od_shape stated,
                               const struct od_shape *inferred)
{
    uint64_t elements;
    if (!stated.known || (inferred->known && !od_shape_elements(&stated, &elements)))
        return *inferred;
    if (stated.n > 0 && stated.dims[0] == OD_DIM_UNKNOWN && onnx->batch > 0)
        stated.dims[0] = onnx->batch;
    return stated;
}

void od_onnx_infer(struct od_onnx *onnx, const struct od_onnx_node *node)
{
    struct od_onnx_ints ints = ints_of(onnx, node);
    struct od_shape shape = shape_of(onnx, node);
    for (uint32_t i = 0; i < node->noutputs; i++) {
        struct od_onnx_value *out = od_onnx_value_of(onnx, node->outputs[i]);
        struct od_shape other = {0};
        if (i > 0 && is_op(node, "Split"))
            other = part(onnx, node, i);
        out->shape = settled(onnx, out->shape, i == 0 ? &shape : &other);
        if (i == 0)
            out->ints = ints;
    }
}

/* Index of the dimension that contains the batch, preferably one equal to it, else a multiple. */
static uint32_t place_of_batch(const struct od_shape *shape, uint64_t batch)
{
    uint32_t multiple = shape->n;
    for (uint32_t i = 0; i < shape->n; i++) {
        uint64_t n = shape->dims[i];
        if (n == batch)
            return i;
        if (multiple == shape->n && n != OD_DIM_UNKNOWN && n > 0 && n % batch == 0)
            multiple = i;
    }
    return multiple;
}

bool od_onnx_sample(const struct od_onnx *onnx, const struct od_shape *shape,
                    struct od_shape *ret_sample)
{
    struct od_shape out = {.known = true, .n = 1, .dims = {OD_DIM_UNKNOWN}};
    uint32_t at = onnx->batch > 0 ? place_of_batch(shape, onnx->batch) : shape->n;
    *ret_sample = *shape;
    if (!shape->known || at == shape->n)
        return true;
    struct od_shape rest = *shape;
    rest.dims[at] /= onnx->batch;
    append(&out, &rest, 0, rest.dims[at] == 1 ? at : at + 1);
    append(&out, &rest, at + 1, rest.n);
    *ret_sample = out;
    if (onnx->batch != OD_ONNX_STAND_IN || place_of_batch(&rest, onnx->batch) == rest.n)
        return true;
    *ret_sample = (struct od_shape){0};
    return false;
}

static const struct {
    const char *op;
    enum od_layer_kind kind;
} kinds[] = {
#define OD_ONNX_KIND(op, layer) {op, OD_LAYER_##layer},
#include "models/files/onnx_kinds.def"
};

static const char *const views[] = {"Reshape",   "Flatten",  "Squeeze", "Unsqueeze",
                                    "Transpose", "Identity", NULL};
static const char *const copies[] = {"Slice",    "Split", "Pad",    "Resize",
                                     "Upsample", "Cast",  "Expand", NULL};

static enum od_layer_kind kind_of(const struct od_onnx_node *node)
{
    for (size_t i = 0; i < OD_COUNT_OF(kinds); i++)
        if (is_op(node, kinds[i].op))
            return kinds[i].kind;
    return od_view_eq_any(node->op, views)    ? OD_LAYER_VIEW
           : od_view_eq_any(node->op, copies) ? OD_LAYER_COPY
                                              : OD_LAYER_OTHER;
}

/* Number of a node's parameters; moving statistics of a batch norm are not trained. */
static uint64_t weights_of(struct od_onnx *onnx, const struct od_onnx_node *node, bool norm)
{
    uint64_t sum = 0, elements;
    for (uint32_t i = 1; i < node->ninputs; i++) {
        const struct od_onnx_value *in = input(onnx, node, i);
        if (!in->weight || !od_shape_elements(&in->shape, &elements))
            continue;
        if (norm && i > 2)
            onnx->weights -= elements < onnx->weights ? elements : onnx->weights;
        else if (ckd_add(&sum, sum, elements))
            onnx->overflow = true;
    }
    return sum;
}

/* Steps of an activation that consists of several nodes: x * sigmoid(x), which keeps only x, and
 * the GELU x * (erf(x / c) + 1) / 2. */
enum { ERF = 1, SHIFTED, TIMES, DONE };

static bool is_folded(struct od_onnx *onnx, const struct od_onnx_node *node)
{
    const struct od_onnx_value *a = input(onnx, node, 0), *b = input(onnx, node, 1);
    struct od_onnx_value *out = od_onnx_value_of(onnx, node->outputs[0]);
    if (!(is_op(node, "Mul") || is_op(node, "Add")))
        return false;
    const struct od_onnx_value *gate = a->gate ? a : b, *other = a->gate ? b : a;
    uint8_t next = gate->gate == ERF && is_op(node, "Add") && other->row == 0     ? SHIFTED
                   : gate->gate == SHIFTED && is_op(node, "Mul")                  ? TIMES
                   : gate->gate == TIMES && is_op(node, "Mul") && other->row == 0 ? DONE
                                                                                  : 0;
    if (next > 0) {
        out->row = gate->row;
        out->gate = next == DONE ? 0 : next;
        return true;
    }
    struct od_layer *rows = onnx->model.layers.items;
    for (int swap = 0; swap < 2 && is_op(node, "Mul"); swap++) {
        const struct od_onnx_value *x = swap ? b : a, *sigmoid = swap ? a : b;
        if (x->row == 0 || sigmoid->row == 0 || rows[sigmoid->row - 1].kind != OD_LAYER_SIGMOID ||
            onnx->model.inputs.items[rows[sigmoid->row - 1].first_input] != x->row - 1)
            continue;
        rows[sigmoid->row - 1].kind = OD_LAYER_SMOOTH;
        out->row = sigmoid->row;
        return true;
    }
    return false;
}

void od_onnx_add(struct od_onnx *onnx, const struct od_onnx_node *node)
{
    struct od_model *model = &onnx->model;
    struct od_layer row = od_layer_blank();
    row.first_input = (uint32_t)model->inputs.n;
    row.kind = kind_of(node);
    if (is_op(node, "Shape") || is_folded(onnx, node))
        return;
    for (uint32_t i = 0; i < node->ninputs; i++) {
        const struct od_onnx_value *in = input(onnx, node, i);
        if (in->row > 0)
            od_vec_push(&model->inputs, in->row - 1);
    }
    row.ninputs = (uint32_t)model->inputs.n - row.first_input;
    if (row.ninputs == 0)
        return; /* depends only on weights or integers */
    uint64_t numbers = weights_of(onnx, node, row.kind == OD_LAYER_BATCH_NORM);
    if (is_op(node, "MatMul") && row.ninputs > 1)
        row.kind = OD_LAYER_MULTIPLY; /* both factors are kept */
    else if (row.kind == OD_LAYER_MULTIPLY && row.ninputs == 1 && numbers <= 1)
        row.kind = OD_LAYER_COPY; /* one factor is constant */
    struct od_onnx_value *out = od_onnx_value_of(onnx, node->outputs[0]);
    row.name = od_arena_view(onnx->file->arena, node->name.n > 0 ? node->name : node->outputs[0]);
    row.type = od_arena_view(onnx->file->arena, node->op);
    onnx->across += !od_onnx_sample(onnx, &out->shape, &row.output);
    row.noutputs = 1;
    row.parameters = od_count_of(numbers);
    if (row.kind == OD_LAYER_DROPOUT)
        row.dropout = od_onnx_float(node, "ratio", 0.5);
    onnx->unsized += !out->shape.known;
    od_vec_push(&model->layers, row);
    for (uint32_t i = 0; i < node->noutputs; i++)
        od_onnx_value_of(onnx, node->outputs[i])->row = (uint32_t)model->layers.n;
    out->gate = is_op(node, "Erf") ? ERF : 0;
}
