#include "estimate/recognise.h"

#include "base/map.h"
#include "estimate/transformer.h"

/* Properties that the rows showed so far. */
struct rows {
    const struct od_model *model;
    uint64_t h, f, blocks, heads, kv, vocab, positions, types, sequence, labels;
    uint64_t embedding;      /* width of the token embedding */
    uint64_t decoder_blocks; /* number of blocks that read an encoder; 0 = none */
    uint64_t patch, grid;    /* of an image: side of a patch, patches per side */
    uint64_t norms, narrower, attentions, inner, dropouts;
    uint64_t ups, downs, scales; /* matrices of MLPs, and learned vectors that scale a branch */
    double p;                    /* dropout rate; negative = none printed yet */
    bool smooth, gated, rms, fused, one_qkv, plain_attention, encoder_layer, scores, repeats;
    uint64_t last_out;
    size_t nguesses;
    const char **guesses;
};

static void guess(struct rows *r, const char *words)
{
    if (r->nguesses + 1 < OD_GUESSES) {
        r->guesses[r->nguesses++] = words;
        r->guesses[r->nguesses] = NULL;
    }
}

/* Width of a row's output: the printed features, otherwise the shape's last dimension. */
static uint64_t out_of(const struct od_layer *layer)
{
    if (layer->out_features.known)
        return layer->out_features.n;
    const struct od_shape *s = &layer->output;
    if (!s->known || s->n == 0 || layer->output_cut || s->dims[s->n - 1] == OD_DIM_UNKNOWN)
        return 0;
    return s->dims[s->n - 1];
}

/* Does a matrix from in to out have that many parameters? */
static bool joins(const struct od_layer *layer, uint64_t in, uint64_t out)
{
    uint64_t product;
    if (layer->kind != OD_LAYER_LINEAR || out_of(layer) != out || ckd_mul(&product, in, out))
        return false;
    if (layer->in_features.known)
        return layer->in_features.n == in;
    uint64_t p = layer->parameters.n;
    return layer->parameters.known && p >= product && p - product <= out;
}

static bool ends_like_block(struct od_view type)
{
    return od_view_ends(type, OD_VIEW("Layer")) || od_view_ends(type, OD_VIEW("Block"));
}

/* Counts blocks: rows of the most frequent type whose name ends in Layer or Block. */
static void count_blocks(struct rows *r)
{
    struct od_map types = {0};
    const struct od_model *m = r->model;
    OD_FOR_EACH (const struct od_layer, layer, m->layers) {
        bool holds = layer->kind == OD_LAYER_CONTAINER || layer->kind == OD_LAYER_OTHER ||
                     layer->kind == OD_LAYER_ATTENTION;
        if (!holds || layer->recursive || !ends_like_block(layer->type))
            continue;
        uint64_t *n = od_map_at(&types, layer->type);
        if (!ckd_add(n, *n, layer->repeat > 1 ? layer->repeat : 1) && *n > r->blocks)
            r->blocks = *n;
    }
    od_map_done(&types);
}

/* Is the row in a block, whose depth is *block? Call this for rows in their order. */
static bool is_in_block(const struct od_layer *layer, uint32_t *block)
{
    if (layer->depth <= *block)
        *block = ends_like_block(layer->type) ? layer->depth : UINT32_MAX;
    return *block < layer->depth;
}

static uint64_t blocks_in(const struct od_model *m, const char *name)
{
    uint64_t n = 0;
    for (size_t i = 0; i < m->layers.n && n == 0; i++) {
        uint32_t depth = m->layers.items[i].depth, block = UINT32_MAX;
        if (depth == 0 || !od_view_eq_str(m->layers.items[i].name, name))
            continue;
        for (; i + 1 < m->layers.n && m->layers.items[i + 1].depth > depth; i++) {
            const struct od_layer *layer = &m->layers.items[i + 1];
            if (!is_in_block(layer, &block) && block == layer->depth &&
                ckd_add(&n, n, layer->repeat > 1 ? layer->repeat : 1))
                return 0;
        }
    }
    return n;
}

/* Input width of a block's first matrix; 0 = not printed. */
static uint64_t width_of_blocks(const struct od_model *m)
{
    uint32_t block = UINT32_MAX;
    for (size_t i = 0; i < m->layers.n; i++)
        if (is_in_block(&m->layers.items[i], &block) && m->layers.items[i].kind == OD_LAYER_LINEAR)
            return m->layers.items[i].in_features.n;
    return 0;
}

