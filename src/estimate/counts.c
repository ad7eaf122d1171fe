#include "estimate/counts.h"

#include "estimate/peak.h"

#include <math.h>

/* Fits bytes per activation to 60 public points each, on an A100 in float32 (GPUMemNet) and on an
 * RTX 3090 under autocast (timm's benchmark), in addition to 1750 MiB and 12 bytes per parameter;
 * the 5th and 95th percentiles are those of the residuals. Large models keep fewer bytes per
 * counted activation (fused attention counts its scores but does not keep them), hence the powers.
 * In leave-one-out tests half of the points are within 15 % (float32: 9 %). The two leading factors
 * are the median ratios of 190 published runs of unrecognized models (tests/accuracy/results.md).
 * The fits include the workspace, which is subtracted again here. */
static struct od_bytes fitted(const struct od_workload *workload, uint64_t parameters,
                              uint64_t activations)
{
    double size = parameters > 0 ? (double)parameters / 25e6 : 1;
    double density =
        parameters > 0 && activations > 0 ? (double)activations / (double)parameters : 1;
    bool full = od_precision_compute_bytes(workload->precision) == 4;
    double each = full ? 9.1 * pow(density, -0.15) * pow(size, -0.2) : 5.38 * pow(size, -0.1);
    double all = (double)activations * each / (1 + OD_PEAK_WORKSPACE_MEDIAN);
    if (all >= 0x1p60)
        return (struct od_bytes){0};
    return (struct od_bytes){.n = (uint64_t)all,
                             .lo = (uint64_t)(all * (full ? 0.75 : 0.64)),
                             .hi = (uint64_t)(all * 1.85),
                             .known = true};
}

void od_saved_from_counts(const struct od_workload *workload, uint64_t parameters,
                          uint64_t activations, struct od_saved *ret_saved)
{
    *ret_saved = (struct od_saved){.fitted = true};
    ret_saved->per_sample = fitted(workload, parameters, activations);
    ret_saved->overflow = !ret_saved->per_sample.known;
    ret_saved->note = "activations are the outputs of convolutions and linear layers; what a model "
                      "keeps of them differs by family";
}
