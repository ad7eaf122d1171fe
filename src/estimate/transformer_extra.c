#include "estimate/buffers.h"
#include "estimate/peak.h"
#include "estimate/range.h"
#include "estimate/transformer_run.h"

#include <math.h>

/* Memory of a device in addition to a transformer's tensors: buffers, the framework, slack. */

static const double mib = 1048576;

double od_transformer_gathered(const struct od_transformer_run *run)
{
    bool kept = run->sharded && run->w->fsdp && run->loaded && run->w->quantize_bits == 0;
    return kept ? (double)run->held * run->c : 0;
}

/* Adds FSDP's memory: two gathered blocks, the tables and their gradients before they are reduced.
 * Before PyTorch 2.1 gathered weights that are frozen stay until the backward pass ends (its pull
 * request 101982), and if trained and frozen ones share a unit, all have gradients (litgpt's issue
 * 1417): 5 public runs of litgpt with 2 and 4 ranks are within 6 %. Programs that compile create
 * their weights as shards (torchtune, torchtitan; lightning-thunder's pull request 1261). */
static void add_gathered(const struct od_transformer_run *run, struct od_range *sum)
{
    double two = 2 * (double)run->params.largest_block * run->c;
    double tables = (double)run->tables * run->c * 2;
    double least = two + tables, whole = od_transformer_gathered(run);
    if (whole <= 0) {
        bool mixed = run->w->lora_rank > 0 && run->w->quantize_bits == 0;
        od_range_add(sum, least, two, least * 1.5 + (mixed ? (double)run->held * run->c : 0));
        return;
    }
    double graded = (double)run->trained * run->c * (1 - 1 / run->dp);
    whole += run->w->lora_rank > 0 ? two : 0;
    od_range_add(sum, whole + graded, least, (whole + graded) * 1.15);
}

/* Adds the memory of quantized matrices. One at a time is unpacked. bitsandbytes kept the input of
 * each 4-bit one for the backward pass (before its pull request 1270; 4 bytes per element, 2 in an
 * older table of litgpt: one model has the same peak at 512 and 1034 tokens in the two; without
 * this 2.3 to 7.6 bytes per element are missing in 9 public runs of litgpt); LLM.int8 holds each
 * twice (MatMul8bitLt). Checkpointing keeps those of one block, but of all blocks with LLM.int8
 * unless it is reentrant. PEFT's preparation makes the residual stream float32. */
static void add_packed(const struct od_transformer_run *run, struct od_range *sum)
{
    enum od_tri keeps = run->w->keeps_packed;
    bool eight = run->w->quantize_bits == 8;
    double each = eight ? 1.5 : keeps == OD_NO ? 0 : 3.5, least = !eight && keeps == OD_YES ? 2 : 0;
    double most = eight ? 4.5 : keeps == OD_NO ? 0 : 5;
    const struct od_transformer *t = run->t;
    double f = t->intermediate.known ? (double)t->intermediate.n : (double)t->expert_intermediate.n;
    double v = (double)(od_transformer_heads(t) * od_transformer_value_dim(t));
    double reads = (2 * (double)t->hidden.n + v + f) * run->tokens;
    double blocks = (double)od_transformer_blocks(t), stream = run->block.boundary * run->tokens;
    bool one = run->w->checkpointing != OD_CKPT_NONE || run->w->offload_activations;
    double kept = one ? 1 : blocks, held = eight ? blocks : kept;
    double unpacked = fmin(0.3e9, (double)run->params.linear);
    double wide = blocks * stream, doubled = (one ? 1 : 2) * wide;
    if (!one && run->w->widens != OD_NO && !od_precision_is_narrow(run->w->precision))
        doubled = (double)run->e->breakdown.activations.bytes.n; /* all activations are float32 */
    od_range_add(sum, each * reads * kept + unpacked + (od_transformer_prepared(run) ? wide : 0),
                 least * reads * kept, fmax(most * reads * held, doubled) + 2 * unpacked);
}

