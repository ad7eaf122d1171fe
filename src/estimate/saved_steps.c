#include "estimate/saved_sum.h"

#include "estimate/block.h"
#include "estimate/conv_input.h"
#include "estimate/ops.h"
#include "estimate/recurrent.h"

/* Bytes per number. Under autocast, norms, softmax and losses have float32, others 16 bit. */
static unsigned op_width(const struct od_saved_sum *sum, const struct od_op *op)
{
    enum od_precision p = sum->workload->precision;
    bool autocast = od_precision_casts(p) || p == OD_PREC_FP8;
    return op->wide && autocast ? 4 : sum->width;
}

bool od_layer_is_frozen(const struct od_layer *layer)
{
    return layer->trainable.known && layer->trainable.n == 0 && layer->parameters.known &&
           layer->parameters.n > 0;
}

/* Number of groups that a norm normalizes: channels, groups of them (usually 32), or vectors. */
static uint64_t norm_rows(const struct od_layer *layer, const struct od_walk_tensor *out)
{
    enum { GROUPS = 32 };
    if (od_view_starts(layer->type, OD_VIEW("InstanceNorm")))
        return out->channels;
    if (od_view_starts(layer->type, OD_VIEW("GroupNorm")))
        return out->channels < GROUPS ? out->channels : GROUPS;
    return out->elements / out->channels;
}

static void add_statistics(struct od_saved_sum *sum, const struct od_op *op,
                           const struct od_layer *layer, const struct od_walk_tensor *out)
{
    if (layer->kind == OD_LAYER_BATCH_NORM)
        od_saved_add(sum, &sum->fixed, out->channels, 2 * 4);
    if (!op->row_floats || !out->channels)
        return;
    od_saved_add(sum, &sum->n, norm_rows(layer, out), op->row_floats * 4u);
    if (od_view_starts(layer->type, OD_VIEW("GroupNorm"))) {
        od_saved_add(sum, &sum->below, norm_rows(layer, out), op->row_floats * 4u);
        od_saved_add(sum, &sum->above, out->channels, op->row_floats * 4u);
    }
}

/* Does a ReLU follow in a model without printed activations? It is assumed after a norm or any
 * layer with weights except the last. */
static bool feeds_relu(const struct od_saved_sum *sum, const struct od_step *step)
{
    const struct od_walk *walk = &sum->walk;
    const struct od_layer *layers = walk->model->layers.items;
    const struct od_step *end = walk->steps.items + walk->steps.n;
    enum od_layer_kind kind = layers[step->layer].kind;
    if (kind == OD_LAYER_BATCH_NORM)
        return true;
    if ((kind != OD_LAYER_CONV && kind != OD_LAYER_LINEAR) || step + 1 == end)
        return false;
    return layers[step[1].layer].kind != OD_LAYER_BATCH_NORM;
}

bool od_is_block(const struct od_layer *layer)
{
    return (layer->kind == OD_LAYER_OTHER || layer->kind == OD_LAYER_CONTAINER) &&
           layer->parameters.known && layer->parameters.n > 0;
}

/* Finds the number of layers and directions, printed or derived from the parameters. False if
 * neither is known. */
static bool stack_of(const struct od_saved_sum *sum, const struct od_step *step,
                     struct od_recurrent *ret_stack)
{
    const struct od_layer *layer = &sum->walk.model->layers.items[step->layer];
    const struct od_walk_tensor *out = &sum->walk.tensors.items[step->out];
    const struct od_walk_tensor *in =
        step->in == OD_NO_TENSOR ? NULL : &sum->walk.tensors.items[step->in];
    *ret_stack = (struct od_recurrent){1, layer->bidirectional == OD_YES ? 2 : 1};
    if (layer->num_layers.known && layer->num_layers.n > 0)
        ret_stack->layers = layer->num_layers.n;
    if (sum->walk.model->format == OD_MODEL_KERAS || layer->in_features.known)
        return true; /* a printed module omits a number of 1 */
    if (in && od_recurrent_count(layer, in->channels, out->channels, ret_stack))
        return true;
    return layer->num_layers.known;
}

/* Adds a recurrent layer. It keeps 7 numbers of its output's width per step: four gates or similar,
 * states, products (counted on a CPU, the same for LSTM and GRU; cuDNN's reserve buffer is not
 * measured). Layers above the first keep their input, and a second direction the first one's,
 * reversed. The number of layers is printed or derived from the parameters; otherwise two are
 * assumed, with one more or less. */