/* Finds an encoder, and a decoder whose blocks read it. */
static void count_stacks(struct rows *r)
{
    uint64_t encoder = blocks_in(r->model, "encoder"), decoder = blocks_in(r->model, "decoder");
    if (encoder == 0 || decoder == 0)
        return;
    r->blocks = encoder;
    r->decoder_blocks = decoder;
}

static void take_embedding(struct rows *r, const struct od_layer *layer)
{
    uint64_t h = out_of(layer), rows = layer->in_features.n;
    if (h == 0)
        return;
    if (!layer->in_features.known && layer->parameters.known)
        rows = layer->parameters.n / h;
    if (r->h == 0)
        r->h = h;
    if (r->embedding == 0)
        r->embedding = h;
    if (layer->output.known && layer->output.n >= 2 && r->sequence == 0)
        r->sequence = layer->output.dims[layer->output.n - 2];
    if (rows > r->vocab && r->vocab == 0)
        r->vocab = rows;
    else if (rows <= 4)
        r->types = rows;
    else if ((h == r->h || h == r->embedding) &&
             rows != r->vocab) /* each stack has its own row for the token embedding */
        r->positions = rows;
}

/* Reads heads and length from a dropout over scores: [batch, heads, s, s]. */
static void take_dropout(struct rows *r, const struct od_layer *layer)
{
    const struct od_shape *s = &layer->output;
    r->dropouts++;
    if (layer->dropout >= 0)
        r->p = layer->dropout;
    if (s->known && s->n == 4 && s->dims[2] == s->dims[3] && s->dims[2] != OD_DIM_UNKNOWN) {
        r->heads = s->dims[1];
        r->scores = true;
    }
    uint64_t width = out_of(layer);
    if (r->f > 0 && width == r->f)
        r->inner++;
}

static void take_linear(struct rows *r, const struct od_layer *layer, size_t at)
{
    const struct od_model *m = r->model;
    uint64_t out = out_of(layer);
    if (od_view_eq_str(layer->name, "gate_proj"))
        r->gated = true;
    if (od_view_eq_str(layer->name, "k_proj"))
        r->kv = out;
    r->last_out = out;
    r->one_qkv |= r->h > 0 && r->h >> 32 == 0 && out == 3 * r->h && joins(layer, r->h, out);
    bool up = r->f > 0 && joins(layer, r->h, r->f), down = r->f > 0 && joins(layer, r->f, r->h);
    r->ups += up;
    r->downs += down;
    if (r->f > 0 || out <= r->h || !joins(layer, r->h, out))
        return;
    for (size_t i = at + 1; i < m->layers.n && i < at + 8; i++) {
        if (joins(&m->layers.items[i], out, r->h))
            r->f = out;
    }
    r->ups += r->f > 0;
}

static uint64_t root(uint64_t n)
{
    uint64_t r = 0;
    while (r < 64 && (r + 1) * (r + 1) <= n)
        r++;
    return r * r == n ? r : 0;
}

/* Reads a convolution that turns patches of three channels into vectors without overlap. */
static void take_patches(struct rows *r, const struct od_layer *layer)
{
    const struct od_shape *s = &layer->output;
    uint64_t h = layer->out_features.known ? layer->out_features.n
                 : s->known && s->n == 4   ? s->dims[1]
                                           : 0;
    uint64_t each = 0;
    if (h == 0 || h == OD_DIM_UNKNOWN)
        return;
    if (layer->kernel.n > 0 && layer->kernel.dims[0] >> 16 == 0)
        r->patch = layer->kernel.dims[0];
    else if (layer->parameters.known && layer->parameters.n >= h && layer->parameters.n % h == 0)
        each = layer->parameters.n / h;
    if (each > 0)
        r->patch = (each - 1) % 3 == 0 ? root((each - 1) / 3) : each % 3 == 0 ? root(each / 3) : 0;
    r->h = h;
    if (s->known && s->n == 4 && s->dims[2] == s->dims[3] && s->dims[2] >> 16 == 0)
        r->grid = s->dims[2];
}

/* Is it PEFT's dropout before an adapter? */
static bool is_adapters(const struct od_model *model, size_t at)
{
    return at > 0 && od_view_eq_str(model->layers.items[at - 1].name, "lora_dropout");
}

