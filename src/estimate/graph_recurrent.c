#include "estimate/graph_parts.h"

#define NONE OD_NO_GRAPH_TENSOR

/* Numbers that cuDNN's LSTM keeps per unit, step and sample: gates, cells, their tanh and the
 * hidden state (measured from its reserve buffers in float32). */
static const double usual_reserve = 6.5;
enum { UNIT = 16 }; /* larger than the numbers kept per unit, so that products are whole numbers */

struct recurrence {
    uint64_t steps, units, features, directions, gates;
};

/* Do the variables have that many gates, each with features, units and one or two biases?. */
static bool has_gates(uint64_t parameters, const struct recurrence *r, uint64_t gates)
{
    uint64_t each, u = r->units;
    if (r->features >> 24 || u >> 24 || u == 0)
        return false;
    each = r->features * u + u * u + u;
    return parameters == r->directions * gates * each ||
           parameters == r->directions * gates * (each + u);
}

/* Number of features of a layer whose input is not printed. */
static uint64_t features_of(uint64_t parameters, const struct recurrence *r)
{
    uint64_t u = r->units, each = u ? parameters / r->directions / r->gates / u : 0;
    return each > u + 1 ? each - u - 1 : 1;
}

/* Finds the number of gates from the parameters, otherwise from the name; within a wrapper only
 * from the parameters. */
static struct recurrence recurrence_of(const struct od_site *s)
{
    struct recurrence r = {.directions = od_site_is(s, "Bidirectional") ? 2 : 1};
    uint64_t all = s->layer->parameters.known ? s->layer->parameters.n : 0;
    r.gates = od_site_is(s, "GRU") ? 3 : od_site_is(s, "SimpleRNN") ? 1 : 4;
    r.units = s->out->channels / r.directions;
    if (s->in) {
        r.features = s->in->channels;
        r.steps = r.features ? s->in->elements / r.features : 0;
    } else {
        r.features = features_of(all, &r);
        r.steps = s->out->channels ? s->out->elements / s->out->channels : 0;
    }
    for (uint64_t gates = 4; gates > 0; gates--)
        if (gates != 2 && has_gates(all, &r, gates))
            r.gates = gates;
    return r;
}

/* The reserve of a layer. GRU keeps about 3/4 of LSTM's memory: three gates and no cell. */
static struct od_linear reserve(struct od_build *b, const struct recurrence *r)
{
    uint64_t units;
    double numbers = b->habits->reserve;
    struct od_linear line = {0};
    if (numbers <= 0)
        numbers = r->gates < 4 ? usual_reserve * (double)(r->gates + 1) / 5 : usual_reserve;
    if (ckd_mul(&units, r->units, r->steps) || ckd_mul(&line.each, units, b->width * UNIT) ||
        line.each > UINT64_MAX / UNIT)
        b->graph->overflow = true;
    else
        line.each = (uint64_t)((double)line.each / UNIT * numbers);
    return line;
}

uint64_t od_recurrent_reads(const struct od_site *s)
{
    struct recurrence r = recurrence_of(s);
    uint64_t elements;
    return ckd_mul(&elements, r.steps, r.features) ? UINT64_MAX : elements;
}

/* Adds the tensors that the gradient of a CPU's loop reads in each step: the hidden state and the
 * gates; for an LSTM the cell and its tanh; for a GRU the product with the reset gate and with the
 * complement of the other one. Returns their number. */
static size_t keep_of_loop(struct od_build *b, const struct recurrence *r, struct od_linear each,
                           uint32_t *ret_kept)
{
    size_t n = r->gates > 1 ? (size_t)r->gates + 2 : 0;
    for (size_t i = 0; i < n; i++)
        ret_kept[i] = od_build_more(b, each);
    return n;
}

/* Adds the kernel of one direction: inputs in time-major order, outputs of all steps, two final
 * states, a reserve. Returns its result, of `size` per sample. */
static uint32_t one_direction(struct od_build *b, const struct od_site *s,
                              const struct recurrence *r, uint64_t all, struct od_linear size)
{
    uint64_t inputs_each = 0, sequence = 0;
    if (ckd_mul(&inputs_each, r->steps, r->features) || ckd_mul(&sequence, r->steps, r->units))
        b->graph->overflow = true;
    uint32_t x = od_site_copy(b, s, s->x, od_build_each(b, inputs_each, b->width));
    bool loop = b->workload->on_cpu;
    uint32_t packed =
        loop ? NONE : od_build_op(b, s->index, NULL, 0, od_build_fixed(b, all, b->width));
    uint32_t inputs[] = {x, packed}, kept[OD_TAPE_SAVED - 2] = {packed};
    struct od_linear hidden_states = od_build_each(b, sequence, b->width);
    uint32_t y = od_build_op(b, s->index, inputs, 2, hidden_states);
    od_build_more(b, od_build_each(b, r->units, b->width));
    od_build_more(b, od_build_each(b, r->units, b->width));
    size_t nkept = loop ? keep_of_loop(b, r, hidden_states, kept) : 2;
    if (!loop)
        kept[1] = od_build_more(b, reserve(b, r));
    uint64_t hidden = r->gates * r->units * r->units;
    uint64_t bias = r->gates * r->units * (od_site_is(s, "GRU") ? 2 : 1);
    uint64_t kernel = all > hidden + bias ? all - hidden - bias : 0;
    struct od_tape *tape = od_site_note(b, s, x, y);
    tape->saved[0] = x;
    tape->saved[1] = y;
    for (size_t i = 0; i < nkept; i++)
        tape->saved[2 + i] = kept[i];
    tape->whole = true;
    tape->weights[0] = od_site_variable(b, s, kernel, true);
    tape->weights[1] = od_site_variable(b, s, kernel ? hidden : all, true);
    tape->weights[2] = od_site_variable(b, s, kernel ? bias : 0, true);
    od_build_trained(b, tape);
    return od_site_copy(b, s, y, size); /* the last step, or all steps in batch-major order */
}

uint32_t od_site_recurrent(struct od_build *b, const struct od_site *s)
{
    struct recurrence r = recurrence_of(s);
    uint64_t all = s->layer->parameters.known ? s->layer->parameters.n : 0;
    uint32_t ways[2];
    /* only the last step is printed, so the number of steps is unknown */
    bool untold = !s->in && r.steps <= 1;
    if (untold || r.steps == 0) {
        b->unknown = true;
        return NONE;
    }
    struct od_linear size = od_build_each(b, s->out->elements / r.directions, b->width);
    for (uint64_t i = 0; i < r.directions; i++)
        ways[i] = one_direction(b, s, &r, all / r.directions, size);
    if (r.directions == 1)
        return ways[0];
    uint32_t y = od_build_op(b, s->index, ways, 2, od_site_size(b, s));
    struct od_tape *tape = od_site_note(b, s, ways[0], y);
    od_vec_push(&b->tape_inputs, ways[1]);
    tape->nin++;
    tape->how = OD_GRAD_SLICES;
    return y;
}
