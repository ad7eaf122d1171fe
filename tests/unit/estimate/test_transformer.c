#include "suites.h"

#include "../suite.h"
#include "base/num.h"
#include "estimate/estimate.h"
#include "estimate/states.h"
#include "estimate/transformer_block.h"
#include "model_file.h"

static const char llama[] =
    "{\"model_type\":\"llama\",\"hidden_size\":2048,\"num_hidden_layers\":10,"
    "\"num_attention_heads\":16,\"num_key_value_heads\":4,\"intermediate_size\":5632,"
    "\"vocab_size\":50000,\"architectures\":[\"LlamaForCausalLM\"]}";
static const char gpt[] =
    "{\"model_type\":\"gpt2\",\"n_embd\":1024,\"n_layer\":8,\"n_head\":16,\"n_positions\":1024,"
    "\"vocab_size\":30000,\"resid_pdrop\":0.1,\"attn_pdrop\":0.1,"
    "\"activation_function\":\"gelu\",\"_attn_implementation\":\"eager\",\"architectures\":["
    "\"GPT2LMHeadModel\"]}";

static struct od_model read_config(const char *text)
{
    struct model_file m = model_file_read(od_view_of(text));
    ck_assert(m.emitted);
    od_diags_free(m.diags);
    return m.model;
}

/* The peak of an allocated estimate that closes; the arena and diagnostics end here. */
static struct od_estimate estimate(const struct od_workload *w)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_estimate e;
    ck_assert(od_estimate(w, arena, diags, &e));
    const struct od_breakdown *b = &e.breakdown;
    ck_assert_uint_eq(e.peak.n,
                      b->parameters.bytes.n + b->gradients.bytes.n + b->optimizer.bytes.n +
                          b->buffers.bytes.n + b->activations.bytes.n + b->inputs.bytes.n +
                          b->workspace.bytes.n + b->framework.bytes.n + b->allocator_waste.bytes.n);
    ck_assert(e.peak.lo <= e.peak.n && e.peak.n <= e.peak.hi);
    od_arena_free(arena);
    od_diags_free(diags);
    return e;
}

/* A plain block in float32, by hand: 16 u, half a u of masks, (4 + 1 + 4) a s of scores. */
START_TEST(plain_block)
{
    struct od_model model = read_config(gpt);
    struct od_workload w = od_workload_defaults(&model);
    struct od_lora_targets none = {0};
    double u = 1024 * 4;
    struct od_block_bytes b = od_block_count(&w, &none, 256);
    ck_assert_double_eq_tol(b.saved, 16.5 * u + 9.0 * 16 * 256, 0.5);
    ck_assert_double_eq_tol(b.boundary, u, 0.5);
}
END_TEST

/* Megatron's 34 s b h + 5 a s^2 b is the same block in 16 bit. */
START_TEST(megatron_block)
{
    struct od_model model = read_config(gpt);
    struct od_workload w = od_workload_defaults(&model);
    struct od_lora_targets none = {0};
    w.precision = OD_PREC_BF16;
    struct od_block_bytes b = od_block_count(&w, &none, 512);
    ck_assert_double_eq_tol(b.saved, 34.0 * 1024 + 5.0 * 16 * 512, 0.5);
}
END_TEST

/* A GELU in steps keeps three more tensors of the MLP; under autocast 12 bytes an element more. */
START_TEST(stepwise_gelu)
{
    static const struct {
        enum od_precision precision;
        double more;
    } ways[] = {{OD_PREC_FLOAT32, 12}, {OD_PREC_BF16_TRUE, 6}, {OD_PREC_AMP_BF16, 12}};
    struct od_model one = read_config(gpt), steps = read_config(gpt);
    steps.transformer.traits |= OD_TR_GELU_STEPS;
    struct od_workload w = od_workload_defaults(&one), v = od_workload_defaults(&steps);
    struct od_lora_targets none = {0};
    w.precision = v.precision = ways[_i].precision;
    double kernel = od_block_count(&w, &none, 256).saved;
    ck_assert_double_eq_tol(od_block_count(&v, &none, 256).saved - kernel, ways[_i].more * 4096, 1);
    v.compile = w.compile = true;
    kernel = od_block_count(&w, &none, 256).saved;
    ck_assert_double_eq_tol(od_block_count(&v, &none, 256).saved, kernel, 0.5);
}
END_TEST

