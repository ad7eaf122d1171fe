#include "estimate/saved.h"

#include "estimate/saved_sum.h"
#include "estimate/states.h"

/* Elements of the matrix that a kernel larger than 1x1 multiplies: its input unfolded. */
static uint64_t unfolded(const struct od_walk *walk)
{
    uint64_t most = 0;
    OD_FOR_EACH (const struct od_step, step, walk->steps) {
        const struct od_layer *layer = &walk->model->layers.items[step->layer];
        const struct od_walk_tensor *out = &walk->tensors.items[step->out];
        if (layer->kind != OD_LAYER_CONV || step->in == OD_NO_TENSOR || out->channels == 0)
            continue;
        uint64_t reads = layer->parameters.n / out->channels, rows;
        bool pointwise = reads <= walk->tensors.items[step->in].channels + 1;
        if (!pointwise && !ckd_mul(&rows, reads, out->elements / out->channels) && rows > most)
            most = rows;
    }
    return most;
}

/* Is the output a map of the input's size with values between 0 and 1? The model then reconstructs
 * its input (an autoencoder), and its loss keeps nothing else. */
static bool rebuilds_input(const struct od_walk *walk)
{
    if (walk->steps.n == 0)
        return false;
    const struct od_step *last = &walk->steps.items[walk->steps.n - 1];
    const struct od_walk_tensor *in = &walk->tensors.items[0], *out;
    out = &walk->tensors.items[last->out];
    return walk->model->layers.items[last->layer].kind == OD_LAYER_SIGMOID && out->map &&
           out->channels > 1 && out->channels == in->channels && out->elements == in->elements;
}

/* Adds the loss. Cross-entropy keeps the logarithms of the softmax and the int64 labels; for one
 * class, float labels. */
static void add_loss(struct od_saved_sum *sum)
{
    if (sum->walk.newest == OD_NO_TENSOR)
        return;
    const struct od_walk_tensor *out = &sum->walk.tensors.items[sum->walk.newest];
    uint64_t classes = out->channels ? out->channels : 1;
    if (rebuilds_input(&sum->walk)) {
        od_saved_keep(sum, 0, sum->width);
        od_saved_add(sum, &sum->above, out->elements, 8); /* if the last dimension were classes */
        return;
    }
    od_saved_add(sum, &sum->n, out->elements, 4);
    if (classes > 1)
        od_saved_add(sum, &sum->n, out->elements / classes, 8);
    else
        od_saved_add(sum, &sum->n, out->elements, 4);
}

/* Number of steps without a gradient: those before the first trained one, if the text marks layers
 * as frozen. They keep nothing. */
static size_t unreached(const struct od_walk *walk)
{
    bool frozen = false;
    for (size_t i = 0; i < walk->steps.n; i++) {
        const struct od_layer *layer = &walk->model->layers.items[walk->steps.items[i].layer];
        if (od_layer_is_frozen(layer))
            frozen = true;
        else if (!layer->parameters.known || layer->parameters.n > 0)
            return frozen ? i : 0;
    }
    return 0;
}

static void list_layers(struct od_saved_sum *sum, struct od_arena *arena, struct od_saved *saved)
{
    struct od_walk *walk = &sum->walk;
    size_t first = unreached(walk);
    saved->layers = OD_NEW_N(arena, walk->steps.n + 1, struct od_saved_layer);
    for (size_t i = 0; i < walk->steps.n; i++) {
        const struct od_step *step = &walk->steps.items[i];
        const struct od_layer *layer = &walk->model->layers.items[step->layer];
        uint64_t before = sum->n;
        struct od_saved_layer row = {.layer = step->layer, .output = 0};
        if (i >= first)
            od_saved_step(sum, step);
        sum->tensors += od_saved_parameter_tensors(sum, step);
        row.saved = sum->n - before;
        od_saved_add(sum, &row.output, walk->tensors.items[step->out].elements, sum->width);
        row.parameters = layer->parameters.known && !layer->recursive ? layer->parameters.n : 0;
        if (row.output > saved->largest_output)
            saved->largest_output = row.output;
        saved->unknown += layer->kind == OD_LAYER_OTHER;
        saved->collapsed += od_is_block(layer);
        saved->layers[saved->nlayers++] = row;
    }
}

