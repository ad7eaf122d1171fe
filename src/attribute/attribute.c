#include "attribute/attribute.h"

#include "attribute/batch.h"
#include "attribute/explain.h"
#include "attribute/known.h"
#include "attribute/sequence.h"
#include "attribute/setup.h"
#include "attribute/tally.h"
#include "attribute/weights.h"

/* Smaller sizes coincide by chance too often. */
static const uint64_t LARGE_LEAST = 1 << 20;

const char *od_role_name(enum od_role role)
{
    static const char *const names[OD_ROLES] = {
        [OD_ROLE_WEIGHTS] = "weights",     [OD_ROLE_GRADIENTS] = "gradients",
        [OD_ROLE_OPTIMIZER] = "optimizer", [OD_ROLE_BUFFERS] = "buffers",
        [OD_ROLE_CONSTANT] = "constant",   [OD_ROLE_ACTIVATION] = "activation",
        [OD_ROLE_INPUT] = "input",         [OD_ROLE_WORKSPACE] = "workspace",
        [OD_ROLE_FIXED] = "fixed",         [OD_ROLE_BATCH] = "batch",
    };
    return names[role];
}

/* State of an attribution, shared by all dumps of the case. */
struct od_job {
    const struct od_case *c;
    struct od_count user;
    bool described; /* the log or the user describes the model */
    struct od_named_list weights, outputs;
    struct od_arena *arena;   /* owns the result */
    struct od_arena *scratch; /* owns data for one dump */
};

/* The described model with the most layers that have an output; of equal ones the latest. */
static const struct od_model *model_of(const struct od_case *c)
{
    const struct od_model *best = NULL;
    OD_FOR_EACH (const struct od_model, model, c->models)
        if (model->layers.n > 0 && (!best || model->layers.n >= best->layers.n))
            best = model;
    return best;
}

static uint64_t sum_roles(const struct od_holding *holding, bool fixed)
{
    static const bool stays[OD_ROLES] = {
        [OD_ROLE_WEIGHTS] = true,  [OD_ROLE_OPTIMIZER] = true, [OD_ROLE_BUFFERS] = true,
        [OD_ROLE_CONSTANT] = true, [OD_ROLE_FIXED] = true,
    };
    uint64_t sum = 0;
    for (unsigned role = 1; role < OD_ROLES; role++) {
        if (stays[role] == fixed && role != OD_ROLE_GRADIENTS)
            sum += holding->bytes_by_role[role];
    }
    return sum;
}

static void weigh(const struct od_setup *setup, const struct od_batch *batch,
                  struct od_holding *holding)
{
    if (!setup->known || setup->rough)
        return;
    holding->fixed = od_bytes_exact(sum_roles(holding, true));
    if (setup->copies > 0)
        holding->optimizer_copies =
            od_count_of(setup->copies > 4 && setup->copies % 3 == 0 ? 2 : setup->copies - 1);
    holding->basis = setup->copies == 0
                         ? "it failed outside a step: everything in use belongs to the setup"
                     : holding->network
                         ? "kernels of a public network and their copies, counted among the chunks"
                     : setup->by_table
                         ? "the layer table's weights and their copies, counted among the chunks"
                         : "sizes that repeat in order of allocation: weights and optimizer states";
    uint64_t step = sum_roles(holding, false);
    if (batch->n.known && batch->n.n > 0 && step > 0)
        holding->per_sample = od_bytes_exact(step / batch->n.n);
}

/* The end of set-up for a dump printed while variables are created or restored: all chunks in use
 * are older than the next step. */
static struct od_setup outside_step(const struct od_sequence *sequence)
{
    return (struct od_setup){.known = true, .end = sequence->n};
}

/* Chunks allocated after a tensor of the step belong to the step. */
static struct od_setup from_first_activation(const struct od_explain_question *question)
{
    size_t first = od_first_activation(question);
    if (first == question->sequence->n)
        return (struct od_setup){0};
    return (struct od_setup){.known = true, .end = first, .rough = true};
}

/* Are the first two dimensions of the failing map its batch and its channels? */
static bool is_channels_first(const struct od_tensor *map)
{
    return map && map->shape.n == 4 && map->shape.dims[2] == map->shape.dims[3] &&
           map->shape.dims[1] != map->shape.dims[2];
}

/* Takes the tensors of a public network whose kernels are in use, if no model is described. */
static void recognise(struct od_job *job, const struct od_batch_question *ask,
                      struct od_holding *holding)
{
    struct od_batch said = od_batch_find(ask);
    struct od_known_question question = {
        .allocator = ask->allocator,
        .batch = said.n,
        .channels_first = is_channels_first(od_failing_tensor(job->c, ask->allocator))};
    struct od_known known = od_known_find(&question, job->scratch);
    if (!known.name)
        return;
    holding->network = known.name;
    holding->net = known.which;
    holding->net_copies = known.copies;
    job->weights = known.weights;
    job->outputs = known.outputs;
}