#define WRITTEN(type, release)                                                                   \
    "{\"model_type\":\"" type "\",\"transformers_version\":\"" release "\",\"hidden_size\":512," \
    "\"num_hidden_layers\":2,\"num_attention_heads\":8,\"intermediate_size\":2048,\"d_kv\":64,"  \
    "\"vocab_size\":1000,\"max_position_embeddings\":64,\"relative_attention_num_buckets\":32}"

/* PyTorch's Adam takes all roots at once; a fused step, or another optimizer, makes nothing. */
START_TEST(temporaries)
{
    static const struct {
        enum od_optimizer optimizer;
        enum od_precision precision;
        bool fused;
        uint64_t each;
    } ways[] = {
        {OD_OPT_ADAMW, OD_PREC_FLOAT32, false, 4},    {OD_OPT_ADAMW, OD_PREC_FLOAT32, true, 0},
        {OD_OPT_ADAM, OD_PREC_BF16_TRUE, false, 2},   {OD_OPT_MOMENTUM, OD_PREC_FLOAT32, false, 0},
        {OD_OPT_RMSPROP, OD_PREC_AMP_BF16, false, 4}, {OD_OPT_ADAM8BIT, OD_PREC_FLOAT32, false, 0},
    };
    struct od_workload w = od_workload_defaults(NULL);
    struct od_states s;
    w.framework = OD_FW_PYTORCH;
    w.optimizer = ways[_i].optimizer;
    w.precision = ways[_i].precision;
    w.fused_step = ways[_i].fused;
    ck_assert(od_states_of(&w, 1000, 1000, &s));
    ck_assert_uint_eq(od_states_temporaries(&w, &s), ways[_i].each * 1000);
}
END_TEST

/* Autocast casts a norm's float32 output for each matrix that reads it; weights alone once. */
START_TEST(casts_of_each_matrix)
{
    struct od_model one = read_config(gpt), three = read_config(gpt);
    struct od_lora_targets none = {0};
    one.transformer.traits |= OD_TR_ONE_QKV;
    three.transformer.traits &= ~(uint32_t)OD_TR_ONE_QKV;
    struct od_workload w = od_workload_defaults(&one), v = od_workload_defaults(&three);
    double h = (double)one.transformer.hidden.n;
    w.precision = v.precision = OD_PREC_AMP_BF16;
    double apart = od_block_count(&v, &none, 64).saved - od_block_count(&w, &none, 64).saved;
    ck_assert_double_eq_tol(apart, 2 * h * 2, 1);
    w.precision = v.precision = OD_PREC_BF16_TRUE;
    apart = od_block_count(&v, &none, 64).saved - od_block_count(&w, &none, 64).saved;
    ck_assert_double_eq_tol(apart, 0, 1);
}
END_TEST

/* The release that wrote a configuration tells whether its class has a fused kernel. */
START_TEST(fused_since)
{
    static const struct {
        const char *text;
        bool eager;
    } files[] = {
        {WRITTEN("bert", "4.40.2"), true}, {WRITTEN("bert", "4.41.0"), false},
        {WRITTEN("bert", "5.0.0"), false}, {WRITTEN("bert", "unknown"), true},
        {WRITTEN("t5", "4.57.1"), true},   {WRITTEN("t5", "5.1.0"), true},
        {WRITTEN("gptj", "5.1.0"), true},
    };
    struct model_file m = model_file_read(od_view_of(files[_i].text));
    ck_assert_int_eq((m.model.transformer.traits & OD_TR_EAGER) != 0, files[_i].eager);
    od_diags_free(m.diags);
}
END_TEST

/* Gated, RMS norm in Python: norms 2 x (4 + 2) h, their outputs 2 x 2 h, q k v and output 8 h, one
 * float a head, four tensors of the MLP. Frozen: norms 8 h, one input, 8 h, three of the MLP. */
START_TEST(gated_block)
{
    struct od_model model = read_config(llama);
    struct od_workload w = od_workload_defaults(&model);
    struct od_lora_targets none = {0}, qv = {.attention = true};
    w.precision = OD_PREC_BF16_TRUE;
    double h = 2048, f = 5632;
    struct od_block_bytes b = od_block_count(&w, &none, 512);
    ck_assert_double_eq_tol(b.saved, 12 * h + 4 * h + 8 * h + 4 * 16 + 8 * f, 0.5);
    w.lora_rank = 8;
    b = od_block_count(&w, &qv, 512);
    ck_assert_double_eq_tol(b.saved, 8 * h + 2 * h + 8 * h + 4 * 16 + 6 * f + h / 2, 0.5);
}
END_TEST