static void take_row(struct rows *r, size_t at)
{
    const struct od_layer *layer = &r->model->layers.items[at];
    struct od_view type = layer->type;
    if (od_view_has(type, OD_VIEW("Sdpa")) || od_view_has(type, OD_VIEW("Flash")))
        r->fused = true;
    if (od_view_has(type, OD_VIEW("Att")) || od_view_has(type, OD_VIEW("attn")))
        r->attentions++;
    r->plain_attention |= od_view_starts(type, OD_VIEW("MultiheadAttention"));
    r->encoder_layer |= od_view_starts(type, OD_VIEW("TransformerEncoderLayer"));
    r->rms |= od_view_has(type, OD_VIEW("RMSNorm"));
    r->repeats |= layer->repeat > 1;
    r->scales += od_view_has(type, OD_VIEW("LayerScale"));
    if (layer->kind == OD_LAYER_EMBEDDING)
        take_embedding(r, layer);
    else if (layer->kind == OD_LAYER_CONV && r->vocab == 0 && r->patch == 0)
        take_patches(r, layer);
    else if (layer->kind == OD_LAYER_DROPOUT && !is_adapters(r->model, at))
        take_dropout(r, layer);
    else if (layer->kind == OD_LAYER_LINEAR)
        take_linear(r, layer, at);
    else if (layer->kind == OD_LAYER_NORM) {
        r->norms++;
        uint64_t width = layer->kernel.n == 1 ? layer->kernel.dims[0] : out_of(layer);
        r->narrower += width != 0 && r->h != 0 && width != r->h;
    } else if (layer->kind == OD_LAYER_SMOOTH)
        r->smooth = true;
}

/* Does the model have other layers? Convolutions and recurrent layers mean another kind of model,
 * except for one convolution that creates patches of an image. */
static bool has_others(const struct od_model *model)
{
    size_t convs = 0;
    for (size_t i = 0; i < model->layers.n; i++) {
        enum od_layer_kind kind = model->layers.items[i].kind;
        bool one_wide = od_view_eq_str(model->layers.items[i].type, "Conv1D");
        if (kind == OD_LAYER_RECURRENT || kind == OD_LAYER_BATCH_NORM ||
            kind == OD_LAYER_MAX_POOL || (kind == OD_LAYER_CONV && !one_wide && ++convs > 1))
            return true;
    }
    return false;
}

static bool names_have(const struct od_model *model, struct od_view words)
{
    for (size_t i = 0; i < model->layers.n; i++) {
        if (od_view_has(model->layers.items[i].type, words))
            return true;
    }
    return false;
}

static void settle_head(const struct rows *r, struct od_transformer *t)
{
    const struct od_model *m = r->model;
    bool masked = names_have(m, OD_VIEW("ForMaskedLM")) || names_have(m, OD_VIEW("MLMHead"));
    bool writes = names_have(m, OD_VIEW("LMHead")) || names_have(m, OD_VIEW("ForCausalLM"));
    t->tied = true;
    if (r->patch > 0)
        writes = masked = false;
    t->head = masked                                                ? OD_HEAD_MASKED
              : writes || (r->vocab > 0 && r->last_out == r->vocab) ? OD_HEAD_LM
                                                                    : OD_HEAD_LABELS;
    t->labels = od_count_of(r->last_out > 0 && r->last_out < 100000 ? r->last_out : 2);
}

/* Sets the dropout rate. Text models have one by default, image models none (torchvision, timm). */
static void settle_dropout(struct rows *r, struct od_transformer *t)
{
    double p = r->p >= 0 ? r->p : r->patch > 0 ? 0 : 0.1;
    /* the table ends before the rows of blocks; with "(0-31): 32 x" it has the rows of one block */
    bool hidden = r->repeats ? r->norms == 0 : r->norms < r->blocks;
    t->hidden_dropout = t->attention_dropout = r->dropouts > 0 || hidden ? p : 0;
    t->inner_dropout = r->encoder_layer;
    t->rate_guessed = r->p < 0 && (r->dropouts > 0 || hidden);
    if (hidden && r->patch == 0)
        guess(r, "the rows inside the blocks are not printed: they have dropout");
    else if (t->rate_guessed)
        guess(r, r->patch > 0 ? "the rate of dropout is not printed: 0 is assumed"
                              : "the rate of dropout is not printed: not 0 is assumed");
}

/* Does attention drop scores? Modules with a dropout or softmax compute attention themselves;
 * others call torch's attention (transformers since 4.48, timm since 0.9). */
