#include "estimate/buffers.h"

#include <math.h>

double od_buffers_of_step(const struct od_workload *w, double stepped)
{
    bool groups = w->zero_stage >= 3;
    if (!od_precision_has_masters(w->precision) || w->zero_stage == 0 || w->fsdp ||
        w->offload_optimizer || w->framework != OD_FW_PYTORCH || !w->planned)
        return 0;
    return groups ? 8 * fmin(stepped, 1e9) : 10 * stepped;
}

void od_buckets_add(struct od_range *sum, const struct od_workload *w, double held, double stepped)
{
    double c = od_precision_compute_bytes(w->precision);
    double bucket = fmin(5e8, held) * c, live = fmin(1e9, held) * c;
    double step = od_buffers_of_step(w, stepped);
    od_range_add(sum, 2 * bucket, bucket / 4, 2.5 * bucket);
    if (w->zero_stage >= 3)
        od_range_add(sum, live, live / 4, live * 1.2);
    od_range_add(sum, w->metric == OD_METRIC_ALLOCATED ? 0 : step, 0, step);
}

/* Sums the buffers. Autocast casts each weight once and keeps the copy until the forward pass ends
 * (its cache). DistributedDataParallel reduces from buckets as large as all gradients, unless the
 * gradients are views of them. FSDP gathers the current layer and the next one, and the current
 * gradients before they are reduced. */
struct od_bytes od_buffers_of(const struct od_workload *w, const struct od_states *states,
                              uint64_t parameters, uint64_t largest)
{
    struct od_range sum = {0};
    double held = (double)parameters, gradients = (double)states->gradients.n;
    double layer = (double)largest * od_precision_compute_bytes(w->precision);
    bool amp = od_precision_casts(w->precision);
    bool shared = w->world_size > 1 && !w->inference;
    if (amp && w->framework == OD_FW_PYTORCH)
        od_range_add(&sum, 2 * held, held, 2 * held);
    if (shared && w->fsdp)
        od_range_add(&sum, 3 * layer, layer, 6 * layer);
    else if (shared && w->zero_stage > 0)
        od_buckets_add(&sum, w, held, held / (double)w->world_size);
    else if (shared)
        od_range_add(&sum, gradients, 0, gradients);
    return od_bytes_about(sum.n, sum.lo, sum.hi);
}
