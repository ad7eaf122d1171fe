#include "suites.h"

#include "../suite.h"
#include "base/buf.h"
#include "base/num.h"
#include "estimate/estimate.h"
#include "model_file.h"

/* 10 layers, 4 key heads of 128: 2 x 10 x 4 x 128 x 2 = 20480 bytes a token in 16 bit. */
static const char llama[] =
    "{\"model_type\":\"llama\",\"hidden_size\":2048,\"num_hidden_layers\":10,"
    "\"num_attention_heads\":16,\"num_key_value_heads\":4,\"intermediate_size\":5632,"
    "\"vocab_size\":50000,\"architectures\":[\"LlamaForCausalLM\"]}";
enum { TOKEN = 20480, RUNNING = 10 };

/* By hand: blocks of one sequence, or places of all where their lengths differ. */
static const struct {
    uint64_t sequence, mean, block;
    uint64_t kv_heads, window, latent, tensor, pipeline; /* 0 = as above */
    bool half;                                           /* of the layers have the window */
    uint64_t token, places, used;
} rows[] = {
    {100, 0, 0, 0, 0, 0, 0, 0, false, TOKEN, 1000, 1000},  /* in one piece */
    {100, 0, 16, 0, 0, 0, 0, 0, false, TOKEN, 1120, 1000}, /* 7 blocks */
    {112, 0, 16, 0, 0, 0, 0, 0, false, TOKEN, 1120, 1120}, /* full */
    {113, 0, 16, 0, 0, 0, 0, 0, false, TOKEN, 1280, 1130}, /* one token in the eighth */
    {100, 40, 16, 0, 0, 0, 0, 0, false, TOKEN, 475, 400},  /* 7.5 places of each are empty */
    {100, 40, 1, 0, 0, 0, 0, 0, false, TOKEN, 400, 400},   /* none is, by tokens */
    {100, 99, 16, 0, 0, 0, 0, 0, false, TOKEN, 1065, 990}, /* never more than all at the most */
    {100, 0, 16, 16, 0, 0, 0, 0, false, 4 * TOKEN, 1120, 1000}, /* multi-head */
    {100, 0, 16, 0, 0, 512, 0, 0, false, 10 * 576 * 2, 1120, 1000},
    {100, 0, 16, 0, 0, 512, 2, 0, false, 10 * 576 * 2, 1120, 1000}, /* a latent is repeated */
    {100, 0, 16, 0, 0, 0, 2, 0, false, TOKEN / 2, 1120, 1000},
    {100, 0, 16, 0, 0, 0, 8, 0, false, TOKEN / 4, 1120, 1000}, /* no less than one head */
    {100, 0, 16, 0, 0, 0, 0, 2, false, TOKEN / 2, 1120, 1000},
    {100, 0, 16, 0, 64, 0, 0, 0, false, TOKEN, 800, 640},  /* blocks 2 to 6 of 0 to 6 */
    {100, 0, 16, 0, 64, 0, 0, 0, true, TOKEN, 960, 820},   /* and 7 in the other half */
    {100, 80, 16, 0, 64, 0, 0, 0, false, TOKEN, 790, 640}, /* 7.5 at both ends */
    {100, 40, 16, 0, 64, 0, 0, 0, false, TOKEN, 475, 400}, /* most are inside */
};

