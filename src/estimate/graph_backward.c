#include "estimate/graph_parts.h"

#define NONE OD_NO_GRAPH_TENSOR

static uint32_t make(struct od_build *b, uint32_t layer, const uint32_t *inputs, size_t n,
                     struct od_linear size)
{
    b->pass = OD_GRAPH_BACKWARD;
    return od_build_op(b, layer, inputs, n, size);
}

static struct od_linear size_of(const struct od_build *b, uint32_t tensor)
{
    return b->graph->tensors.items[tensor];
}

static void write_over(struct od_build *b)
{
    b->graph->ops.items[b->graph->ops.n - 1].over = true;
}

/* ---- gradients of tensors: one for each reader ---- */

static void add_gradient(struct od_build *b, uint32_t tensor, uint32_t gradient)
{
    struct od_gradient link = {.tensor = gradient, .next = b->first_gradient[tensor]};
    od_vec_push(&b->gradients, link);
    b->first_gradient[tensor] = (uint32_t)(b->gradients.n - 1);
}

enum { SUMMANDS_MAX = 64 };

/* Sums the gradients of a tensor into one of them; NONE if no operation reads the tensor. */
static uint32_t gradient_of(struct od_build *b, uint32_t layer, uint32_t tensor)
{
    uint32_t summands[SUMMANDS_MAX];
    size_t n = 0;
    for (uint32_t i = b->first_gradient[tensor]; i != NONE && n < SUMMANDS_MAX;
         i = b->gradients.items[i].next)
        summands[n++] = b->gradients.items[i].tensor;
    if (n <= 1)
        return n ? summands[0] : NONE;
    uint32_t sum = make(b, layer, summands, n, size_of(b, tensor));
    write_over(b);
    return sum;
}

static void update(struct od_build *b, uint32_t layer, uint32_t gradient, uint32_t barrier)
{
    uint32_t inputs[OD_TEMPORARIES_MAX + 2] = {gradient, barrier};
    size_t n = 2;
    struct od_linear size = size_of(b, gradient);
    b->pass = OD_GRAPH_UPDATE;
    for (unsigned i = 0; i < b->habits->temporary && i < OD_TEMPORARIES_MAX; i++) {
        uint32_t t = od_build_op(b, layer, inputs, n, size);
        inputs[n++] = t;
    }
    od_graph_op(b->graph, layer, OD_GRAPH_UPDATE, inputs, n);
}

static void put_if_any(struct od_build *b, struct od_linear size)
{
    if (size.each || size.fixed)
        od_build_more(b, size);
}

static void weight_gradient(struct od_build *b, const struct od_tape *tape, size_t i, uint32_t dy)
{
    uint32_t inputs[2 + OD_TAPE_SAVED] = {dy, i == 0 ? tape->saved_for_weights : NONE};
    uint64_t bytes = tape->weights[i];
    size_t n = 2;
    for (size_t j = 0; i == 0 && tape->whole && j < OD_TAPE_SAVED; j++)
        inputs[n++] = tape->saved[j];
    uint32_t g =
        make(b, tape->layer, inputs, n, (struct od_linear){.fixed = b->mixed ? bytes / 2 : bytes});
    if (i == 0) {
        od_build_newest(b)->scratch = tape->scratch;
        od_build_newest(b)->passes = 2 * tape->passes;
        put_if_any(b, tape->columns);
    }
    if (b->mixed)
        g = make(b, tape->layer, &g, 1, (struct od_linear){.fixed = bytes});
    if (b->habits->held)
        od_vec_push(&b->held, ((struct od_held){tape->layer, g}));
    else
        update(b, tape->layer, g, NONE);
}

static void weight_gradients(struct od_build *b, const struct od_tape *tape, uint32_t dy)
{
    for (size_t i = 0; i < OD_TAPE_WEIGHTS; i++)
        if (tape->weights[i])
            weight_gradient(b, tape, i, dy);
}

/* Adds all updates after all gradients. */
static void update_held(struct od_build *b)
{
    uint32_t *all = od_mem_alloc(b->held.n + 1, sizeof *all), barrier;
    struct od_linear none = {0};
    uint64_t sum = 0;
    for (size_t i = 0; i < b->held.n; i++) {
        all[i] = b->held.items[i].gradient;
        if (ckd_add(&sum, sum, size_of(b, all[i]).fixed))
            b->graph->overflow = true;
    }
    /* PyTorch updates all variables at once, so its temporaries are as large as all of them */
    if (b->torch && b->habits->temporary)
        none.fixed = sum;
    b->pass = OD_GRAPH_UPDATE;
    barrier = od_build_op(b, UINT32_MAX, all, b->held.n, none);
    for (size_t i = 0; i < b->held.n && !b->torch; i++)
        update(b, b->held.items[i].layer, all[i], barrier);
    od_mem_free(all);
}

static void input_gradient(struct od_build *b, const struct od_tape *tape, uint32_t in, uint32_t dy)
{
    uint32_t inputs[1 + OD_TAPE_SAVED] = {dy};
    for (size_t i = 0; i < OD_TAPE_SAVED; i++)
        inputs[1 + i] = tape->saved[i];
    if (!b->trains.items[in])
        return;
    if (tape->parts != OD_PARTS_ONE) {
        b->pass = OD_GRAPH_BACKWARD;
        add_gradient(b, in, od_gradient_by_parts(b, tape, in, dy));
        return;
    }
    uint32_t dx = make(b, tape->layer, inputs, 1 + OD_TAPE_SAVED, size_of(b, in));
    struct od_graph_op *op = od_build_newest(b);
    op->over = tape->how == OD_GRAD_OVER;
    op->scratch = tape->scratch;
    op->passes = tape->passes;
    put_if_any(b, tape->temporary);
    add_gradient(b, in, dx);
}