double od_transformer_casts(const struct od_transformer_run *run)
{
    const struct od_workload *w = run->w;
    bool amp = od_precision_casts(w->precision);
    double packed = w->quantize_bits > 0 ? (double)run->params.linear : 0;
    double cast = fmax((double)run->held - packed, 0);
    bool again = w->checkpointing == OD_CKPT_FULL || w->checkpointing == OD_CKPT_EVERY;
    if (w->lora_rank > 0 && again)
        cast = fmin(cast, (double)run->params.largest_block + (double)run->tables);
    return amp && !run->sharded ? 2 * cast : 0;
}

static double stepped(const struct od_transformer_run *run)
{
    return run->models * (double)run->trained / run->dp;
}

static void add_training_buffers(const struct od_transformer_run *run, struct od_range *sum)
{
    const struct od_workload *w = run->w;
    double gradients = (double)run->states.gradients.n, casts = od_transformer_casts(run);
    od_range_add(sum, casts, casts / 2, casts);
    /* clipping gradients by their global norm needs a second set */
    if (w->framework == OD_FW_TENSORFLOW)
        od_range_add(sum, gradients, 0, gradients);
    /* buckets of DistributedDataParallel */
    else if (run->dp > 1 && !run->sharded && w->zero_stage == 0)
        od_range_add(sum, gradients, 0, gradients);
    if (run->sharded && w->fsdp)
        add_gathered(run, sum);
    else if (run->dp > 1 && w->zero_stage > 0)
        od_buckets_add(sum, w, (double)run->held, stepped(run));
    if (w->quantize_bits == 4 || (w->quantize_bits == 8 && w->checkpointing != OD_CKPT_NONE))
        add_packed(run, sum);
}

struct od_part od_transformer_workspace(const struct od_transformer_run *run)
{
    /* workspace of cuBLAS; on Hopper 32 MiB for each thread that multiplies
     * (CublasHandlePool.cpp) */
    struct od_range sum = {.n = (run->w->hopper ? 64 : 24) * mib, .lo = 8 * mib, .hi = 200 * mib};
    if (!run->w->inference)
        add_training_buffers(run, &sum);
    else /* published weight counts omit rotary tables and states of quantization */
        od_range_add(&sum, 0, 0, 0.01 * (double)run->states.weights.n);
    /* a kernel may unpack one block at a time */
    if (run->w->inference && run->w->quantize_bits > 0)
        od_range_add(&sum, 0, 0, 2 * (double)run->params.largest_block);
    /* an engine that sleeps during training returns its memory */
    od_range_add(&sum, (double)run->w->engine_bytes, 0, (double)run->w->engine_bytes);
    if (run->w->offload_params) {
        double two = 2 * (double)run->params.largest_block * run->c;
        od_range_add(&sum, two, two / 2, two + (double)run->tables * run->c);
    }
    return (struct od_part){.bytes = od_bytes_about(sum.n, sum.lo, sum.hi),
                            .why = run->w->engine_bytes > 0
                                       ? "an engine in the same process, and buffers of libraries"
                                       : "buffers of casting, sharding, reducing, dequantizing and "
                                         "matrix libraries"};
}

static void add_mib(struct od_range *sum, struct od_range r)
{
    od_range_add(sum, r.n * mib, r.lo * mib, r.hi * mib);
}

/* Memory of the framework before the first tensor. */
struct od_part od_transformer_framework(const struct od_transformer_run *run)
{
    struct od_range r = {0};
    if (run->w->metric == OD_METRIC_DEVICE) {
        add_mib(&r, od_transformer_factor(run, OD_FACTOR_CONTEXT));
        if (run->w->world_size > 1)
            add_mib(&r, od_transformer_factor(run, OD_FACTOR_COLLECTIVES));
    }
    return (struct od_part){.bytes = od_bytes_about(r.n, r.lo, r.hi),
                            .why = "the device's context and libraries"};
}

/* Slack of PyTorch's pool with samples of varying length, which leave free blocks of earlier
 * lengths. A sample longer than any before finds no block that is large enough, and segments are
 * only returned to the device when it is full (c10/cuda/CUDACachingAllocator.cpp). Few samples of a
 * data set are longer than 2048 tokens, so larger limits are reached less often. Unknown if the run
 * does not give lengths; compiled programs and chunked losses belong to recipes that pack, and full
 * fine-tunes reuse the memory that the optimizer's step leaves free. */
