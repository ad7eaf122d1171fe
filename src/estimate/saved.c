#include "estimate/saved.h"

#include "base/num.h"
#include "estimate/ops.h"
#include "estimate/states.h"
#include "estimate/walk.h"

/* The sum being made. */
struct sum {
    const struct od_workload *workload;
    struct od_walk walk;
    uint64_t n, below, above;
    uint64_t fixed;
    unsigned width; /* of an activation */
    bool functional_relu;
    bool overflow;
};

static void add(struct sum *sum, uint64_t *to, uint64_t count, uint64_t each)
{
    uint64_t bytes;
    if (ckd_mul(&bytes, count, each) || ckd_add(to, *to, bytes))
        sum->overflow = true;
}

static void keep(struct sum *sum, uint32_t tensor, unsigned width)
{
    if (tensor == OD_NO_TENSOR || sum->walk.tensors.items[tensor].kept)
        return;
    sum->walk.tensors.items[tensor].kept = true;
    add(sum, &sum->n, sum->walk.tensors.items[tensor].elements, width);
}

/* float32 beside 16-bit activations: norms, softmax and losses under autocast. */
static unsigned op_width(const struct sum *sum, const struct od_op *op)
{
    enum od_precision p = sum->workload->precision;
    bool autocast = p == OD_PREC_AMP_FP16 || p == OD_PREC_AMP_BF16 || p == OD_PREC_FP8;
    return op->wide && autocast ? 4 : sum->width;
}

/* Not built: a layer that nothing is trained in and nothing below it. */
static bool is_frozen(const struct od_layer *layer)
{
    return layer->trainable.known && layer->trainable.n == 0 && layer->parameters.known &&
           layer->parameters.n > 0;
}

static void add_statistics(struct sum *sum, const struct od_op *op, const struct od_layer *layer,
                           const struct od_tensor *out)
{
    if (layer->kind == OD_LAYER_BATCH_NORM)
        add(sum, &sum->fixed, out->channels, 2 * 4);
    if (op->row_floats && out->channels)
        add(sum, &sum->n, out->elements / out->channels, op->row_floats * 4u);
}

/* In a model that prints no activation: after a norm, or a layer with weights but the last. */
static bool feeds_relu(const struct sum *sum, const struct od_step *step)
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

static void add_step(struct sum *sum, const struct od_step *step)
{
    const struct od_layer *layer = &sum->walk.model->layers.items[step->layer];
    const struct od_op *op = od_op_of(layer->kind, sum->workload->framework);
    const struct od_tensor *out = &sum->walk.tensors.items[step->out];
    unsigned width = op_width(sum, op);
    if (op->in && !(is_frozen(layer) && layer->kind != OD_LAYER_BATCH_NORM))
        keep(sum, step->in, width);
    for (uint32_t i = 0; layer->kind == OD_LAYER_MULTIPLY && i < step->nmore; i++)
        keep(sum, sum->walk.more.items[step->first_more + i], width);
    if (op->out)
        keep(sum, step->out, width);
    keep(sum, step->pooled, width);
    if (sum->functional_relu && feeds_relu(sum, step))
        keep(sum, step->out, width);
    if (!(layer->kind == OD_LAYER_DROPOUT && layer->dropout >= 0 && layer->dropout <= 0))
        add(sum, &sum->n, out->elements, op->extra);
    add(sum, &sum->n, out->elements, (uint64_t)op->out_copies * width);
    add(sum, &sum->above, out->elements, (uint64_t)op->ghost_slack * width);
    if (op->out)
        add(sum, &sum->below, out->elements, (uint64_t)op->ghost_slack * width);
    add_statistics(sum, op, layer, out);
}

/* No activation anywhere: it is called as a function, or is an argument of the layers. */
static bool hides_relu(const struct od_model *model)
{
    for (size_t i = 0; i < model->layers.n; i++) {
        enum od_layer_kind kind = model->layers.items[i].kind;
        if ((kind >= OD_LAYER_RELU && kind <= OD_LAYER_ACTIVATION && kind != OD_LAYER_SOFTMAX) ||
            kind == OD_LAYER_ATTENTION || kind == OD_LAYER_RECURRENT)
            return false;
    }
    return true;
}

/* Cross-entropy keeps the logarithms of the softmax and the int64 labels. */
static void add_loss(struct sum *sum)
{
    if (sum->walk.newest == OD_NO_TENSOR)
        return;
    const struct od_tensor *out = &sum->walk.tensors.items[sum->walk.newest];
    uint64_t classes = out->channels ? out->channels : 1;
    add(sum, &sum->n, out->elements, 4);
    if (classes > 1)
        add(sum, &sum->n, out->elements / classes, 8);
}

static void list_layers(struct sum *sum, struct od_arena *arena, struct od_saved *saved)
{
    struct od_walk *walk = &sum->walk;
    saved->layers = OD_NEW_N(arena, walk->steps.n + 1, struct od_saved_layer);
    for (size_t i = 0; i < walk->steps.n; i++) {
        const struct od_step *step = &walk->steps.items[i];
        const struct od_layer *layer = &walk->model->layers.items[step->layer];
        uint64_t before = sum->n;
        struct od_saved_layer row = {.layer = step->layer, .output = 0};
        add_step(sum, step);
        row.saved = sum->n - before;
        add(sum, &row.output, walk->tensors.items[step->out].elements, sum->width);
        row.parameters = layer->parameters.known && !layer->recursive ? layer->parameters.n : 0;
        if (row.output > saved->largest_output)
            saved->largest_output = row.output;
        if (layer->kind == OD_LAYER_OTHER) {
            saved->unknown++;
            saved->collapsed += row.parameters > 0;
        }
        saved->layers[saved->nlayers++] = row;
    }
}

void od_saved_of(const struct od_workload *workload, struct od_arena *arena,
                 struct od_saved *ret_saved)
{
    struct od_saved saved = {0};
    struct sum sum = {.workload = workload,
                      .width = od_precision_compute_bytes(workload->precision),
                      .functional_relu = hides_relu(workload->model)};
    od_walk_init(&sum.walk, workload->model, arena);
    list_layers(&sum, arena, &saved);
    add_loss(&sum);
    saved.fixed = sum.fixed;
    saved.unsized = sum.walk.unsized;
    if (sum.walk.tensors.n > 0)
        add(&sum, &saved.input, sum.walk.tensors.items[0].elements, sum.width);
    saved.per_sample = (struct od_bytes){
        .n = sum.n, .lo = sum.below < sum.n ? sum.n - sum.below : 0, .known = true};
    if (ckd_add(&saved.per_sample.hi, sum.n, sum.above))
        sum.overflow = true;
    saved.overflow = sum.overflow;
    if (sum.functional_relu)
        saved.note = "no activation is printed: a ReLU behind every layer with weights is assumed";
    od_walk_done(&sum.walk);
    *ret_saved = saved;
}
