/*
 * A Hugging Face config.json: the numbers of a transformer under the names used by its family.
 * Numbers that neither the file nor its model_type determines stay unknown.
 */
#include "models/files/hf_config.h"
#include "models/file_reader.h"
#include "models/files/hf_blocks.h"
#include "models/files/hf_family.h"
#include "models/files/hf_formula.h"
#include "models/json_load.h"

#include <stdio.h>

/* Possible keys of a number in order of preference, separated by "|". */
static const char hidden_keys[] = "hidden_size|n_embd|n_embed|d_model|dim";
static const char layer_keys[] = "num_hidden_layers|encoder_layers|n_layer|n_layers|num_layers";

/* Keys that other files have, too, so they do not identify a configuration. */
static const char more_hidden_keys[] = "emb_dim|embed_dim";
static const char more_layer_keys[] = "layers|num_encoder_layers";
static const char decoder_keys[] = "decoder_layers|num_decoder_layers";

enum { CONFIG_MAX = 16 << 20 };

/* ---- recognition ---- */

static bool has_key(struct od_view head, const char *keys)
{
    struct od_view left = od_view_of(keys), key;
    char quoted[64];
    while (od_view_cut(&left, '|', &key)) {
        int n = snprintf(quoted, sizeof quoted, "\"%.*s\"", (int)key.n, key.p);
        if (n > 0 && od_view_has(head, (struct od_view){quoted, (size_t)n}))
            return true;
    }
    return false;
}

/* Is the file a single object? A log may also have a configuration on one line. */
static const char *bids(struct od_view head)
{
    struct od_view text = od_view_trim(head);
    if (text.n == 0 || text.p[0] != '{')
        return NULL;
    size_t depth = 0, end = od_text_close(text, &depth);
    if (end != OD_VIEW_NONE && od_view_trim(od_view_from(text, end)).n > 0)
        return NULL;
    if (has_key(text, hidden_keys) && has_key(text, layer_keys))
        return "model configuration";
    bool named = has_key(text, "architectures|model_type");
    if (named && end != OD_VIEW_NONE && has_key(text, "model_type"))
        return "model configuration"; /* the diagnostic will name the missing keys */
    return named && end == OD_VIEW_NONE &&
                   (has_key(text, "_name_or_path|model_type|hidden_act|activation_function|"
                                  "attention_dropout|vocab_size|bos_token_id|auto_map"))
               ? "model configuration"
               : NULL;
}

static void set_trait(struct od_transformer *t, uint32_t trait, bool on)
{
    t->traits = on ? t->traits | trait : t->traits & ~trait;
}

static struct od_count first_of(struct od_hf_config *c, const char *keys, const char *more)
{
    struct od_count n = od_hf_number(c, keys);
    return n.known ? n : od_hf_number(c, more);
}

static void read_widths(struct od_hf_config *c)
{
    struct od_transformer *t = c->t;
    t->hidden = first_of(c, hidden_keys, more_hidden_keys);
    t->layers = first_of(c, layer_keys, more_layer_keys);
    t->heads = first_of(c, "num_attention_heads|encoder_attention_heads|n_head|n_heads|num_heads",
                        "attention_heads|num_encoder_attention_heads|decoder_attention_heads");
    t->kv_heads = od_hf_number(c, "num_key_value_heads|num_kv_heads|n_head_kv|n_kv_heads|"
                                  "multi_query_group_num");
    t->head_dim = od_hf_number(c, "head_dim|d_kv|attention_head_size|kv_channels");
    t->intermediate = od_hf_number(c, "intermediate_size|encoder_ffn_dim|n_inner|ffn_dim|d_ff|"
                                      "ffn_hidden_size|hidden_dim|d_inner|decoder_ffn_dim");
    t->vocab = od_hf_number(c, "padded_vocab_size|vocab_size");
    t->positions = od_hf_number(c, "max_position_embeddings|max_target_positions|n_positions|n_ctx|"
                                   "max_seq_len|seq_length");
    t->type_vocab = od_hf_number(c, "type_vocab_size");
    t->embedding = od_hf_number(c, "embedding_size|word_embed_proj_dim");
    t->buckets = od_hf_number(c, "relative_attention_num_buckets");
    t->image = od_hf_number(c, "image_size");
    t->patch = od_hf_number(c, "patch_size");
    t->channels = od_hf_number(c, "num_channels|num_mel_bins");
    if (od_hf_flag(c, "use_sliding_window", true))
        t->window = od_hf_number(c, "sliding_window");
}

