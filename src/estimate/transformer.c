#include "estimate/transformer.h"

#include "base/num.h"
#include "estimate/int8.h"
#include "estimate/range.h"
#include "estimate/transformer_run.h"

#include <inttypes.h>
#include <math.h>

static const double mib = 1048576;

struct od_bytes od_bytes_about(double n, double lo, double hi)
{
    static const double most = 0x1p62;
    if (!(n >= 0 && n < most && hi < most))
        return (struct od_bytes){0};
    return (struct od_bytes){.n = (uint64_t)n,
                             .lo = lo > 0 ? (uint64_t)lo : 0,
                             .hi = (uint64_t)ceil(hi > n ? hi : n),
                             .known = true};
}

void od_estimate_assume(struct od_estimate *e, struct od_arena *arena, const char *text)
{
    const char **items = OD_NEW_N(arena, e->assumptions.n + 1, const char *);
    for (size_t i = 0; i < e->assumptions.n; i++)
        items[i] = e->assumptions.items[i];
    items[e->assumptions.n] = text;
    e->assumptions.items = items;
    e->assumptions.room = ++e->assumptions.n;
}

void od_transformer_resize(struct od_transformer *t, const struct od_workload *w)
{
    if (w->image_h > 0 && (t->traits & OD_TR_VISION) != 0)
        t->image = od_count_of((uint64_t)sqrt((double)w->image_h * (double)w->image_w));
}

static void assume(struct od_transformer_run *run, const char *text)
{
    od_estimate_assume(run->e, run->arena, text);
}

/* ---- what stands on this device ---- */

static uint64_t per(uint64_t n, uint64_t parts)
{
    return parts > 1 ? n / parts + (n % parts != 0) : n;
}

static bool is_pure16(const struct od_workload *w)
{
    return w->precision == OD_PREC_BF16_TRUE || w->precision == OD_PREC_FP16_TRUE;
}

/* Pipeline stages share the blocks (the first has the tables), tensor parallelism shares
 * everything, expert parallelism the experts. Data parallel ranks are what is left of the world. */
static void place(struct od_transformer_run *run)
{
    const struct od_workload *w = run->w;
    uint64_t tp = w->tensor_parallel ? w->tensor_parallel : 1;
    uint64_t pp = w->pipeline_parallel ? w->pipeline_parallel : 1;
    uint64_t ep = w->expert_parallel ? w->expert_parallel : 1;
    uint64_t blocks = run->params.total - run->params.tables - run->params.experts;
    uint64_t experts = per(per(run->params.experts, ep), pp);
    run->tables = per(run->params.tables, tp);
    run->held = run->tables + per(per(blocks, pp), tp) + per(experts, tp);
    uint64_t ranks = w->world_size ? w->world_size : 1, model;
    if (ckd_mul(&model, tp, pp))
        model = 1;
    run->local = *w;
    run->local.world_size = ranks > model ? ranks / model : 1;
    run->dp = (double)run->local.world_size;
    run->sharded = run->dp > 1 && (w->fsdp || w->zero_stage >= 3);
    run->loaded = run->sharded && w->fsdp && is_pure16(w) && !w->inference;
    run->trained = run->held;
    if (w->lora_rank > 0) {
        run->trained = per(per(run->lora.parameters, pp), tp);
        run->held += run->trained;
    }
}

/* Quantized: matrices of blocks at 4 bits and a float for each 64 (arXiv 2305.14314), or at 8 and
 * one for each row; all else, embeddings and head among them, at 16. */
static void quantize(struct od_transformer_run *run)
{
    const struct od_workload *w = run->w;
    uint64_t linear = per(per(run->params.linear, w->tensor_parallel), w->pipeline_parallel);
    double left = (double)(run->held > linear ? run->held - linear : 0);
    double each = w->quantize_bits == 4 ? 0.5 + 0.0625 : 1.0;
    double bytes = (double)linear * each + left * 2;
    if (w->quantize_bits == 8)
        bytes += od_int8_count(run).scales;
    if (run->sharded)
        bytes /= run->dp;
    double doubled = w->quantize_bits == 4 ? (double)linear * 0.047 : 0; /* scales quantized too */
    run->states.weights = od_bytes_about(bytes, bytes - doubled, bytes);
}