static void input_gradients(struct od_build *b, const struct od_tape *tape, uint32_t dy)
{
    for (uint32_t i = 0; i < tape->nin; i++) {
        uint32_t in = b->tape_inputs.items[tape->first_in + i];
        if (tape->how != OD_GRAD_SAME)
            input_gradient(b, tape, in, dy);
        else if (b->trains.items[in])
            add_gradient(b, in, dy);
    }
}

static void back(struct od_build *b, const struct od_tape *tape)
{
    uint32_t dy;
    if (!b->trains.items[tape->out])
        return;
    dy = gradient_of(b, tape->layer, tape->out);
    if (dy == NONE)
        return;
    if (b->habits->filter_first)
        weight_gradients(b, tape, dy);
    input_gradients(b, tape, dy);
    if (!b->habits->filter_first)
        weight_gradients(b, tape, dy);
}

static struct od_linear scaled(const struct od_build *b, struct od_linear line, uint64_t times,
                               uint64_t parts)
{
    struct od_linear scaled = {0};
    if (ckd_mul(&scaled.each, line.each, times))
        b->graph->overflow = true;
    scaled.each /= parts;
    return scaled;
}

/* Adds an operation of the loss. */
static uint32_t lose(struct od_build *b, const uint32_t *inputs, size_t n, struct od_linear size)
{
    b->pass = OD_GRAPH_FORWARD;
    return od_build_op(b, UINT32_MAX, inputs, n, size);
}

/* Adds binary cross-entropy as in Keras: -y log(p) - (1 - y) log(1 - p), clipped. */
static uint32_t binary_loss(struct od_build *b, uint32_t y, uint32_t labels)
{
    struct od_linear size = size_of(b, y);
    uint32_t p = lose(b, &y, 1, size);
    write_over(b);
    uint32_t clipped = lose(b, &p, 1, size), in[3];
    in[0] = lose(b, &clipped, 1, size);
    in[1] = labels;
    uint32_t first = lose(b, in, 2, size);
    write_over(b);
    uint32_t other = lose(b, &clipped, 1, size);
    in[0] = lose(b, &other, 1, size);
    in[2] = first;
    uint32_t loss = lose(b, in, 3, size);
    write_over(b);
    uint32_t more[] = {clipped, labels, loss}, rest[] = {other, labels, loss};
    uint32_t grads[] = {make(b, UINT32_MAX, more, 3, size), make(b, UINT32_MAX, rest, 3, size), p};
    uint32_t dy = make(b, UINT32_MAX, grads, 3, size);
    write_over(b);
    return dy;
}

/* Adds softmax and cross-entropy as one operation, which also computes the gradient. */
static uint32_t class_loss(struct od_build *b, uint32_t y, uint32_t labels)
{
    struct od_linear size = size_of(b, y);
    uint32_t in[] = {y, labels};
    uint32_t dy = lose(b, in, 2, size);
    uint32_t shown = lose(b, &y, 1, size); /* a copy for the metrics */
    uint32_t both[] = {dy, shown};
    dy = make(b, UINT32_MAX, both, 2, size);
    write_over(b);
    return dy;
}

static void add_loss(struct od_build *b, const struct od_walk_tensor *out, uint32_t y)
{
    struct od_linear size = size_of(b, y);
    uint64_t classes = out->channels ? out->channels : 1;
    const struct od_walk_tensor *input = &b->walk.tensors.items[0];
    bool binary = classes == 1 || (out->map && input->elements == out->elements);
    struct od_linear labels = binary ? size : scaled(b, size, 2, classes);
    uint32_t truth = lose(b, NULL, 0, labels), logits = y, dy;
    if (b->mixed)
        logits = lose(b, &y, 1, scaled(b, size, 2, 1));
    dy = binary ? binary_loss(b, logits, truth) : class_loss(b, logits, truth);
    if (b->mixed)
        dy = make(b, UINT32_MAX, &dy, 1, size);
    add_gradient(b, y, dy);
}

/* Adds a loss for each output of the model: a tensor that no layer reads. */
static void add_losses(struct od_build *b)
{
    for (size_t i = 0; i < b->walk.steps.n; i++) {
        uint32_t t = b->walk.steps.items[i].out;
        uint32_t y = b->value[t];
        if (b->read_by[t] == 0 && y != NONE && b->first_gradient[y] == NONE)
            add_loss(b, &b->walk.tensors.items[t], y);
    }
}

void od_build_backward(struct od_build *b)
{
    size_t n = b->graph->tensors.n;
    b->first_gradient = od_mem_alloc(n + 1, sizeof *b->first_gradient);
    for (size_t i = 0; i < n; i++)
        b->first_gradient[i] = NONE;
    add_losses(b);
    for (size_t i = b->tape.n; i > 0; i--)
        back(b, &b->tape.items[i - 1]);
    if (b->habits->held)
        update_held(b);
    od_mem_free(b->first_gradient);
}