static void read_decoder(struct od_hf_config *c)
{
    struct od_transformer *t = c->t;
    /* without layers of an encoder, the layers are those of the decoder */
    if (!t->layers.known && !t->buckets.known) {
        t->layers = od_hf_number(c, decoder_keys);
        return;
    }
    if (od_hf_at(c, "decoder_layers") || od_hf_flag(c, "is_encoder_decoder", false) ||
        t->buckets.known)
        t->decoder_layers = od_hf_number(c, decoder_keys);
    if (t->buckets.known && !t->decoder_layers.known)
        t->decoder_layers = t->layers;
    t->decoder_heads = od_hf_number(c, "decoder_attention_heads");
    t->decoder_intermediate = od_hf_number(c, "decoder_ffn_dim");
    t->source_positions = od_hf_number(c, "max_source_positions");
}

static void take_family(struct od_transformer *t, const struct od_hf_family *f)
{
    t->gated = f->gated;
    t->rms_norm = f->rms_norm;
    t->tied = f->tied;
    t->learned_positions = f->learned_positions;
    t->attention_bias = f->attention_bias;
    t->mlp_bias = f->mlp_bias;
    t->traits = f->traits;
    t->position_rows = f->position_rows;
    t->hidden_dropout = t->attention_dropout = f->dropout;
}

/* Assumes Llama's blocks for an unknown model_type with RMS norms. */
static void guess_family(struct od_hf_config *c, struct od_view type)
{
    struct od_transformer *t = c->t;
    t->block_guessed = true;
    /* activations that have no gate, only an up projection */
    static const char *const plain[] = {"relu", "relu2", "xielu", NULL};
    t->rms_norm = od_hf_at(c, "rms_norm_eps|layernorm_epsilon_rms|norm_eps") != NULL;
    t->gated = t->rms_norm && !od_view_eq_any(od_hf_text(c, "hidden_act"), plain);
    bool encoder = od_hf_at(c, "layer_norm_eps") && od_hf_at(c, "type_vocab_size");
    if (encoder) {
        take_family(t, od_hf_family_find(OD_VIEW("bert")));
    } else {
        t->traits = OD_TR_CAUSAL;
        if (!t->rms_norm) {
            t->traits |= OD_TR_NORM_BIAS | OD_TR_OUT_BIAS;
            t->attention_bias = t->mlp_bias = true;
        }
    }
    if (!t->counted.known)
        od_file_say(c->file, OD_WARNING, NULL,
                    "model_type \"%.*s\" is not known: a block like %s is assumed", (int)type.n,
                    type.p ? type.p : "",
                    encoder       ? "BERT's"
                    : t->rms_norm ? "Llama's"
                                  : "GPT-2's");
}

static void read_biases(struct od_hf_config *c, struct od_view type)
{
    struct od_transformer *t = c->t;
    bool all = t->attention_bias;
    if (json_is_boolean(od_hf_at(c, "bias|use_bias"))) {
        all = od_hf_flag(c, "bias|use_bias", all);
        t->mlp_bias = all;
        set_trait(t, OD_TR_OUT_BIAS, all);
    }
    t->attention_bias = od_hf_flag(c, "attention_bias|qkv_bias|use_qkv_bias|add_qkv_bias", all);
    if (od_hf_at(c, "attention_bias") && !od_view_starts(type, OD_VIEW("qwen2")) &&
        !od_view_starts(type, OD_VIEW("glm4")))
        set_trait(t, OD_TR_OUT_BIAS, od_hf_flag(c, "attention_out_bias", t->attention_bias));
    t->mlp_bias = od_hf_flag(c, "mlp_bias", t->mlp_bias);
}

