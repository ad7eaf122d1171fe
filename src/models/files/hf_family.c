#include "models/files/hf_family.h"

enum {
    ENCODER = OD_TR_NORM_BIAS | OD_TR_EMBED_NORM | OD_TR_NO_FINAL_NORM | OD_TR_OUT_BIAS,
    GPT = OD_TR_CAUSAL | OD_TR_NORM_BIAS | OD_TR_OUT_BIAS,
    GPT_J = OD_TR_CAUSAL | OD_TR_NORM_BIAS | OD_TR_PARALLEL | OD_TR_ONE_NORM,
    VISION = OD_TR_NORM_BIAS | OD_TR_OUT_BIAS | OD_TR_VISION,
    SEQ2SEQ = OD_TR_NORM_BIAS | OD_TR_OUT_BIAS,
    LLAMA = OD_TR_CAUSAL
};

#define LIKE_BERT .tied = true, .learned_positions = true, .attention_bias = true, .mlp_bias = true
#define LIKE_GPT2 .tied = true, .learned_positions = true, .attention_bias = true, .mlp_bias = true
#define LIKE_LLAMA .gated = true, .rms_norm = true

/* Traits of the classes of huggingface/transformers, verified by the totals of published models
 * (tests/unit/estimate/test_transformer_params.c). */
