/*
 * Converts a step recorded in float32 to autocast: casts each operation as PyTorch does
 * (docs.pytorch.org/docs/stable/amp.html, operations of CUDA), which gives later tensors that
 * width.
 */
#include "models/files/graph_step.h"

struct sorted {
    const char *name;
    enum od_graph_sort sort;
};

static const struct sorted sorts[] = {
#define OD_GRAPH_OP(name, sort) {name, OD_GRAPH_##sort},
#include "models/files/graph_sorts.def"
};

/* Compares the start of names: "add_" is an in-place add, "_softmax_backward_data" a softmax. */
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
    NARROW = 1,  /* the tensor is in 16 bit */
    COPIED = 2,  /* 16-bit copies of the tensor are kept */
    WIDENED = 4, /* a float32 copy of the tensor is kept */
    ITSELF = 8,  /* the tensor itself is kept */
    DONE = 16,   /* an operation created the tensor */
};

/* State of the conversion. Casts of weights are cached; each product copies its other input. */
struct cast {
    struct od_graph_step *step;
    unsigned char *marks; /* marks of each tensor */
    uint64_t *copied;     /* elements in the kept copies of each tensor */
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

/* Is it a product with a frozen weight, whose other input is not kept? */
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