/* Finds activation functions that transformers (activations.py) computes in several PyTorch
 * operations; its T5 uses gelu_new for gated-gelu. Published runs of Phi used a program with a
 * kernel; transformers' own keep a quarter more (an H100, tests/accuracy/gpu). */
static void read_activation(struct od_hf_config *c, struct od_view type)
{
    static const char *const stepwise[] = {"gelu_new", "gelu_fast", "gelu_python", NULL};
    struct od_transformer *t = c->t;
    struct od_view word = od_hf_text(c, "hidden_act|activation_function|activation|dense_act_fn");
    struct od_view projection = od_hf_text(c, "feed_forward_proj");
    if (word.n > 0) {
        set_trait(t, OD_TR_RELU, od_view_eq_str(word, "relu"));
        set_trait(t, OD_TR_GELU_STEPS,
                  od_view_eq_any(word, stepwise) && !od_view_eq_str(type, "phi"));
    }
    if (projection.n > 0) {
        t->gated = od_view_starts(projection, OD_VIEW("gated"));
        set_trait(t, OD_TR_RELU, od_view_ends(projection, OD_VIEW("relu")));
        set_trait(t, OD_TR_GELU_STEPS, od_view_ends(projection, OD_VIEW("gated-gelu")));
    }
}

/* Was the file written by a release whose class has a fused kernel? Published files are often older
 * than the release used for training. */
static bool is_fused_since(struct od_hf_config *c, const struct od_hf_family *family)
{
    struct od_view text = od_hf_text(c, "transformers_version");
    uint64_t major, minor;
    if (!family || family->fused == 0 || !od_num_take_u64(&text, &major) ||
        !od_view_take(&text, OD_VIEW(".")) || !od_num_take_u64(&text, &minor))
        return false;
    return major > family->fused / 100 ||
           (major == family->fused / 100 && minor >= family->fused % 100);
}

static void read_attention(struct od_hf_config *c, struct od_view type)
{
    struct od_transformer *t = c->t;
    if (is_fused_since(c, od_hf_family_find(type)))
        set_trait(t, OD_TR_EAGER, false);
    struct od_view how = od_hf_text(c, "_attn_implementation|attn_implementation");
    if (how.n > 0) {
        set_trait(t, OD_TR_EAGER, od_view_eq_str(how, "eager"));
        set_trait(t, OD_TR_FUSED, !od_view_eq_str(how, "eager"));
    }
    if (json_object_get(c->top, "attn_logit_softcapping"))
        set_trait(t, OD_TR_SOFTCAP, od_hf_at(c, "attn_logit_softcapping") != NULL);
    if (od_hf_at(c, "use_parallel_residual"))
        set_trait(t, OD_TR_PARALLEL, od_hf_flag(c, "use_parallel_residual", true));
    bool shared = od_hf_flag(c, "multi_query", od_view_eq_str(type, "gpt_bigcode"));
    bool grouped = od_hf_flag(c, "new_decoder_architecture", false);
    if (shared && !grouped)
        t->kv_heads = od_count_of(1);
    if (!od_view_eq_str(type, "falcon"))
        return;
    if (!shared && !grouped)
        t->kv_heads = t->heads;
    bool parallel = grouped || od_hf_flag(c, "parallel_attn", true);
    struct od_count norms = od_hf_number(c, "num_ln_in_parallel_attn");
    set_trait(t, OD_TR_PARALLEL, parallel);
    set_trait(t, OD_TR_ONE_NORM, parallel && (!grouped || norms.n == 1));
}

