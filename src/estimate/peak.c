#include "estimate/peak.h"

/* A share of a number, with its 5th and 95th percentiles. */
struct share {
    double n, lo, hi;
};

static struct od_bytes share_of(uint64_t bytes, const struct share *share)
{
    double whole = (double)bytes;
    if (whole * (1 + share->hi) >= 0x1p62)
        return (struct od_bytes){0};
    return (struct od_bytes){.n = (uint64_t)(whole * share->n),
                             .lo = (uint64_t)(whole * share->lo),
                             .hi = (uint64_t)(whole * share->hi),
                             .known = true};
}

/* Memory that nvidia-smi shows in addition to tensors, 1750 MiB and 12 bytes per parameter: the
 * caching allocator's slack and, for float32 convolutions, the unfolded input of the largest one
 * (16-bit ones use tensor cores, which do not store it). Fitted to 109 published points on an A100
 * (GPUMemNet, arXiv 2602.17817): 94 of public models whose saved bytes were measured
 * (tests/accuracy/public_vision.py), 15 of printed summaries; peak = ... + 1.08 x saved + 0.85 x
 * unfolded. The first 94 prefer 1.07 and 1.14 (each family predicted without its own points: median
 * error 2.5 %, 91 % within 10 %), VGG's three 0.7; with these values 2.9 % and 89 %. lo and hi: the
 * 5th and 95th percentiles of the residuals; autotuned kernels cause the upper one. */
static const struct share device_share = {0.08, 0.0, 0.39}, unfolded_share = {0.85, 0.0, 1.39};

/* The same at 16 bit, where autotuning tries few kernels that need more memory: with 0.39, batches
 * of timm's published ladders (autocast) with a predicted probability of 0.83 fitted in 97 %. */
static const struct share device_share_narrow = {0.08, 0.0, 0.22};

/* The same for models whose activations were fitted to counts. */
static const struct share fitted_share = {OD_PEAK_WORKSPACE_MEDIAN, 0.026, 0.356};

/* Slack of the caching allocator alone: rounded sizes, remaining halves of segments, trials of the
 * first step. Median, 5th and 95th percentile of 24 runs of our own on an H100
 * (tests/accuracy/gpu). */
static const struct share reserved_share = {0.14, 0.012, 0.5};
static const struct share full_share = {OD_PEAK_FULL, OD_PEAK_FULL_LEAST, OD_PEAK_FULL_MOST};

/* Context, kernels, cuBLAS and cuDNN handles: 0.5 GiB with lazy loading (torch 2.1, A100), 0.9
 * eager, 1.4 to 1.75 in the series above. Hopper needs releases that load lazily: 632 MiB, with
 * cuBLAS 760 (torch 2.11, H100). */
static const struct od_bytes context = {
    .n = 1750 << 20, .lo = 500 << 20, .hi = 1900u << 20, .known = true};
static const struct od_bytes context_hopper = {
    .n = 760 << 20, .lo = 500 << 20, .hi = 1900u << 20, .known = true};

/* Workspace of cuBLAS in the pool, one for each thread that multiplies, forward's and backward's
 * (CublasHandlePool.cpp). Networks without a matrix product have none. */
static const struct od_bytes cublas = {.n = 2 * 8519680, .hi = 2 << 25, .known = true};
static const struct od_bytes cublas_hopper = {.n = 2 << 25, .hi = 2 << 25, .known = true};

/* ---- the largest moment ---- */

static bool add_scaled(uint64_t *sum, uint64_t each, uint64_t times)
{
    uint64_t product;
    return !ckd_mul(&product, each, times) && !ckd_add(sum, *sum, product);
}

