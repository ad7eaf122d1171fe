#include "estimate/peak.h"

#include "base/num.h"

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

/*
 * What nvidia-smi shows beyond tensors, of the saved bytes: cuDNN's workspace and the caching
 * allocator's slack. 262 public series on an A100 (GPUMemNet, arXiv 2602.17817) have slopes 1.02 to
 * 1.44 times the tensors' (5th to 95th percentile), by family: ViT 1.02, EfficientNet, ConvNeXt
 * 1.11, MobileNet 1.16, ResNet with bottlenecks 1.17, Inception v3, ResNet-34 1.5. The share of
 * dense 3x3 outputs orders them.
 */
static const double workspace_alone = 0.03, workspace_conv = 0.11, workspace_dense = 0.40;

double od_peak_workspace(const struct od_saved *saved)
{
    if (saved->fitted)
        return OD_PEAK_WORKSPACE_MEDIAN;
    return saved->dense < 0 ? workspace_alone : workspace_conv + workspace_dense * saved->dense;
}

/* The caching allocator alone: sizes rounded, halves of segments left over. */
static const struct share reserved_share = {0.04, 0.005, 0.12};

/* Context, kernels, cuBLAS and cuDNN handles: 0.5 GiB with lazy loading (torch 2.1, A100), 0.9
 * eager, 1.4 to 1.75 in the series above. */
static const struct od_bytes context = {
    .n = 1750 << 20, .lo = 500 << 20, .hi = 1900u << 20, .known = true};

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
    /* what no row prints lives as long as any */
    if (saved->per_sample.n > rows && !add_scaled(&kept, saved->per_sample.n - rows, batch))
        return false;
    for (size_t i = 0; i < saved->nlayers; i++) {
        const struct od_saved_layer *layer = &saved->layers[i];
        again = layer->begins ? 0 : again;
        if (!add_scaled(&kept, layer->saved, batch) || !add_scaled(&again, layer->again, batch))
            return false;
        /* gradients of the layers from here on, in proportion to their parameters */
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

/* The saved bytes' own relative error, on the moment. */
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
    bool ok = kept ? kept_gradients(saved, workload, gradients, &most)
                   : walk_backward(saved, workload->batch, gradients, &most);
    return ok ? spread(most, &saved->per_sample, gradients) : (struct od_bytes){0};
}

/* ---- beside the tensors ---- */

bool od_peak_add_overhead(const struct od_workload *workload, double workspace,
                          struct od_breakdown *b)
{
    const struct share share = {workspace, workspace / 5, workspace * 1.2 + 0.2};
    b->workspace = (struct od_part){.bytes = od_bytes_exact(0)};
    b->framework = (struct od_part){.bytes = od_bytes_exact(0)};
    b->allocator_waste = (struct od_part){.bytes = od_bytes_exact(0)};
    uint64_t activations = b->activations.bytes.n;
    if (workload->metric == OD_METRIC_RESERVED) {
        b->allocator_waste =
            (struct od_part){.bytes = share_of(activations, &reserved_share),
                             .why = "the caching allocator's slack: 4 % of the activations"};
        return b->allocator_waste.bytes.known;
    }
    if (workload->metric != OD_METRIC_DEVICE)
        return true;
    b->workspace = (struct od_part){
        .bytes = share_of(activations, &share),
        .why = "convolution workspace and slack: 3 to 51 % of the activations, by the share "
               "of dense convolutions (262 published series)"};
    b->framework = (struct od_part){.bytes = context,
                                    .why = "device context, kernels and library handles: 0.5 GiB "
                                           "(lazy loading) to 1.9 GiB as published"};
    return b->workspace.bytes.known;
}