static void read_dropout(struct od_hf_config *c)
{
    struct od_transformer *t = c->t;
    t->hidden_dropout = od_hf_real(c,
                                   "hidden_dropout_prob|resid_pdrop|dropout|dropout_rate|"
                                   "hidden_dropout",
                                   t->hidden_dropout);
    t->attention_dropout = od_hf_real(c,
                                      "attention_probs_dropout_prob|attn_pdrop|attention_dropout|"
                                      "dropout_rate",
                                      t->attention_dropout);
}

static enum od_head_kind head_of(struct od_view architecture, const struct od_transformer *t)
{
    static const struct {
        const char *ending;
        enum od_head_kind head;
    } heads[] = {
        {"ForCausalLM", OD_HEAD_LM},
        {"LMHeadModel", OD_HEAD_LM},
        {"ForConditionalGeneration", OD_HEAD_LM},
        {"ForMaskedLM", OD_HEAD_MASKED},
        {"ForPreTraining", OD_HEAD_PRETRAIN},
        {"ForSequenceClassification", OD_HEAD_LABELS},
        {"ForImageClassification", OD_HEAD_LABELS},
        {"ForImageClassificationWithTeacher", OD_HEAD_LABELS},
        {"ForTokenClassification", OD_HEAD_TOKENS},
        {"ForQuestionAnswering", OD_HEAD_TOKENS},
        {"Model", OD_HEAD_NONE},
    };
    for (size_t i = 0; i < OD_COUNT_OF(heads); i++) {
        if (od_view_ends(architecture, od_view_of(heads[i].ending)))
            return heads[i].head;
    }
    bool writes = (t->traits & OD_TR_CAUSAL) || t->decoder_layers.known;
    return writes ? OD_HEAD_LM : OD_HEAD_NONE;
}

static void read_head(struct od_hf_config *c)
{
    struct od_transformer *t = c->t;
    json_t *names = json_object_get(c->top, "architectures");
    const char *name = json_string_value(json_array_get(names, 0));
    t->head = head_of(od_view_of(name), t);
    /* the class may be in the repository of the model */
    json_t *classes = json_object_get(c->top, "auto_map");
    if (t->head == OD_HEAD_NONE && json_object_get(classes, "AutoModelForCausalLM"))
        t->head = OD_HEAD_LM;
    if (name && !strstr(name, "WithTeacher"))
        set_trait(t, OD_TR_DISTILLED, (t->traits & OD_TR_DISTILLED) && !strstr(name, "ForImage"));
    json_t *labels = json_object_get(c->top, "id2label");
    t->labels = od_hf_number(c, "num_labels");
    if (!t->labels.known && json_object_size(labels) > 0)
        t->labels = od_count_of(json_object_size(labels));
    t->tied = od_hf_flag(c, "tie_word_embeddings", t->tied);
}

/* Number of rows in DeBERTa's table of distances, which has both directions. */
static struct od_count relative_rows(struct od_hf_config *c)
{
    struct od_count buckets = od_hf_number(c, "position_buckets");
    uint64_t rows;
    if (!buckets.known || buckets.n == 0)
        buckets = c->t->positions;
    return ckd_mul(&rows, buckets.n, (uint64_t)2) ? (struct od_count){0} : od_count_of(rows);
}

/* Derives missing numbers from others, as every family does. */
static void complete(struct od_hf_config *c, struct od_view type)
{
    struct od_transformer *t = c->t;
    uint64_t width;
    bool quadruple = !t->intermediate.known && !t->expert_intermediate.known && !t->gated;
    if (quadruple && t->hidden.known && !ckd_mul(&width, t->hidden.n, (uint64_t)4))
        t->intermediate = od_count_of(width);
    if (t->hidden.known && !od_hf_at(c, "intermediate_size") &&
        od_hf_number(c, "mlp_ratio").known &&
        !ckd_mul(&width, t->hidden.n, od_hf_number(c, "mlp_ratio").n))
        t->intermediate = od_count_of(width);
    if (t->counted.known && !t->intermediate.known && !t->expert_intermediate.known)
        t->intermediate = od_count_of(2 * t->hidden.n);
    if (t->counted.known && !t->heads.known) { /* without attention there is no cache */
        t->heads = od_count_of(1);
        t->linear_layers = t->layers;
    }
    if (od_view_eq_str(type,
                       "opt")) /* one of OPT's smaller models has its norms after the branches */
        set_trait(t, OD_TR_NO_FINAL_NORM, !od_hf_flag(c, "do_layer_norm_before", true));
    if (od_view_eq_str(type, "deberta-v2") && !od_hf_flag(c, "position_biased_input", true))
        t->positions = relative_rows(c);
    if (od_view_eq_str(type, "distilbert"))
        t->type_vocab = (struct od_count){0};
    if (od_view_eq_str(type, "mt5") || od_view_eq_str(type, "t5"))
        t->traits |= t->buckets.known ? 0u : (uint32_t)OD_TR_EAGER;
    if (!t->rms_norm && (t->traits & OD_TR_VISION) && !t->channels.known)
        t->channels = od_count_of(3);
}