START_TEST(by_hand)
{
    struct model_file m = model_file_read(od_view_of(llama));
    struct od_transformer *t = &m.model.transformer;
    struct od_workload w = od_workload_defaults(&m.model);
    struct od_arena *arena = od_arena_new();
    struct od_estimate e;
    if (rows[_i].kv_heads > 0)
        t->kv_heads = od_count_of(rows[_i].kv_heads);
    if (rows[_i].window > 0)
        t->window = od_count_of(rows[_i].window);
    if (rows[_i].latent > 0) {
        t->kv_rank = od_count_of(rows[_i].latent);
        t->rope_dim = od_count_of(64);
    }
    if (rows[_i].half)
        t->full_layers = od_count_of(5);
    w.precision = OD_PREC_BF16_TRUE;
    w.inference = true;
    w.batch = RUNNING;
    w.sequence = rows[_i].sequence;
    w.mean_sequence = rows[_i].mean;
    w.kv_block = rows[_i].block;
    w.tensor_parallel = rows[_i].tensor > 0 ? rows[_i].tensor : 1;
    w.pipeline_parallel = rows[_i].pipeline > 0 ? rows[_i].pipeline : 1;
    w.world_size = w.tensor_parallel * w.pipeline_parallel;
    ck_assert(od_estimate(&w, arena, m.diags, &e));
    const struct od_kv_cache *cache = &e.cache;
    ck_assert(cache->known);
    ck_assert_uint_eq(cache->token_bytes, rows[_i].token);
    ck_assert_uint_eq(cache->bytes.n, rows[_i].token * rows[_i].places);
    ck_assert(cache->bytes.lo <= cache->bytes.n && cache->bytes.n <= cache->bytes.hi);
    bool varied = rows[_i].mean > 0 || rows[_i].window > 0; /* programs may keep all tokens */
    ck_assert(varied == (cache->bytes.lo < cache->bytes.hi));
    ck_assert_uint_ge(e.breakdown.activations.bytes.n, cache->bytes.n);
    ck_assert(cache->paged == (rows[_i].block > 0));
    ck_assert(cache->waste.known == cache->paged && cache->blocks.known == cache->paged);
    if (cache->paged) {
        ck_assert_uint_eq(cache->waste.n, rows[_i].token * (rows[_i].places - rows[_i].used));
        ck_assert_uint_eq(cache->blocks.n, rows[_i].places / rows[_i].block);
    }
    od_arena_free(arena);
    od_diags_free(m.diags);
}
END_TEST

/* Layers of 12 that see everything, as configurations of several families say it. */
static const struct {
    const char *keys;
    uint64_t full; /* + 1; 0 = not said */
} windows[] = {
    {"\"model_type\":\"gemma2\",\"sliding_window\":64", 6 + 1},
    {"\"model_type\":\"gemma3_text\",\"sliding_window\":64", 2 + 1},
    {"\"model_type\":\"gemma3_text\",\"sliding_window\":64,\"sliding_window_pattern\":4", 3 + 1},
    {"\"model_type\":\"llama\",\"sliding_window\":64,\"layer_types\":[\"full_attention\","
     "\"sliding_attention\"]",
     1 + 1},
    {"\"model_type\":\"mistral\",\"sliding_window\":64", 0},
    {"\"model_type\":\"gemma2\"", 0},
};

START_TEST(windows_of_families)
{
    struct od_buf text = {0};
    od_buf_printf(&text,
                  "{%s,\"hidden_size\":64,\"num_hidden_layers\":12,\"num_attention_heads\":4,"
                  "\"intermediate_size\":256,\"vocab_size\":100}",
                  windows[_i].keys);
    struct model_file m = model_file_read(od_buf_view(&text));
    ck_assert(m.emitted);
    ck_assert(m.model.transformer.full_layers.known == (windows[_i].full > 0));
    if (windows[_i].full > 0)
        ck_assert_uint_eq(m.model.transformer.full_layers.n + 1, windows[_i].full);
    od_diags_free(m.diags);
    od_buf_done(&text);
}
END_TEST

/*
 * Bytes of weights as they are served: blocks of the model above have 450 928 640 parameters,
 * everything else 204 802 048 of 16 bits. A group of g weights has a 16-bit scale and a zero point.
 */
static const struct {
    const char *how; /* "quantization_config" */
    double bits;     /* of a weight of a block; 0 = not known: as planned for */
} stored[] = {
    {"{\"quant_method\":\"gptq\",\"bits\":4,\"group_size\":128}", 4 + 20.0 / 128},
    {"{\"quant_method\":\"awq\",\"bits\":4,\"group_size\":64}", 4 + 20.0 / 64},
    {"{\"quant_method\":\"gptq\",\"bits\":8,\"group_size\":-1}", 8},
    {"{\"quant_method\":\"bitsandbytes\",\"load_in_4bit\":true}", 4.5},
    {"{\"quant_method\":\"bitsandbytes\",\"load_in_8bit\":true}", 8},
    {"{\"quant_method\":\"fp8\",\"weight_block_size\":[128,128]}", 8},
    {"{\"quant_method\":\"compressed-tensors\",\"config_groups\":{\"group_0\":{\"weights\":"
     "{\"num_bits\":4,\"group_size\":128}}}}",
     4 + 20.0 / 128},
    {"{\"quant_method\":\"new\"}", 0},
};