struct od_range od_transformer_varied(const struct od_transformer_run *run)
{
    static const double often_reached = 2048;
    const struct od_workload *w = run->w;
    bool text = run->t->head == OD_HEAD_LM && (run->t->traits & OD_TR_CAUSAL) != 0;
    bool pool = w->framework == OD_FW_PYTORCH && w->metric != OD_METRIC_ALLOCATED;
    bool stated = text && w->lengths == OD_LENGTHS_VARIED && !w->inference;
    if (!pool || (!stated && !od_transformer_often_varied(run)))
        return (struct od_range){0};
    double mean = (double)w->mean_length, most = (double)run->sequence;
    double reached = sqrt(fmin(often_reached / fmax(most, 1), 1));
    double spread = mean > 0 && mean < most ? fmin(2 * (1 - mean / most), 1) : reached;
    struct od_range times = od_transformer_factor(run, OD_FACTOR_LENGTHS);
    return (struct od_range){.n = times.n * spread, .hi = times.hi * sqrt(reached)};
}

/* Memory that a pool may keep of a prompt's pass, of weights that were quantized on the device, and
 * of a tied head that was created before it was tied (Phi-4 mini with transformers). */
static double served(const struct od_transformer_run *run, double moving)
{
    double pass = fmax(moving - (double)run->e->cache.bytes.n, 0);
    double converted = od_transformer_factor(run, OD_FACTOR_CONVERTED).hi;
    double tied = run->t->tied && !run->e->cache.paged ? (double)run->tables * run->c : 0;
    return fmax(tied, hypot(pass * od_transformer_factor(run, OD_FACTOR_PROMPT).hi,
                            (double)run->states.weights.n * converted));
}

void od_transformer_add_waste(const struct od_transformer_run *run, struct od_breakdown *b)
{
    const struct od_workload *w = run->w;
    double step = od_buffers_of_step(w, stepped(run)), passes = (double)b->activations.bytes.n;
    struct od_bytes extra = b->workspace.bytes;
    double moving =
        passes + (double)b->gradients.bytes.n + (double)extra.n - (double)w->engine_bytes - step;
    bool full = w->framework == OD_FW_PYTORCH && (w->metric == OD_METRIC_RESERVED || w->hopper);
    struct od_range share = od_transformer_factor(run, OD_FACTOR_POOL), at_limit = share;
    struct od_range varied = od_transformer_varied(run);
    if (run->e->cache.paged) /* the cache is allocated as a whole before any temporary tensor */
        moving -= (double)run->e->cache.bytes.n + od_transformer_set_aside(run);
    if (w->metric == OD_METRIC_ALLOCATED)
        moving = 0;
    if (full)
        at_limit = (struct od_range){OD_PEAK_FULL, OD_PEAK_FULL_LEAST, OD_PEAK_FULL_MOST};
    if (step > 0) { /* the step reuses memory of the passes */
        double back = fmin(step, passes);
        extra = od_bytes_about((double)extra.n - back, (double)extra.lo,
                               fmax((double)extra.hi - back, (double)extra.n));
    }
    if (moving > 0 && (full || varied.hi > 0 || step > 0))
        b->at_limit = od_bytes_add(
            extra, od_bytes_about(moving * at_limit.n, moving * at_limit.lo, moving * at_limit.hi));
    b->lengths_vary = varied.hi > 0 && w->lengths == OD_LENGTHS_VARIED;
    double most = moving * fmax(varied.hi, share.hi), left = 0;
    if (w->metric != OD_METRIC_ALLOCATED) {
        most = fmax(most, served(run, moving));
        /* the last block's 16-bit weights, from which the quantized ones were made */
        if (od_transformer_factor(run, OD_FACTOR_CONVERTED).hi > 0)
            left = fmin(2 * (double)run->params.largest_block, most);
    }
    b->allocator_waste = (struct od_part){
        .bytes = od_bytes_about(moving * fmax(varied.n, share.n) + left, 0, fmax(most, left)),
        .why = "reserved beyond what is allocated: a part of all that comes and "
               "goes"};
}
