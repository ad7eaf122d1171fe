#include "estimate/transformer_params.h"

/* A sum that records overflow. */
struct tally {
    uint64_t n;
    bool over;
};

static void add(struct tally *sum, uint64_t n)
{
    sum->over |= ckd_add(&sum->n, sum->n, n);
}

static void add_product(struct tally *sum, uint64_t a, uint64_t b)
{
    uint64_t product;
    sum->over |= ckd_mul(&product, a, b);
    add(sum, product);
}

static void add_linear(struct tally *sum, uint64_t in, uint64_t out, bool bias)
{
    add_product(sum, in, out);
    if (bias)
        add(sum, out);
}

static void add_times(struct tally *sum, const struct tally *part, uint64_t times)
{
    sum->over |= part->over;
    add_product(sum, part->n, times);
}

static uint64_t or_else(struct od_count count, uint64_t other)
{
    return count.known ? count.n : other;
}

static bool has(const struct od_transformer *t, uint32_t traits)
{
    return (t->traits & traits) != 0;
}

uint64_t od_transformer_heads(const struct od_transformer *t)
{
    return or_else(t->heads, 1);
}

uint64_t od_transformer_kv_heads(const struct od_transformer *t)
{
    return or_else(t->kv_heads, od_transformer_heads(t));
}

uint64_t od_transformer_head_dim(const struct od_transformer *t)
{
    uint64_t heads = od_transformer_heads(t);
    return or_else(t->head_dim, heads ? t->hidden.n / heads : 0);
}

uint64_t od_transformer_value_dim(const struct od_transformer *t)
{
    return or_else(t->value_dim, od_transformer_head_dim(t));
}

uint64_t od_transformer_blocks(const struct od_transformer *t)
{
    uint64_t blocks;
    return ckd_add(&blocks, t->layers.n, or_else(t->decoder_layers, 0)) ? UINT64_MAX : blocks;
}

uint64_t od_transformer_expert_blocks(const struct od_transformer *t)
{
    if (!t->experts.known || t->experts.n == 0)
        return 0;
    uint64_t dense = or_else(t->dense_layers, 0);
    uint64_t left = dense < t->layers.n ? t->layers.n - dense : 0;
    uint64_t every = or_else(t->expert_every, 1);
    return every > 1 ? left / every : left;
}

uint64_t od_transformer_fixed_tokens(const struct od_transformer *t)
{
    uint64_t side, tokens;
    if (has(t, OD_TR_AUDIO))
        return or_else(t->source_positions, 1500);
    if (!has(t, OD_TR_VISION) || !t->image.known || !t->patch.known || t->patch.n == 0)
        return 0;
    side = t->image.n / t->patch.n;
    return ckd_mul(&tokens, side, side) ? 0 : tokens + (has(t, OD_TR_DISTILLED) ? 2 : 1);
}

static uint64_t norm_of(const struct od_transformer *t, uint64_t width)
{
    if (has(t, OD_TR_NORM_BARE))
        return 0;
    return has(t, OD_TR_NORM_BIAS) ? width * 2 : width;
}

/* Adds latent attention: queries and keys pass through narrow tensors with norms. */
static void add_latent(struct tally *sum, const struct od_transformer *t)
{
    uint64_t a = od_transformer_heads(t), d = od_transformer_head_dim(t);
    uint64_t v = od_transformer_value_dim(t), rope = or_else(t->rope_dim, 0);
    uint64_t h = t->hidden.n, kv = t->kv_rank.n;
    if (t->q_rank.known && t->q_rank.n > 0) {
        add_linear(sum, h, t->q_rank.n, t->attention_bias);
        add(sum, t->q_rank.n);
        add_linear(sum, t->q_rank.n, a * d, false);
    } else {
        add_linear(sum, h, a * d, false);
    }
    add_linear(sum, h, kv + rope, t->attention_bias);
    add(sum, kv);
    add_linear(sum, kv, a * (d - (rope < d ? rope : d) + v), false);
    add_linear(sum, a * v, h, has(t, OD_TR_OUT_BIAS));
}

