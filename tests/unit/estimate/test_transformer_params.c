/* Published totals of parameters, from the numbers of their configurations. */
#include "suites.h"

#include "../suite.h"
#include "base/num.h"
#include "estimate/transformer_params.h"
#include "model_file.h"

#define BERT                                                                      \
    "\"model_type\":\"bert\",\"hidden_size\":768,\"num_hidden_layers\":12,"       \
    "\"num_attention_heads\":12,\"intermediate_size\":3072,\"vocab_size\":30522," \
    "\"max_position_embeddings\":512,\"type_vocab_size\":2"
#define LLAMA(h, n, a, kv, f, v)                                                                \
    "\"model_type\":\"llama\",\"hidden_size\":" #h ",\"num_hidden_layers\":" #n                 \
    ",\"num_attention_heads\":" #a ",\"num_key_value_heads\":" #kv ",\"intermediate_size\":" #f \
    ",\"vocab_size\":" #v ",\"rms_norm_eps\":1e-5"

static const struct {
    const char *config;
    uint64_t total;
} rows[] = {
    /* by formulas of src/models/architectures.tsv */
    {"{\"model_type\":\"mamba\",\"hidden_size\":768,\"num_hidden_layers\":24,"
     "\"intermediate_size\":1536,\"state_size\":16,\"time_step_rank\":48,\"vocab_size\":50280}",
     129135360},
    {"{\"model_type\":\"mamba\",\"hidden_size\":2560,\"num_hidden_layers\":64,"
     "\"intermediate_size\":5120,\"state_size\":16,\"time_step_rank\":160,\"vocab_size\":50280}",
     2768345600},
    {"{\"model_type\":\"lfm2\",\"hidden_size\":2048,\"num_hidden_layers\":16,"
     "\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":12288,"
     "\"vocab_size\":65536,\"conv_L_cache\":3,\"layer_types\":[\"conv\",\"conv\",\"full_"
     "attention\","
     "\"conv\",\"conv\",\"full_attention\",\"conv\",\"conv\",\"full_attention\",\"conv\","
     "\"full_attention\",\"conv\",\"full_attention\",\"conv\",\"full_attention\",\"conv\"]}",
     1170340608},
    {"{\"model_type\":\"falcon_mamba\",\"hidden_size\":4096,\"num_hidden_layers\":64,"
     "\"intermediate_size\":8192,\"state_size\":16,\"time_step_rank\":256,\"vocab_size\":65024,"
     "\"tie_word_embeddings\":false}",
     7272665088},
    {"{" BERT ",\"architectures\":[\"BertModel\"]}", 109482240},
    {"{" BERT ",\"architectures\":[\"BertForMaskedLM\"]}", 109514298},
    {"{" BERT ",\"architectures\":[\"BertForPreTraining\"]}", 110106428},
    {"{" BERT ",\"architectures\":[\"BertForSequenceClassification\"],\"num_labels\":2}",
     109483778},
    {"{" BERT ",\"architectures\":[\"BertForQuestionAnswering\"]}", 108893186},
    {"{\"model_type\":\"roberta\",\"architectures\":[\"RobertaForMaskedLM\"],\"hidden_size\":768,"
     "\"num_hidden_layers\":12,\"num_attention_heads\":12,\"intermediate_size\":3072,"
     "\"vocab_size\":50265,\"max_position_embeddings\":514,\"type_vocab_size\":1}",
     124697433},
    {"{\"model_type\":\"distilbert\",\"architectures\":[\"DistilBertModel\"],\"dim\":768,"
     "\"n_layers\":6,\"n_heads\":12,\"hidden_dim\":3072,\"vocab_size\":30522,"
     "\"max_position_embeddings\":512}",
     66362880},
    {"{\"model_type\":\"albert\",\"architectures\":[\"AlbertModel\"],\"hidden_size\":768,"
     "\"embedding_size\":128,\"num_hidden_layers\":12,\"num_attention_heads\":12,"
     "\"intermediate_size\":3072,\"vocab_size\":30000,\"max_position_embeddings\":512,"
     "\"type_vocab_size\":2}",
     11683584},
    {"{\"model_type\":\"gpt2\",\"architectures\":[\"GPT2LMHeadModel\"],\"n_embd\":768,"
     "\"n_layer\":12,\"n_head\":12,\"n_positions\":1024,\"n_ctx\":1024,\"vocab_size\":50257}",
     124439808},
    {"{\"model_type\":\"opt\",\"architectures\":[\"OPTForCausalLM\"],\"hidden_size\":768,"
     "\"num_hidden_layers\":12,\"num_attention_heads\":12,\"ffn_dim\":3072,"
     "\"max_position_embeddings\":2048,\"vocab_size\":50272,\"word_embed_proj_dim\":768}",
     125239296},
    {"{\"model_type\":\"opt\",\"architectures\":[\"OPTForCausalLM\"],\"hidden_size\":1024,"
     "\"num_hidden_layers\":24,\"num_attention_heads\":16,\"ffn_dim\":4096,"
     "\"max_position_embeddings\":2048,\"vocab_size\":50272,\"word_embed_proj_dim\":512,"
     "\"do_layer_norm_before\":false}",
     331196416},
    {"{\"model_type\":\"bloom\",\"architectures\":[\"BloomForCausalLM\"],\"n_embed\":4096,"
     "\"num_attention_heads\":32,\"n_layer\":30,\"vocab_size\":250880}",
     7069016064},
    {"{\"model_type\":\"deberta-v2\",\"architectures\":[\"DebertaV2Model\"],\"hidden_size\":768,"
     "\"num_hidden_layers\":12,\"num_attention_heads\":12,\"intermediate_size\":3072,"
     "\"vocab_size\":128100,\"max_position_embeddings\":512,\"type_vocab_size\":0,"
     "\"layer_norm_eps\":1e-07,\"position_buckets\":256,\"position_biased_input\":false}",
     183831552},
    {"{\"model_type\":\"dinov2\",\"architectures\":[\"Dinov2Model\"],\"hidden_size\":768,"
     "\"num_hidden_layers\":12,\"num_attention_heads\":12,\"mlp_ratio\":4,\"image_size\":518,"
     "\"patch_size\":14,\"num_channels\":3}",
     86580480},
    {"{\"model_type\":\"gpt_oss\",\"architectures\":[\"GptOssForCausalLM\"],"
     "\"attention_bias\":true,\"head_dim\":64,\"hidden_size\":2880,\"intermediate_size\":2880,"
     "\"num_hidden_layers\":24,\"num_attention_heads\":64,\"num_key_value_heads\":8,"
     "\"num_local_experts\":32,\"num_experts_per_tok\":4,\"vocab_size\":201088}",
     20914757184},
    {"{\"model_type\":\"chatglm\",\"architectures\":[\"ChatGLMModel\"],"
     "\"auto_map\":{\"AutoModelForCausalLM\":\"m.C\"},\"hidden_size\":4096,\"num_layers\":28,"
     "\"ffn_hidden_size\":13696,\"num_attention_heads\":32,\"kv_channels\":128,"
     "\"multi_query_attention\":true,\"multi_query_group_num\":2,\"padded_vocab_size\":65024,"
     "\"add_qkv_bias\":true,\"add_bias_linear\":false,\"tie_word_embeddings\":false}",
     6243584000},
    {"{\"model_type\":\"llama4_text\",\"hidden_size\":5120,\"intermediate_size\":8192,"
     "\"intermediate_size_mlp\":16384,\"num_hidden_layers\":48,\"num_attention_heads\":40,"
     "\"num_key_value_heads\":8,\"head_dim\":128,\"num_local_experts\":16,"
     "\"num_experts_per_tok\":1,\"interleave_moe_layer_step\":1,\"vocab_size\":202048,"
     "\"tie_word_embeddings\":false}",
     107769861120},
    {"{\"model_type\":\"olmoe\",\"hidden_size\":2048,\"intermediate_size\":1024,"
     "\"num_hidden_layers\":16,\"num_attention_heads\":16,\"num_key_value_heads\":16,"
     "\"num_experts\":64,\"num_experts_per_tok\":8,\"vocab_size\":50304}",
     6919161856},
    {"{\"model_type\":\"phimoe\",\"hidden_size\":4096,\"intermediate_size\":6400,"
     "\"num_hidden_layers\":32,\"num_attention_heads\":32,\"num_key_value_heads\":8,"
     "\"num_local_experts\":16,\"num_experts_per_tok\":2,\"vocab_size\":32064,"
     "\"attention_bias\":true,\"tie_word_embeddings\":false}",
     41873153344},
    {"{" LLAMA(4096, 32, 32, 32, 11008, 32000) "}", 6738415616},
    {"{" LLAMA(4096, 32, 32, 8, 14336, 128256) "}", 8030261248},
    {"{" LLAMA(3072, 28, 24, 8, 8192, 128256) ",\"tie_word_embeddings\":true}", 3212749824},
    {"{\"model_type\":\"mistral\",\"hidden_size\":4096,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":14336,"
     "\"vocab_size\":32000}",
     7241732096},
    {"{\"model_type\":\"mixtral\",\"hidden_size\":4096,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":32,\"num_key_value_heads\":8,\"intermediate_size\":14336,"
     "\"vocab_size\":32000,\"num_local_experts\":8,\"num_experts_per_tok\":2}",
     46702792704},
    {"{\"model_type\":\"qwen2\",\"hidden_size\":896,\"num_hidden_layers\":24,"
     "\"num_attention_heads\":14,\"num_key_value_heads\":2,\"intermediate_size\":4864,"
     "\"vocab_size\":151936,\"tie_word_embeddings\":true}",
     494032768},
    {"{\"model_type\":\"qwen2_moe\",\"hidden_size\":2048,\"num_hidden_layers\":24,"
     "\"num_attention_heads\":16,\"num_key_value_heads\":16,\"intermediate_size\":5632,"
     "\"moe_intermediate_size\":1408,\"shared_expert_intermediate_size\":5632,"
     "\"num_experts\":60,\"num_experts_per_tok\":4,\"vocab_size\":151936,"
     "\"decoder_sparse_step\":1,\"tie_word_embeddings\":false}",
     14315784192},
    {"{\"model_type\":\"deepseek_v2\",\"hidden_size\":2048,\"num_hidden_layers\":27,"
     "\"num_attention_heads\":16,\"num_key_value_heads\":16,\"intermediate_size\":10944,"
     "\"moe_intermediate_size\":1408,\"n_routed_experts\":64,\"n_shared_experts\":2,"
     "\"num_experts_per_tok\":6,\"first_k_dense_replace\":1,\"moe_layer_freq\":1,"
     "\"kv_lora_rank\":512,\"q_lora_rank\":null,\"qk_nope_head_dim\":128,"
     "\"qk_rope_head_dim\":64,\"v_head_dim\":128,\"vocab_size\":102400,"
     "\"tie_word_embeddings\":false}",
     15706484224},
    {"{\"model_type\":\"gemma2\",\"hidden_size\":2304,\"num_hidden_layers\":26,"
     "\"num_attention_heads\":8,\"num_key_value_heads\":4,\"head_dim\":256,"
     "\"intermediate_size\":9216,\"vocab_size\":256000}",
     2614341888},
    {"{\"model_type\":\"falcon\",\"hidden_size\":4544,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":71,\"multi_query\":true,\"parallel_attn\":true,\"bias\":false,"
     "\"vocab_size\":65024,\"new_decoder_architecture\":false}",
     6921720704},
    {"{\"model_type\":\"phi\",\"hidden_size\":2560,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":32,\"num_key_value_heads\":32,\"intermediate_size\":10240,"
     "\"vocab_size\":51200,\"tie_word_embeddings\":false}",
     2779683840},
    {"{\"model_type\":\"gpt_neox\",\"hidden_size\":512,\"num_hidden_layers\":6,"
     "\"num_attention_heads\":8,\"intermediate_size\":2048,\"vocab_size\":50304,"
     "\"tie_word_embeddings\":false}",
     70426624},
    {"{\"model_type\":\"bloom\",\"hidden_size\":1024,\"n_layer\":24,\"n_head\":16,"
     "\"vocab_size\":250880}",
     559214592},
    {"{\"model_type\":\"t5\",\"architectures\":[\"T5ForConditionalGeneration\"],\"d_model\":512,"
     "\"num_layers\":6,\"num_heads\":8,\"d_kv\":64,\"d_ff\":2048,\"vocab_size\":32128,"
     "\"relative_attention_num_buckets\":32,\"is_encoder_decoder\":true}",
     60506624},
    {"{\"model_type\":\"bart\",\"architectures\":[\"BartModel\"],\"d_model\":768,"
     "\"encoder_layers\":6,\"decoder_layers\":6,\"encoder_attention_heads\":12,"
     "\"decoder_attention_heads\":12,\"encoder_ffn_dim\":3072,\"decoder_ffn_dim\":3072,"
     "\"vocab_size\":50265,\"max_position_embeddings\":1024,\"is_encoder_decoder\":true,"
     "\"num_hidden_layers\":6}",
     139420416},
    {"{\"model_type\":\"vit\",\"architectures\":[\"ViTForImageClassification\"],"
     "\"hidden_size\":768,\"num_hidden_layers\":12,\"num_attention_heads\":12,"
     "\"intermediate_size\":3072,\"image_size\":224,\"patch_size\":16,\"num_channels\":3,"
     "\"num_labels\":1000}",
     86567656},
    {"{\"model_type\":\"whisper\",\"d_model\":384,\"encoder_layers\":4,\"decoder_layers\":4,"
     "\"encoder_attention_heads\":6,\"decoder_attention_heads\":6,\"encoder_ffn_dim\":1536,"
     "\"decoder_ffn_dim\":1536,\"vocab_size\":51865,\"num_mel_bins\":80,"
     "\"max_source_positions\":1500,\"max_target_positions\":448,\"num_hidden_layers\":4,"
     "\"is_encoder_decoder\":true}",
     37760640},
};

START_TEST(totals)
{
    struct model_file m = model_file_read(od_view_of(rows[_i].config));
    ck_assert_msg(m.emitted, "row %d: no model", _i);
    struct od_transformer_params params;
    ck_assert(od_transformer_count(&m.model.transformer, m.diags, &params));
    ck_assert_msg(params.total == rows[_i].total, "row %d: %llu, not %llu", _i,
                  (unsigned long long)params.total, (unsigned long long)rows[_i].total);
    od_diags_free(m.diags);
}
END_TEST

Suite *od_transformer_params_suite(void)
{
    return od_suite_loop("transformer params", totals, (int)OD_COUNT_OF(rows));
}
