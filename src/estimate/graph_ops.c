#include "estimate/graph_parts.h"

#define NONE OD_NO_GRAPH_TENSOR

uint32_t od_build_op(struct od_build *b, uint32_t layer, const uint32_t *inputs, size_t ninputs,
                     struct od_linear size)
{
    bool trains = false;
    od_graph_op(b->graph, layer, b->pass, inputs, ninputs);
    for (size_t i = 0; i < ninputs; i++)
        trains |= inputs[i] != NONE && b->trains.items[inputs[i]];
    od_vec_push(&b->trains, trains);
    return od_graph_output(b->graph, size);
}

uint32_t od_build_more(struct od_build *b, struct od_linear size)
{
    od_vec_push(&b->trains, false);
    return od_graph_output(b->graph, size);
}

struct od_graph_op *od_build_newest(struct od_build *b)
{
    return &b->graph->ops.items[b->graph->ops.n - 1];
}

struct od_linear od_build_each(struct od_build *b, uint64_t elements, uint64_t width)
{
    struct od_linear line = {0};
    if (ckd_mul(&line.each, elements, width))
        b->graph->overflow = true;
    return line;
}

struct od_linear od_build_fixed(struct od_build *b, uint64_t elements, uint64_t width)
{
    struct od_linear line = {0};
    if (ckd_mul(&line.fixed, elements, width))
        b->graph->overflow = true;
    return line;
}

struct od_tape *od_site_note(struct od_build *b, const struct od_site *s, uint32_t in, uint32_t out)
{
    struct od_tape tape = {.layer = s->index,
                           .first_in = (uint32_t)b->tape_inputs.n,
                           .nin = in != NONE,
                           .out = out,
                           .saved_for_weights = NONE};
    for (size_t i = 0; i < OD_TAPE_SAVED; i++)
        tape.saved[i] = NONE;
    if (in != NONE)
        od_vec_push(&b->tape_inputs, in);
    od_vec_push(&b->tape, tape);
    return &b->tape.items[b->tape.n - 1];
}

uint32_t od_site_forward(struct od_build *b, const struct od_site *s, uint32_t x,
                         struct od_linear size)
{
    return od_build_op(b, s->index, &x, 1, size);
}

struct od_linear od_site_size(struct od_build *b, const struct od_site *s)
{
    return od_build_each(b, s->out->elements, b->width);
}

bool od_site_is(const struct od_site *s, const char *word)
{
    return od_view_has(s->layer->type, od_view_of(word));
}

uint32_t od_site_copy(struct od_build *b, const struct od_site *s, uint32_t x,
                      struct od_linear size)
{
    uint32_t y = od_site_forward(b, s, x, size);
    od_site_note(b, s, x, y);
    return y;
}

static void hold(struct od_build *b, struct od_linear line)
{
    od_vec_push(&b->graph->held, line);
}

/* Adds a variable and, if it is trained, its optimizer states. Returns its bytes if it is trained,
 * otherwise 0. */
uint64_t od_site_variable(struct od_build *b, const struct od_site *s, uint64_t elements,
                          bool trained)
{
    const struct od_layer *layer = s->layer;
    bool frozen = layer->trainable.known && layer->trainable.n == 0;
    struct od_linear line = od_build_fixed(b, elements, 4);
    if (elements == 0 || layer->recursive)
        return 0;
    hold(b, line);
    for (uint64_t i = 0; trained && !frozen && i < b->slots; i++)
        hold(b, line);
    return trained && !frozen ? line.fixed : 0;
}

void od_build_trained(struct od_build *b, const struct od_tape *tape)
{
    for (size_t i = 0; i < OD_TAPE_WEIGHTS; i++)
        if (tape->weights[i])
            b->trains.items[tape->out] = true;
}
