#include "estimate/transformer_block.h"

#include "estimate/states.h"
#include "estimate/transformer_params.h"

/* The dimensions of a block as doubles, for sums of bytes per token. */
struct block {
    const struct od_workload *w;
    const struct od_transformer *t;
    const struct od_lora_targets *lora;
    double c;        /* bytes of a computed element */
    double h, f, a;  /* width of the model, width of the MLP, number of heads */
    double q, kv, v; /* widths of all query heads, key heads, value heads */
    double s;        /* sequence length */
    bool frozen;     /* LoRA: a matrix does not keep its input, unless an adapter does */
    bool keeps;      /* every matrix keeps its input, because bitsandbytes does so with 8 bits */
    bool tensorflow;
};

static bool has(const struct block *b, uint32_t traits)
{
    return (b->t->traits & traits) != 0;
}

/* Does a fused kernel of the framework compute attention? TensorFlow models use separate steps. */
static bool is_fused(const struct block *b)
{
    if (b->w->attention != OD_ATTENTION_UNKNOWN)
        return b->w->attention == OD_ATTENTION_FUSED;
    if (has(b, OD_TR_SOFTCAP))
        return false;
    return has(b, OD_TR_FUSED) || !(b->tensorflow || has(b, OD_TR_EAGER));
}

static double norms(const struct block *b)
{
    return has(b, OD_TR_ONE_NORM) ? 1 : has(b, OD_TR_FOUR_NORMS) ? 4 : 2;
}

/* Is the residual stream float32? Under autocast it is, because norms are not cast. */
static bool is_stream_wide(const struct block *b)
{
    bool amp = od_precision_casts(b->w->precision);
    return amp && !b->tensorflow && !b->w->fsdp && b->w->zero_stage < 3;
}

/* RMS norms of queries and keys, also in Python code. */
static double head_norms(const struct block *b)
{
    bool any = has(b, OD_TR_QK_NORM | OD_TR_QK_NORM_WIDE);
    return any ? (b->q + b->kv) * (4 + (b->frozen ? 0 : b->c)) : 0;
}

/* Inputs of norms. A fused norm keeps its input (blocks with parallel branches have one norm). An
 * RMS norm in Python code computes in float32 and keeps that copy and, if its weight is trained,
 * the normalized tensor; a compiler fuses it. Under autocast the residual stream, and therefore the
 * input, is float32. */
static double norm_inputs(const struct block *b)
{
    double inputs = has(b, OD_TR_PARALLEL) ? 1 : norms(b), stream = is_stream_wide(b) ? 4 : b->c;
    if (b->t->rms_norm && !b->w->compile)
        return norms(b) * b->h * (4 + (b->frozen ? 0 : stream)) + head_norms(b);
    return inputs * b->h * stream;
}

/* Outputs of norms, which the next matrices keep. Under autocast it is float32, and each matrix
 * keeps its own copy, because only casts of weights are cached (CachedCast in
 * autocast_mode.cpp). */
static double norm_outputs(const struct block *b)
{
    bool one = has(b, OD_TR_ONE_NORM), casts = is_stream_wide(b) && !b->w->compile;
    bool apart = casts && !has(b, OD_TR_ONE_QKV | OD_TR_FUSED_QKV);
    double attention = !b->frozen || b->keeps || b->lora->attention ? b->h * (apart ? 3 : 1) : 0;
    double mlp = !b->frozen || b->keeps || b->lora->up ? b->h * (casts && b->t->gated ? 2 : 1) : 0;
    if (one)
        return (attention > mlp ? attention : mlp) * b->c;
    return (attention + mlp) * b->c;
}

/* Is the softmax computed in float32 between 16-bit matrices? Autocast does so, and so do models
 * whose norms are in Python code. */
static bool is_upcast(const struct block *b)
{
    bool amp = od_precision_casts(b->w->precision);
    return b->c < 4 && !b->tensorflow && (amp || b->t->rms_norm);
}

/* Scores: the softmax's output (in float32 also the copy it is cast back to) or, with dropout, its
 * output, the mask (a byte; a float in TensorFlow) and the dropped weights; a soft cap keeps its
 * tanh. Fused kernels keep a float per head. */