static bool walk_backward(const struct od_saved *saved, uint64_t batch, uint64_t gradients,
                          uint64_t *ret_most)
{
    uint64_t kept = 0, again = 0, rows = 0, total = 0, graded, most = gradients;
    for (size_t i = 0; i < saved->nlayers; i++) {
        total += saved->layers[i].parameters;
        rows += saved->layers[i].saved;
    }
    uint64_t left = total;
    /* activations without a row count as live at every layer */
    if (saved->per_sample.n > rows && !add_scaled(&kept, saved->per_sample.n - rows, batch))
        return false;
    OD_FOR_EACH_OF (const struct od_saved_layer, layer, saved->layers, saved->nlayers) {
        again = layer->begins ? 0 : again;
        if (!add_scaled(&kept, layer->saved, batch) || !add_scaled(&again, layer->again, batch))
            return false;
        /* gradients of this layer and the later ones, in proportion to their parameters */
        graded = total ? (uint64_t)((double)gradients * ((double)left / (double)total)) : 0;
        left -= layer->parameters;
        uint64_t moment = kept;
        if (ckd_add(&moment, moment, again) || !add_scaled(&moment, layer->output, batch) ||
            ckd_add(&moment, moment, graded))
            return false;
        if (moment > most)
            most = moment;
    }
    *ret_most = most;
    return true;
}

static bool kept_gradients(const struct od_saved *saved, const struct od_workload *w,
                           uint64_t gradients, uint64_t *ret_most)
{
    uint64_t largest = od_saved_largest(saved), output, most = gradients, again = 0, segment = 0;
    for (size_t i = 0; i < saved->nlayers; i++) {
        again = (saved->layers[i].begins ? 0 : again) + saved->layers[i].again;
        segment = again > segment ? again : segment;
    }
    if (ckd_mul(&largest, largest, (uint64_t)od_precision_weight_bytes(w->precision)) ||
        ckd_mul(&output, saved->largest_output, w->batch) ||
        !add_scaled(&most, saved->per_sample.n, w->batch) ||
        !add_scaled(&most, segment, w->batch) ||
        ckd_add(&most, most, output > largest ? output : largest))
        return false;
    *ret_most = most;
    return true;
}

/* Applies the relative error of the saved bytes to the moment. */
static struct od_bytes spread(uint64_t most, const struct od_bytes *saved, uint64_t gradients)
{
    double dynamic = most > gradients ? (double)(most - gradients) : 0;
    double lo = saved->n ? (double)saved->lo / (double)saved->n : 1;
    double hi = saved->n ? (double)saved->hi / (double)saved->n : 1;
    if (dynamic * hi + (double)gradients >= 0x1p62)
        return (struct od_bytes){0};
    return (struct od_bytes){.n = most,
                             .lo = gradients + (uint64_t)(dynamic * lo * 0.95),
                             .hi = gradients + (uint64_t)(dynamic * hi * 1.05),
                             .known = true};
}

struct od_bytes od_peak_dynamic(const struct od_workload *workload, const struct od_saved *saved,
                                const struct od_states *states)
{
    uint64_t most, gradients = states->gradients.n;
    bool kept = workload->accumulation > 1;
    uint64_t forward = gradients;
    bool ok = kept ? kept_gradients(saved, workload, gradients, &most)
                   : walk_backward(saved, workload->batch, gradients, &most);
    ok = ok && add_scaled(&forward, saved->per_sample.n, workload->batch);
    if (ok && workload->keeps_gradients && forward > most)
        most = forward;
    return ok ? spread(most, &saved->per_sample, gradients) : (struct od_bytes){0};
}

/* ---- memory in addition to the tensors ---- */

/* Copies of weights that autocast keeps until the backward pass has read them. */
uint64_t od_peak_casts(const struct od_workload *w, uint64_t parameter_bytes)
{
    const struct od_model *m = w->model;
    if (!od_precision_casts(w->precision) || w->inference)
        return 0;
    /* weights that are cast although adapters are trained */
    bool adapters = m->recorded.known && m->weight_bytes.known;
    return adapters ? 2 * m->trainable.n : parameter_bytes / 2;
}

/* The unfolded input of the largest convolution. 0 if TF32 is used, which is PyTorch's default on
 * devices that have it; otherwise, and if autotuning tries kernels, up to this size. */
static struct od_bytes unfolded_of(const struct od_workload *w, const struct od_saved *saved)
{
    uint64_t bytes = 0;
    bool folds = od_precision_compute_bytes(w->precision) == 4 && !w->inference;
    if (folds && (ckd_mul(&bytes, saved->unfolded, 4) || ckd_mul(&bytes, bytes, w->batch)))
        return (struct od_bytes){0};
    return share_of(bytes, &unfolded_share);
}

