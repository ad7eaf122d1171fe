#include "suites.h"

#include "../suite.h"
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
    t->traits |= rows[_i].half ? OD_TR_FOUR_NORMS : 0;
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
    ck_assert((rows[_i].mean > 0) == (cache->bytes.lo < cache->bytes.hi));
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

Suite *od_cache_suite(void)
{
    return od_suite_loop("cache of keys and values", by_hand, (int)OD_COUNT_OF(rows));
}