/* bitsandbytes keeps the state of embeddings in 32 bits under Hugging Face's Trainer. */
static void keep_embedding_states(struct od_transformer_run *run)
{
    const struct od_transformer *t = run->t;
    bool eight = run->w->optimizer == OD_OPT_ADAM8BIT && run->w->lora_rank == 0;
    struct od_bytes *o = &run->states.optimizer;
    uint64_t width = t->embedding.known ? t->embedding.n : t->hidden.n, table, more;
    if (!eight || !o->known || o->n == 0 || ckd_mul(&table, t->vocab.n, width) ||
        ckd_mul(&more, per(table, run->local.world_size), (uint64_t)6))
        return;
    *o = od_bytes_about((double)o->n + (double)more, (double)o->n, (double)o->n + (double)more);
}

/* With a head of its own, each of the states would be larger in proportion. */
static void doubt_tie(struct od_transformer_run *run)
{
    struct od_bytes *states[] = {&run->states.weights, &run->states.gradients,
                                 &run->states.optimizer};
    if (run->untied == 0 || run->params.total == 0 || run->w->lora_rank > 0)
        return;
    double more = (double)run->untied / (double)run->params.total;
    for (size_t i = 0; i < OD_COUNT_OF(states); i++)
        *states[i] = od_bytes_about((double)states[i]->n, (double)states[i]->lo,
                                    (double)states[i]->hi * (1 + more));
}

static bool count_states(struct od_transformer_run *run)
{
    if (!od_states_of(&run->local, run->held, run->trained, &run->states))
        return false;
    if (run->w->quantize_bits > 0)
        quantize(run);
    const struct od_model *m = run->w->model;
    uint64_t parts = run->params.total > 0 && run->held > 0 ? run->params.total / run->held : 1;
    if (run->w->inference && m->weight_bytes.known && run->w->quantize_bits == 0)
        run->states.weights = od_bytes_exact(per(m->weight_bytes.n, parts));
    keep_embedding_states(run);
    if (run->w->lora_rank == 0 && run->local.world_size <= 1 &&
        !od_states_add_counters(run->w, od_transformer_tensors(run->t), &run->states))
        return false;
    doubt_tie(run);
    if (run->w->optimizer_in_backward)
        run->states.gradients = od_bytes_exact(0);
    return true;
}

/* ---- buffers beside them ---- */

/* FSDP: two gathered blocks, the tables and their gradients before they are reduced. A 16-bit
 * checkpoint that is loaded whole stays beside the shards, and gradients live whole before they
 * are reduced (fit on 5 public runs of litgpt with 2 and 4 ranks, within 6 %). */
static void add_gathered(const struct od_transformer_run *run, struct od_range *sum)
{
    double two = 2 * (double)run->params.largest_block * run->c;
    double tables = (double)run->tables * run->c * 2;
    double least = two + tables;
    if (!run->loaded || run->w->quantize_bits > 0) {
        od_range_add(sum, least, two, least * 1.5);
        return;
    }
    double whole = (double)run->held * run->c;
    double graded = (double)run->trained * run->c * (1 - 1 / run->dp);
    od_range_add(sum, whole + graded, least, (whole + graded) * 1.15);
}

/* DeepSpeed: buckets of 5e8 elements for reducing and gathering; stage 3 keeps up to 1e9
 * parameters live (its documented defaults). */
static void add_buckets(const struct od_transformer_run *run, struct od_range *sum)
{
    double held = (double)run->held;
    double bucket = fmin(5e8, held) * run->c;
    od_range_add(sum, 2 * bucket, bucket / 4, 2.5 * bucket);
    if (run->w->zero_stage >= 3) {
        double live = fmin(1e9, held) * run->c;
        od_range_add(sum, live, live / 4, live * 1.2);
    }
}