static const struct od_hf_family families[] = {
    {"albert", LIKE_BERT, .traits = ENCODER | OD_TR_POOLER | OD_TR_SHARED},
    {"apertus", .rms_norm = true, .traits = LLAMA | OD_TR_QK_NORM},
    {"apertus1p5_text", .rms_norm = true, .traits = LLAMA | OD_TR_QK_NORM},
    {"arcee", .rms_norm = true, .traits = LLAMA | OD_TR_RELU},
    {"aria_text", LIKE_LLAMA, .traits = LLAMA},
    {"baichuan", LIKE_LLAMA, .traits = LLAMA | OD_TR_FUSED_QKV},
    {"bart", LIKE_BERT, .traits = SEQ2SEQ | OD_TR_EMBED_NORM | OD_TR_NO_FINAL_NORM,
     .position_rows = 2, .dropout = 0.1},
    {"bert", LIKE_BERT, .traits = ENCODER | OD_TR_POOLER | OD_TR_EAGER, .dropout = 0.1,
     .fused = 441},
    {"bloom", .tied = true, .attention_bias = true, .mlp_bias = true,
     .traits = GPT | OD_TR_EMBED_NORM | OD_TR_ONE_QKV | OD_TR_EAGER},
    {"camembert", LIKE_BERT, .traits = ENCODER | OD_TR_POOLER | OD_TR_LABEL_DENSE, .dropout = 0.1},
    {"chatglm", LIKE_LLAMA, .traits = LLAMA | OD_TR_FUSED_QKV},
    {"codegen", .mlp_bias = true,
     .traits = GPT_J | OD_TR_GELU_STEPS | OD_TR_HEAD_BIAS | OD_TR_EAGER | OD_TR_ONE_QKV},
    {"cohere", .gated = true, .tied = true,
     .traits = OD_TR_CAUSAL | OD_TR_PARALLEL | OD_TR_ONE_NORM},
    {"cohere2", .gated = true, .tied = true,
     .traits = OD_TR_CAUSAL | OD_TR_PARALLEL | OD_TR_ONE_NORM},
    {"cwm", LIKE_LLAMA, .traits = LLAMA},
    /* relative positions: one table with a norm of its own */
    {"deberta-v2", LIKE_BERT, .traits = (ENCODER | OD_TR_EAGER) & ~(uint32_t)OD_TR_NO_FINAL_NORM,
     .dropout = 0.1},
    {"deepseek", LIKE_LLAMA, .traits = LLAMA},
    {"deepseek_v2", LIKE_LLAMA, .traits = LLAMA},
    {"deepseek_v3", LIKE_LLAMA, .traits = LLAMA | OD_TR_ROUTER_BIAS},
    {"deepseek_v32", LIKE_LLAMA, .traits = LLAMA | OD_TR_ROUTER_BIAS},
    {"deit", LIKE_BERT, .traits = VISION | OD_TR_DISTILLED | OD_TR_POOLER},
    {"dinov2", LIKE_BERT, .traits = VISION | OD_TR_SCALED, .position_rows = 1}, /* a mask token */
    {"distilbert", LIKE_BERT, .traits = ENCODER | OD_TR_LABEL_DENSE | OD_TR_EAGER, .dropout = 0.1,
     .fused = 445},
    {"electra", LIKE_BERT, .traits = ENCODER | OD_TR_LABEL_DENSE | OD_TR_EAGER, .dropout = 0.1,
     .fused = 500},
    {"ernie4_5", LIKE_LLAMA, .traits = LLAMA},
    {"ernie4_5_moe", LIKE_LLAMA, .traits = LLAMA},
    {"exaone", LIKE_LLAMA, .traits = LLAMA},
    {"exaone4", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM},
    {"exaone_moe", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM},
    {"falcon", .tied = true, .traits = OD_TR_CAUSAL | OD_TR_NORM_BIAS | OD_TR_ONE_QKV},
    {"flex_olmo", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM_WIDE},
    {"gemma", LIKE_LLAMA, .tied = true, .traits = LLAMA},
    {"gemma2", LIKE_LLAMA, .tied = true, .traits = LLAMA | OD_TR_FOUR_NORMS | OD_TR_SOFTCAP},
    {"gemma3", LIKE_LLAMA, .tied = true, .traits = LLAMA | OD_TR_FOUR_NORMS | OD_TR_QK_NORM},
    {"gemma3_text", LIKE_LLAMA, .tied = true, .traits = LLAMA | OD_TR_FOUR_NORMS | OD_TR_QK_NORM},
    {"glm", LIKE_LLAMA, .traits = LLAMA},
    {"glm4", LIKE_LLAMA, .traits = LLAMA | OD_TR_FOUR_NORMS},
    {"glm4_moe", LIKE_LLAMA, .traits = LLAMA},
    {"glm_moe_dsa", LIKE_LLAMA, .traits = LLAMA | OD_TR_ROUTER_BIAS},
    {"gpt2", LIKE_GPT2, .traits = GPT | OD_TR_GELU_STEPS | OD_TR_ONE_QKV, .dropout = 0.1},
    {"gpt_bigcode", LIKE_GPT2, .traits = GPT | OD_TR_ONE_QKV, .dropout = 0.1},
    {"gpt_neo", .tied = true, .learned_positions = true, .mlp_bias = true,
     .traits = GPT | OD_TR_GELU_STEPS | OD_TR_EAGER},
    {"gpt_neox", .attention_bias = true, .mlp_bias = true, .traits = GPT | OD_TR_FUSED_QKV},
    {"gpt_oss", LIKE_LLAMA, .attention_bias = true, .mlp_bias = true,
     .traits = LLAMA | OD_TR_OUT_BIAS | OD_TR_ROUTER_BIAS | OD_TR_SINKS},
    {"gptj", .mlp_bias = true, .traits = GPT_J | OD_TR_GELU_STEPS | OD_TR_HEAD_BIAS | OD_TR_EAGER},
    {"granite", LIKE_LLAMA, .traits = LLAMA},
    {"granite_swa", LIKE_LLAMA, .traits = LLAMA},
    {"granitemoe", LIKE_LLAMA, .traits = LLAMA},
    {"granitemoe_swa", LIKE_LLAMA, .traits = LLAMA},
    {"granitemoeshared", LIKE_LLAMA, .traits = LLAMA},
    {"helium", LIKE_LLAMA, .traits = LLAMA},
    {"hyperclovax", LIKE_LLAMA, .traits = LLAMA},
    {"internlm2", LIKE_LLAMA, .traits = LLAMA | OD_TR_ONE_QKV},
    {"internlm3", LIKE_LLAMA, .traits = LLAMA},
    {"iquestcoder", LIKE_LLAMA, .traits = LLAMA},
    {"kimi_k2", LIKE_LLAMA, .traits = LLAMA | OD_TR_ROUTER_BIAS},
    {"llama", LIKE_LLAMA, .traits = LLAMA},
    {"llama4_text", LIKE_LLAMA, .traits = LLAMA},
    {"mbart", LIKE_BERT, .traits = SEQ2SEQ | OD_TR_EMBED_NORM, .position_rows = 2, .dropout = 0.1},
    {"mellum", LIKE_LLAMA, .traits = LLAMA},
    {"minimax_m2", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM_WIDE},
    {"minicpm3", LIKE_LLAMA, .traits = LLAMA},
    {"ministral3", LIKE_LLAMA, .traits = LLAMA},
    {"mistral", LIKE_LLAMA, .traits = LLAMA},
    {"mistral4", LIKE_LLAMA, .traits = LLAMA},
    {"mixtral", LIKE_LLAMA, .traits = LLAMA},
    {"mpt", .tied = true, .traits = OD_TR_CAUSAL | OD_TR_ONE_QKV},
    /* a trained bias and a dropout, which no fused kernel supports */
    {"mt5", .rms_norm = true, .gated = true, .traits = OD_TR_EAGER, .dropout = 0.1},
    {"olmo", .gated = true, .traits = OD_TR_CAUSAL | OD_TR_NORM_BARE},
    {"olmo2", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM_WIDE},
    {"olmo3", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM_WIDE},
    {"olmoe", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM_WIDE},
    {"opt", LIKE_GPT2, .traits = GPT | OD_TR_RELU, .position_rows = 2, .dropout = 0.1},
    {"phi", .attention_bias = true, .mlp_bias = true,
     .traits = GPT_J | OD_TR_OUT_BIAS | OD_TR_HEAD_BIAS},
    {"phi3", LIKE_LLAMA, .traits = LLAMA | OD_TR_ONE_QKV},
    {"phimoe", .gated = true, .traits = LLAMA | OD_TR_NORM_BIAS | OD_TR_HEAD_BIAS},
    {"qwen2", LIKE_LLAMA, .attention_bias = true, .traits = LLAMA},
    {"qwen2_moe", LIKE_LLAMA, .attention_bias = true, .traits = LLAMA | OD_TR_SHARED_GATE},
    {"qwen2_vl", LIKE_LLAMA, .attention_bias = true, .traits = LLAMA},
    {"qwen2_vl_text", LIKE_LLAMA, .attention_bias = true, .traits = LLAMA},
    {"qwen2_5_vl", LIKE_LLAMA, .attention_bias = true, .traits = LLAMA},
    {"qwen2_5_vl_text", LIKE_LLAMA, .attention_bias = true, .traits = LLAMA},
    {"qwen3", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM},
    {"qwen3_moe", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM},
    {"qwen3_5_moe_text", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM | OD_TR_SHARED_GATE},
    {"qwen3_5_text", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM},
    {"qwen3_next", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM | OD_TR_SHARED_GATE},
    {"qwen3_vl_text", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM},
    {"qwen3_vl_moe_text", LIKE_LLAMA, .traits = LLAMA | OD_TR_QK_NORM},
    {"roberta", LIKE_BERT, .traits = ENCODER | OD_TR_POOLER | OD_TR_LABEL_DENSE, .dropout = 0.1},
    {"sarvam_mla", LIKE_LLAMA, .traits = LLAMA},
    {"sarvam_moe", LIKE_LLAMA, .traits = LLAMA},
    {"seed_oss", LIKE_LLAMA, .attention_bias = true, .traits = LLAMA},
    {"smollm3", LIKE_LLAMA, .tied = true, .traits = LLAMA},
    {"solar_open", LIKE_LLAMA, .traits = LLAMA},
    {"stablelm", .gated = true, .traits = OD_TR_CAUSAL | OD_TR_NORM_BIAS},
    {"starcoder2", .tied = true, .attention_bias = true, .mlp_bias = true, .traits = GPT},
    {"t5", .rms_norm = true, .tied = true, .traits = OD_TR_EAGER | OD_TR_RELU, .dropout = 0.1},
    {"vaultgemma", LIKE_LLAMA, .tied = true, .traits = LLAMA},
    {"vit", LIKE_BERT, .traits = VISION | OD_TR_POOLER},
    {"whisper", LIKE_BERT, .traits = SEQ2SEQ | OD_TR_KEY_NO_BIAS | OD_TR_AUDIO},
    {"xlm-roberta", LIKE_BERT, .traits = ENCODER | OD_TR_POOLER | OD_TR_LABEL_DENSE,
     .dropout = 0.1},
    {"xlnet", .tied = true, .mlp_bias = true,
     .traits = OD_TR_NORM_BIAS | OD_TR_NO_FINAL_NORM | OD_TR_EAGER | OD_TR_QK_FIXED |
               OD_TR_LABEL_DENSE | OD_TR_HEAD_BIAS,
     .dropout = 0.1},
    {"youtu", LIKE_LLAMA, .traits = LLAMA},
};

const struct od_hf_family *od_hf_family_find(struct od_view type)
{
    for (size_t i = 0; i < OD_COUNT_OF(families); i++) {
        if (od_view_eq_str(type, families[i].type))
            return &families[i];
    }
    return NULL;
}

/* Does the name start with the letters and digits of the type, in any case, followed by another
 * word? */
static bool begins_with(struct od_view name, const char *type)
{
    size_t n = 0;
    for (; *type; type++) {
        if (*type == '-' || *type == '_')
            continue;
        if (n == name.n || od_lower(name.p[n++]) != *type)
            return false;
    }
    return n < name.n && name.p[n] >= 'A' && name.p[n] <= 'Z';
}

const struct od_hf_family *od_hf_family_of_class(struct od_view name)
{
    const struct od_hf_family *best = NULL;
    for (size_t i = 0; i < OD_COUNT_OF(families); i++)
        if (begins_with(name, families[i].type) &&
            (!best || strlen(families[i].type) > strlen(best->type)))
            best = &families[i];
    return best;
}