static void add_attention(struct tally *sum, const struct od_transformer *t, uint64_t heads)
{
    uint64_t d = od_transformer_head_dim(t), h = t->hidden.n;
    uint64_t q = heads * d;
    uint64_t kv = (heads == od_transformer_heads(t) ? od_transformer_kv_heads(t) : heads) * d;
    if (t->kv_rank.known) {
        add_latent(sum, t);
        return;
    }
    add_linear(sum, h, t->query_gate ? 2 * q : q, t->attention_bias);
    add_linear(sum, h, kv, t->attention_bias && !has(t, OD_TR_KEY_NO_BIAS));
    add_linear(sum, h, kv, t->attention_bias);
    add_linear(sum, q, h, has(t, OD_TR_OUT_BIAS));
    if (has(t, OD_TR_SINKS))
        add(sum, heads);
    if (has(t, OD_TR_QK_NORM))
        add(sum, norm_of(t, d) * 2);
    if (has(t, OD_TR_QK_NORM_WIDE))
        add(sum, norm_of(t, q) + norm_of(t, kv));
    if (has(t, OD_TR_QK_FIXED)) {
        add_product(sum, h, q);
        add_product(sum, q, 5); /* three biases for two segments */
    }
}

/* Adds a gated delta rule (transformers' Qwen3NextGatedDeltaNet): one matrix for queries, keys,
 * values and a gate, one for two numbers per value head; a convolution per channel, decay, a norm,
 * the output. */
static void add_linear_attention(struct tally *sum, const struct od_transformer *t)
{
    uint64_t key = t->linear_key_heads.n * t->linear_key_dim.n, heads = t->linear_value_heads.n;
    uint64_t value = heads * t->linear_value_dim.n, h = t->hidden.n;
    add_linear(sum, h, 2 * key + 2 * value, false);
    add_linear(sum, h, 2 * heads, false);
    add_product(sum, 2 * key + value, or_else(t->linear_kernel, 4));
    add_product(sum, heads, 2);
    add(sum, t->linear_value_dim.n);
    add_linear(sum, value, h, false);
}

static void add_mlp(struct tally *sum, const struct od_transformer *t, uint64_t width)
{
    add_linear(sum, t->hidden.n, width, t->mlp_bias);
    if (t->gated)
        add_linear(sum, t->hidden.n, width, t->mlp_bias);
    add_linear(sum, width, t->hidden.n, t->mlp_bias);
}

static uint64_t norms_of_block(const struct od_transformer *t)
{
    return has(t, OD_TR_ONE_NORM) ? 1 : has(t, OD_TR_FOUR_NORMS) ? 4 : 2;
}

/* Adds parts of a block other than attention and MLP. */
static void add_small(struct tally *sum, const struct od_transformer *t, bool cross)
{
    uint64_t norms = norms_of_block(t) + (cross ? 1 : 0);
    add_product(sum, norm_of(t, t->hidden.n), norms);
    if (has(t, OD_TR_SCALED))
        add_product(sum, t->hidden.n, 2);
}

struct blocks {
    struct tally dense, sparse, cross, experts;
};

static struct blocks count_blocks(const struct od_transformer *t)
{
    struct blocks b = {0};
    uint64_t wide = or_else(t->intermediate, 0);
    uint64_t narrow = or_else(t->expert_intermediate, wide);
    add_attention(&b.dense, t, od_transformer_heads(t));
    add_small(&b.dense, t, false);
    b.sparse = b.dense;
    add_mlp(&b.dense, t, wide);
    struct tally expert = {0};
    add_mlp(&expert, t, narrow);
    add_times(&b.experts, &expert, or_else(t->experts, 0));
    add_times(&b.sparse, &b.experts, 1);
    add_product(&b.sparse, t->hidden.n, or_else(t->experts, 0));
    if (has(t, OD_TR_ROUTER_BIAS))
        add(&b.sparse, or_else(t->experts, 0));
    uint64_t shared = or_else(t->shared_intermediate, or_else(t->shared_experts, 0) * narrow);
    if (shared > 0)
        add_mlp(&b.sparse, t, shared);
    if (shared > 0 && has(t, OD_TR_SHARED_GATE))
        add(&b.sparse, t->hidden.n);
    uint64_t heads = or_else(t->decoder_heads, od_transformer_heads(t));
    add_attention(&b.cross, t, heads);
    add_attention(&b.cross, t, heads);
    add_small(&b.cross, t, true);
    add_mlp(&b.cross, t, or_else(t->decoder_intermediate, wide));
    return b;
}