/* Memory of the pool in addition to the model's tensors; of traced models only workspaces. */
static struct od_bytes in_pool(const struct od_workload *w, const struct od_saved *saved,
                               uint64_t parameter_bytes)
{
    struct od_bytes libraries = w->hopper ? cublas_hopper : cublas;
    struct od_bytes unfolded = unfolded_of(w, saved);
    if (w->framework != OD_FW_PYTORCH)
        return od_bytes_exact(0);
    unfolded.n = unfolded.lo = 0;
    libraries = od_bytes_add(libraries, unfolded);
    struct od_bytes casts = od_bytes_exact(od_peak_casts(w, parameter_bytes));
    if (w->compile)
        casts.n = casts.lo = 0; /* a compiler casts a weight where it is read */
    return w->model->traced.no_products ? casts : od_bytes_add(libraries, casts);
}

static struct od_bytes workspace_of(const struct od_workload *w, const struct od_saved *saved,
                                    uint64_t activations)
{
    if (saved->fitted)
        return share_of(activations, &fitted_share);
    bool narrow = od_precision_compute_bytes(w->precision) == 2;
    struct od_bytes slack = share_of(activations, narrow ? &device_share_narrow : &device_share);
    struct od_bytes around = unfolded_of(w, saved);
    return slack.known && around.known ? od_bytes_add(slack, around) : (struct od_bytes){0};
}

/* Memory on a full device, where the pool returns unused reserved memory. For older cards: derived
 * from ladders of batches that trained and failed under autocast. */
static struct od_bytes at_limit(const struct od_workload *w, const struct od_saved *saved,
                                const struct od_breakdown *b)
{
    uint64_t activations = b->activations.bytes.n;
    struct od_bytes unfolded = unfolded_of(w, saved);
    if (w->metric == OD_METRIC_RESERVED || w->hopper)
        return od_bytes_add(in_pool(w, saved, b->parameters.bytes.n),
                            share_of(activations, &full_share));
    unfolded.lo = 0;
    return saved->fitted ? (struct od_bytes){0}
                         : od_bytes_add(unfolded, share_of(activations, &device_share_narrow));
}

static void add_slack(uint64_t activations, struct od_breakdown *b)
{
    b->allocator_waste =
        (struct od_part){.bytes = share_of(activations, &reserved_share),
                         .why = "the caching allocator's slack: 14 % of the activations"};
}

/* Adds the device's part by one of two methods: on Hopper pool and context were measured, for older
 * cards they were fitted as one number. */
static void add_device(const struct od_workload *workload, const struct od_saved *saved,
                       struct od_breakdown *b)
{
    uint64_t activations = b->activations.bytes.n;
    b->framework = (struct od_part){.bytes = workload->hopper ? context_hopper : context,
                                    .why = "device context, kernels and library handles: 0.5 GiB "
                                           "(lazy loading) to 1.9 GiB as published"};
    if (workload->hopper) {
        add_slack(activations, b);
        return;
    }
    b->workspace = (struct od_part){
        .bytes = workspace_of(workload, saved, activations),
        .why = saved->fitted ? "workspace and slack: 13 % of the activations (262 published series)"
                             : "slack, 8 %, and in float32 the input of the largest convolution, "
                               "unfolded for its kernel (109 published runs)"};
}

bool od_peak_add_overhead(const struct od_workload *workload, const struct od_saved *saved,
                          struct od_breakdown *b)
{
    bool device = workload->metric == OD_METRIC_DEVICE;
    b->framework = (struct od_part){.bytes = od_bytes_exact(0)};
    b->allocator_waste = (struct od_part){.bytes = od_bytes_exact(0)};
    b->workspace = (struct od_part){.bytes = in_pool(workload, saved, b->parameters.bytes.n),
                                    .why = "matrix libraries, and weights cast by autocast"};
    if (workload->metric == OD_METRIC_RESERVED)
        add_slack(b->activations.bytes.n, b);
    else if (device)
        add_device(workload, saved, b);
    if (workload->metric != OD_METRIC_ALLOCATED && workload->framework == OD_FW_PYTORCH)
        b->at_limit = at_limit(workload, saved, b);
    return b->workspace.bytes.known && b->allocator_waste.bytes.known;
}