static void add_training_buffers(const struct od_transformer_run *run, struct od_range *sum)
{
    const struct od_workload *w = run->w;
    double gradients = (double)run->states.gradients.n;
    bool amp = w->precision == OD_PREC_AMP_FP16 || w->precision == OD_PREC_AMP_BF16;
    if (amp && !run->sharded) /* autocast keeps the cast weights until backward */
        od_range_add(sum, 2.0 * (double)run->held, (double)run->held, 2.0 * (double)run->held);
    if (w->framework == OD_FW_TENSORFLOW) /* gradients clipped by their global norm: a second set */
        od_range_add(sum, gradients, 0, gradients);
    else if (run->dp > 1 && !run->sharded && w->zero_stage == 0) /* DDP's buckets */
        od_range_add(sum, gradients, 0, gradients);
    else if (w->lora_rank == 0) /* temporaries of a foreach step, where backward left no room */
        od_range_add(sum, 0, 0, gradients / 4);
    if (run->sharded && w->fsdp)
        add_gathered(run, sum);
    else if (run->dp > 1 && w->zero_stage > 0)
        add_buckets(run, sum);
    if (w->quantize_bits == 4) {
        /* Runs in nf4 hold more than weights and activations: matrices back at 16 bits and what
         * is kept of them. Bytes per quantized parameter, fit on 6 public runs of litgpt: 0.34,
         * 0.40 (plain blocks), 0.53, 0.87, 0.88, 1.0 (gated). */
        double linear = (double)run->params.linear;
        double each = run->t->gated ? 0.75 : 0.37;
        od_range_add(sum, each * linear, 0.4 * each * linear, 1.4 * each * linear);
    }
}

/* Outlier columns; inputs that older releases keep a second time, of every block or of the one
 * that is computed again. */
static void add_int8(const struct od_transformer_run *run, struct od_range *sum)
{
    struct od_int8_bytes int8 = od_int8_count(run);
    bool one = run->w->checkpointing != OD_CKPT_NONE || run->w->offload_activations;
    double blocks = one ? 1 : (double)od_transformer_blocks(run->t);
    double copies = run->w->inference ? 0 : int8.copies_most * blocks * run->tokens;
    od_range_add(sum, int8.columns, 0, int8.columns_most + copies);
}

static struct od_part workspace(const struct od_transformer_run *run)
{
    struct od_range sum = {.n = 24 * mib, .lo = 8 * mib, .hi = 200 * mib}; /* cuBLAS */
    if (!run->w->inference)
        add_training_buffers(run, &sum);
    if (run->w->quantize_bits == 8)
        add_int8(run, &sum);
    if (run->w->offload_params) {
        double two = 2 * (double)run->params.largest_block * run->c;
        od_range_add(&sum, two, two / 2, two + (double)run->tables * run->c);
    }
    return (struct od_part){.bytes = od_bytes_about(sum.n, sum.lo, sum.hi),
                            .why = "buffers of casting, sharding, reducing, dequantizing and "
                                   "matrix libraries"};
}

/* ---- activations ---- */

/* Judgement, not a fit: wide enough for the published peaks that the counts were held against. */
static double spread(const struct od_transformer_run *run)
{
    double s = 0.14;
    if (run->w->checkpointing != OD_CKPT_NONE || run->w->compile)
        s = 0.18;
    if (!run->block.fused || run->w->framework != OD_FW_PYTORCH)
        s = 0.2;
    if (run->w->inference)
        s = 0.3;
    return s;
}

/*
 * What no text prints, in bytes of one sample: heads may be half as wide as the usual 64 and twice
 * as many (a quarter in narrow models), or twice as wide; dropouts may or may not have a rate of 0.
 */