static bool drops_scores(const struct od_model *m)
{
    size_t depth = SIZE_MAX;
    for (size_t i = 0; i < m->layers.n; i++) {
        const struct od_layer *layer = &m->layers.items[i];
        bool attends = od_view_has(layer->type, OD_VIEW("Att"));
        if (attends && layer->depth < depth)
            depth = layer->depth;
        else if (layer->depth <= depth)
            depth = attends ? layer->depth : SIZE_MAX;
        else if (layer->kind == OD_LAYER_SOFTMAX ||
                 (layer->kind == OD_LAYER_DROPOUT && !is_adapters(m, i)))
            return true;
    }
    return false;
}

static void settle_traits(struct rows *r, struct od_transformer *t)
{
    const struct od_model *m = r->model;
    bool bert = r->types > 0, vision = r->patch > 0;
    t->gated = r->gated || (r->downs > 0 && r->ups == 2 * r->downs);
    t->rms_norm = r->rms;
    t->learned_positions = r->positions > 0;
    t->attention_bias = t->mlp_bias = !r->rms;
    t->traits = r->rms ? 0 : OD_TR_NORM_BIAS | OD_TR_OUT_BIAS;
    if (bert)
        t->traits |= OD_TR_EMBED_NORM | OD_TR_NO_FINAL_NORM | OD_TR_POOLER;
    else if (!r->encoder_layer && !vision && r->decoder_blocks == 0)
        t->traits |= OD_TR_CAUSAL;
    if (vision)
        t->traits |= OD_TR_VISION;
    if (r->encoder_layer)
        t->traits |= OD_TR_NO_FINAL_NORM;
    if (r->scales >= r->blocks)
        t->traits |= OD_TR_SCALED;
    if (names_have(m, OD_VIEW("XLNet"))) {
        t->attention_bias = false;
        t->traits = OD_TR_NORM_BIAS | OD_TR_NO_FINAL_NORM | OD_TR_QK_FIXED | OD_TR_LABEL_DENSE;
    }
    uint32_t said = m->transformer.traits & (OD_TR_FUSED | OD_TR_EAGER);
    if (said || (r->fused && !r->scores))
        t->traits |= said ? said : (uint32_t)OD_TR_FUSED;
    else if (m->format != OD_MODEL_MODULE_TREE || drops_scores(m))
        t->traits |= OD_TR_EAGER;
    if (!r->smooth && !r->gated)
        guess(r, "no activation is printed in the blocks: a function of torch is assumed");
    t->one_qkv = r->one_qkv || r->plain_attention || r->encoder_layer;
    settle_dropout(r, t);
}

static void settle_numbers(struct rows *r, struct od_transformer *t)
{
    uint64_t head = r->gated ? 128 : 64;
    t->hidden = od_count_of(r->h);
    t->layers = od_count_of(r->blocks);
    if (r->embedding > 0 && r->embedding != r->h)
        t->embedding = od_count_of(r->embedding);
    if (r->decoder_blocks > 0)
        t->decoder_layers = od_count_of(r->decoder_blocks);
    if (r->patch > 0) {
        enum { USUAL_IMAGE = 224 };
        t->patch = od_count_of(r->patch);
        t->image = od_count_of(r->grid > 0 ? r->grid * r->patch : USUAL_IMAGE);
        t->channels = od_count_of(3);
        if (r->grid == 0)
            guess(r, "the size of the images is not printed: 224x224 is assumed");
    } else {
        t->vocab = od_count_of(r->vocab);
    }
    if (r->positions > 0)
        t->positions = od_count_of(r->positions);
    if (r->types > 0)
        t->type_vocab = od_count_of(r->types);
    if (r->f == 0) {
        r->f = r->h * 4;
        guess(r, "the MLP's width is not printed: 4 x the model's is assumed");
    }
    t->intermediate = od_count_of(r->f);
    if (r->heads == 0) {
        r->heads = r->h >= head ? r->h / head : 1;
        t->heads_guessed = true;
        guess(r, r->gated ? "the number of heads is not printed: 128 wide each is assumed"
                          : "the number of heads is not printed: 64 wide each is assumed");
    }
    t->heads = od_count_of(r->heads);
    if (r->kv > 0 && r->kv < r->h && r->h / r->heads > 0)
        t->kv_heads = od_count_of(r->kv / (r->h / r->heads));
}

/* Number of parameters of the matrices in all blocks, from rows with features; 0 = not known, or
 * only some are used at a time. */
