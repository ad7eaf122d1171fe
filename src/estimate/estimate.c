#include "estimate/estimate.h"

#include "estimate/buffers.h"
#include "estimate/checkpoint.h"
#include "estimate/counts.h"
#include "estimate/measured.h"
#include "estimate/parameters.h"
#include "estimate/peak.h"
#include "estimate/pipeline.h"
#include "estimate/recognise.h"
#include "estimate/recorded.h"
#include "estimate/resize.h"
#include "estimate/resolve.h"
#include "estimate/saved.h"
#include "estimate/states.h"
#include "estimate/traced.h"
#include "estimate/transformer.h"
#include "estimate/unroll.h"

#include <math.h>

/* Student's t with 4 degrees of freedom: distance of the 5th and 95th percentiles from the center.
 * Prediction errors have long tails: estimates of models from other families are far off more often
 * than with a normal distribution that has the same middle 90 %. */
static const double t95 = 2.1318467863266499;

static double t_distributed(double t)
{
    double u = t / sqrt(4 + t * t);
    return 0.5 + 0.75 * (u - u * u * u / 3);
}

struct od_workload od_workload_defaults(const struct od_model *model)
{
    struct od_workload w = {.model = model,
                            .optimizer = OD_OPT_ADAMW,
                            .metric = OD_METRIC_DEVICE,
                            .checkpoint_every = 1,
                            .batch = 1,
                            .accumulation = 1,
                            .world_size = 1,
                            .tensor_parallel = 1,
                            .pipeline_parallel = 1,
                            .expert_parallel = 1,
                            .keeps_packed = OD_CANNOT_TELL,
                            .widens = OD_CANNOT_TELL,
                            .zeroes_gradients = OD_CANNOT_TELL,
                            .adapter_dropout = OD_CANNOT_TELL,
                            .all_logits = OD_CANNOT_TELL};
    if (model)
        od_framework_find(model->framework, &w.framework);
    return w;
}

static double probability(const struct od_estimate *estimate, uint64_t usable_bytes)
{
    struct od_bytes peak = estimate->at_limit;
    if (peak.n == 0 || peak.n == peak.hi || peak.lo == 0)
        return peak.hi <= usable_bytes ? 1.0 : peak.lo > usable_bytes ? 0.0 : 0.5;
    double distance = log((double)usable_bytes) - log((double)peak.n);
    double width = distance >= 0 ? log((double)peak.hi) - log((double)peak.n)
                                 : log((double)peak.n) - log((double)peak.lo);
    if (width <= 0)
        return distance >= 0 ? 1.0 : 0.0;
    return t_distributed(distance / (width / t95));
}

double od_estimate_fits(const struct od_estimate *estimate, uint64_t usable_bytes)
{
    static const double hardly = 0.05;
    double fits = probability(estimate, usable_bytes);
    return estimate->lower_limit && fits > hardly ? -1 : fits;
}

struct od_bytes od_estimate_need(const struct od_estimate *estimate, uint64_t usable_bytes)
{
    bool squeezed = usable_bytes > 0 && estimate->peak.n > usable_bytes &&
                    od_estimate_fits(estimate, usable_bytes) >= 0.5;
    return squeezed ? estimate->at_limit : estimate->peak;
}

/* ---- models with layers, and models with only a number of parameters ---- */

struct job {
    const struct od_workload *w;
    struct od_arena *arena;
    struct od_diags *diags;
    struct od_estimate *e;
    struct od_states states;
    struct od_saved saved;
};

static bool fail(struct job *job, const char *why)
{
    od_diags_say(job->diags, OD_ERROR, "%s", why);
    return false;
}

static bool exceeds(struct job *job)
{
    return fail(job, "the sizes described exceed 64 bits");
}

static void assume(struct job *job, const char *what)
{
    od_estimate_assume(job->e, job->arena, what);
}