/* Finds the batch. A network recognized only by its sizes does not raise the certainty. */
static struct od_batch batch_of(const struct od_batch_question *ask, bool recognised)
{
    static const struct od_named_list none = {0};
    struct od_batch batch = od_batch_find(ask);
    if (!recognised)
        return batch;
    struct od_batch_question bare = *ask;
    bare.weights = bare.outputs = &none;
    struct od_batch said = od_batch_find(&bare);
    if (said.n.known && said.n.n == batch.n.n) {
        batch.certainty = said.certainty;
        batch.basis = said.basis;
    } else {
        batch.certainty = OD_POSSIBLE;
        batch.basis = "outputs of a public network are found in use at this batch";
    }
    return batch;
}

/* The first piece with the size of a forward operation's failed request. Repeated sizes before it
 * may belong to weights, but also to the steps of a deep network. */
static size_t first_of_step(const struct od_job *job, const struct od_allocator *allocator,
                            const struct od_sequence *sequence)
{
    const struct od_tensor *tensor = od_failing_tensor(job->c, allocator);
    bool map = tensor && tensor->shape.n >= 3 && tensor->bytes.known &&
               tensor->bytes.n >= LARGE_LEAST &&
               od_means(od_op_means(od_failing_op(job->c, allocator)), OD_OP_FORWARD);
    struct od_bytes rounded = map ? od_bfc_round(tensor->bytes) : (struct od_bytes){0};
    for (size_t i = 0; rounded.known && i < sequence->n; i++)
        if (sequence->items[i].bytes == rounded.n)
            return i;
    return sequence->n;
}

static void hold(struct od_job job_of_dump, const struct od_allocator *allocator,
                 struct od_holding *holding, struct od_batch *ret_batch)
{
    struct od_job *job = &job_of_dump;
    struct od_sequence sequence = od_sequence_of(allocator, job->scratch);
    struct od_setup setup = {0};
    struct od_batch_question ask = {.c = job->c,
                                    .allocator = allocator,
                                    .sequence = &sequence,
                                    .setup = &setup,
                                    .weights = &job->weights,
                                    .outputs = &job->outputs,
                                    .user = job->user,
                                    .arena = job->scratch};
    if (!job->described)
        recognise(job, &ask, holding);
    sequence.step = first_of_step(job, allocator, &sequence);
    setup = od_setup_find(&sequence, allocator->nsizes, &job->weights, job->scratch);
    /* A role that follows only from sizes must agree with the order of allocation. */
    if (holding->network && setup.certainty < OD_LIKELY)
        setup = (struct od_setup){0};
    if (!setup.known && od_means(od_op_means(od_failing_op(job->c, allocator)), OD_OP_SETUP))
        setup = outside_step(&sequence);
    *ret_batch = batch_of(&ask, holding->network != NULL);
    struct od_explain_question question = {.c = job->c,
                                           .allocator = allocator,
                                           .sequence = &sequence,
                                           .setup = &setup,
                                           .batch = ret_batch,
                                           .weights = &job->weights,
                                           .outputs = &job->outputs,
                                           .recognised = holding->network != NULL,
                                           .arena = job->scratch};
    if (!setup.known && sequence.ordered)
        setup = from_first_activation(&question);
    const struct od_explanation *all = od_explain(&question);
    holding->allocator = allocator;
    od_tally(&sequence, all, job->scratch, job->arena, holding);
    weigh(&setup, ret_batch, holding);
}

/* Keeps the batch if it is more certain than those of earlier dumps, or as certain. */
static void keep_batch(struct od_attribution *attribution, const struct od_batch *batch)
{
    if (!batch->n.known ||
        (attribution->batch.known && batch->certainty < attribution->batch_certainty))
        return;
    attribution->batch = batch->n;
    attribution->batch_certainty = batch->certainty;
    attribution->batch_basis = batch->basis;
}

const struct od_attribution *od_attribute(const struct od_case *c,
                                          const struct od_attribute_options *options,
                                          struct od_arena *arena)
{
    struct od_attribution *attribution = OD_NEW(arena, struct od_attribution);
    struct od_job job = {.c = c, .arena = arena, .scratch = od_arena_new()};
    attribution->model = options && options->model ? options->model : model_of(c);
    attribution->holdings = OD_NEW_N(arena, c->allocators.n + 1, struct od_holding);
    if (options)
        job.user = options->batch;
    if (attribution->model) {
        job.described = true;
        job.weights = od_weights_of(attribution->model, arena);
        job.outputs = od_outputs_of(attribution->model, arena);
    }
    for (size_t i = 0; i < c->allocators.n; i++) {
        struct od_batch batch = {0};
        if (c->allocators.items[i]->nsizes == 0)
            continue;
        hold(job, c->allocators.items[i], &attribution->holdings[attribution->nholdings++], &batch);
        keep_batch(attribution, &batch);
        od_arena_reset(job.scratch);
    }
    od_arena_free(job.scratch);
    return attribution;
}

const struct od_holding *od_holding_of(const struct od_attribution *attribution,
                                       const struct od_allocator *allocator)
{
    for (size_t i = 0; i < attribution->nholdings; i++) {
        if (attribution->holdings[i].allocator == allocator)
            return &attribution->holdings[i];
    }
    return NULL;
}