/* At 8 bits: a byte for each number of a block's matrices; embeddings, head and norms at 16 bit. */
START_TEST(int8_weights)
{
    struct od_model model = read_config(llama);
    struct od_workload w = od_workload_defaults(&model);
    uint64_t h = 2048, f = 5632;
    uint64_t block = h * h * 2 + h * 512 * 2 + h * f * 3 + 2 * h, rest = 2 * 50000 * h + h;
    w.precision = OD_PREC_BF16_TRUE;
    w.inference = true;
    w.sequence = 64;
    w.quantize_bits = 8;
    ck_assert_uint_eq(estimate(&w).breakdown.parameters.bytes.n, 10 * block + 2 * rest);
}
END_TEST

/* Frozen matrices at 8 bits hold on to their inputs: of both norms' outputs and of the MLP's last
 * matrix; at 4 bits they do not. */
START_TEST(int8_block)
{
    struct od_model model = read_config(llama);
    struct od_workload w = od_workload_defaults(&model);
    struct od_lora_targets qv = {.attention = true};
    double h = 2048, f = 5632;
    w.precision = OD_PREC_BF16_TRUE;
    w.lora_rank = 8;
    w.quantize_bits = 4;
    ck_assert_double_eq_tol(od_block_count(&w, &qv, 512).saved,
                            8 * h + 2 * h + 8 * h + 4 * 16 + 6 * f + h / 2, 0.5);
    w.quantize_bits = 8;
    ck_assert_double_eq_tol(od_block_count(&w, &qv, 512).saved,
                            8 * h + 2 * 2 * h + 8 * h + 4 * 16 + 8 * f + h / 2, 0.5);
}
END_TEST

/* What a knob does to the peak: less (-1) or more (1). */
static void knob(struct od_workload *w, int i)
{
    switch (i) {
    case 0:
        w->batch *= 2;
        break;
    case 1:
        w->sequence *= 2;
        break;
    case 2:
        w->lora_rank = 8;
        break;
    case 3:
        w->checkpointing = OD_CKPT_FULL;
        break;
    case 4:
        w->checkpointing = OD_CKPT_SELECTIVE;
        break;
    case 5:
        w->compile = true;
        break;
    case 6:
        w->chunked_loss = true;
        break;
    case 7:
        w->tensor_parallel = 4;
        w->world_size = 4;
        break;
    case 8:
        w->optimizer = OD_OPT_ADAM8BIT;
        break;
    case 9:
        w->offload_optimizer = true;
        break;
    case 10:
        w->precision = OD_PREC_BF16_TRUE;
        break;
    case 11:
        w->pipeline_parallel = 2;
        w->world_size = 2;
        break;
    case 12:
        w->inference = true;
        break;
    default:
        w->checkpointing = OD_CKPT_EVERY;
        w->checkpoint_every = 2;
        break;
    }
}

static const int directions[] = {1, 1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1};

START_TEST(knobs)
{
    struct od_model model = read_config(llama);
    struct od_workload w = od_workload_defaults(&model);
    w.metric = OD_METRIC_ALLOCATED;
    w.precision = OD_PREC_BF16;
    w.batch = 4;
    w.sequence = 2048;
    uint64_t before = estimate(&w).peak.n;
    knob(&w, _i);
    uint64_t after = estimate(&w).peak.n;
    ck_assert_msg(directions[_i] > 0 ? after > before : after < before, "knob %d: %llu, %llu", _i,
                  (unsigned long long)before, (unsigned long long)after);
}
END_TEST

START_TEST(sharding_divides)
{
    struct od_model model = read_config(llama);
    struct od_workload w = od_workload_defaults(&model);
    w.sequence = 128;
    w.world_size = 8;
    w.zero_stage = (unsigned)_i;
    struct od_estimate e = estimate(&w);
    uint64_t p = e.parameters;
    ck_assert_uint_eq(e.breakdown.optimizer.bytes.n, (_i >= 1 ? (p + 7) / 8 : p) * 8);
    ck_assert_uint_eq(e.breakdown.gradients.bytes.n, (_i >= 2 ? (p + 7) / 8 : p) * 4);
    ck_assert_uint_eq(e.breakdown.parameters.bytes.n, (_i >= 3 ? (p + 7) / 8 : p) * 4);
}
END_TEST