/* Takes the printed total, otherwise the sum of the rows. */
static bool count_parameters(struct job *job)
{
    const struct od_model *m = job->w->model;
    struct od_estimate *e = job->e;
    struct od_parameters counted;
    if (!od_parameters_of(m, &counted))
        return fail(job, "the description does not say how many parameters it has");
    e->parameters = counted.all;
    e->trainable = counted.trainable;
    if (!od_states_of(job->w, counted.all, counted.trainable, &job->states))
        return exceeds(job);
    /* weights read from a file stay in the file's type */
    bool packed = m->dtype != OD_FLOAT32 && m->dtype != OD_FLOAT16 && m->dtype != OD_BFLOAT16;
    bool as_stored = m->format == OD_MODEL_GGUF || (m->format == OD_MODEL_SAFETENSORS && packed);
    bool as_recorded = m->recorded.known && job->w->world_size <= 1;
    if (((job->w->inference && as_stored) || as_recorded) && m->weight_bytes.known)
        job->states.weights = m->weight_bytes;
    e->parameter_bytes = job->states.weights;
    if (counted.why)
        assume(job, counted.why);
    return true;
}

/* Warns about knobs that only have an effect on transformers with known dimensions. */
static void tell_unheard(struct job *job)
{
    const struct od_workload *w = job->w;
    const struct {
        bool turned;
        const char *name;
    } knobs[] = {
        {w->tensor_parallel > 1, "--tp"},
        {w->pipeline_parallel > 1, "--pp"},
        {w->sequence_parallel, "--sp"},
        {w->expert_parallel > 1, "--ep"},
        {w->lora_rank > 0, "--lora"},
        {w->quantize_bits > 0, "--quantize"},
        {w->chunked_loss, "--chunked-loss"},
        {w->sequence > 0 && w->model->format != OD_MODEL_MODULE_TREE, "--seq"},
        {w->compile, "--compile"},
        {w->kv_block > 0, "--running, --mean-seq"},
        {w->checkpointing != OD_CKPT_NONE && w->model->layers.n == 0 && !w->model->measured.known,
         "--checkpointing"},
    };
    const char *list = "";
    if (w->checkpointing != OD_CKPT_NONE && w->model->measured.known && w->model->layers.n == 0 &&
        !od_measured_checkpoints(w))
        assume(job,
               "unknown: what checkpointing saves here; --checkpointing is not counted because "
               "no run of this model with it was measured");
    for (size_t i = 0; i < OD_COUNT_OF(knobs); i++)
        if (knobs[i].turned)
            list = od_arena_printf(job->arena, "%s%s%s", list, list[0] ? ", " : "", knobs[i].name);
    if (list[0])
        assume(job, od_arena_printf(
                        job->arena,
                        "%s not counted: its effect is only known for transformers described "
                        "by their numbers",
                        list));
}

static void list_layers(struct job *job)
{
    const struct od_saved *s = &job->saved;
    struct od_layer_estimate *items =
        OD_NEW_N(job->arena, s->nlayers + 1, struct od_layer_estimate);
    struct od_view *unknown = OD_NEW_N(job->arena, s->nlayers + 1, struct od_view);
    struct od_estimate *e = job->e;
    for (size_t i = 0; i < s->nlayers; i++) {
        const struct od_layer *layer = &job->w->model->layers.items[s->layers[i].layer];
        items[i] = (struct od_layer_estimate){.layer = s->layers[i].layer,
                                              .output_bytes = s->layers[i].output,
                                              .saved_bytes = s->layers[i].saved};
        if (layer->kind == OD_LAYER_OTHER)
            unknown[e->unknown_layers.n++] = layer->name.n ? layer->name : layer->type;
    }
    e->layers.items = items;
    e->layers.n = e->layers.room = s->nlayers;
    e->unknown_layers.items = unknown;
    e->unknown_layers.room = s->nlayers;
}

