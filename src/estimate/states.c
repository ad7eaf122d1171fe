#include "estimate/states.h"

static const struct {
    unsigned floats, bytes;
    bool factored, rooted;
} moments[OD_OPTIMIZERS] = {
#define OD_OPTIMIZER(id, name, floats, bytes, factored, rooted) {floats, bytes, factored, rooted},
#include "estimate/optimizers.def"
#undef OD_OPTIMIZER
};

enum kind { PLAIN, CASTS, MASTERS, NARROW };

static const struct {
    unsigned weight, compute;
    enum kind kind;
} precisions[OD_PRECISIONS] = {
#define OD_PRECISION(id, name, weight, compute, is) {weight, compute, is},
#include "estimate/precisions.def"
#undef OD_PRECISION
};

bool od_precision_casts(enum od_precision precision)
{
    return precisions[precision].kind == CASTS;
}

bool od_precision_has_masters(enum od_precision precision)
{
    return precisions[precision].kind == MASTERS;
}

bool od_precision_is_narrow(enum od_precision precision)
{
    return precisions[precision].kind == NARROW;
}

unsigned od_precision_weight_bytes(enum od_precision precision)
{
    return precisions[precision].weight;
}

unsigned od_precision_compute_bytes(enum od_precision precision)
{
    return precisions[precision].compute;
}

/* Bytes of a stored weight. Weights for inference are stored in fp8 if computed in fp8. */
static unsigned held_bytes(const struct od_workload *w)
{
    return w->inference && w->precision == OD_PREC_FP8 ? 1
                                                       : od_precision_weight_bytes(w->precision);
}

/* The largest shard: ceil(n / parts). */
static uint64_t shard(uint64_t n, uint64_t parts)
{
    return parts > 1 ? n / parts + (n % parts != 0) : n;
}

/* The optimizer's bytes per trained parameter, including masters. */
static unsigned state_bytes(const struct od_workload *w)
{
    unsigned width = od_precision_is_narrow(w->precision) ? 2 : 4;
    return moments[w->optimizer].floats * width + moments[w->optimizer].bytes +
           (od_precision_has_masters(w->precision) ? 4 : 0);
}

/* The range of the optimizer's bytes. States of other forms than a number per parameter may be
 * larger. */
static struct od_bytes optimizer_range(const struct od_workload *w, uint64_t trained,
                                       uint64_t bytes)
{
    struct od_bytes range = od_bytes_exact(bytes);
    if (moments[w->optimizer].factored)
        range.hi = bytes + trained / 25; /* rows and columns of a float each are 1 % */
    if (w->optimizer == OD_OPT_ADAM8BIT)
        range.hi = bytes + trained * 2; /* embeddings often stay at 8 bytes */
    if (w->optimizer == OD_OPT_MUON)
        range.hi = bytes + trained * 2; /* embeddings, head and vectors are updated by Adam */
    if (w->paged_states && w->metric != OD_METRIC_DEVICE)
        return od_bytes_exact(0);
    range.lo = w->paged_states ? 0 : range.lo;
    return range;
}

bool od_states_of(const struct od_workload *w, uint64_t parameters, uint64_t trainable,
                  struct od_states *ret_states)
{
    uint64_t world = w->world_size > 1 ? w->world_size : 1;
    unsigned stage = w->fsdp ? 3 : w->zero_stage;
    uint64_t held = shard(parameters, stage >= 3 ? world : 1);
    uint64_t graded = shard(trainable, stage >= 2 ? world : 1);
    uint64_t stepped = shard(trainable, stage >= 1 ? world : 1);
    unsigned weight = od_precision_weight_bytes(w->precision);
    uint64_t weights, gradients, optimizer, margin;
    if (ckd_mul(&weights, held, (uint64_t)held_bytes(w)) ||
        ckd_mul(&gradients, graded, (uint64_t)weight) ||
        ckd_mul(&optimizer, stepped, (uint64_t)state_bytes(w)) || ckd_mul(&margin, stepped, 16u) ||
        ckd_add(&margin, margin, optimizer))
        return false;
    struct od_states states = {.weights = od_bytes_exact(w->offload_params ? 0 : weights),
                               .gradients = od_bytes_exact(0),
                               .optimizer = od_bytes_exact(0)};
    if (!w->inference) {
        states.gradients = od_bytes_exact(gradients);
        if (!w->offload_optimizer)
            states.optimizer = optimizer_range(w, stepped, optimizer);
    }
    *ret_states = states;
    return true;
}

bool od_states_add_counters(const struct od_workload *w, uint64_t tensors, struct od_states *states)
{
    bool adagrad = w->optimizer == OD_OPT_ADAGRAD && w->framework == OD_FW_PYTORCH;
    bool counts = w->optimizer == OD_OPT_ADAM || w->optimizer == OD_OPT_ADAMW ||
                  w->optimizer == OD_OPT_AMSGRAD || adagrad;
    uint64_t bytes;
    if (!counts || w->inference || w->offload_optimizer || states->optimizer.n == 0)
        return true;
    if (w->framework != OD_FW_PYTORCH)
        bytes = 8;
    else if (ckd_mul(&bytes, tensors, 4u))
        return false;
    states->optimizer = od_bytes_add(states->optimizer, od_bytes_exact(bytes));
    return states->optimizer.known;
}

uint64_t od_states_temporaries(const struct od_workload *w, const struct od_states *states)
{
    bool other = w->inference || w->offload_optimizer || w->optimizer_in_backward ||
                 w->fused_step || w->framework != OD_FW_PYTORCH ||
                 od_precision_has_masters(w->precision);
    uint64_t floats = moments[w->optimizer].floats;
    return moments[w->optimizer].rooted && !other ? states->optimizer.n / floats : 0;
}