START_TEST(stored_in_few_bits)
{
    struct od_buf text = {0};
    od_buf_printf(&text, "%.*s,\"quantization_config\":%s}", (int)sizeof llama - 2, llama,
                  stored[_i].how);
    struct model_file m = model_file_read(od_buf_view(&text));
    struct od_workload w = od_workload_defaults(&m.model);
    struct od_arena *arena = od_arena_new();
    struct od_estimate e;
    w.precision = OD_PREC_BF16_TRUE;
    w.inference = true;
    w.batch = 1;
    w.sequence = 16;
    ck_assert(od_estimate(&w, arena, m.diags, &e));
    double bits = stored[_i].bits > 0 ? stored[_i].bits : 16;
    double bytes = 450928640 * bits / 8 + 204802048 * 2;
    struct od_bytes weights = e.breakdown.parameters.bytes;
    ck_assert_double_eq_tol((double)weights.n, bytes, 1000);
    ck_assert((double)weights.lo <= bytes + 1000 && bytes <= (double)weights.hi + 1000);
    ck_assert((od_diags_count(m.diags) > 0) == (stored[_i].bits <= 0));
    od_arena_free(arena);
    od_diags_free(m.diags);
    od_buf_done(&text);
}
END_TEST

/*
 * A prompt of 4 x 1024 tokens. By hand: the MLP's moment is 4096 x (2 x 2048 + 3 x 5632) x 2 bytes,
 * scores of 16 heads add 4096 x 1024 x 16 x 4, with a softmax in float32 three times as much, and
 * the logits of every token with their copy in float32 are 4096 x 50000 x 6, those of the last ones
 * 4 x 50000 x 6, with two rows of the residual stream. Older releases' pools hold both.
 */
enum {
    CACHED = 4096 * TOKEN,
    MLP = 171966464,
    SCORES = 805306368,
    LOGITS = 1262354432,
    LAST = 34754432
};

static const struct {
    enum od_tri all_logits;
    enum od_attention attention;
    uint64_t expected, most; /* at least and at most covered, apart from the cache */
} releases[] = {
    {OD_CANNOT_TELL, OD_ATTENTION_UNKNOWN, MLP, MLP + SCORES + (int64_t)LOGITS},
    {OD_NO, OD_ATTENTION_UNKNOWN, MLP, MLP + SCORES + LAST},
    {OD_NO, OD_ATTENTION_FUSED, MLP, MLP + LAST},
    {OD_YES, OD_ATTENTION_FUSED, LOGITS, MLP + LOGITS},
    {OD_NO, OD_ATTENTION_EAGER, MLP + SCORES / 3, MLP + SCORES + LAST},
};

START_TEST(releases_read_a_prompt)
{
    struct model_file m = model_file_read(od_view_of(llama));
    struct od_workload w = od_workload_defaults(&m.model);
    struct od_arena *arena = od_arena_new();
    struct od_estimate e;
    w.precision = OD_PREC_BF16_TRUE;
    w.inference = true;
    w.batch = 4;
    w.sequence = w.prompt = 1024;
    w.all_logits = releases[_i].all_logits;
    w.attention = releases[_i].attention;
    ck_assert(od_estimate(&w, arena, m.diags, &e));
    struct od_bytes all = e.breakdown.activations.bytes;
    ck_assert_uint_eq(all.n, CACHED + releases[_i].expected);
    ck_assert_uint_ge(all.hi, CACHED + releases[_i].most);
    ck_assert_double_le((double)all.hi, CACHED + 1.5 * (double)releases[_i].most);
    od_arena_free(arena);
    od_diags_free(m.diags);
}
END_TEST