static void add_doubts(const struct od_transformer_run *run, double *ret_less, double *ret_more)
{
    enum { NARROW = 256 };
    double each = (double)od_transformer_blocks(run->t) * (double)run->sequence;
    *ret_less = *ret_more = 0;
    if (run->w->inference || run->w->checkpointing != OD_CKPT_NONE)
        return;
    if (run->t->heads_guessed) {
        *ret_less += each * run->block.scores / 2;
        *ret_more += each * run->block.scores * (run->t->hidden.n <= NARROW ? 3 : 1);
    }
    if (run->t->rate_guessed)
        *(run->t->hidden_dropout > 0 ? ret_less : ret_more) += each * run->block.dropped;
}

static const char *why_saved(const struct od_transformer_run *run)
{
    return od_arena_printf(run->arena,
                           "%" PRIu64 " blocks x %.0f bytes a token, %.0f tokens; saved, the loss, "
                           "beyond gradients",
                           od_transformer_blocks(run->t), run->block.saved, run->tokens);
}

static const char *why_cache(const struct od_transformer_run *run)
{
    const struct od_kv_cache *cache = &run->e->cache;
    const char *places = "";
    if (cache->paged)
        places = od_arena_printf(run->arena,
                                 " in %" PRIu64 " blocks of %" PRIu64 " tokens, %" PRIu64
                                 " bytes of them empty",
                                 cache->blocks.n, run->w->kv_block, cache->waste.n);
    return od_arena_printf(
        run->arena,
        "cache of keys and values: %.0f sequences of %" PRIu64 " tokens x %" PRIu64
        " bytes a token%s: %" PRIu64 " bytes; one forward pass over %.0f tokens",
        run->batch, run->w->mean_sequence > 0 ? run->w->mean_sequence : cache->longest,
        cache->token_bytes, places, cache->bytes.n, run->tokens);
}

static void add_activations(struct od_transformer_run *run)
{
    struct od_estimate *e = run->e;
    double s = spread(run);
    double per_sample, all, exact = 0;
    struct od_kv_cache *cache = &e->cache;
    if (run->w->inference) {
        od_transformer_cache(run, cache);
        exact = (double)cache->bytes.n;
        per_sample = exact / run->batch;
        all = exact + od_transformer_forward(run);
    } else {
        per_sample = od_transformer_saved(run);
        all = od_transformer_training(run);
    }
    double doubt = (all - exact) * s;
    double freed = od_transformer_doubts_gradients(run) && run->w->accumulation <= 1
                       ? (double)run->states.gradients.n
                       : 0;
    double less, more;
    add_doubts(run, &less, &more);
    e->saved_per_sample = od_bytes_about(per_sample, per_sample - hypot(per_sample * s, less),
                                         per_sample + hypot(per_sample * s, more));
    double below = hypot(hypot(doubt, freed), less * run->batch);
    double above = hypot(doubt, more * run->batch);
    if (run->w->inference) {
        below = hypot(below, (double)(cache->bytes.n - cache->bytes.lo));
        above = hypot(above, (double)(cache->bytes.hi - cache->bytes.n));
    }
    e->breakdown.activations =
        (struct od_part){.bytes = od_bytes_about(all, all - below, all + above),
                         .why = run->w->inference ? why_cache(run) : why_saved(run)};
}

/* ---- the rest of the device ---- */

/* What the framework takes before any tensor. PyTorch: 0.5 GiB (2.1, lazy loading) to 1.7 GiB (an
 * A100, older builds, with cuBLAS and cuDNN); another GiB or so with collective communication
 * (stas00/ml-engineering; Hugging Face's documentation, 1343 MiB on a V100). */
static struct od_part framework_part(const struct od_transformer_run *run)
{
    struct od_range r = {0};
    if (run->w->metric == OD_METRIC_DEVICE) {
        if (run->w->framework == OD_FW_PYTORCH)
            od_range_add(&r, 1500 * mib, 500 * mib, 1850 * mib);
        else
            od_range_add(&r, 700 * mib, 300 * mib, 1500 * mib);
        if (run->w->world_size > 1)
            od_range_add(&r, 700 * mib, 200 * mib, 2000 * mib);
    }
    return (struct od_part){.bytes = od_bytes_about(r.n, r.lo, r.hi),
                            .why = "the device's context and libraries"};
}

