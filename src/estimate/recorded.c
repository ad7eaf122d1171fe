#include "estimate/recorded.h"

#include "estimate/range.h"

/* Size of saved tensors in 16 bit relative to float32. Norms, losses and masks keep their width.
 * Median, 5th and 95th percentile of the 1,466 models in models/public_vision.tsv, measured in
 * both. */
static const double narrower = 0.533, narrower_lo = 0.5, narrower_hi = 0.769;

struct scale {
    double n, lo, hi;
};

/* Range of the recorded sum. Blocks of the pool are larger than requests, and kernels have a
 * workspace; under autocast some kernels keep more than PyTorch's lists show: 5th and 95th
 * percentile of 118 runs of 60 networks on an H100 that were not used for corrections
 * (tests/accuracy/gpu). */
static const double around_lo = 0.93, around_hi = 1.11;
static const double cast = 1, cast_lo = 0.96, cast_hi = 1.06;

const struct od_recorded *od_recorded_of(const struct od_workload *w)
{
    const struct od_recorded *r = &w->model->recorded;
    return od_precision_casts(w->precision) && r->autocast ? r->autocast : r;
}

static struct scale scale_of(const struct od_workload *w)
{
    unsigned bits = 8 * od_precision_compute_bytes(w->precision);
    unsigned recorded = w->model->recorded.bits;
    if (od_precision_casts(w->precision) && w->model->recorded.autocast)
        return (struct scale){cast, cast_lo, cast_hi};
    if (bits < recorded)
        return (struct scale){narrower, narrower_lo, narrower_hi};
    if (bits > recorded)
        return (struct scale){1 / narrower, 1 / narrower_hi, 1 / narrower_lo};
    return (struct scale){1, 1, 1};
}

static bool is_range(struct scale scale)
{
    return scale.lo < scale.hi;
}

static struct od_bytes scaled(uint64_t bytes, struct scale scale)
{
    if (!is_range(scale))
        return od_bytes_exact(bytes);
    return od_bytes_about((double)bytes * scale.n, (double)bytes * scale.lo,
                          (double)bytes * scale.hi);
}

void od_saved_from_recorded(const struct od_workload *workload, struct od_arena *arena,
                            struct od_saved *ret_saved)
{
    const struct od_recorded *r = od_recorded_of(workload);
    struct scale scale = scale_of(workload);
    bool other = is_range(scale);
    *ret_saved = (struct od_saved){
        .per_sample = scaled(r->saved.sample, scale),
        .fixed = r->saved.fixed,
        .tensors = r->tensors,
        .unfolded = r->unfolded,
        .note = od_arena_printf(arena, "the step is recorded, operation by operation%s%s",
                                r->backward ? ""
                                            : "; its backward pass is not: all that is kept "
                                              "is taken to live with all gradients",
                                !other ? ""
                                : r == &workload->model->recorded
                                    ? "; it was recorded in numbers of another width, which "
                                      "makes a range of it"
                                    : "; autocast is applied to it by PyTorch's lists of "
                                      "operations"),
    };
    ret_saved->overflow = !ret_saved->per_sample.known;
}

/* Bytes for a batch, without gradients; UINT64_MAX = beyond 64 bits. */
static uint64_t bytes_at(struct od_recorded_bytes held, uint64_t batch)
{
    uint64_t bytes;
    return ckd_mul(&bytes, held.sample, batch) || ckd_add(&bytes, bytes, held.fixed) ? UINT64_MAX
                                                                                     : bytes;
}

/* Bytes of gradients at a moment, scaled to all gradients on this device. */
static uint64_t graded(const struct od_recorded *r, const struct od_recorded_moment *moment,
                       uint64_t gradients)
{
    double share = r->gradients > 0 ? (double)moment->gradients / (double)r->gradients : 1;
    return (uint64_t)((double)gradients * share);
}

struct od_bytes od_recorded_dynamic(const struct od_workload *workload,
                                    const struct od_states *states)
{
    const struct od_recorded *r = od_recorded_of(workload);
    struct scale scale = scale_of(workload);
    uint64_t all = states->gradients.n;
    bool kept = workload->accumulation > 1 || !r->backward;
    struct od_bytes most = od_bytes_exact(all);
    for (size_t i = 0; i < r->nmoments; i++) {
        uint64_t held = bytes_at(r->moments[i].held, workload->batch);
        bool last = workload->keeps_gradients && i < r->forward; /* those of the previous step */
        uint64_t gradients = kept || last ? all : graded(r, &r->moments[i], all);
        struct od_bytes moment = od_bytes_add(scaled(held, scale), od_bytes_exact(gradients));
        if (held == UINT64_MAX || !moment.known)
            return (struct od_bytes){0};
        most.lo = moment.lo > most.lo ? moment.lo : most.lo;
        most.n = moment.n > most.n ? moment.n : most.n;
        most.hi = moment.hi > most.hi ? moment.hi : most.hi;
    }
    most.lo = (uint64_t)((double)most.lo * around_lo);
    most.hi = (uint64_t)((double)most.hi * around_hi);
    return most;
}