static double written(const struct block *b)
{
    double s = b->t->window.known && (double)b->t->window.n < b->s ? (double)b->t->window.n : b->s;
    bool drops = b->t->attention_dropout > 0;
    double bytes = (is_upcast(b) ? 4 : b->c) + (has(b, OD_TR_SOFTCAP) ? b->c : 0);
    if (drops || is_upcast(b))
        bytes += b->c;
    if (drops)
        bytes += b->tensorflow ? b->c : 1;
    return bytes * b->a * s;
}

static double scores(const struct block *b)
{
    return is_fused(b) ? 4 * b->a : written(b);
}

/* Bytes that dropouts would keep: masks, and scores that passed a dropout (a float32 softmax keeps
 * a copy in any case). */
static double dropped(const struct block *b)
{
    double mask = b->tensorflow ? b->c : 1;
    double hidden = 2 * b->h + (b->t->inner_dropout ? b->f : 0);
    double passed = is_upcast(b) ? 0 : b->c;
    return hidden * mask + (is_fused(b) ? 0 : (passed + mask) * b->a * b->s);
}

/* Bytes of branches kept by products with a learned vector. */
static double scaled(const struct block *b)
{
    return has(b, OD_TR_SCALED) ? 2 * b->h * b->c : 0;
}

/* Queries, keys and values (keys and values repeated for every query head), and the output. */
static double attention(const struct block *b)
{
    double latent =
        b->t->kv_rank.known ? 2 * ((double)b->t->kv_rank.n + (double)b->t->q_rank.n) * b->c : 0;
    bool view =
        has(b, OD_TR_FUSED_QKV) && od_transformer_kv_heads(b->t) == od_transformer_heads(b->t);
    /* the values are a view of the result */
    double held = view && !b->w->compile ? 2 * b->q * b->c : 0;
    return (2 * b->q + 2 * b->v) * b->c + held + latent;
}

/* The MLP. Gated: the gate, its activation, the other branch, their product. Plain: the
 * activation's input and output (only the output of a ReLU). The last matrix keeps its input unless
 * it is frozen. A compiler recomputes one pointwise step; if the last matrix is frozen, it also
 * recomputes the product, which only an adapter reads (min-cut partitioner,
 * torch/_functorch/partitioners.py). TensorFlow's GELU in Python keeps two more; one written with
 * tanh in PyTorch keeps three: the tanh and both factors of its product (under autocast a power
 * makes them float32). */
static double gelu_steps(const struct block *b)
{
    bool amp = od_precision_casts(b->w->precision);
    bool written = has(b, OD_TR_GELU_STEPS) && !b->w->compile && !b->tensorflow;
    return written ? (amp ? 12 / b->c : 3) : 0;
}

static double mlp_tensors(const struct block *b)
{
    bool last = !b->frozen || b->keeps || (b->lora->down && !b->w->compile);
    double steps = gelu_steps(b);
    if (b->t->gated)
        return 3 + (last ? 1 : 0) - (b->w->compile ? 1 : 0) + steps;
    double kept = has(b, OD_TR_RELU) ? 0 : 1;
    if (b->tensorflow && kept > 0)
        kept = 3;
    return kept + steps + (last || has(b, OD_TR_RELU) ? 1 : 0);
}

static double mlp(const struct block *b)
{
    const struct od_transformer *t = b->t;
    double dense = mlp_tensors(b) * b->f * b->c;
    uint64_t sparse = od_transformer_expert_blocks(t);
    if (sparse == 0 || t->layers.n == 0)
        return dense;
    double active = t->experts_active.known ? (double)t->experts_active.n : 2;
    double narrow = t->expert_intermediate.known ? (double)t->expert_intermediate.n : b->f;
    double shared = t->shared_intermediate.known ? (double)t->shared_intermediate.n
                                                 : (double)t->shared_experts.n * narrow;
    double routed = mlp_tensors(b) * (active * narrow + shared) * b->c + 2 * active * b->h * b->c +
                    (double)t->experts.n * 4;
    double part = (double)sparse / (double)t->layers.n;
    return dense * (1 - part) + routed * part;
}

/* Counted bytes, and their possible error in both directions. */
struct doubted {
    double n, doubt;
};