/* Reserved beyond allocated: a few per cent of what comes and goes. */
static struct od_part waste_part(const struct od_transformer_run *run)
{
    const struct od_breakdown *b = &run->e->breakdown;
    double moving = (double)b->activations.bytes.n + (double)b->gradients.bytes.n +
                    (double)b->workspace.bytes.n;
    if (run->e->cache.paged) /* taken in one piece, before anything comes and goes */
        moving -= (double)run->e->cache.bytes.n;
    if (run->w->metric == OD_METRIC_ALLOCATED)
        moving = 0;
    return (struct od_part){.bytes = od_bytes_about(moving * 0.05, 0, moving * 0.15),
                            .why = "reserved beyond what is allocated: 0 to 15 % of all that "
                                   "comes and goes"};
}

static void add_rest(struct od_transformer_run *run)
{
    struct od_estimate *e = run->e;
    e->breakdown.inputs =
        (struct od_part){.bytes = od_bytes_exact((uint64_t)fmin(run->tokens * 24, 0x1p60)),
                         .why = "token ids, mask and labels, 8 bytes each"};
    e->breakdown.buffers.bytes = od_bytes_exact(0);
    e->breakdown.framework = framework_part(run);
    e->breakdown.allocator_waste = waste_part(run);
    e->batch_bytes = e->breakdown.inputs.bytes;
}

static void add_states(struct od_transformer_run *run)
{
    struct od_estimate *e = run->e;
    e->parameters = run->params.total;
    e->trainable = run->w->lora_rank > 0 ? run->lora.parameters : run->params.total;
    e->parameter_bytes = run->states.weights;
    e->breakdown.parameters = (struct od_part){
        .bytes = run->states.weights,
        .why = od_arena_printf(run->arena, "%" PRIu64 " parameters on this device", run->held)};
    e->breakdown.gradients =
        (struct od_part){.bytes = run->states.gradients, .why = "of trainable parameters"};
    e->breakdown.optimizer =
        (struct od_part){.bytes = run->states.optimizer, .why = "state of trainable parameters"};
}

/* ---- what was not said ---- */

static void settle_sequence(struct od_transformer_run *run)
{
    const struct od_transformer *t = run->t;
    uint64_t fixed = od_transformer_fixed_tokens(t);
    uint64_t longest = t->positions.known && t->positions.n > 0 ? t->positions.n : 2048;
    run->sequence = run->w->sequence;
    if (fixed > 0) {
        run->sequence = fixed;
    } else if (run->sequence == 0) {
        run->sequence = longest < 2048 ? longest : 2048;
        assume(run,
               od_arena_printf(run->arena, "sequence length not given: %" PRIu64 " tokens a sample",
                               run->sequence));
    }
    run->batch = run->w->batch > 0 ? (double)run->w->batch : 1;
    run->tokens = run->batch * (double)run->sequence;
    if (run->w->inference && run->w->kv_block > 0)
        run->tokens = (double)run->sequence + run->batch - 1;
}

static void tell_cache(struct od_transformer_run *run)
{
    uint64_t mean = run->w->mean_sequence;
    if (mean == 0 || mean >= run->sequence)
        assume(run, "the cache of keys and values is filled to the sequence length");
    else
        assume(run, "lengths of running sequences are spread evenly about their mean");
    if (run->w->kv_block > 0)
        assume(run, "a step reads one prompt of the longest length, and a token of each other "
                    "sequence");
}