/* Layers x 2 x key heads x width x 2 bytes x tokens; a latent's rank and rotated part instead. */
START_TEST(cache)
{
    struct od_model model = read_config(llama);
    struct od_workload w = od_workload_defaults(&model);
    w.precision = OD_PREC_BF16_TRUE;
    w.inference = true;
    w.sequence = 4000;
    ck_assert_uint_eq(estimate(&w).saved_per_sample.n, 10ull * 2 * 4 * 128 * 2 * 4000);
    model.transformer.window = od_count_of(1000);
    ck_assert_uint_eq(estimate(&w).saved_per_sample.n, 10ull * 2 * 4 * 128 * 2 * 1000);
    model.transformer.window = (struct od_count){0};
    model.transformer.kv_rank = od_count_of(512);
    model.transformer.rope_dim = od_count_of(64);
    ck_assert_uint_eq(estimate(&w).saved_per_sample.n, 10ull * 576 * 2 * 4000);
}
END_TEST

/* Adapters: rank x (in + out) of each target and block. 4 bits: embeddings and head stay at 16. */
START_TEST(adapters)
{
    static const char *const targets[] = {"q_proj", "model.layers.0.mlp.down_proj", "nonsense"};
    struct od_model model = read_config(llama);
    struct od_workload w = od_workload_defaults(&model);
    w.precision = OD_PREC_BF16_TRUE;
    w.lora_rank = 16;
    w.lora_targets = targets;
    w.nlora_targets = 3;
    struct od_estimate e = estimate(&w);
    ck_assert_uint_eq(e.trainable, 16ull * 10 * ((2048 + 2048) + (5632 + 2048)));
    uint64_t whole = e.breakdown.parameters.bytes.n;
    w.quantize_bits = 4;
    e = estimate(&w);
    ck_assert_uint_lt(e.breakdown.parameters.bytes.n, whole);
    ck_assert_uint_gt(e.breakdown.parameters.bytes.n, 2ull * 2 * 50000 * 2048);
    w.fsdp = w.offload_params = true;
    w.world_size = 2;
    ck_assert_uint_eq(estimate(&w).breakdown.parameters.bytes.n, 0);
}
END_TEST

/* The states of a paged optimizer may all be in the host's memory, and none need be; they are never
 * in PyTorch's pool. */
START_TEST(paged_states)
{
    struct od_model model = read_config(llama);
    struct od_workload w = od_workload_defaults(&model);
    w.optimizer = OD_OPT_ADAM8BIT;
    struct od_bytes kept = estimate(&w).breakdown.optimizer.bytes;
    w.paged_states = true;
    struct od_bytes paged = estimate(&w).breakdown.optimizer.bytes;
    ck_assert(kept.lo > 0 && paged.lo == 0);
    ck_assert(paged.n == kept.n && paged.hi == kept.hi);
    w.metric = OD_METRIC_RESERVED;
    ck_assert_uint_eq(estimate(&w).breakdown.optimizer.bytes.hi, 0);
}
END_TEST

/* An encoder of masked words learns labels, as its classifier does; the range covers the logits. */
START_TEST(masked_words)
{
    static const char encoder[] =
        "{\"model_type\":\"roberta\",\"hidden_size\":1024,\"num_hidden_layers\":8,"
        "\"num_attention_heads\":16,\"intermediate_size\":4096,\"vocab_size\":50000,"
        "\"architectures\":[\"RobertaForMaskedLM\"]}";
    struct od_model model = read_config(encoder);
    struct od_workload w = od_workload_defaults(&model);
    w.batch = 64;
    w.sequence = 128;
    double logits = 12.0 * 64 * 128 * 50000;
    struct od_estimate words = estimate(&w);
    struct od_bytes kept = words.breakdown.activations.bytes;
    model.transformer.head = OD_HEAD_LABELS;
    struct od_estimate labels = estimate(&w);
    ck_assert_uint_eq(kept.n, labels.breakdown.activations.bytes.n);
    ck_assert_uint_eq(words.saved_per_sample.n, labels.saved_per_sample.n);
    ck_assert_double_ge((double)(kept.hi - kept.n), logits);
    model.transformer.head = OD_HEAD_PRETRAIN;
    ck_assert_double_ge((double)estimate(&w).breakdown.activations.bytes.n,
                        (double)kept.n + logits);
}
END_TEST