/* Scales the rows of a measured network to the measured total if they leave doubts. */
static void heed_measured(struct job *job)
{
    static const double doubt = 1.1;
    struct od_saved *s = &job->saved, measured;
    if (!job->w->model->measured.known || job->w->inference || s->overflow ||
        s->per_sample.n == 0 || (double)s->per_sample.hi <= doubt * (double)s->per_sample.lo)
        return;
    od_saved_from_measured(job->w, job->arena, &measured);
    double times = (double)measured.per_sample.n / (double)s->per_sample.n;
    for (size_t i = 0; i < s->nlayers; i++) {
        s->layers[i].saved = (uint64_t)((double)s->layers[i].saved * times);
        /* the sum of all saved bytes counts, as for a model known by name */
        s->layers[i].output = 0;
    }
    s->largest_output = 0;
    s->per_sample = measured.per_sample;
    s->overflow = measured.overflow;
    s->note = measured.note;
    s->unsized = 0;
}

static void walk_layers(struct job *job)
{
    struct od_saved *saved = OD_NEW(job->arena, struct od_saved);
    od_saved_of(job->w, job->arena, &job->saved);
    list_layers(job);
    heed_measured(job);
    if (job->saved.note)
        assume(job, job->saved.note);
    const char *note = od_saved_checkpoint(job->w, job->arena, &job->saved);
    if (note)
        assume(job, note);
    *saved = job->saved;
    job->e->saved = saved;
}

static bool save_activations(struct job *job)
{
    const struct od_model *m = job->w->model;
    if (m->layers.n > 0) {
        if (job->w->saved)
            job->saved = *job->w->saved;
        else
            walk_layers(job);
        if (job->saved.overflow ||
            !od_states_add_counters(job->w, job->saved.tensors, &job->states))
            return exceeds(job);
    } else if (m->recorded.known) {
        od_saved_from_recorded(job->w, job->arena, &job->saved);
        if (job->saved.overflow ||
            !od_states_add_counters(job->w, job->saved.tensors, &job->states))
            return exceeds(job);
        assume(job, job->saved.note);
    } else if (m->measured.known) {
        od_saved_from_measured(job->w, job->arena, &job->saved);
        if (job->saved.overflow)
            return exceeds(job);
        assume(job, job->saved.note);
    } else if (m->activations.known) {
        od_saved_from_counts(job->w, job->e->parameters, m->activations.n, &job->saved);
        if (job->saved.overflow)
            return exceeds(job);
        assume(job, job->saved.note);
    } else {
        job->saved.per_sample = od_bytes_exact(0);
        assume(job, "activations are not described and not counted");
        job->e->lower_limit = true;
    }
    return true;
}

/* Adds a single entry for a model without layers. The distribution of its parameters is not known,
 * so all gradients are added to all saved bytes, as in the fits. */
static void stand_for_layers(struct job *job)
{
    struct od_saved *s = &job->saved;
    if (s->nlayers > 0)
        return;
    s->layers = OD_NEW(job->arena, struct od_saved_layer);
    s->layers[0] = (struct od_saved_layer){.saved = s->per_sample.n, .parameters = 1};
    s->nlayers = 1;
}

/* Peak without a backward pass: the weights, and a layer's input and output. */
static struct od_bytes forward_peak(const struct job *job)
{
    const struct od_saved *s = &job->saved;
    uint64_t bytes = s->largest_output ? s->largest_output * 2 : s->per_sample.n / 4;
    if (ckd_mul(&bytes, bytes, job->w->batch) || bytes > UINT64_MAX / 4)
        return (struct od_bytes){0};
    return (struct od_bytes){.n = bytes, .lo = bytes / 2, .hi = bytes * 2, .known = true};
}

static bool add_buffers(struct job *job)
{
    struct od_part *workspace = &job->e->breakdown.workspace;
    if (job->w->model->layers.n == 0)
        return true; /* the fits for models without layers include this workspace */
    struct od_bytes buffers =
        od_buffers_of(job->w, &job->states, job->e->parameters, od_saved_largest(&job->saved));
    workspace->bytes = od_bytes_add(workspace->bytes, buffers);
    if (buffers.n > 0)
        workspace->why = od_arena_printf(
            job->arena, "%s; buffers of casting, sharding and reducing: %" PRIu64 " bytes",
            workspace->why ? workspace->why : "none", buffers.n);
    return workspace->bytes.known;
}

