/*
 * Converts a step recorded in float32 to autocast: each operation is cast as PyTorch does
 * (docs.pytorch.org/docs/stable/amp.html, operations of CUDA), and later tensors get that width.
 */
#include "models/files/graph_step.h"

struct sorted {
    const char *name;
    enum od_graph_sort sort;
};

/* Which inputs and outputs are kept, according to PyTorch's derivatives.yaml. */
static const struct sorted sorts[] = {
    {"mm", OD_GRAPH_HALF},
    {"addmm", OD_GRAPH_HALF},
    {"bmm", OD_GRAPH_HALF},
    {"baddbmm", OD_GRAPH_HALF},
    {"addbmm", OD_GRAPH_HALF},
    {"mv", OD_GRAPH_HALF},
    {"addmv", OD_GRAPH_HALF},
    {"linear", OD_GRAPH_HALF},
    {"matmul", OD_GRAPH_HALF},
    {"einsum", OD_GRAPH_HALF},
    {"convolution", OD_GRAPH_HALF},
    {"conv", OD_GRAPH_HALF},
    {"conv1d", OD_GRAPH_HALF},
    {"conv2d", OD_GRAPH_HALF},
    {"conv3d", OD_GRAPH_HALF},
    {"_scaled_dot_product", OD_GRAPH_HALF},
    {"scaled_dot_product", OD_GRAPH_HALF},
    {"native_layer_norm", OD_GRAPH_FULL},
    {"native_group_norm", OD_GRAPH_FULL},
    {"layer_norm", OD_GRAPH_FULL},
    {"group_norm", OD_GRAPH_FULL},
    {"pow", OD_GRAPH_FULL},
    {"log", OD_GRAPH_FULL},
    {"prod", OD_GRAPH_FULL},
    {"mse_loss", OD_GRAPH_FULL},
    {"norm", OD_GRAPH_FULL_MAKES},
    {"linalg_vector_norm", OD_GRAPH_FULL_MAKES},
    {"cumsum", OD_GRAPH_FULL_MAKES},
    {"cumprod", OD_GRAPH_FULL_MAKES},
    {"logsumexp", OD_GRAPH_FULL},
    {"smooth_l1_loss", OD_GRAPH_FULL},
    {"huber_loss", OD_GRAPH_FULL},
    {"binary_cross_entropy_with_logits", OD_GRAPH_FULL},
    {"softplus", OD_GRAPH_FULL},
    {"_softmax", OD_GRAPH_FULL_MAKES},
    {"_log_softmax", OD_GRAPH_FULL_MAKES},
    {"softmax", OD_GRAPH_FULL_MAKES},
    {"log_softmax", OD_GRAPH_FULL_MAKES},
    {"exp", OD_GRAPH_FULL_MAKES},
    {"rsqrt", OD_GRAPH_FULL_MAKES},
    {"reciprocal", OD_GRAPH_FULL_MAKES},
    {"nll_loss", OD_GRAPH_FULL_MAKES},
    {"sum", OD_GRAPH_FULL_MAKES},
    {"relu", OD_GRAPH_MAKES},
    {"sigmoid", OD_GRAPH_MAKES},
    {"tanh", OD_GRAPH_MAKES},
    {"sqrt", OD_GRAPH_MAKES},
    {"add", OD_GRAPH_PASSES},
    {"sub", OD_GRAPH_PASSES},
    {"neg", OD_GRAPH_PASSES},
    {"mean", OD_GRAPH_PASSES},
    {"clone", OD_GRAPH_PASSES},
    {"to", OD_GRAPH_PASSES},
    {"copy", OD_GRAPH_PASSES},
    {"cat", OD_GRAPH_PASSES},
    {"view", OD_GRAPH_VIEWS},
    {"_unsafe_view", OD_GRAPH_PASSES},
    {"expand", OD_GRAPH_TURNS},
    {"slice", OD_GRAPH_VIEWS},
    {"select", OD_GRAPH_VIEWS},
    {"split", OD_GRAPH_VIEWS},
    {"split_with_sizes", OD_GRAPH_VIEWS},
    {"unbind", OD_GRAPH_VIEWS},
    {"_reshape_alias", OD_GRAPH_PASSES},
    {"as_strided", OD_GRAPH_PASSES},
    {"repeat", OD_GRAPH_PASSES},
    {"pixel_shuffle", OD_GRAPH_PASSES},
    {"flip", OD_GRAPH_PASSES},
    {"transpose", OD_GRAPH_TURNS},
    {"permute", OD_GRAPH_TURNS},
    {"t", OD_GRAPH_TURNS},
    {"unsqueeze", OD_GRAPH_VIEWS},
    {"squeeze", OD_GRAPH_VIEWS},
    {"detach", OD_GRAPH_VIEWS},
    {"alias", OD_GRAPH_VIEWS},
    {"roll", OD_GRAPH_PASSES},
    {"native_dropout", OD_GRAPH_PASSES},
    {"dropout", OD_GRAPH_PASSES},
    {"constant_pad_nd", OD_GRAPH_PASSES},
    {"upsample", OD_GRAPH_PASSES},
    {"masked_fill", OD_GRAPH_PASSES},
    {"index", OD_GRAPH_PASSES},
    {"stack", OD_GRAPH_PASSES},
    {"flatten", OD_GRAPH_ORDERS},
    {"unflatten", OD_GRAPH_VIEWS},
    {"chunk", OD_GRAPH_VIEWS},
    {"narrow", OD_GRAPH_VIEWS},
    {"view_as", OD_GRAPH_VIEWS},
    {"expand_as", OD_GRAPH_VIEWS},
    {"movedim", OD_GRAPH_TURNS},
    {"swapaxes", OD_GRAPH_TURNS},
    {"numpy_T", OD_GRAPH_TURNS},
    {"reshape", OD_GRAPH_ORDERS},
    {"contiguous", OD_GRAPH_ORDERS},
};

