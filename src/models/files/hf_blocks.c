#include "models/files/hf_blocks.h"

void od_hf_read_latent(struct od_hf_config *c)
{
    struct od_transformer *t = c->t;
    t->kv_rank = od_hf_number(c, "kv_lora_rank");
    if (!t->kv_rank.known)
        return;
    t->q_rank = od_hf_number(c, "q_lora_rank");
    t->rope_dim = od_hf_number(c, "qk_rope_head_dim");
    t->value_dim = od_hf_number(c, "v_head_dim");
    struct od_count nope = od_hf_number(c, "qk_nope_head_dim");
    uint64_t dim;
    if (nope.known && t->rope_dim.known && !ckd_add(&dim, nope.n, t->rope_dim.n))
        t->head_dim = od_count_of(dim);
}

void od_hf_read_experts(struct od_hf_config *c)
{
    struct od_transformer *t = c->t;
    t->experts = od_hf_number(c, "num_local_experts|n_routed_experts|num_experts|moe_num_experts");
    if (!t->experts.known)
        return;
    t->experts_active = od_hf_number(c, "num_experts_per_tok|num_experts_per_token|top_k|moe_k|"
                                        "moe_topk");
    t->expert_intermediate = od_hf_number(c, "moe_intermediate_size");
    t->shared_experts =
        od_hf_number(c, "n_shared_experts|num_shared_experts|moe_num_shared_experts");
    t->shared_intermediate = od_hf_number(c, "shared_expert_intermediate_size");
    t->dense_layers = od_hf_number(c, "first_k_dense_replace|moe_layer_start_index");
    t->expert_every =
        od_hf_number(c, "decoder_sparse_step|moe_layer_freq|interleave_moe_layer_step");
    /* Llama 4 has a key for the width of dense blocks; each token passes one more expert */
    struct od_count dense = od_hf_number(c, "intermediate_size_mlp");
    if (!dense.known)
        return;
    t->expert_intermediate = t->intermediate;
    t->intermediate = dense;
    t->shared_experts = od_count_of(1);
}

/* Counts the blocks of a hybrid that have no cache, and those among them with a state. A list
 * shorter than the model repeats. */
static void count_kinds(const struct od_hf_config *c, uint64_t *ret_linear, uint64_t *ret_states)
{
    json_t *kinds = od_hf_at(c, "layers_block_type|layer_types|block_types");
    size_t n = json_array_size(kinds);
    *ret_linear = *ret_states = 0;
    for (uint64_t i = 0; n > 0 && i < c->t->layers.n && i < 100000; i++) {
        const char *kind = json_string_value(json_array_get(kinds, i % n));
        bool cached = kind && strstr(kind, "attention") && !strstr(kind, "linear");
        bool linear = kind && !cached && !strstr(kind, "hybrid");
        *ret_linear += linear;
        *ret_states += linear && strcmp(kind, "mlp") != 0 && strcmp(kind, "moe") != 0;
    }
}

/* Number of values in the state of one block for one sequence: keys by values of each head, or
 * channels by values remembered for each. */
static double state_of_block(struct od_hf_config *c)
{
    static const char *const sides[][3] = {
        {"linear_num_value_heads", "linear_key_head_dim", "linear_value_head_dim"},
        {"linear_num_heads", "linear_head_dim", "linear_head_dim"},
        {"mamba_num_heads", "mamba_head_dim", "ssm_state_size"},
        {"mamba_n_heads", "mamba_d_head", "mamba_d_state"},
        {"mamba_expand", "hidden_size", "mamba_d_state"},
        {"expand", "hidden_size", "state_size"}};
    for (size_t i = 0; i < OD_COUNT_OF(sides); i++) {
        double n = 1;
        for (size_t k = 0; k < OD_COUNT_OF(sides[i]); k++)
            n *= (double)od_hf_number(c, sides[i][k]).n;
        if (n > 0)
            return n;
    }
    return 0;
}

void od_hf_read_linear(struct od_hf_config *c)
{
    struct od_transformer *t = c->t;
    struct od_count every = od_hf_number(c, "full_attention_interval|attn_layer_period");
    uint64_t linear, states;
    count_kinds(c, &linear, &states);
    t->linear_key_heads = od_hf_number(c, "linear_num_key_heads");
    bool gated = t->linear_key_heads.known && !t->counted.known;
    if (!od_hf_at(c, "layer_types") && (gated || every.n > 0)) /* default of transformers: 4 */
        linear = states = t->layers.n - t->layers.n / (every.n > 0 ? every.n : 4);
    if ((gated || t->counted.known) && linear > 0)
        t->linear_layers = od_count_of(linear);
    t->linear_state = (double)(linear > 0 ? states : t->linear_layers.n) * state_of_block(c);
    if (!gated)
        return;
    t->linear_value_heads = od_hf_number(c, "linear_num_value_heads");
    t->linear_key_dim = od_hf_number(c, "linear_key_head_dim");
    t->linear_value_dim = od_hf_number(c, "linear_value_head_dim");
    t->linear_kernel = od_hf_number(c, "linear_conv_kernel_dim");
    t->query_gate = true;
}

/* Numbers of layers with full attention may be stored under their own keys, as current releases of
 * transformers do. */