static double matrices_in_blocks(const struct od_model *m)
{
    enum { DEEPEST = 64 };
    double times[DEEPEST + 1] = {1}, sum = 0;
    uint32_t block = UINT32_MAX;
    OD_FOR_EACH (const struct od_layer, layer, m->layers) {
        if (layer->depth >= DEEPEST || od_view_eq_str(layer->name, "experts"))
            return 0;
        times[layer->depth + 1] = times[layer->depth] * (double)(layer->repeat ? layer->repeat : 1);
        if (is_in_block(layer, &block) && layer->kind == OD_LAYER_LINEAR)
            sum += times[layer->depth + 1] * (double)layer->in_features.n *
                   (double)layer->out_features.n;
    }
    return sum;
}

/* Adapts the MLP's width for blocks with more matrices than attention and an MLP, like
 * MobileBERT's bottlenecks and stacked MLPs. They hold and keep about as much as an MLP as wide
 * as all of them. */
static void widen(struct rows *r, struct od_transformer *t)
{
    static const double clearly = 1.1;
    double h = (double)r->h, kv = r->kv > 0 ? (double)r->kv : h, of_mlp = (t->gated ? 3 : 2) * h;
    double blocks = (double)(r->blocks + r->decoder_blocks), all = matrices_in_blocks(r->model);
    double attention = blocks * (2 * h * h + 2 * h * kv) + (double)r->decoder_blocks * 4 * h * h;
    if (r->patch > 0 || all < clearly * (attention + blocks * of_mlp * (double)r->f))
        return;
    t->intermediate = od_count_of((uint64_t)((all - attention) / blocks / of_mlp));
    guess(r, "the blocks hold more than attention and an MLP: taken as a wider MLP");
}

bool od_transformer_recognise(const struct od_model *model, struct od_transformer *ret_transformer,
                              uint64_t *ret_sequence, const char *ret_guesses[static OD_GUESSES])
{
    static const uint64_t widest = 1 << 20;
    struct rows r = {.model = model, .p = -1, .guesses = ret_guesses};
    ret_guesses[0] = NULL;
    if (model->layers.n == 0 || has_others(model))
        return false;
    count_blocks(&r);
    count_stacks(&r);
    r.h = width_of_blocks(model);
    for (size_t i = 0; i < model->layers.n; i++)
        take_row(&r, i);
    bool attends = r.attentions > 0 || r.scores || r.encoder_layer;
    bool reads = r.vocab >= 2 || r.patch >= 2;
    /* the width differs between blocks, as in Swin */
    bool changes = r.narrower > r.norms / 4 + 2;
    if (changes || r.h < 8 || r.h > widest || r.blocks < 2 || r.blocks > widest || !reads ||
        !attends)
        return false;
    struct od_transformer t = {.known = true};
    settle_numbers(&r, &t);
    settle_head(&r, &t);
    settle_traits(&r, &t);
    widen(&r, &t);
    *ret_transformer = t;
    *ret_sequence = r.sequence == OD_DIM_UNKNOWN ? 0 : r.sequence;
    return true;
}

bool od_is_transformer(const struct od_model *model)
{
    struct od_transformer transformer;
    uint64_t sequence;
    const char *guesses[OD_GUESSES];
    return model->transformer.known ||
           od_transformer_recognise(model, &transformer, &sequence, guesses);
}

bool od_estimate_recognised(const struct od_workload *workload, struct od_arena *arena,
                            struct od_diags *diags, struct od_estimate *ret_estimate,
                            bool *ret_is_one)
{
    const char *guesses[OD_GUESSES];
    struct od_model model = *workload->model;
    struct od_workload mine = *workload;
    struct od_estimate e;
    uint64_t sequence;
    *ret_is_one = od_transformer_recognise(&model, &model.transformer, &sequence, guesses);
    if (!*ret_is_one)
        return false;
    mine.model = &model;
    od_transformer_resize(&model.transformer, workload);
    if (mine.sequence == 0)
        mine.sequence = sequence;
    if (!od_estimate_transformer(&mine, arena, diags, &e))
        return false;
    /* an RMS norm and rotary positions in Python code keep several tensors each */
    if (model.transformer.rms_norm)
        e.saved_per_sample.hi += e.saved_per_sample.n / 2;
    for (size_t i = 0; guesses[i]; i++)
        od_estimate_assume(&e, arena, guesses[i]);
    *ret_estimate = e;
    return true;
}