static bool is_none(struct od_count count)
{
    return !count.known || count.n == 0;
}

/* Names of all necessary keys that are missing; NULL = none. */
static const char *missing(const struct od_transformer *t, struct od_arena *arena)
{
    bool vision = (t->traits & OD_TR_VISION) != 0;
    const struct {
        bool lacks;
        const char *name;
    } needs[] = {
        {is_none(t->hidden), "hidden_size (or n_embd, d_model, dim)"},
        {is_none(t->layers), "num_hidden_layers (or n_layer, num_layers, encoder_layers)"},
        {is_none(t->heads), "num_attention_heads (or n_head, num_heads)"},
        {!t->intermediate.known && !t->expert_intermediate.known,
         "intermediate_size (or n_inner, ffn_dim, d_ff)"},
        {vision && is_none(t->image), "image_size"},
        {vision && is_none(t->patch), "patch_size"},
        {!vision && !t->vocab.known, "vocab_size"},
    };
    const char *list = NULL;
    for (size_t i = 0; i < OD_COUNT_OF(needs); i++)
        if (needs[i].lacks)
            list = list ? od_arena_printf(arena, "%s, %s", list, needs[i].name) : needs[i].name;
    return list;
}

/* Is the class only a decoder: "BartForCausalLM"? */
static bool is_decoder_alone(const struct od_hf_config *c)
{
    json_t *names = json_object_get(c->top, "architectures");
    const char *name = json_string_value(json_array_get(names, 0));
    return name && od_view_ends(od_view_of(name), OD_VIEW("ForCausalLM"));
}

static enum od_err read_config(struct od_hf_config *c, json_t *whole, struct od_model *model)
{
    struct od_view type = od_hf_text(c, "model_type");
    const struct od_hf_family *family = od_hf_family_find(type);
    const char *foreign = family ? NULL : od_hf_foreign_block(c);
    od_hf_unfold_layers(c);
    c->t->counted = od_hf_formula(whole);
    if (foreign && !c->t->counted.known) {
        od_file_say(c->file, OD_ERROR, NULL,
                    "a model of type \"%.*s\" has blocks that are not understood (%s): give its "
                    "weights (a .safetensors or GGUF file), or --params N",
                    (int)type.n, type.p ? type.p : "", foreign);
        return OD_LOST;
    }
    if (family) {
        take_family(c->t, family);
        model->name = od_view_of(family->type);
    } else {
        guess_family(c, type);
    }
    read_widths(c);
    read_decoder(c);
    if (c->t->decoder_layers.known && is_decoder_alone(c) && !c->t->counted.known) {
        od_file_say(
            c->file, OD_ERROR, NULL,
            "the decoder alone of an encoder-decoder is not understood: give its weights (a "
            ".safetensors or GGUF file), or --params N");
        return OD_LOST;
    }
    od_hf_read_latent(c);
    od_hf_read_experts(c);
    od_hf_read_linear(c);
    od_hf_read_windows(c, type);
    read_biases(c, type);
    read_activation(c, type);
    read_attention(c, type);
    read_dropout(c);
    read_head(c);
    complete(c, type);
    c->t->tied =
        od_hf_flag(&(struct od_hf_config){.top = whole}, "tie_word_embeddings", c->t->tied);
    model->dtype = od_dtype_parse(od_hf_text(c, "torch_dtype|dtype"));
    if (model->dtype == OD_DTYPE_UNKNOWN) /* a file with a text_config has it in the outer object */
        model->dtype =
            od_dtype_parse(od_hf_text(&(struct od_hf_config){.top = whole}, "torch_dtype|dtype"));
    const char *what = missing(c->t, c->file->arena);
    if (what) {
        od_file_say(c->file, OD_ERROR, NULL, "the configuration does not say %s", what);
        return OD_LOST;
    }
    c->t->known = true;
    od_file_put_model(c->file, model, "hf_config", "model configuration");
    return c->lost ? OD_LOST : OD_OK;
}