/* Names are compared by their start: "add_" is an in-place add, "_softmax_backward_data" a
 * softmax. */
enum od_graph_sort od_graph_sort_of(struct od_view op)
{
    struct od_view first, rest = op;
    if (od_view_has(op, OD_VIEW("batch_norm")))
        return OD_GRAPH_FIRST;
    bool aten = od_view_take(&rest, OD_VIEW("aten."));
    if (!aten || !od_view_cut(&rest, '.', &first))
        first = rest;
    for (size_t i = 0; i < OD_COUNT_OF(sorts); i++) {
        struct od_view tail = first;
        bool stem = sorts[i].name[0] == '_' || sorts[i].sort == OD_GRAPH_HALF ||
                    od_view_has(first, OD_VIEW("backward"));
        if (od_view_take(&tail, od_view_of(sorts[i].name)) &&
            (tail.n == 0 || od_view_eq_str(tail, "_") ||
             (stem && od_view_starts(tail, OD_VIEW("_")))))
            return sorts[i].sort;
    }
    return OD_GRAPH_WIDEST;
}

enum {
    NARROW = 1,  /* created in 16 bit */
    COPIED = 2,  /* 16-bit copies of it are kept */
    WIDENED = 4, /* its float32 copy is kept */
    ITSELF = 8,  /* it is kept unchanged */
    DONE = 16,   /* created by an operation */
};

/* Only casts of weights are cached; each product makes a copy of its other input. */
struct cast {
    struct od_graph_step *step;
    unsigned char *marks; /* for each tensor */
    uint64_t *copied;     /* elements of a tensor's kept copies */
};

static bool is_cast(const struct od_graph_tensor *t)
{
    return t->floating && !t->buffer && !t->gradient;
}

static bool is_narrow(const struct cast *c, uint32_t t)
{
    const struct od_graph_tensor *tensor = &c->step->tensors.items[t];
    bool copy_alone = (c->marks[t] & COPIED) && !(c->marks[t] & ITSELF);
    return !is_cast(tensor) || (c->marks[t] & NARROW) || copy_alone;
}