/* Bytes of adapters. With a dropout they keep a mask of each adapted matrix's input, and the
 * dropped copy if another step keeps the input or shares it. Programs that compute queries, keys
 * and values with one matrix before rotating them keep its whole output. Half of the unknown part
 * is counted. A compiler recomputes masks and copies. */
static struct doubted of_adapters(const struct block *b)
{
    const struct od_lora_targets *l = b->lora;
    bool one = od_transformer_kv_heads(b->t) == od_transformer_heads(b->t);
    bool rotates = b->t->head == OD_HEAD_LM && !b->t->learned_positions;
    bool shares = has(b, OD_TR_ONE_NORM) && l->attention;
    double joined = rotates && one && !has(b, OD_TR_FUSED_QKV) ? 2 * b->q * b->c : 0;
    if (!b->frozen || b->w->compile)
        return (struct doubted){0};
    double reads = (l->attention ? b->h : 0) + (l->out ? b->v : 0) + (l->down ? b->f : 0);
    double copies = l->out ? b->v : 0;
    if (l->up) {
        reads += b->t->gated ? 2 * b->h : b->h;
        copies += (b->t->gated ? b->h : 0) + (shares ? b->h : 0);
    }
    double dropout = reads + copies * b->c;
    switch (b->w->adapter_dropout) {
    case OD_NO:
        return (struct doubted){joined / 2, joined / 2};
    case OD_YES:
        return (struct doubted){dropout + joined / 2, joined / 2};
    case OD_CANNOT_TELL:
        break;
    }
    return (struct doubted){(dropout + joined) / 2, (dropout + joined) / 2};
}

static double masks(const struct block *b)
{
    if (b->t->hidden_dropout <= 0)
        return 0;
    double elements = 2 * b->h + (b->t->inner_dropout ? b->f : 0);
    return elements * (b->tensorflow ? b->c : 1);
}

static struct block block_of(const struct od_workload *w, const struct od_lora_targets *lora,
                             uint64_t sequence)
{
    const struct od_transformer *t = &w->model->transformer;
    double d = (double)od_transformer_head_dim(t), a = (double)od_transformer_heads(t);
    uint64_t f = t->intermediate.known ? t->intermediate.n : t->expert_intermediate.n;
    return (struct block){.w = w,
                          .t = t,
                          .lora = lora,
                          .c = od_precision_compute_bytes(w->precision),
                          .h = (double)t->hidden.n,
                          .f = (double)f,
                          .a = a,
                          .q = a * d,
                          .kv = (double)od_transformer_kv_heads(t) * d,
                          .v = a * (double)od_transformer_value_dim(t),
                          .s = (double)sequence,
                          .frozen = w->lora_rank > 0,
                          .keeps = w->quantize_bits == 8,
                          .tensorflow = w->framework == OD_FW_TENSORFLOW};
}

/* Bytes with selective checkpointing. With fused attention, every second matrix keeps its output
 * and the rest is recomputed (torchtitan's selective checkpointing by operation); otherwise the
 * scores are recomputed (Megatron's). */
static double selective(const struct block *b, double saved)
{
    if (!is_fused(b))
        return saved - scores(b);
    double gate = b->t->gated ? b->f + b->h : b->f;
    double kept = (b->h + b->q + b->kv + b->v + gate) * b->c + scores(b);
    return kept < saved ? kept : saved;
}

struct od_block_bytes od_block_count(const struct od_workload *w,
                                     const struct od_lora_targets *lora, uint64_t sequence)
{
    struct block b = block_of(w, lora, sequence);
    double around = norm_inputs(&b) + norm_outputs(&b) + masks(&b) + scaled(&b);
    struct doubted adapters = of_adapters(&b);
    double saved = around + attention(&b) + scores(&b) + mlp(&b) + adapters.n;
    return (struct od_block_bytes){.saved = saved,
                                   .selective = selective(&b, saved),
                                   .boundary = b.h * b.c,
                                   .replicated = around,
                                   .scores = is_fused(&b) ? 0 : scores(&b),
                                   .written = written(&b),
                                   .dropped = dropped(&b),
                                   .adapter_doubt = adapters.doubt,
                                   .steps = gelu_steps(&b) * b.f * b.c,
                                   .fused = is_fused(&b)};
}