/* ---- parts for images and sound ---- */

/* Reads a tower for images or sound, which has its own keys for widths. Qwen2-VL's hidden_size is
 * the width passed to the language model; from Qwen2.5-VL on it is the tower's own. */
static void read_tower(struct od_hf_config *c, bool audio)
{
    struct od_transformer *t = c->t;
    struct od_view act = od_hf_text(c, "hidden_act|activation_function");
    struct od_count ratio = od_hf_number(c, "mlp_ratio"), frames;
    t->hidden = od_hf_number(c, "embed_dim|hidden_size|d_model|dim");
    t->layers = od_hf_number(c, "num_hidden_layers|depth|encoder_layers|num_layers");
    t->heads = od_hf_number(c, "num_attention_heads|num_heads|encoder_attention_heads|"
                               "attention_heads");
    t->intermediate = od_hf_number(c, "intermediate_size|encoder_ffn_dim|mlp_dim");
    t->image = od_hf_number(c, "image_size");
    t->patch = od_hf_number(c, "patch_size");
    t->channels = od_hf_number(c, "num_channels|in_channels|in_chans|num_mel_bins");
    t->source_positions = od_hf_number(c, "max_source_positions");
    frames = od_hf_number(c, "temporal_patch_size");
    uint64_t n;
    if (ratio.known && t->hidden.known && !ckd_mul(&n, ratio.n, t->hidden.n))
        t->intermediate = od_count_of(n);
    if (frames.known && !ckd_mul(&n, frames.n, t->channels.known ? t->channels.n : 3))
        t->channels = od_count_of(n);
    /* Qwen joins squares of patches, and also outputs of deeper layers */
    struct od_count side = od_hf_number(c, "spatial_merge_size");
    if (side.known && od_view_starts(od_hf_text(c, "model_type"), OD_VIEW("qwen"))) {
        t->mergers = 1 + json_array_size(od_hf_at(c, "deepstack_visual_indexes"));
        t->merged = side.n * side.n;
        t->positions = od_hf_number(c, "num_position_embeddings");
    }
    t->gated = od_view_eq_str(act, "silu");
    t->rms_norm = t->gated;
    t->attention_bias = t->mlp_bias = true;
    t->traits = OD_TR_OUT_BIAS | (t->gated ? 0u : OD_TR_NORM_BIAS) |
                (audio ? OD_TR_AUDIO | OD_TR_KEY_NO_BIAS : OD_TR_VISION);
    t->head = OD_HEAD_NONE;
}

/* Reads the towers and reports parts of the configuration that are not counted. */
static void read_towers(const struct od_file *file, json_t *whole, struct od_model *model)
{
    static const char *const keys[OD_TOWERS_MOST] = {"vision_config", "audio_config"};
    for (size_t i = 0; i < OD_TOWERS_MOST; i++) {
        json_t *inner = json_object_get(whole, keys[i]);
        if (!json_is_object(inner))
            continue;
        struct od_transformer *t = &model->towers[model->ntowers];
        struct od_hf_config c = {.file = file, .top = inner, .t = t};
        read_tower(&c, i == 1);
        t->known = !is_none(t->hidden) && !is_none(t->layers) && !is_none(t->heads) &&
                   !is_none(t->intermediate) && !od_hf_foreign_block(&c);
        model->ntowers += t->known;
        if (!t->known) {
            *t = (struct od_transformer){0};
            od_file_say(file, OD_WARNING, NULL, "%s is not understood: its weights are not counted",
                        keys[i]);
        }
    }
}

