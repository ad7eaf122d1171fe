#include "estimate/saved.h"

#include "base/num.h"
#include "estimate/block.h"
#include "estimate/conv_input.h"
#include "estimate/ops.h"
#include "estimate/recurrent.h"
#include "estimate/states.h"
#include "estimate/walk.h"

/* The sum being made. */
struct sum {
    const struct od_workload *workload;
    struct od_walk walk;
    uint64_t n, below, above;
    uint64_t fixed;
    uint64_t tensors;         /* of trained parameters */
    uint64_t blocks, guesses; /* rows that hide their layers: recognised, not recognised */
    unsigned width;           /* of an activation */
    bool functional_relu;
    bool in_place;      /* leaky ReLUs may work in place */
    bool clipped_relu;  /* ReLU rows may be ReLU6 */
    uint64_t assumed;   /* elements of the largest tensor that an assumed activation keeps */
    struct od_view own; /* a module that may call functions; empty = none */
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
    struct od_walk_tensor *t = &sum->walk.tensors.items[tensor];
    t->kept = true;
    add(sum, &sum->n, t->elements, width);
    add(sum, &sum->below, t->slack, width);
    add(sum, &sum->above, t->slack, width);
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

/* What a norm normalizes by itself: a channel, a group of them (32 are usual), a vector. */
static uint64_t norm_rows(const struct od_layer *layer, const struct od_walk_tensor *out)
{
    enum { GROUPS = 32 };
    if (od_view_starts(layer->type, OD_VIEW("InstanceNorm")))
        return out->channels;
    if (od_view_starts(layer->type, OD_VIEW("GroupNorm")))
        return out->channels < GROUPS ? out->channels : GROUPS;
    return out->elements / out->channels;
}

static void add_statistics(struct sum *sum, const struct od_op *op, const struct od_layer *layer,
                           const struct od_walk_tensor *out)
{
    if (layer->kind == OD_LAYER_BATCH_NORM)
        add(sum, &sum->fixed, out->channels, 2 * 4);
    if (!op->row_floats || !out->channels)
        return;
    add(sum, &sum->n, norm_rows(layer, out), op->row_floats * 4u);
    if (od_view_starts(layer->type, OD_VIEW("GroupNorm"))) {
        add(sum, &sum->below, norm_rows(layer, out), op->row_floats * 4u);
        add(sum, &sum->above, out->channels, op->row_floats * 4u);
    }
}

/* The norm of a residual block's other branch: the sum of both has one activation. */
static bool is_shortcut(const struct sum *sum, const struct od_step *step)
{
    const struct od_walk *walk = &sum->walk;
    const struct od_layer *layers = walk->model->layers.items;
    if (step < walk->steps.items + 2 || step->holder == OD_NO_TENSOR ||
        !od_view_eq_str(layers[step->holder].type, "Sequential"))
        return false;
    return layers[step[-1].layer].kind == OD_LAYER_CONV && step[-1].holder == step->holder &&
           step[-2].holder != step->holder && step[-1].in != step[-2].out &&
           walk->tensors.items[step->out].elements == walk->tensors.items[step[-2].out].elements;
}

/* In a model that prints no activation: after a norm, or a layer with weights but the last. */
static bool feeds_relu(const struct sum *sum, const struct od_step *step)
{
    const struct od_walk *walk = &sum->walk;
    const struct od_layer *layers = walk->model->layers.items;
    const struct od_step *end = walk->steps.items + walk->steps.n;
    enum od_layer_kind kind = layers[step->layer].kind;
    if (kind == OD_LAYER_BATCH_NORM)
        return !is_shortcut(sum, step);
    if ((kind != OD_LAYER_CONV && kind != OD_LAYER_LINEAR) || step + 1 == end)
        return false;
    return layers[step[1].layer].kind != OD_LAYER_BATCH_NORM;
}

/* A holder that holds nothing printed. */
static bool is_block(const struct od_layer *layer)
{
    return (layer->kind == OD_LAYER_OTHER || layer->kind == OD_LAYER_CONTAINER) &&
           layer->parameters.known && layer->parameters.n > 0;
}

/* As printed, else as the parameters tell; false when neither does. */
static bool stack_of(const struct sum *sum, const struct od_step *step,
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
        return true; /* printed modules leave a number of 1 out */
    if (in && od_recurrent_count(layer, in->channels, out->channels, ret_stack))
        return true;
    return layer->num_layers.known;
}

/*
 * A recurrent layer keeps 7 numbers as wide as its output for each step: four gates or their like,
 * states, products (counted on a CPU, LSTM and GRU alike; cuDNN's reserve buffer is not measured);
 * layers above the first keep their input, and a second direction the first one's, reversed. How
 * many are stacked: as printed or as the parameters tell; else two, and one more or less.
 */
static void add_recurrent(struct sum *sum, const struct od_step *step)
{
    enum { EACH = 7, UNTOLD = 2 };
    const struct od_walk_tensor *out = &sum->walk.tensors.items[step->out];
    const struct od_walk_tensor *in =
        step->in == OD_NO_TENSOR ? NULL : &sum->walk.tensors.items[step->in];
    uint64_t elements = out->elements, width = sum->width;
    struct od_recurrent stack;
    if (in && out->channels && out->elements == out->channels) {
        /* only the last step is printed */
        if (in->channels && ckd_mul(&elements, in->elements / in->channels, out->channels))
            sum->overflow = true;
        add(sum, &sum->n, elements - out->elements, width);
    }
    bool told = stack_of(sum, step, &stack);
    if (!told)
        stack.layers = UNTOLD;
    add(sum, &sum->n, elements, width * (EACH * stack.layers + (stack.layers - 1)));
    if (in && stack.directions == 2)
        add(sum, &sum->n, in->elements, width);
    if (step + 1 == sum->walk.steps.items + sum->walk.steps.n || step[1].in != step->out)
        keep(sum, step->out, sum->width); /* a slice of it keeps it whole */
    add(sum, &sum->below, elements, width * (stack.layers + (told ? 0 : EACH + 1)));
    add(sum, &sum->above, elements, width * (2 * stack.layers + (told ? 0 : EACH + 1)));
}

/* A row whose own layers are not printed. */
static void add_block(struct sum *sum, const struct od_step *step)
{
    struct od_block block = od_block_of(&sum->walk, step);
    if (block.keeps_in)
        keep(sum, step->in, sum->width);
    if (block.keeps_out)
        keep(sum, step->out, sum->width);
    add(sum, &sum->n, block.elements, sum->width);
    add(sum, &sum->below, block.less, sum->width);
    add(sum, &sum->above, block.more, sum->width);
    sum->tensors += block.tensors;
    sum->blocks += block.known;
    sum->guesses += !block.known;
}

/* A ReLU that may be a ReLU6: taken as one, and as much less as its input would be. */
static const struct od_op *clipped(struct sum *sum, const struct od_step *step)
{
    const struct od_walk_tensor *in = &sum->walk.tensors.items[step->in];
    if (!in->kept)
        add(sum, &sum->below, in->elements, sum->width);
    return od_op_of(OD_LAYER_RELU6, sum->workload->framework);
}

/* No table says whether a leaky ReLU works in place: then its input, where nothing else keeps it,
 * is overwritten and not kept beside the output. */
static void doubt_in_place(struct sum *sum, const struct od_step *step)
{
    bool told = sum->walk.model->format == OD_MODEL_MODULE_TREE ||
                sum->walk.model->format == OD_MODEL_KERAS;
    if (told || step->in == OD_NO_TENSOR || sum->walk.tensors.items[step->in].kept)
        return;
    add(sum, &sum->below, sum->walk.tensors.items[step->in].elements, sum->width);
    sum->in_place = true;
}

/* The scores of attention that a row hides, 64 numbers a head in most; a fused kernel keeps none,
 * dropout keeps them three times, and small models have narrow heads. */
static void add_scores(struct sum *sum, const struct od_walk_tensor *out)
{
    enum { HEAD = 64, MOST_HEADS = 8 };
    uint64_t rows, scores, heads = out->channels / HEAD ? out->channels / HEAD : 1;
    if (out->channels == 0 || out->map)
        return;
    rows = out->elements / out->channels;
    if (ckd_mul(&scores, rows, rows))
        sum->overflow = true;
    add(sum, &sum->n, scores, heads * sum->width);
    add(sum, &sum->below, scores, heads * sum->width);
    add(sum, &sum->above, scores, (heads < MOST_HEADS ? MOST_HEADS : heads) * 2 * sum->width);
}

static void add_step(struct sum *sum, const struct od_step *step)
{
    const struct od_layer *layer = &sum->walk.model->layers.items[step->layer];
    const struct od_op *op = od_op_of(layer->kind, sum->workload->framework);
    if (is_block(layer)) {
        add_block(sum, step);
        return;
    }
    if (layer->kind == OD_LAYER_RECURRENT)
        add_recurrent(sum, step);
    if (layer->kind == OD_LAYER_RELU && sum->clipped_relu && step->in != OD_NO_TENSOR)
        op = clipped(sum, step);
    if (layer->kind == OD_LAYER_LEAKY_RELU && layer->inplace)
        op = od_op_of(OD_LAYER_RELU, sum->workload->framework);
    else if (layer->kind == OD_LAYER_LEAKY_RELU)
        doubt_in_place(sum, step);
    const struct od_walk_tensor *out = &sum->walk.tensors.items[step->out];
    unsigned width = op_width(sum, op);
    if (op->in && !(is_frozen(layer) && layer->kind != OD_LAYER_BATCH_NORM))
        keep(sum, step->in, width);
    for (uint32_t i = 0; layer->kind == OD_LAYER_MULTIPLY && i < step->nmore; i++)
        keep(sum, sum->walk.more.items[step->first_more + i], width);
    if (op->out)
        keep(sum, step->out, width);
    keep(sum, step->pooled, width);
    if (sum->functional_relu && feeds_relu(sum, step)) {
        keep(sum, step->out, width);
        /* a smooth function in its place would keep its input beside */
        add(sum, &sum->above, out->elements, width);
        if (out->elements > sum->assumed)
            sum->assumed = out->elements;
    }
    if (!(layer->kind == OD_LAYER_DROPOUT && layer->dropout >= 0 && layer->dropout <= 0))
        add(sum, &sum->n, out->elements, op->extra);
    if (layer->kind == OD_LAYER_DROPOUT && layer->dropout < 0 &&
        sum->walk.model->format != OD_MODEL_KERAS)
        add(sum, &sum->below, out->elements, op->extra + width); /* a rate of 0 passes its input */
    add(sum, &sum->n, out->elements, (uint64_t)op->out_copies * width);
    add(sum, &sum->above, out->elements, (uint64_t)op->ghost_slack * width);
    if (op->out)
        add(sum, &sum->below, out->elements, (uint64_t)op->ghost_slack * width);
    if (od_drops_branch(layer->type))
        add(sum, &sum->n, 1, width);
    if (layer->kind == OD_LAYER_ATTENTION)
        add_scores(sum, out);
    add_statistics(sum, op, layer, out);
}

/* Weight and bias, scale and shift, one table: tensors of parameters that an optimizer sees. */
static uint64_t parameter_tensors(const struct sum *sum, const struct od_step *step)
{
    const struct od_walk *walk = &sum->walk;
    const struct od_layer *layer = &walk->model->layers.items[step->layer];
    const struct od_walk_tensor *in =
        step->in == OD_NO_TENSOR ? NULL : &walk->tensors.items[step->in];
    struct od_recurrent stack;
    bool none = !layer->parameters.known || layer->parameters.n == 0 || layer->recursive ||
                is_frozen(layer) || is_block(layer);
    if (none || layer->kind == OD_LAYER_EMBEDDING)
        return none ? 0 : 1;
    if (layer->kind == OD_LAYER_CONV || layer->kind == OD_LAYER_LINEAR)
        return od_has_bias(layer, in, &walk->tensors.items[step->out]) ? 2 : 1;
    if (layer->kind == OD_LAYER_RECURRENT)
        return stack_of(sum, step, &stack) ? 4 * stack.layers * stack.directions : 4;
    return layer->kind == OD_LAYER_ATTENTION ? 4 : 2;
}

/* Of the outputs of convolutions, those that large kernels over all channels make. */
static double dense_share(const struct od_walk *walk)
{
    double all = 0, dense = 0;
    for (size_t i = 0; i < walk->steps.n; i++) {
        const struct od_step *step = &walk->steps.items[i];
        const struct od_layer *layer = &walk->model->layers.items[step->layer];
        const struct od_walk_tensor *out = &walk->tensors.items[step->out];
        if (layer->kind != OD_LAYER_CONV || step->in == OD_NO_TENSOR || out->channels == 0)
            continue;
        uint64_t channels = walk->tensors.items[step->in].channels;
        all += (double)out->elements;
        if (channels >= 16 && layer->parameters.n / out->channels / channels >= 3)
            dense += (double)out->elements;
    }
    return all > 0 ? dense / all : -1;
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

/*
 * Keras prints the same row for ReLU and for ReLU(6.0), which networks of depthwise convolutions
 * (MobileNet and its kin) use throughout.
 */
static bool may_clip(const struct od_model *model)
{
    if (model->format != OD_MODEL_KERAS)
        return false;
    for (size_t i = 0; i < model->layers.n; i++)
        if (od_view_starts(model->layers.items[i].type, OD_VIEW("DepthwiseConv")))
            return true;
    return false;
}

/* Cross-entropy keeps the logarithms of the softmax and the int64 labels; of one class, float
 * labels. */
static void add_loss(struct sum *sum)
{
    if (sum->walk.newest == OD_NO_TENSOR)
        return;
    const struct od_walk_tensor *out = &sum->walk.tensors.items[sum->walk.newest];
    uint64_t classes = out->channels ? out->channels : 1;
    add(sum, &sum->n, out->elements, 4);
    if (classes > 1)
        add(sum, &sum->n, out->elements / classes, 8);
    else
        add(sum, &sum->n, out->elements, 4);
}

/* Is there a way up again, as in a U-Net? */
static bool enlarges(const struct od_model *model)
{
    for (size_t i = 0; i < model->layers.n; i++)
        if (od_view_starts(model->layers.items[i].type, OD_VIEW("Upsamp")) ||
            od_view_starts(model->layers.items[i].type, OD_VIEW("ConvTranspose")))
            return true;
    return false;
}

/* Products and pools that no row prints; beside them there may be others. */
static void keep_unprinted(struct sum *sum)
{
    const struct od_walk *walk = &sum->walk;
    for (size_t i = 0; i < walk->scaled.n; i++)
        keep(sum, walk->scaled.items[i], sum->width);
    for (size_t i = 0; i < walk->pooled.n; i++)
        keep(sum, walk->pooled.items[i], sum->width);
    for (size_t i = 0; i < walk->gates.n; i++)
        keep(sum, walk->gates.items[i], sum->width);
    add(sum, &sum->n, walk->indices, 8);
    if (walk->scaled.n + walk->pooled.n > 0) {
        add(sum, &sum->below, sum->n / 50, 1);
        add(sum, &sum->above, sum->n / 50, 1);
    }
}

/* Modules whose forward is known to call nothing that no row prints, or whose calls are counted. */
static bool is_well_known(struct od_view type)
{
    static const char *const exact[] = {
        "Sequential", "Fire",       "Transition", "_Transition", "DoubleConv",  "SqueezeExcitation",
        "CNBlock",    "BasicBlock", "Bottleneck", "MBConv",      "FusedMBConv", "BasicConv2d"};
    static const char *const parts[] = {
        "NormActivation", "ConvBN",        "InvertedResidual",    "Inception", "_Dense",
        "DenseLayer",     "ResBottleneck", "BottleneckTransform", "AnyStage",  "StemIN"};
    for (size_t i = 0; i < OD_COUNT_OF(exact); i++)
        if (od_view_eq_str(type, exact[i]))
            return true;
    for (size_t i = 0; i < OD_COUNT_OF(parts); i++)
        if (od_view_has(type, od_view_of(parts[i])))
            return true;
    return false;
}

/* Attention written out: queries, keys and values are copied, and scores kept by heads that no row
 * tells of. */
static void doubt_attention(struct sum *sum, const struct od_layer *layer)
{
    enum { COPIES = 3, SCORES = 4 };
    uint64_t elements;
    bool attends =
        od_view_has(layer->type, OD_VIEW("Attention")) || od_view_has(layer->type, OD_VIEW("Attn"));
    if (!attends || !od_layer_elements(sum->walk.model, &layer->output, &elements))
        return;
    add(sum, &sum->n, elements, COPIES * sum->width);
    add(sum, &sum->below, elements, COPIES * sum->width);
    add(sum, &sum->above, elements, SCORES * sum->width);
}

/* Modules of somebody's own call functions: products, slices, copies and activations without a row.
 * In %: over published networks of that sort nine in ten lie inside. */
static void doubt_functions(struct sum *sum)
{
    enum { BELOW = 16, ABOVE = 12, LITTLE = 400 };
    const struct od_model *model = sum->walk.model;
    if (model->format != OD_MODEL_TORCHINFO && model->format != OD_MODEL_TORCHSUMMARY)
        return;
    add(sum, &sum->below, sum->n / LITTLE, 1); /* scalars, labels, a loss of another sort */
    add(sum, &sum->above, sum->n / LITTLE, 1);
    add(sum, &sum->below, sum->assumed, sum->width);
    for (size_t i = 1; i < model->layers.n; i++) {
        const struct od_layer *layer = &model->layers.items[i];
        bool holds = layer->kind == OD_LAYER_CONTAINER || layer->kind == OD_LAYER_OTHER;
        if (!holds || is_well_known(layer->type))
            continue;
        doubt_attention(sum, layer);
        sum->own = layer->type;
    }
    if (sum->own.n == 0)
        return;
    add(sum, &sum->below, sum->n / 100, BELOW);
    add(sum, &sum->above, sum->n / 100, ABOVE);
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
        sum->tensors += parameter_tensors(sum, step);
        row.saved = sum->n - before;
        add(sum, &row.output, walk->tensors.items[step->out].elements, sum->width);
        row.parameters = layer->parameters.known && !layer->recursive ? layer->parameters.n : 0;
        if (row.output > saved->largest_output)
            saved->largest_output = row.output;
        saved->unknown += layer->kind == OD_LAYER_OTHER;
        saved->collapsed += is_block(layer);
        saved->layers[saved->nlayers++] = row;
    }
}

bool od_model_is_cut(const struct od_model *m)
{
    bool table = m->format == OD_MODEL_KERAS || m->format == OD_MODEL_TORCHSUMMARY ||
                 m->format == OD_MODEL_TORCHINFO || m->format == OD_MODEL_LIGHTNING;
    return table && !m->complete && !m->parameters.known;
}

void od_saved_of(const struct od_workload *workload, struct od_arena *arena,
                 struct od_saved *ret_saved)
{
    struct od_saved saved = {0};
    struct sum sum = {.workload = workload,
                      .width = od_precision_compute_bytes(workload->precision),
                      .functional_relu = hides_relu(workload->model),
                      .clipped_relu = may_clip(workload->model)};
    od_walk_init(&sum.walk, workload->model, arena);
    list_layers(&sum, arena, &saved);
    keep_unprinted(&sum);
    add_loss(&sum);
    doubt_functions(&sum);
    saved.fixed = sum.fixed;
    saved.dense = dense_share(&sum.walk);
    saved.tensors = sum.tensors + sum.walk.scaled.n;
    saved.unsized = sum.walk.unsized;
    saved.first_unsized = sum.walk.first_unsized;
    if (saved.unsized > 0 || workload->model->unreadable_rows > 0 ||
        od_model_is_cut(workload->model))
        add(&sum, &sum.above, sum.n, 2); /* at least; how much more nobody knows */
    if (sum.walk.tensors.n > 0)
        add(&sum, &saved.input, sum.walk.tensors.items[0].elements, sum.width);
    if (workload->model->format == OD_MODEL_MODULE_TREE) {
        /* branches, modules called twice, functions; a pool printed once but called at each level
         * of a U-Net */
        add(&sum, &sum.below, sum.n / 10, enlarges(workload->model) ? 9 : 5);
        add(&sum, &sum.above, sum.n / 10, 6);
        saved.note =
            "a printed module tree does not say in which order its modules are called, nor "
            "what is no module: the activations are a guess; a summary with sizes tells";
    }
    saved.per_sample = (struct od_bytes){
        .n = sum.n, .lo = sum.below < sum.n ? sum.n - sum.below : 0, .known = true};
    if (ckd_add(&saved.per_sample.hi, sum.n, sum.above))
        sum.overflow = true;
    saved.overflow = sum.overflow;
    if (sum.own.n > 0)
        saved.note = od_arena_printf(arena,
                                     "modules of its own (%.*s) may call functions that no row "
                                     "prints: the range allows for them",
                                     (int)sum.own.n, sum.own.p);
    if (sum.functional_relu)
        saved.note = "no activation is printed: a ReLU behind every layer with weights is assumed";
    if (sum.in_place)
        saved.note = "leaky ReLUs are taken as not in place; in place each keeps a tensor less";
    if (sum.clipped_relu)
        saved.note = "ReLU rows beside depthwise convolutions are taken as ReLU6";
    if (sum.blocks > 0)
        saved.note = "layers that the table does not print are inferred from their blocks' "
                     "parameters; a deeper table (torchinfo: depth=10) prints them";
    if (sum.guesses > 0)
        saved.note = "blocks whose layers the table does not print are guessed; a deeper table "
                     "(torchinfo: depth=10) prints them";
    od_walk_done(&sum.walk);
    *ret_saved = saved;
}