void od_hf_unfold_layers(struct od_hf_config *c)
{
    json_t *own = json_object_get(c->top, "per_layer_config");
    json_t *first = json_object_iter_value(json_object_iter(own));
    json_t *width = json_object_get(first, "head_dim");
    json_t *heads = json_object_get(first, "num_key_value_heads");
    if (json_is_integer(width) && !json_object_get(c->top, "global_head_dim"))
        json_object_set(c->top, "global_head_dim", width);
    if (json_is_integer(heads) && !json_object_get(c->top, "num_global_key_value_heads"))
        json_object_set(c->top, "num_global_key_value_heads", heads);
}

void od_hf_read_windows(struct od_hf_config *c, struct od_view type)
{
    struct od_transformer *t = c->t;
    json_t *kinds = json_object_get(c->top, "layer_types");
    bool two = od_view_starts(type, OD_VIEW("gemma2")) || od_view_eq_str(type, "gpt_oss");
    struct od_count every = od_hf_number(c, "sliding_window_pattern|_sliding_window_pattern");
    uint64_t full = 0;
    if (!t->window.known)
        return;
    for (size_t i = 0; i < json_array_size(kinds); i++) {
        const char *kind = json_string_value(json_array_get(kinds, i));
        full += kind && strcmp(kind, "full_attention") == 0;
    }
    struct od_count width = od_hf_number(c, "global_head_dim"), heads = t->kv_heads;
    if (od_hf_flag(c, "attention_k_eq_v", false)) /* values have no matrix but are cached */
        heads = od_hf_number(c, "num_global_key_value_heads");
    if (width.known && heads.known && !ckd_mul(&width.n, width.n, heads.n))
        t->full_kv = width;
    t->borrowing_layers = od_hf_number(c, "num_kv_shared_layers");
    if (!every.known && two)
        every = od_count_of(2);
    bool six = od_view_starts(type, OD_VIEW("gemma3")) || od_view_starts(type, OD_VIEW("gemma4"));
    if (!every.known && six)
        every = od_count_of(6);
    if (json_array_size(kinds) > 0)
        t->full_layers = od_count_of(full);
    else if (every.known && every.n > 0 && t->layers.known)
        t->full_layers = od_count_of(t->layers.n / every.n);
}

/* Bits of a matrix in a compressed-tensors checkpoint, according to its first group of layers. */
static struct od_count compressed_bits(const json_t *how, struct od_count *ret_group)
{
    json_t *groups = json_object_get(how, "config_groups");
    json_t *first = json_object_iter_value(json_object_iter(groups));
    json_t *weights = json_object_get(first, "weights");
    json_t *bits = json_object_get(weights, "num_bits"),
           *size = json_object_get(weights, "group_size");
    if (json_is_integer(size) && json_integer_value(size) > 0)
        *ret_group = od_count_of((uint64_t)json_integer_value(size));
    return json_is_integer(bits) && json_integer_value(bits) > 0
               ? od_count_of((uint64_t)json_integer_value(bits))
               : (struct od_count){0};
}

void od_hf_read_stored(struct od_hf_config *c, json_t *how)
{
    struct od_transformer *t = c->t;
    const char *method = json_string_value(json_object_get(how, "quant_method"));
    json_t *bits = json_object_get(how, "bits"), *group = json_object_get(how, "group_size");
    bool four = json_is_true(json_object_get(how, "load_in_4bit"));
    bool eight = json_is_true(json_object_get(how, "load_in_8bit"));
    if (!json_is_object(how))
        return;
    method = method ? method : "";
    if (json_is_integer(group) && json_integer_value(group) > 0)
        t->stored_group = od_count_of((uint64_t)json_integer_value(group));
    if (four || eight) {
        t->stored_bits = od_count_of(four ? 4 : 8);
        t->stored_nf4 = true;
    } else if (strcmp(method, "mxfp4") == 0) {
        t->stored_bits = od_count_of(4);
        t->stored_group = od_count_of(32);
        t->stored_experts = true;
    } else if (strstr(method, "fp8")) {
        t->stored_bits = od_count_of(8);
    } else if (strcmp(method, "compressed-tensors") == 0) {
        t->stored_bits = compressed_bits(how, &t->stored_group);
    } else if (json_is_integer(bits) && json_integer_value(bits) > 0) {
        t->stored_bits = od_count_of((uint64_t)json_integer_value(bits));
    }
    if (!t->stored_bits.known || t->stored_bits.n > 16) {
        t->stored_bits = (struct od_count){0};
        od_file_say(c->file, OD_WARNING, NULL,
                    "the configuration is of a quantized model (%s) whose bits it does not say: "
                    "weights are counted at the precision planned for",
                    method);
    }
}

const char *od_hf_foreign_block(const struct od_hf_config *c)
{
    static const char *const keys[] = {
#define OD_FOREIGN_KEY(name) #name,
#include "models/files/hf_foreign.def"
    };
    for (size_t i = 0; i < OD_COUNT_OF(keys); i++)
        if (od_hf_at(c, keys[i]))
            return keys[i];
    json_t *inner = json_object_get(c->top, "ffn_config");
    return json_object_get(inner, "moe_num_experts") ? "ffn_config.moe_num_experts" : NULL;
}