static void add_recurrent(struct od_saved_sum *sum, const struct od_step *step)
{
    enum { EACH = 7, UNTOLD = 2 };
    const struct od_walk_tensor *out = &sum->walk.tensors.items[step->out];
    const struct od_walk_tensor *in =
        step->in == OD_NO_TENSOR ? NULL : &sum->walk.tensors.items[step->in];
    uint64_t elements = out->elements, width = sum->width;
    struct od_recurrent stack;
    if (in && out->channels && out->elements == out->channels) {
        /* a row that prints only the last step */
        if (in->channels && ckd_mul(&elements, in->elements / in->channels, out->channels))
            sum->overflow = true;
        od_saved_add(sum, &sum->n, elements - out->elements, width);
    }
    bool told = stack_of(sum, step, &stack);
    if (!told)
        stack.layers = UNTOLD;
    od_saved_add(sum, &sum->n, elements, width * (EACH * stack.layers + (stack.layers - 1)));
    if (in && stack.directions == 2)
        od_saved_add(sum, &sum->n, in->elements, width);
    if (step + 1 == sum->walk.steps.items + sum->walk.steps.n || step[1].in != step->out)
        od_saved_keep(sum, step->out, sum->width); /* a slice keeps the whole tensor */
    od_saved_add(sum, &sum->below, elements, width * (stack.layers + (told ? 0 : EACH + 1)));
    od_saved_add(sum, &sum->above, elements, width * (2 * stack.layers + (told ? 0 : EACH + 1)));
}

/* Adds a row whose layers are not printed. */
static void add_block(struct od_saved_sum *sum, const struct od_step *step)
{
    struct od_block block = od_block_of(&sum->walk, step);
    if (block.keeps_in)
        od_saved_keep(sum, step->in, sum->width);
    if (block.keeps_out)
        od_saved_keep(sum, step->out, sum->width);
    od_saved_add(sum, &sum->n, block.elements, sum->width);
    od_saved_add(sum, &sum->below, block.less, sum->width);
    od_saved_add(sum, &sum->above, block.more, sum->width);
    sum->tensors += block.tensors;
    sum->blocks += block.known;
    sum->guesses += !block.known;
}

/* Returns the properties of an activation that may keep its input: it is counted as one that does,
 * with the difference in the range. */
static const struct od_op *doubted(struct od_saved_sum *sum, const struct od_step *step,
                                   enum od_layer_kind kind)
{
    const struct od_op *op = od_op_of(kind, sum->workload->framework);
    const struct od_walk_tensor *in = &sum->walk.tensors.items[step->in];
    if (!in->kept)
        od_saved_add(sum, &sum->below, in->elements, sum->width);
    return op;
}

/* Adds the doubt whether a leaky ReLU works in place, which no table shows. If it does, its input
 * is overwritten and not kept in addition to the output, unless another layer keeps it. */
static void doubt_in_place(struct od_saved_sum *sum, const struct od_step *step)
{
    bool told = sum->walk.model->format == OD_MODEL_MODULE_TREE ||
                sum->walk.model->format == OD_MODEL_KERAS;
    if (told || step->in == OD_NO_TENSOR || sum->walk.tensors.items[step->in].kept)
        return;
    od_saved_add(sum, &sum->below, sum->walk.tensors.items[step->in].elements, sum->width);
    sum->in_place = true;
}

/* Adds the scores of hidden attention, with heads of the usual width 64. A fused kernel keeps none,
 * dropout keeps them three times, and small models have narrow heads. */
static void add_scores(struct od_saved_sum *sum, const struct od_walk_tensor *out)
{
    enum { HEAD = 64, MOST_HEADS = 8 };
    uint64_t rows, scores, heads = out->channels / HEAD ? out->channels / HEAD : 1;
    if (out->channels == 0 || out->map)
        return;
    rows = out->elements / out->channels;
    if (ckd_mul(&scores, rows, rows))
        sum->overflow = true;
    od_saved_add(sum, &sum->n, scores, heads * sum->width);
    od_saved_add(sum, &sum->below, scores, heads * sum->width);
    od_saved_add(sum, &sum->above, scores,
                 (heads < MOST_HEADS ? MOST_HEADS : heads) * 2 * sum->width);
}

/* Adds tensors of an activation in Python code, which keeps more than the fused one: x * sigmoid(x)
 * keeps its input and the sigmoid, x * relu6(x + 3) / 6 also the shifted copy. An unknown module
 * without parameters may be one. */
static void add_python(struct od_saved_sum *sum, const struct od_layer *layer,
                       const struct od_walk_tensor *in, const struct od_walk_tensor *out)
{
    static const struct {
        const char *type;
        unsigned more, less; /* copies of the output, and number of those that may not be kept */
    } known[] = {{"Swish", 1, 1},  {"QuickGELU", 1, 1}, {"QuickGELUActivation", 1, 1},
                 {"HSwish", 2, 1}, {"Hswish", 2, 1},    {"h_swish", 2, 1},
                 {"hswish", 2, 1}, {"HardSwish", 2, 2}, {"NewGELUActivation", 3, 1},
                 {"NewGELU", 3, 1}};
    enum { MOST = 3 };
    for (size_t i = 0; i < OD_COUNT_OF(known); i++)
        if (od_view_eq_str(layer->type, known[i].type)) {
            od_saved_add(sum, &sum->n, out->elements, known[i].more * sum->width);
            od_saved_add(sum, &sum->below, out->elements, known[i].less * sum->width);
            od_saved_add(sum, &sum->above, out->elements, sum->width);
            return;
        }
    bool bare = layer->kind == OD_LAYER_OTHER && (!layer->parameters.known || !layer->parameters.n);
    if (bare && in && in->elements == out->elements)
        od_saved_add(sum, &sum->above, out->elements, MOST * sum->width);
}