/* ---- texts for --why ---- */

static const char *why_parameters(const struct job *job)
{
    return od_arena_printf(job->arena,
                           "%" PRIu64 " parameters x %u bytes, as this device holds them",
                           job->e->parameters, od_precision_weight_bytes(job->w->precision));
}

static const char *why_gradients(const struct job *job)
{
    return od_arena_printf(job->arena, "%" PRIu64 " trained parameters x %u bytes",
                           job->e->trainable, od_precision_weight_bytes(job->w->precision));
}

static const char *why_optimizer(const struct job *job)
{
    double each =
        job->e->trainable ? (double)job->states.optimizer.n / (double)job->e->trainable : 0;
    return od_arena_printf(job->arena,
                           "%s: %.2f bytes for each trained parameter, masters and counters of "
                           "steps among them",
                           od_optimizer_name(job->w->optimizer), each);
}

static const char *why_activations(const struct job *job)
{
    if (job->w->inference)
        return "two outputs of the widest layers";
    return od_arena_printf(job->arena,
                           "%" PRIu64 " samples x %" PRIu64 " bytes saved for backward, at the "
                           "largest moment of the backward pass; less what is freed before the "
                           "last gradients exist",
                           job->w->batch, job->saved.per_sample.n);
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* The largest moment, in the backward pass or in the optimizer's step, when casts were freed. */
static struct od_bytes moment_of(const struct job *job)
{
    struct od_bytes moment;
    uint64_t made = od_states_temporaries(job->w, &job->states), step;
    uint64_t casts = od_peak_casts(job->w, job->states.weights.n);
    if (job->w->inference)
        return forward_peak(job);
    moment = job->w->model->recorded.known ? od_recorded_dynamic(job->w, &job->states)
                                           : od_peak_dynamic(job->w, &job->saved, &job->states);
    if (ckd_add(&step, job->states.gradients.n, made > casts ? made - casts : 0))
        return (struct od_bytes){0};
    moment.n = larger(moment.n, step);
    moment.hi = larger(moment.hi, step + made / 20);
    moment.lo = larger(moment.lo, job->states.gradients.n);
    return moment;
}

static struct od_part buffers_of(const struct job *job)
{
    const struct od_model *m = job->w->model;
    if (m->recorded.known)
        return (struct od_part){.bytes = od_bytes_exact(m->recorded.buffers),
                                .why = "buffers of the model, as recorded"};
    if (m->measured.known && m->layers.n == 0)
        return (struct od_part){.bytes = od_bytes_exact(m->measured.buffers),
                                .why = "statistics and tables beside the parameters, as measured"};
    return (struct od_part){.bytes = od_bytes_exact(job->saved.fixed),
                            .why = "batch normalization: two numbers of 4 bytes for each channel"};
}

/* Divides the largest moment into activations and gradients. At its end all gradients exist. */
static bool fill_breakdown(struct job *job)
{
    struct od_estimate *e = job->e;
    struct od_bytes gradients = job->states.gradients, moment, activations;
    moment = moment_of(job);
    if (!moment.known)
        return false;
    activations = (struct od_bytes){.n = moment.n - gradients.n,
                                    .lo = moment.lo - gradients.n,
                                    .hi = moment.hi - gradients.n,
                                    .known = true};
    e->breakdown = (struct od_breakdown){
        .parameters = {.bytes = job->states.weights, .why = why_parameters(job)},
        .gradients = {.bytes = gradients, .why = why_gradients(job)},
        .optimizer = {.bytes = job->states.optimizer, .why = why_optimizer(job)},
        .buffers = buffers_of(job),
        .activations = {.bytes = activations, .why = why_activations(job)},
        .inputs = {.bytes = od_bytes_exact(0), .why = "among the activations"},
    };
    return od_peak_add_overhead(job->w, &job->saved, &e->breakdown) && add_buffers(job) &&
           od_estimate_close(e);
}

static bool scale_batch(struct job *job)
{
    struct od_estimate *e = job->e;
    uint64_t batch = job->w->batch;
    e->saved_per_sample = job->saved.per_sample;
    e->batch_bytes = e->saved_per_sample;
    uint64_t fixed = od_recorded_of(job->w)->saved.fixed;
    return !ckd_mul(&e->batch_bytes.n, e->batch_bytes.n, batch) &&
           !ckd_mul(&e->batch_bytes.lo, e->batch_bytes.lo, batch) &&
           !ckd_mul(&e->batch_bytes.hi, e->batch_bytes.hi, batch) &&
           !ckd_add(&e->batch_bytes.n, e->batch_bytes.n, fixed) &&
           !ckd_add(&e->batch_bytes.lo, e->batch_bytes.lo, fixed) &&
           !ckd_add(&e->batch_bytes.hi, e->batch_bytes.hi, fixed);
}

/* Reports rows that are missing from a table, with their line numbers. */
static void tell_gaps(struct job *job)
{
    const struct od_model *m = job->w->model;
    const struct od_saved *s = &job->saved;
    if (m->layers.n == 0)
        return;
    if (m->unreadable_rows > 0 && m->unreadable_at.line == 0)
        assume(job,
               od_arena_printf(job->arena, "layers beyond the first %zu are not counted: %" PRIu64,
                               m->layers.n, m->unreadable_rows));
    else if (m->unreadable_rows > 0)
        assume(job, od_arena_printf(job->arena,
                                    "rows that cannot be read are not counted: %" PRIu64
                                    ", the first in line %" PRIu64,
                                    m->unreadable_rows, (uint64_t)m->unreadable_at.line));
    if (od_model_is_cut(m))
        assume(job, od_arena_printf(job->arena,
                                    "the table breaks off behind line %" PRIu64
                                    " without its totals: layers below are not counted, the "
                                    "numbers are lower limits",
                                    (uint64_t)(m->at.line + m->at.nlines - 1)));
    bool beyond = m->unreadable_rows > 0 && m->unreadable_at.line == 0;
    job->e->lower_limit = s->unsized > s->nlayers || beyond || od_model_is_cut(m);
    if (s->unsized == 0 || s->first_unsized >= m->layers.n)
        return;
    const struct od_layer *first = &m->layers.items[s->first_unsized];
    const char *where =
        first->at.line > 0
            ? od_arena_printf(job->arena, "in line %" PRIu64, (uint64_t)first->at.line)
            : od_arena_printf(job->arena, "'%.*s'", (int)first->name.n, first->name.p);
    assume(job, od_arena_printf(job->arena,
                                "layers without a size that makes sense are not counted: %" PRIu64
                                ", the first %s; a %s with an input size prints them",
                                s->unsized, where, first->at.line > 0 ? "summary" : "model"));
}

/* Fills in sizes that the text does not print, or that are for images of another size. */
static const struct od_model *size_layers(struct job *job, struct od_workload *w)
{
    const char *note;
    w->model = od_model_resolve(w->model, job->arena); /* expands nested public networks */
    w->model = od_model_unroll(w, job->arena, &note);
    if (note)
        assume(job, note);
    w->model = od_model_resize(w, job->arena, &note);
    if (note)
        assume(job, note);
    return w->model;
}

void od_workload_size(struct od_workload *workload, struct od_arena *arena)
{
    struct od_estimate unused = {0};
    struct job job = {.w = workload, .arena = arena, .e = &unused};
    const struct od_model *model = workload->model;
    if (!model || model->layers.n == 0 || model->traced.known || workload->saved ||
        workload->sized || od_is_transformer(model))
        return;
    workload->model = size_layers(&job, workload);
    workload->sized = true;
}

static bool estimate_of(const struct od_workload *workload, struct od_arena *arena,
                        struct od_diags *diags, struct od_estimate *ret_estimate)
{
    struct od_estimate e = {0};
    struct job job = {.w = workload, .arena = arena, .diags = diags, .e = &e};
    struct od_model resized = *workload->model;
    struct od_workload whole = *workload;
    if (workload->model->traced.known)
        return od_estimate_traced(workload, arena, diags, ret_estimate);
    if (workload->model->pipeline.known)
        return od_estimate_pipeline(workload, arena, diags, ret_estimate);
    if (workload->model->transformer.known) {
        od_transformer_resize(&resized.transformer, workload);
        whole.model = &resized;
        return od_estimate_transformer(&whole, arena, diags, ret_estimate);
    }
    bool is_transformer = false;
    bool ready = workload->saved || workload->sized;
    bool done =
        !ready && od_estimate_recognised(workload, arena, diags, ret_estimate, &is_transformer);
    if (is_transformer)
        return done;
    job.w = &whole;
    if (!ready)
        whole.model = size_layers(&job, &whole);
    e.model = whole.model;
    if (!count_parameters(&job) || !save_activations(&job))
        return false;
    tell_unheard(&job);
    tell_gaps(&job);
    if (workload->optimizer_in_backward)
        job.states.gradients = od_bytes_exact(0); /* each gradient is applied and freed at once */
    stand_for_layers(&job);
    if (!scale_batch(&job) || !fill_breakdown(&job))
        return exceeds(&job);
    *ret_estimate = e;
    return true;
}

/* Widens the range to include another interpretation of the workload. */
static bool hold(const struct od_workload *reading, struct od_arena *arena, struct od_diags *diags,
                 struct od_estimate *estimate)
{
    struct od_estimate other;
    if (!estimate_of(reading, arena, diags, &other))
        return false;
    od_bytes_hold(&estimate->peak, other.peak);
    od_bytes_hold(&estimate->at_limit, other.at_limit);
    od_bytes_hold(&estimate->saved_per_sample, other.saved_per_sample);
    return true;
}

/* Widens the range to include both cases if it is unknown whether blocks are recomputed. */
static bool hold_both(const struct od_workload *workload, struct od_arena *arena,
                      struct od_diags *diags, struct od_estimate *estimate)
{
    struct od_workload w = *workload;
    w.checkpointing = w.checkpointing == OD_CKPT_NONE ? OD_CKPT_FULL : OD_CKPT_NONE;
    return !(w.model->pipeline.known && workload->checkpointing) &&
           hold(&w, arena, diags, estimate);
}

/* Widens the range to include the smallest usual optimizer if the optimizer is unknown. */
static void hold_smaller(const struct od_workload *workload, struct od_arena *arena,
                         struct od_diags *diags, struct od_estimate *estimate)
{
    struct od_workload w = *workload;
    w.optimizer = OD_OPT_ADAM8BIT;
    if (workload->checkpoints_open)
        w.checkpointing = OD_CKPT_FULL;
    if (hold(&w, arena, diags, estimate))
        od_estimate_assume(estimate, arena,
                           "unknown: the optimizer: adamw is counted, and the range covers its "
                           "states in 8 bit; say --optimizer NAME");
}

bool od_estimate(const struct od_workload *workload, struct od_arena *arena, struct od_diags *diags,
                 struct od_estimate *ret_estimate)
{
    if (!estimate_of(workload, arena, diags, ret_estimate) ||
        !od_estimate_correct(workload, ret_estimate))
        return false;
    if (workload->checkpoints_open)
        od_estimate_assume(
            ret_estimate, arena,
            hold_both(workload, arena, diags, ret_estimate)
                ? "unknown: whether blocks are recomputed for the backward pass; the range covers "
                  "both; say --checkpointing none or full"
                : "unknown: whether blocks are recomputed for the backward pass: taken so, as "
                  "large denoisers mostly are; say --checkpointing none");
    if (workload->optimizer_open)
        hold_smaller(workload, arena, diags, ret_estimate);
    od_estimate_earn(workload, ret_estimate);
    return true;
}