/* What is read of sound has a fixed length; the text has one of its own, up to its positions. */
START_TEST(sound)
{
    static const char whisper[] =
        "{\"model_type\":\"whisper\",\"d_model\":512,\"encoder_layers\":6,"
        "\"decoder_layers\":6,\"encoder_attention_heads\":8,\"decoder_attention_heads\":8,"
        "\"encoder_ffn_dim\":2048,\"decoder_ffn_dim\":2048,\"vocab_size\":50000,"
        "\"max_source_positions\":1500,\"max_target_positions\":448,"
        "\"is_encoder_decoder\":true,"
        "\"architectures\":[\"WhisperForConditionalGeneration\"]}";
    static const struct {
        uint64_t asked, written;
    } rows[] = {{0, 448}, {100, 100}, {448, 448}, {2000, 448}};
    struct od_model model = read_config(whisper);
    struct od_workload w = od_workload_defaults(&model);
    w.sequence = rows[_i].asked;
    w.inference = true;
    w.precision = OD_PREC_FP16_TRUE;
    /* 6 layers, keys and values of 512 numbers of 2 bytes */
    ck_assert_double_eq_tol((double)estimate(&w).cache.bytes.n,
                            6.0 * 2 * 512 * 2 * (1500 + (double)rows[_i].written), 6 * 2 * 512);
    w.inference = false;
    w.sequence = 448;
    uint64_t most = estimate(&w).breakdown.activations.bytes.n;
    w.sequence = 100;
    ck_assert_uint_lt(estimate(&w).breakdown.activations.bytes.n, most);
}
END_TEST

/* Adapters are mostly trained on samples of any length, of which none may come near the limit. */
START_TEST(unknown_lengths)
{
    struct od_model model = read_config(llama);
    struct od_workload w = od_workload_defaults(&model);
    w.precision = OD_PREC_BF16_TRUE;
    w.lora_rank = 8;
    w.batch = 1;
    w.sequence = 2048;
    struct od_bytes unknown = estimate(&w).breakdown.activations.bytes;
    w.lengths = OD_LENGTHS_FIXED;
    struct od_bytes fixed = estimate(&w).breakdown.activations.bytes;
    ck_assert_uint_eq(unknown.n, fixed.n);
    ck_assert_uint_lt(unknown.lo, fixed.lo / 2);
    w.lengths = OD_LENGTHS_UNKNOWN;
    w.batch = 8;
    ck_assert_uint_gt(estimate(&w).breakdown.activations.bytes.lo, 4 * fixed.lo);
}
END_TEST

START_TEST(nonsense)
{
    struct od_model model = read_config(llama);
    struct od_workload w = od_workload_defaults(&model);
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_estimate e;
    static const uint64_t huge = UINT64_MAX - 1;
    switch (_i) {
    case 0:
        model.transformer.layers = od_count_of(huge);
        break;
    case 1:
        model.transformer.hidden = od_count_of(huge);
        break;
    case 2:
        model.transformer.experts = od_count_of(huge);
        break;
    case 3:
        w.batch = w.sequence = huge;
        break;
    default:
        model.transformer.intermediate = (struct od_count){0};
        break;
    }
    ck_assert(!od_estimate(&w, arena, diags, &e));
    ck_assert(od_diags_has_error(diags));
    od_arena_free(arena);
    od_diags_free(diags);
}
END_TEST

Suite *od_transformer_suite(void)
{
    Suite *suite = od_suite_loop("transformer", knobs, (int)OD_COUNT_OF(directions));
    TCase *tcase = tcase_create("counts");
    tcase_add_test(tcase, plain_block);
    tcase_add_test(tcase, megatron_block);
    tcase_add_test(tcase, gated_block);
    tcase_add_loop_test(tcase, stepwise_gelu, 0, 3);
    tcase_add_loop_test(tcase, fused_since, 0, 7);
    tcase_add_loop_test(tcase, temporaries, 0, 6);
    tcase_add_test(tcase, casts_of_each_matrix);
    tcase_add_loop_test(tcase, sharding_divides, 0, 4);
    tcase_add_test(tcase, cache);
    tcase_add_test(tcase, int8_weights);
    tcase_add_test(tcase, int8_block);
    tcase_add_test(tcase, adapters);
    tcase_add_test(tcase, paged_states);
    tcase_add_test(tcase, masked_words);
    tcase_add_loop_test(tcase, sound, 0, 4);
    tcase_add_test(tcase, unknown_lengths);
    tcase_add_loop_test(tcase, nonsense, 0, 5);
    suite_add_tcase(suite, tcase);
    return suite;
}