void od_saved_step(struct od_saved_sum *sum, const struct od_step *step)
{
    const struct od_layer *layer = &sum->walk.model->layers.items[step->layer];
    const struct od_op *op = od_op_of(layer->kind, sum->workload->framework);
    if (od_is_block(layer)) {
        add_block(sum, step);
        return;
    }
    if (layer->kind == OD_LAYER_RECURRENT)
        add_recurrent(sum, step);
    if (layer->kind == OD_LAYER_RELU && sum->clipped_relu && step->in != OD_NO_TENSOR)
        op = doubted(sum, step, OD_LAYER_RELU6);
    sum->unnamed |= layer->kind == OD_LAYER_ACTIVATION;
    if (layer->kind == OD_LAYER_ACTIVATION && sum->swish && step->in != OD_NO_TENSOR)
        op = doubted(sum, step, OD_LAYER_SMOOTH);
    if (layer->kind == OD_LAYER_LEAKY_RELU && layer->inplace)
        op = od_op_of(OD_LAYER_RELU, sum->workload->framework);
    else if (layer->kind == OD_LAYER_LEAKY_RELU)
        doubt_in_place(sum, step);
    const struct od_walk_tensor *out = &sum->walk.tensors.items[step->out];
    unsigned width = op_width(sum, op);
    if (op->in && !(od_layer_is_frozen(layer) && layer->kind != OD_LAYER_BATCH_NORM))
        od_saved_keep(sum, step->in, width);
    for (uint32_t i = 0; layer->kind == OD_LAYER_MULTIPLY && i < step->nmore; i++)
        od_saved_keep(sum, sum->walk.more.items[step->first_more + i], width);
    if (op->out)
        od_saved_keep(sum, step->out, width);
    od_saved_keep(sum, step->pooled, width);
    if (sum->functional_relu && feeds_relu(sum, step)) {
        od_saved_keep(sum, step->out, width);
        /* a smooth function in its place would also keep its input */
        od_saved_add(sum, &sum->above, out->elements, width);
    }
    if (!(layer->kind == OD_LAYER_DROPOUT && layer->dropout >= 0 && layer->dropout <= 0))
        od_saved_add(sum, &sum->n, out->elements, op->extra);
    if (layer->kind == OD_LAYER_DROPOUT && layer->dropout < 0 &&
        sum->walk.model->format != OD_MODEL_KERAS) {
        od_saved_add(sum, &sum->below, out->elements,
                     op->extra + width); /* with a rate of 0, dropout passes its input unchanged */
        sum->rates = true;
    }
    od_saved_add(sum, &sum->n, out->elements, (uint64_t)op->out_copies * width);
    od_saved_add(sum, &sum->above, out->elements, (uint64_t)op->ghost_slack * width);
    if (op->out)
        od_saved_add(sum, &sum->below, out->elements, (uint64_t)op->ghost_slack * width);
    if (od_drops_branch(layer->type))
        od_saved_add(sum, &sum->n, 1, width);
    if (layer->kind == OD_LAYER_ATTENTION)
        add_scores(sum, out);
    if (sum->workload->framework == OD_FW_PYTORCH)
        add_python(sum, layer, step->in == OD_NO_TENSOR ? NULL : &sum->walk.tensors.items[step->in],
                   out);
    add_statistics(sum, op, layer, out);
}

uint64_t od_saved_parameter_tensors(const struct od_saved_sum *sum, const struct od_step *step)
{
    const struct od_walk *walk = &sum->walk;
    const struct od_layer *layer = &walk->model->layers.items[step->layer];
    const struct od_walk_tensor *in =
        step->in == OD_NO_TENSOR ? NULL : &walk->tensors.items[step->in];
    struct od_recurrent stack;
    bool none = !layer->parameters.known || layer->parameters.n == 0 || layer->recursive ||
                od_layer_is_frozen(layer) || od_is_block(layer);
    if (none || layer->kind == OD_LAYER_EMBEDDING)
        return none ? 0 : 1;
    if (layer->kind == OD_LAYER_CONV || layer->kind == OD_LAYER_LINEAR)
        return od_has_bias(layer, in, &walk->tensors.items[step->out]) ? 2 : 1;
    if (layer->kind == OD_LAYER_RECURRENT)
        return stack_of(sum, step, &stack) ? 4 * stack.layers * stack.directions : 4;
    return layer->kind == OD_LAYER_ATTENTION ? 4 : 2;
}