static void add_embeddings(struct tally *sum, const struct od_transformer *t)
{
    uint64_t h = t->hidden.n, e = or_else(t->embedding, h);
    bool causal = has(t, OD_TR_CAUSAL); /* OPT projects, with positions at full width */
    add_product(sum, or_else(t->vocab, 0), e);
    add_product(sum, or_else(t->type_vocab, 0), e);
    if (t->learned_positions && t->positions.known && !has(t, OD_TR_VISION))
        add_product(sum, t->positions.n + t->position_rows, causal ? h : e);
    if (t->decoder_layers.known && t->learned_positions)
        add_product(sum, or_else(t->source_positions, t->positions.n + t->position_rows), h);
    if (e != h) {
        add_linear(sum, e, h, !causal);
        add_product(sum, causal ? e : 0, h);
    }
    uint64_t stacks = t->decoder_layers.known ? 2 : 1;
    if (has(t, OD_TR_EMBED_NORM))
        add_product(sum, norm_of(t, e), stacks);
    if (has(t, OD_TR_VISION)) {
        add_linear(sum, t->patch.n * t->patch.n * or_else(t->channels, 3), h, true);
        add_product(sum, h, has(t, OD_TR_DISTILLED) ? 2 : 1);
        add_product(sum, h, od_transformer_fixed_tokens(t) + t->position_rows);
    }
    if (has(t, OD_TR_AUDIO)) {
        add_linear(sum, or_else(t->channels, 80) * 3, h, true);
        add_linear(sum, h * 3, h, true);
    }
}

static void add_top(struct tally *sum, const struct od_transformer *t)
{
    uint64_t h = t->hidden.n, e = or_else(t->embedding, h), v = or_else(t->vocab, 0);
    uint64_t labels = or_else(t->labels, 2);
    bool dense = has(t, OD_TR_LABEL_DENSE);
    bool pooled = t->head == OD_HEAD_NONE || t->head == OD_HEAD_PRETRAIN ||
                  (t->head == OD_HEAD_LABELS && !dense && !has(t, OD_TR_VISION));
    if (has(t, OD_TR_POOLER) && pooled)
        add_linear(sum, h, h, true);
    if (t->head == OD_HEAD_LM && !t->tied)
        add_product(sum, v, e);
    if (t->head == OD_HEAD_LM && has(t, OD_TR_HEAD_BIAS))
        add(sum, v);
    if (t->head == OD_HEAD_MASKED || t->head == OD_HEAD_PRETRAIN) {
        add_linear(sum, h, e, true);
        add(sum, norm_of(t, e));
        add_linear(sum, t->tied ? 0 : e, v, true);
    }
    if (t->head == OD_HEAD_PRETRAIN)
        add_linear(sum, h, 2, true);
    if (t->head == OD_HEAD_LABELS && dense)
        add_linear(sum, h, h, true);
    if (t->head == OD_HEAD_LABELS || t->head == OD_HEAD_TOKENS)
        add_linear(sum, h, labels, !has(t, OD_TR_CAUSAL));
    if (t->head == OD_HEAD_LABELS && has(t, OD_TR_DISTILLED))
        add_linear(sum, h, labels, true);
}

static bool is_stated(const struct od_transformer *t, struct od_diags *diags)
{
    const struct {
        const char *what;
        struct od_count count;
    } needed[] = {{"width (hidden_size)", t->hidden},
                  {"number of layers (num_hidden_layers)", t->layers},
                  {"width of its MLP (intermediate_size)",
                   t->intermediate.known ? t->intermediate : t->expert_intermediate}};
    /* larger widths do not occur in models */
    static const uint64_t most = 1 << 24;
    for (size_t i = 0; i < OD_COUNT_OF(needed); i++) {
        if (!needed[i].count.known || needed[i].count.n == 0 || needed[i].count.n > most) {
            od_diags_say(diags, OD_ERROR, "the description does not say the transformer's %s",
                         needed[i].what);
            return false;
        }
    }
    if (od_transformer_heads(t) > most || od_transformer_head_dim(t) > most ||
        od_transformer_kv_heads(t) > most || od_transformer_value_dim(t) > most ||
        t->patch.n > most || t->channels.n > most || t->kv_rank.n > most || t->q_rank.n > most ||
        t->rope_dim.n > most || t->embedding.n > most || t->shared_experts.n > most ||
        t->linear_key_heads.n > most || t->linear_key_dim.n > most ||
        t->linear_value_heads.n > most || t->linear_value_dim.n > most) {
        od_diags_say(diags, OD_ERROR, "a width or number of heads above %llu is no transformer's",
                     (unsigned long long)most);
        return false;
    }
    return true;
}

static void replace_attention(struct tally *total, const struct od_transformer *t)
{
    struct tally usual = {0}, other = {0};
    uint64_t layers = or_else(t->linear_layers, 0);
    if (layers == 0 || layers > t->layers.n || t->counted.known)
        return;
    add_attention(&usual, t, od_transformer_heads(t));
    add_linear_attention(&other, t);
    add_times(total, &other, layers);
    total->over |=
        usual.over || ckd_mul(&usual.n, usual.n, layers) || ckd_sub(&total->n, total->n, usual.n);
}