static bool is_joined(struct od_view type)
{
#define OD_JOINED(type) type,
    static const char *const types[] = {
#include "models/files/hf_joined.def"
        NULL};
#undef OD_JOINED
    return od_view_eq_any(type, types);
}

/* Are there parts whose connection with the text model has an unknown size? */
static bool is_join_guessed(json_t *whole)
{
    static const char *const plain[] = {"text_config",
                                        "quantization_config",
                                        "compression_config",
                                        "generation_config",
                                        "rope_config",
                                        "lm_config",
                                        NULL};
    const char *key;
    json_t *value;
    struct od_hf_config c = {.top = whole};
    bool parts = false, nested = json_is_object(json_object_get(whole, "text_config"));
    json_object_foreach(whole, key, value) parts =
        parts || (nested && json_object_size(value) > 0 &&
                  od_view_ends(od_view_of(key), OD_VIEW("_config")) &&
                  !od_view_eq_any(od_view_of(key), plain));
    return parts && !is_joined(od_hf_text(&c, "model_type"));
}

/* Replaces Python's Infinity and NaN, which JSON lacks, in a copy of the same length. */
static struct od_view without_infinity(struct od_view text, struct od_arena *arena)
{
    static const struct {
        const char *word, *instead;
    } words[] = {{"-Infinity", "null     "}, {"Infinity", "null    "}, {"NaN", "0  "}};
    bool quoted = false;
    char *copy = OD_NEW_N(arena, text.n + 1, char);
    for (size_t i = 0; i < text.n; i++) {
        char before = i > 0 ? copy[i - 1] : ' ';
        copy[i] = text.p[i];
        quoted ^= text.p[i] == '"' && before != '\\';
        for (size_t k = 0; !quoted && k < OD_COUNT_OF(words); k++) {
            size_t n = strlen(words[k].word);
            if (!od_view_starts(od_view_from(text, i), od_view_of(words[k].word)))
                continue;
            memcpy(copy + i, words[k].instead, n);
            i += n - 1;
            break;
        }
    }
    return (struct od_view){copy, text.n};
}

/* Reads a pipeline that generates images, with the parameters of its parts from
 * public_models.tsv. */
static enum od_err read_pipeline(struct od_hf_config *c, struct od_model *model)
{
    struct od_pipeline *p = &model->pipeline;
    const struct {
        const char *key;
        uint64_t *to;
    } numbers[] = {{"denoiser", &p->denoiser},
                   {"vae", &p->vae},
                   {"side", &p->side},
                   {"passed", &p->passed},
                   {"decoded", &p->decoded}},
      optional[] = {{"frames", &p->frames}, {"adapters", &p->adapters}, {"written", &p->written}};
    size_t i;
    json_t *one;
    json_array_foreach(od_hf_at(c, "text_encoders"), i, one)
    {
        uint64_t n = json_integer_value(one) > 0 ? (uint64_t)json_integer_value(one) : 0;
        p->largest_text = n > p->largest_text ? n : p->largest_text;
        c->lost |= ckd_add(&p->text, p->text, n);
    }
    json_array_foreach(od_hf_at(c, "kept"), i,
                       one) if (i < OD_COUNT_OF(p->kept) && json_integer_value(one) > 0)
        p->kept[i] = (uint64_t)json_integer_value(one) & 0xffffffffu;
    for (i = 0; i < OD_COUNT_OF(optional); i++)
        *optional[i].to = od_hf_number(c, optional[i].key).n & 0xffffffffu;
    for (i = 0; i < OD_COUNT_OF(numbers); i++) {
        struct od_count n = od_hf_number(c, numbers[i].key);
        *numbers[i].to = n.n;
        c->lost |= !n.known || n.n >> 40 != 0;
    }
    if (c->lost || p->side == 0 || p->text >> 40 != 0) {
        od_file_say(c->file, OD_ERROR, NULL, "the configuration does not say the pipeline's parts");
        return OD_LOST;
    }
    model->parameters = model->trainable = od_count_of(p->text + p->denoiser + p->vae);
    p->known = true;
    od_file_put_model(c->file, model, "hf_config", "model configuration");
    return OD_OK;
}