bool od_model_is_cut(const struct od_model *m)
{
    bool table = m->format == OD_MODEL_KERAS || m->format == OD_MODEL_TORCHSUMMARY ||
                 m->format == OD_MODEL_TORCHINFO || m->format == OD_MODEL_LIGHTNING;
    return table && !m->complete && !m->parameters.known;
}

uint64_t od_saved_largest(const struct od_saved *saved)
{
    uint64_t largest = 0;
    for (size_t i = 0; i < saved->nlayers; i++)
        if (saved->layers[i].parameters > largest)
            largest = saved->layers[i].parameters;
    return largest;
}

/* The unknown property of greatest effect as text: assumption, and deciding fact. */
static const char *what_is_guessed(const struct od_saved_sum *sum)
{
    const char *note = NULL;
    if (sum->rates)
        note = "dropouts are taken as in use; with a rate of 0 they keep nothing: "
               "print(model) tells the rates";
    if (sum->functional_relu)
        note = "no activation is printed: a ReLU behind every layer with weights is assumed";
    if (sum->in_place)
        note = "leaky ReLUs are taken as not in place; in place each keeps a tensor less";
    if (sum->clipped_relu)
        note = "ReLU rows beside depthwise convolutions are taken as ReLU6; model.to_json() tells "
               "which they are";
    if (sum->unnamed)
        note = sum->swish ? "Activation rows beside squeeze-and-excite are taken as swish, which "
                            "keeps its input too; model.to_json() tells which they are"
                          : "Activation rows are taken as functions that keep their output alone, "
                            "as ReLU does; swish and GELU keep their input too: model.to_json() "
                            "tells which they are";
    if (sum->blocks > 0)
        note = "layers that the table does not print are inferred from their blocks' "
               "parameters; a deeper table (torchinfo: depth=10) prints them";
    if (sum->guesses > 0)
        note = "blocks whose layers the table does not print are guessed; a deeper table "
               "(torchinfo: depth=10) prints them";
    return note;
}

void od_saved_of(const struct od_workload *workload, struct od_arena *arena,
                 struct od_saved *ret_saved)
{
    struct od_saved saved = {0};
    struct od_saved_sum sum = {.workload = workload,
                               .width = od_precision_compute_bytes(workload->precision),
                               .functional_relu = od_hides_relu(workload->model),
                               .clipped_relu = od_may_clip(workload->model),
                               .swish = od_may_swish(workload->model)};
    od_walk_init(&sum.walk, workload->model, arena);
    list_layers(&sum, arena, &saved);
    od_saved_unprinted(&sum);
    add_loss(&sum);
    saved.fixed = sum.fixed;
    saved.unfolded = unfolded(&sum.walk);
    saved.tensors = sum.tensors + sum.walk.scaled.n;
    saved.unsized = sum.walk.unsized;
    saved.first_unsized = sum.walk.first_unsized;
    if (saved.unsized > 0 || workload->model->unreadable_rows > 0 ||
        od_model_is_cut(workload->model))
        od_saved_add(&sum, &sum.above, sum.n, 2); /* a lower bound, with an unknown remainder */
    if (sum.walk.tensors.n > 0)
        od_saved_add(&sum, &saved.input, sum.walk.tensors.items[0].elements, sum.width);
    if (workload->model->format == OD_MODEL_MODULE_TREE) {
        /* not printed: branches, repeated calls, functions; a pool at each level of a U-Net */
        od_saved_add(&sum, &sum.below, sum.n / 10, od_model_enlarges(workload->model) ? 9 : 5);
        od_saved_add(&sum, &sum.above, sum.n / 10, 6);
        saved.note =
            "a printed module tree does not say in which order its modules are called, nor "
            "what is no module: the activations are a guess; a summary with sizes tells";
    }
    saved.per_sample = (struct od_bytes){
        .n = sum.n, .lo = sum.below < sum.n ? sum.n - sum.below : 0, .known = true};
    if (ckd_add(&saved.per_sample.hi, sum.n, sum.above))
        sum.overflow = true;
    saved.overflow = sum.overflow;
    const char *note = what_is_guessed(&sum);
    if (note)
        saved.note = note;
    od_walk_done(&sum.walk);
    *ret_saved = saved;
}