bool od_transformer_count(const struct od_transformer *t, struct od_diags *diags,
                          struct od_transformer_params *ret_params)
{
    if (!is_stated(t, diags))
        return false;
    struct blocks b = count_blocks(t);
    struct tally total = {0}, small = {0}, routed = {0}, linear;
    uint64_t sparse = od_transformer_expert_blocks(t);
    uint64_t dense = t->layers.n - (sparse < t->layers.n ? sparse : t->layers.n);
    bool shared = has(t, OD_TR_SHARED);
    uint64_t stacks = t->decoder_layers.known ? 2 : 1;
    add_times(&total, &b.dense, shared && dense > 0 ? 1 : dense);
    add_times(&total, &b.sparse, sparse);
    add_times(&total, &b.cross, or_else(t->decoder_layers, 0));
    replace_attention(&total, t);
    linear = total;
    add_times(&routed, &b.experts, sparse);
    add_product(&total, or_else(t->buckets, 0), od_transformer_heads(t) * stacks);
    if (!has(t, OD_TR_NO_FINAL_NORM))
        add_product(&total, norm_of(t, t->hidden.n), stacks);
    add_embeddings(&small, t);
    add_top(&small, t);
    add_times(&total, &small, 1);
    if (total.over || linear.over || routed.over || small.over) {
        od_diags_say(diags, OD_ERROR, "the parameters described exceed 64 bits");
        return false;
    }
    uint64_t largest = sparse > 0 && b.sparse.n > b.dense.n ? b.sparse.n : b.dense.n;
    if (t->counted.known) {
        total.n = t->counted.n;
        small.n = small.n < total.n ? small.n : total.n;
        linear.n = total.n - small.n;
        routed.n = routed.n < linear.n ? routed.n : linear.n;
        largest = largest < linear.n ? largest : linear.n;
    }
    *ret_params = (struct od_transformer_params){.total = total.n,
                                                 .tables = small.n,
                                                 .experts = routed.n,
                                                 .linear = linear.n,
                                                 .largest_block = largest};
    return true;
}

bool od_transformer_count_tower(const struct od_transformer *tower, const struct od_transformer *of,
                                struct od_diags *diags, struct od_transformer_params *params)
{
    struct od_transformer_params part;
    struct tally join = {0};
    if (!od_transformer_count(tower, diags, &part))
        return false;
    uint64_t width = tower->hidden.n * (tower->merged > 0 ? tower->merged : 1);
    if (tower->mergers == 0) {
        add_linear(&join, width, of->hidden.n, true);
        add_linear(&join, of->hidden.n, of->hidden.n, true);
    }
    for (uint64_t i = 0; i < tower->mergers; i++) {
        add_linear(&join, width, width, true);
        add_linear(&join, width, of->hidden.n, true);
    }
    if (tower->positions.known)
        add_linear(&join, tower->positions.n, tower->hidden.n, false);
    return !join.over && !ckd_add(&params->total, params->total, part.total) &&
           !ckd_add(&params->total, params->total, join.n) &&
           !ckd_add(&params->linear, params->linear, part.linear);
}

/* Number of parameter tensors in a block: matrices with their biases, norms. */
static uint64_t block_tensors(const struct od_transformer *t)
{
    uint64_t norm = has(t, OD_TR_NORM_BARE) ? 0u : has(t, OD_TR_NORM_BIAS) ? 2u : 1u;
    uint64_t norms = has(t, OD_TR_ONE_NORM) ? 1u : has(t, OD_TR_FOUR_NORMS) ? 4u : 2u;
    uint64_t read = t->one_qkv ? 1u : 3u;
    uint64_t attention = read * (t->attention_bias ? 2u : 1u) + (has(t, OD_TR_OUT_BIAS) ? 2u : 1u);
    uint64_t mlp = (t->gated ? 3u : 2u) * (t->mlp_bias ? 2u : 1u);
    return norm * norms + attention + mlp;
}

uint64_t od_transformer_tensors(const struct od_transformer *t)
{
    uint64_t norm = has(t, OD_TR_NORM_BIAS) ? 2u : 1u;
    uint64_t n = od_transformer_blocks(t) * block_tensors(t);
    n += t->vocab.known;
    n += t->learned_positions && !has(t, OD_TR_VISION);
    n += t->type_vocab.known && t->type_vocab.n > 0;
    n += has(t, OD_TR_EMBED_NORM) ? norm : 0u;
    n += has(t, OD_TR_NO_FINAL_NORM) ? 0u : norm;
    n += has(t, OD_TR_VISION) ? 4u : 0u;
    n += has(t, OD_TR_POOLER) ? 2u : 0u;
    n += t->head == OD_HEAD_LM ? !t->tied : t->head == OD_HEAD_NONE ? 0u : 2u;
    return n;
}