static enum od_err read_object(const struct od_file *file, json_t *whole, const struct od_prov *at)
{
    struct od_model model = {
        .format = OD_MODEL_HF_CONFIG, .framework = OD_VIEW("pytorch"), .at = *at, .complete = true};
    struct od_hf_config c = {.file = file, .top = whole, .t = &model.transformer};
    if (od_view_eq_str(od_hf_text(&c, "model_type"), "image_pipeline"))
        return read_pipeline(&c, &model);
    json_t *inner = json_object_get(whole, "text_config");
    /* a width in the outer object may be that of a connection */
    bool nested = json_is_object(inner) && !(od_hf_at(&c, hidden_keys) && od_hf_at(&c, layer_keys));
    json_t *quantized = json_object_get(whole, "quantization_config");
    read_towers(file, whole, &model);
    model.join_guessed = is_join_guessed(whole) && !od_hf_formula(whole).known;
    if (model.join_guessed)
        od_file_say(
            file, OD_WARNING, NULL,
            "how images or sound are joined to the text of this type of model is not known: "
            "two matrices are assumed");
    if (nested)
        c.top = inner;
    od_hf_read_stored(&c, quantized ? quantized : json_object_get(c.top, "quantization_config"));
    enum od_err err = read_config(&c, whole, &model);
    od_model_done(&model);
    return err;
}

static enum od_err read(const struct od_file *file)
{
    const struct od_prov at = {.source = file->source, .line = 1, .nlines = 1};
    json_error_t fault;
    if (file->bytes.n > CONFIG_MAX) {
        od_file_say(file, OD_WARNING, NULL, "a configuration of more than 16 MiB is not read");
        return OD_ELIMIT;
    }
    struct od_view text =
        od_view_has(file->bytes, OD_VIEW("Infinity")) || od_view_has(file->bytes, OD_VIEW("NaN"))
            ? without_infinity(file->bytes, file->arena)
            : file->bytes;
    struct od_foreign held;
    json_t *whole = od_json_load(text, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &fault, &held);
    if (!json_is_object(whole)) {
        od_file_say(file, OD_ERROR, NULL, "line %d, column %d: %s", fault.line, fault.column,
                    fault.text);
        od_foreign_release(&held);
        return OD_LOST;
    }
    enum od_err err = read_object(file, whole, &at);
    od_foreign_release(&held);
    return err;
}

/* Is it only a text model? Parts for images and sound are not counted. */
static bool is_all_text(const json_t *whole)
{
    return !json_is_object(json_object_get(whole, "text_config")) &&
           !json_is_object(json_object_get(whole, "vision_config")) &&
           !json_is_object(json_object_get(whole, "audio_config"));
}

void od_hf_config_printed(struct od_view text, const struct od_prov *at, const struct od_sink *sink,
                          struct od_arena *arena)
{
    struct od_foreign held;
    json_t *whole = od_json_load(text, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, NULL, &held);
    struct od_diags *unread = od_diags_new();
    const struct od_file file = {
        .source = at->source, .diags = unread, .sink = sink, .arena = arena};
    if (json_is_object(whole) && is_all_text(whole))
        (void)read_object(&file, whole, at);
    od_foreign_release(&held);
    od_diags_free(unread);
}

const struct od_file_reader od_file_reader_hf_config = {
    .name = "hf_config", .bids = bids, .read = read};