static void read_input(const struct cast *c, size_t link, enum od_graph_sort sort)
{
    uint32_t t = c->step->links.items[link];
    uint64_t elements = c->step->reads.items[link];
    bool narrow = c->marks[t] & NARROW;
    if (sort == OD_GRAPH_HALF && !narrow && elements > 0 &&
        !ckd_add(&c->copied[t], c->copied[t], elements))
        c->marks[t] |= COPIED;
    else if (sort == OD_GRAPH_HALF)
        c->marks[t] |= narrow ? ITSELF : COPIED;
    else if (sort == OD_GRAPH_FULL)
        c->marks[t] |= narrow ? WIDENED : ITSELF;
    else if (sort == OD_GRAPH_WIDEST || sort == OD_GRAPH_FIRST)
        c->marks[t] |= ITSELF;
}

/* The input of a product with a frozen weight is not kept. */
static bool multiplies_frozen(const struct cast *c, const struct od_graph_op *op)
{
    bool frozen = false;
    for (size_t i = op->inputs; i < op->outputs; i++) {
        const struct od_graph_tensor *t = &c->step->tensors.items[c->step->links.items[i]];
        if (t->parameter && t->trainable)
            return false;
        frozen = frozen || t->parameter;
    }
    return frozen;
}

static void run_op(const struct cast *c, const struct od_graph_op *op, bool forward)
{
    const uint32_t *links = c->step->links.items;
    bool half = op->sort == OD_GRAPH_HALF, narrow = true, any = false;
    bool full = op->sort == OD_GRAPH_FULL || op->sort == OD_GRAPH_FULL_MAKES;
    bool idle = half && multiplies_frozen(c, op);
    size_t last =
        op->sort == OD_GRAPH_FIRST && op->outputs > op->inputs ? op->inputs + 1 : op->outputs;
    for (size_t i = op->inputs; i < last; i++) {
        narrow = narrow && is_narrow(c, links[i]);
        any = any || is_cast(&c->step->tensors.items[links[i]]);
        if (forward && !idle)
            read_input(c, i, op->sort);
    }
    for (size_t i = op->outputs; i < op->end; i++) {
        unsigned char *marks = &c->marks[links[i]];
        if (!(*marks & DONE) && (half || (!full && any && narrow)))
            *marks |= NARROW;
        if (forward && (op->sort == OD_GRAPH_MAKES || op->sort == OD_GRAPH_FULL_MAKES))
            *marks |= ITSELF;
        *marks |= DONE;
    }
}

static void resize(const struct cast *c, size_t i)
{
    struct od_graph_tensor *t = &c->step->tensors.items[i];
    unsigned char marks = c->marks[i];
    uint64_t half = t->bytes / 2, own = marks & NARROW ? half : t->bytes, bytes = 0, copies;
    if (!is_cast(t) || t->parameter)
        return;
    if (c->copied[i] == 0 || ckd_mul(&copies, c->copied[i], 2u))
        copies = half;
    if (t->kept && marks & COPIED && ckd_add(&bytes, bytes, copies))
        return;
    if (t->kept && marks & WIDENED)
        bytes += t->bytes;
    if (!t->kept || marks & ITSELF || bytes == 0)
        bytes += own;
    t->bytes = bytes;
}

void od_graph_autocast(struct od_graph_step *step)
{
    OD_VEC(unsigned char) marks = {0};
    OD_VEC(uint64_t) copied = {0};
    for (size_t i = 0; i < step->tensors.n; i++) {
        od_vec_push(&marks, step->tensors.items[i].met ? 0 : DONE);
        od_vec_push(&copied, 0);
    }
    const struct cast c = {step, marks.items, copied.items};
    for (size_t i = 0; i < step->ops.n; i++)
        run_op(&c, &step->ops.items[i], i < step->backward);
    for (size_t i = 0; i < step->tensors.n; i++)
        resize(&c, i);
    od_vec_done(&marks);
    od_vec_done(&copied);
}