static void tell(struct od_transformer_run *run)
{
    const struct od_workload *w = run->w;
    if (w->image_h > 0 && (run->t->traits & OD_TR_VISION) == 0)
        assume(run, "--image: not heard, the model reads no images");
    assume(run, run->block.fused ? "attention runs in a fused kernel that keeps no scores"
                                 : "attention keeps its scores (heads x sequence squared)");
    if (w->inference) {
        tell_cache(run);
        return;
    }
    if (w->lora_rank > 0)
        assume(run, "adapters without dropout, in the precision of the weights");
    if (w->quantize_bits > 0)
        assume(run,
               run->w->quantize_bits == 8
                   ? "matrices of blocks are quantized as LLM.int8 does: a scale for each row, "
                     "outlier columns at 16 bit, inputs kept; embeddings, head and norms stay "
                     "at 16 bit"
                   : "matrices of blocks are quantized; embeddings, head and norms stay at 16 "
                     "bit");
    if (run->loaded)
        assume(run, "every rank holds the whole 16-bit weights once while the checkpoint is read");
    if (od_transformer_doubts_gradients(run))
        assume(run, "gradients stay between steps, or fragments take as much");
    else if (w->accumulation <= 1)
        assume(run, "gradients are freed between steps");
}

/* Parameters of a head that may or may not be the embedding, and that a table counts twice. */
static uint64_t doubled_head(const struct od_transformer_run *run)
{
    const struct od_transformer *t = run->t;
    uint64_t table;
    if (t->head != OD_HEAD_LM || !t->tied || ckd_mul(&table, t->vocab.n, t->hidden.n))
        return 0;
    return run->w->model->parameters.n == run->params.total + table ? table : 0;
}

/* Class token and positions, which torchsummary does not count. */
static bool lacks_loose(const struct od_transformer_run *run)
{
    const struct od_transformer *t = run->t;
    uint64_t loose = (od_transformer_fixed_tokens(t) + 1) * t->hidden.n;
    return (t->traits & OD_TR_VISION) != 0 &&
           run->w->model->parameters.n + loose == run->params.total;
}

/* A table of layers states its total exactly, but for a tied head and parameters outside modules;
 * a printed module tree counts a tied head twice and leaves those out. */
static void take_printed(struct od_transformer_run *run)
{
    const struct od_model *m = run->w->model;
    bool table = m->format == OD_MODEL_TORCHSUMMARY || m->format == OD_MODEL_TORCHINFO ||
                 m->format == OD_MODEL_KERAS || m->format == OD_MODEL_GGUF;
    uint64_t half = run->params.tables / 2 + run->params.experts / 2 + 1;
    bool whole = m->parameters.n > run->params.total / 100 * 99; /* no rows without their numbers */
    if (!table || !m->parameters.known)
        return;
    run->untied = doubled_head(run);
    if (run->untied > 0)
        assume(run, od_arena_printf(run->arena,
                                    "the head is as large as the embedding: they are taken as one "
                                    "tensor; else there are %" PRIu64 " parameters more",
                                    run->untied));
    else if (lacks_loose(run))
        assume(run, "a class token and positions, which the table does not count, are added");
    else if (whole && m->parameters.n / 2 >= half)
        run->params.total = m->parameters.n;
}

bool od_estimate_transformer(const struct od_workload *workload, struct od_arena *arena,
                             struct od_diags *diags, struct od_estimate *ret_estimate)
{
    struct od_estimate e = {0};
    struct od_transformer_run run = {.w = workload,
                                     .t = &workload->model->transformer,
                                     .c = od_precision_compute_bytes(workload->precision),
                                     .arena = arena,
                                     .e = &e};
    if (!od_transformer_count(run.t, diags, &run.params))
        return false;
    take_printed(&run);
    settle_sequence(&run);
    run.lora = od_lora_targets_of(workload, diags);
    run.block = od_block_count(workload, &run.lora, run.sequence);
    place(&run);
    if (!count_states(&run)) {
        od_diags_say(diags, OD_ERROR, "the sizes described exceed 64 bits");
        return false;
    }
    add_states(&run);
    add_activations(&run);
    e.breakdown.workspace = workspace(&run);
    add_rest(&run);
    tell(&run);
    if (!od_estimate_close(&e)) {
        od_diags_say(diags, OD_ERROR, "the sizes described exceed 64 bits");
        return false;
    }
    *ret_estimate = e;
    return true;
}