/* Before vLLM makes its cache, it draws a token for each sequence that it may run, of 50000. */
START_TEST(tokens_drawn)
{
    struct model_file m = model_file_read(od_view_of(llama));
    struct od_workload w = od_workload_defaults(&m.model);
    struct od_arena *arena = od_arena_new();
    struct od_estimate few, more, unknown;
    w.inference = true;
    w.sequence = w.kv_block = 16;
    w.tried = 256;
    ck_assert(od_estimate(&w, arena, m.diags, &few));
    w.tried = 1024;
    ck_assert(od_estimate(&w, arena, m.diags, &more));
    w.tried = 0;
    ck_assert(od_estimate(&w, arena, m.diags, &unknown));
    uint64_t one = few.breakdown.activations.bytes.n - few.cache.bytes.n;
    ck_assert_uint_ge(one, 256ull * 50000 * 8);
    ck_assert_uint_eq(more.breakdown.activations.bytes.n - more.cache.bytes.n, 4 * one);
    ck_assert_uint_eq(unknown.breakdown.activations.bytes.n, few.breakdown.activations.bytes.n);
    ck_assert_uint_ge(unknown.breakdown.activations.bytes.hi, more.breakdown.activations.bytes.n);
    od_arena_free(arena);
    od_diags_free(m.diags);
}
END_TEST

/* Gemma 4: ten layers with a window of 64 keep 4 heads of 16, two that see all keep wider keys. */
static const struct {
    const char *keys;
    uint64_t numbers; /* of keys */
} wide[] = {
    {"\"global_head_dim\":32", 10 * 64 * 64 + 2 * 256 * 4 * 32},
    {"\"global_head_dim\":32,\"num_global_key_value_heads\":1", 10 * 64 * 64 + 2 * 256 * 4 * 32},
    {"\"global_head_dim\":32,\"num_global_key_value_heads\":1,\"attention_k_eq_v\":true",
     10 * 64 * 64 + 2 * 256 * 32},
    {"\"attention_k_eq_v\":true,\"per_layer_config\":{\"05\":{\"head_dim\":32,"
     "\"num_key_value_heads\":1}}",
     10 * 64 * 64 + 2 * 256 * 32},
    {"\"global_head_dim\":32,\"num_kv_shared_layers\":6", 5 * 64 * 64 + 1 * 256 * 4 * 32},
};

START_TEST(wider_keys)
{
    struct od_buf text = {0};
    od_buf_printf(&text,
                  "{\"model_type\":\"gemma4_text\",\"hidden_size\":64,\"num_hidden_layers\":12,"
                  "\"num_attention_heads\":8,\"num_key_value_heads\":4,\"head_dim\":16,"
                  "\"sliding_window\":64,\"intermediate_size\":256,\"vocab_size\":100,%s}",
                  wide[_i].keys);
    struct model_file m = model_file_read(od_buf_view(&text));
    struct od_workload w = od_workload_defaults(&m.model);
    struct od_arena *arena = od_arena_new();
    struct od_estimate e;
    w.precision = OD_PREC_BF16_TRUE;
    w.inference = true;
    w.batch = 1;
    w.sequence = 256;
    ck_assert(od_estimate(&w, arena, m.diags, &e));
    ck_assert_uint_eq((e.cache.bytes.n + 2) / 4, wide[_i].numbers); /* shares are rounded */
    od_arena_free(arena);
    od_diags_free(m.diags);
    od_buf_done(&text);
}
END_TEST

Suite *od_cache_suite(void)
{
    Suite *suite = od_suite_loop("cache of keys and values", by_hand, (int)OD_COUNT_OF(rows));
    TCase *tcase = tcase_create("configurations");
    tcase_add_loop_test(tcase, windows_of_families, 0, OD_COUNT_OF(windows));
    tcase_add_loop_test(tcase, wider_keys, 0, OD_COUNT_OF(wide));
    tcase_add_loop_test(tcase, stored_in_few_bits, 0, OD_COUNT_OF(stored));
    tcase_add_test(tcase, tokens_drawn);
    tcase_add_loop_test(tcase, releases_read_a_prompt, 0, OD_COUNT_OF(releases));
    suite_add_tcase(suite, tcase);
    return suite;
}
