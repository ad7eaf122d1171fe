/* Configurations and headers of weights that are cut, damaged or none at all. */
#include "suites.h"

#include "../suite.h"
#include "base/buf.h"
#include "base/num.h"
#include "estimate/transformer_params.h"
#include "model_file.h"

#include <string.h>

#define JAMBA                                                               \
    "\"hidden_size\":64,\"num_hidden_layers\":2,\"num_attention_heads\":2," \
    "\"intermediate_size\":256,\"vocab_size\":100,\"rms_norm_eps\":1e-6,\"model_type\":\"own\""

static const struct {
    const char *text;
    bool bid, emitted;
    const char *said; /* in a diagnostic; NULL = anything */
} configs[] = {
    {"{\"hidden_size\":64,\"num_hidden_layers\":2,\"num_attention_heads\":2,"
     "\"intermediate_size\":256,\"vocab_size\":100,\"rms_norm_eps\":1e-6,\"model_type\":\"own\"}",
     true, true, "model_type \"own\" is not known"},
    {"{\"hidden_size\":64,\"num_hidden_layers\":2,\"model_type\":\"llama\","
     "\"intermediate_size\":256,\"vocab_size\":100}",
     true, false, "num_attention_heads"},
    {"{\"hidden_size\":64,\"num_hidden_layers\":2,\"model_type\":\"llama\","
     "\"num_attention_heads\":2,\"vocab_size\":100}",
     true, false, "intermediate_size"},
    {"{\"hidden_size\":64,\"num_hidden_layers\":2,\"model_type\":\"llama\","
     "\"num_attention_heads\":2,\"intermediate_size\":256}",
     true, false, "vocab_size"},
    {"{\"hidden_size\":\"wide\",\"num_hidden_layers\":2,\"model_type\":\"llama\"}", true, false,
     "hidden_size"},
    {"{\"hidden_size\":-64,\"num_hidden_layers\":2,\"model_type\":\"llama\"}", true, false,
     "hidden_size"},
    {"{\"hidden_size\":0,\"num_hidden_layers\":2,\"model_type\":\"llama\"}", true, false,
     "hidden_size"},
    {"{\"hidden_size\":64,\"num_hidden_layers\":2,\"model_type\":\"vit\","
     "\"num_attention_heads\":2}",
     true, false, "image_size"},
    /* blocks that other keys say nothing of */
    {"{" JAMBA ",\"mamba_d_state\":16}", true, false, "mamba_d_state"},
    /* counted by a formula, which holds for one width only */
    {"{\"model_type\":\"bamba\",\"hidden_size\":4096,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":32,\"intermediate_size\":14336,\"vocab_size\":128000,"
     "\"mamba_d_state\":256}",
     true, true, NULL},
    {"{\"model_type\":\"bamba\",\"hidden_size\":2048,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":32,\"intermediate_size\":14336,\"vocab_size\":128000,"
     "\"mamba_d_state\":256}",
     true, false, "mamba_d_state"},
    /* no formula where layers have kinds of another name, or experts that it does not count */
    {"{\"model_type\":\"nemotron_h\",\"hidden_size\":8192,\"num_hidden_layers\":118,"
     "\"num_attention_heads\":64,\"num_key_value_heads\":8,\"intermediate_size\":32768,"
     "\"mamba_num_heads\":256,\"ssm_state_size\":256,\"vocab_size\":131072}",
     true, false, "mamba_num_heads"},
    {"{\"model_type\":\"bamba\",\"hidden_size\":4096,\"num_hidden_layers\":32,"
     "\"num_attention_heads\":32,\"intermediate_size\":14336,\"vocab_size\":128000,"
     "\"mamba_d_state\":256,\"num_local_experts\":16}",
     true, false, "mamba_d_state"},
    {"{" JAMBA ",\"block_types\":[\"recurrent\",\"attention\"]}", true, false, "block_types"},
    {"{" JAMBA ",\"ffn_config\":{\"moe_num_experts\":16}}", true, false, "moe_num_experts"},
    {"{" JAMBA ",\"ffn_config\":{\"ffn_type\":\"mlp\"}}", true, true, "is not known"},
    {"{" JAMBA ",\"vision_config\":{\"depth\":32}}", true, true, "vision_config is not understood"},
    {"{\"model_type\":\"new_vl\",\"text_config\":{" JAMBA "},\"vision_config\":{\"depth\":2}}",
     true, true, "joined to the text of this type of model is not known"},
    /* the width of a join beside the text's configuration, names of few types, a decoder alone */
    {"{\"hidden_size\":32,\"model_type\":\"own_vl\",\"text_config\":{" JAMBA "}}", true, true,
     "is not known"},
    {"{\"model_type\":\"own\",\"architectures\":[\"OwnModel\"],\"emb_dim\":64,\"n_layers\":2,"
     "\"n_heads\":2,\"vocab_size\":100}",
     true, true, "is not known"},
    {"{\"d_model\":64,\"decoder_layers\":2,\"decoder_attention_heads\":2,\"vocab_size\":100,"
     "\"decoder_ffn_dim\":256,\"model_type\":\"own\",\"architectures\":[\"OwnForCausalLM\"]}",
     true, true, "is not known"},
    {"{\"hidden_size\":64,\"num_hidden_layers\":2,\"num_attention_heads\":2,\"decoder_layers\":2,"
     "\"encoder_ffn_dim\":256,\"vocab_size\":100,\"model_type\":\"bart\","
     "\"architectures\":[\"BartForCausalLM\"]}",
     true, false, "decoder alone"},
    {"{" JAMBA ",\"time_step_limit\":[0.0,Infinity],\"a\":-Infinity,\"b\":NaN}", true, true, NULL},
    {"{" JAMBA ",\"note\":\"Infinity \\\" NaN\",\"b\":Infinit}", true, false, "line 1"},
    {"{\"hidden_size\":64,\"num_hidden_layers\":2,", true, false, "line 1"},
    {"{\"hidden_size\":64,\"num_hidden_layers\":2}\nstep 1 loss 3.2\n", false, false, NULL},
    {"{\"step\":1,\"loss\":3.2}\n{\"step\":2,\"loss\":3.1}\n", false, false, NULL},
    {"{\"level\":\"info\",\"msg\":\"hidden_size is 64\"}", false, false, NULL},
    {"", false, false, NULL},
    {"{", false, false, NULL},
};

static bool said(const struct od_diags *diags, const char *words)
{
    for (size_t i = 0; i < od_diags_count(diags); i++) {
        if (strstr(od_diags_at(diags, i)->message, words))
            return true;
    }
    return false;
}

START_TEST(configurations)
{
    struct model_file m = model_file_read(od_view_of(configs[_i].text));
    ck_assert_msg(m.bid == configs[_i].bid, "row %d", _i);
    ck_assert_msg(m.emitted == configs[_i].emitted, "row %d", _i);
    if (configs[_i].said)
        ck_assert_msg(said(m.diags, configs[_i].said), "row %d", _i);
    od_diags_free(m.diags);
}
END_TEST

/* Patches of 16 x 16 x 3 to 32, 4 patches and a class token, two blocks and a last norm; the output
 * is joined to 64 by two matrices. */
START_TEST(a_tower_is_counted)
{
    static const char config[] =
        "{\"text_config\":{" JAMBA "},\"vision_config\":{\"hidden_size\":32,\"depth\":2,"
        "\"num_heads\":2,\"intermediate_size\":128,\"image_size\":32,\"patch_size\":16}}";
    struct model_file m = model_file_read(od_view_of(config));
    struct od_transformer_params text, both;
    uint64_t block = 4 * (32 * 32 + 32) + 2 * 32 * 128 + 128 + 32 + 4 * 32;
    uint64_t tower = 16 * 16 * 3 * 32 + 32 + 32 + 5 * 32 + 2 * block + 2 * 32;
    ck_assert_uint_eq(m.model.ntowers, 1);
    ck_assert(od_transformer_count(&m.model.transformer, m.diags, &text));
    both = text;
    ck_assert(od_transformer_count_tower(&m.model.towers[0], &m.model.transformer, m.diags, &both));
    ck_assert_uint_eq(both.total - text.total, tower + 32 * 64 + 64 + 64 * 64 + 64);
    od_diags_free(m.diags);
}
END_TEST

static void add_little(struct od_buf *buf, uint64_t value, size_t n)
{
    for (size_t i = 0; i < n; i++)
        od_buf_add_char(buf, (char)(value >> (8 * i) & 0xff));
}

static const char header[] =
    "{\"__metadata__\":{\"format\":\"pt\"},"
    "\"a\":{\"dtype\":\"BF16\",\"shape\":[100,20],\"data_offsets\":[0,4000]},"
    "\"b\":{\"dtype\":\"F32\",\"shape\":[20],\"data_offsets\":[4000,4080]}}";

static struct od_buf safetensors(void)
{
    struct od_buf buf = {0};
    add_little(&buf, sizeof header - 1, 8);
    od_buf_add(&buf, od_view_of(header));
    return buf;
}

START_TEST(safetensors_header)
{
    struct od_buf buf = safetensors();
    struct model_file m = model_file_read(od_buf_view(&buf));
    ck_assert(m.emitted);
    ck_assert_uint_eq(m.model.parameters.n, 2020);
    ck_assert_uint_eq(m.model.weight_bytes.n, 4080);
    ck_assert_int_eq(m.model.dtype, OD_BFLOAT16);
    od_diags_free(m.diags);
    for (size_t n = 0; n < buf.n; n++) {
        m = model_file_read(od_view_head(od_buf_view(&buf), n));
        ck_assert(!m.emitted);
        ck_assert(!m.bid || od_diags_count(m.diags) > 0);
        od_diags_free(m.diags);
    }
    od_buf_done(&buf);
}
END_TEST

static void add_text(struct od_buf *buf, const char *text)
{
    add_little(buf, strlen(text), 8);
    od_buf_add_str(buf, text);
}

static void add_number(struct od_buf *buf, const char *key, uint64_t value)
{
    add_text(buf, key);
    add_little(buf, 4, 4); /* a 32-bit number */
    add_little(buf, value, 4);
}

static void add_tensor(struct od_buf *buf, const char *name, uint64_t a, uint64_t b, uint64_t type)
{
    add_text(buf, name);
    add_little(buf, 2, 4);
    add_little(buf, a, 8);
    add_little(buf, b, 8);
    add_little(buf, type, 4);
    add_little(buf, 0, 8);
}

static struct od_buf gguf(void)
{
    struct od_buf buf = {0};
    od_buf_add_str(&buf, "GGUF");
    add_little(&buf, 3, 4);
    add_little(&buf, 3, 8);
    add_little(&buf, 6, 8);
    add_text(&buf, "general.architecture");
    add_little(&buf, 8, 4);
    add_text(&buf, "llama");
    add_number(&buf, "llama.embedding_length", 64);
    add_number(&buf, "llama.block_count", 1);
    add_number(&buf, "llama.feed_forward_length", 256);
    add_number(&buf, "llama.attention.head_count", 4);
    add_text(&buf, "tokenizer.ggml.tokens");
    add_little(&buf, 9, 4);
    add_little(&buf, 8, 4);
    add_little(&buf, 2, 8);
    add_text(&buf, "a");
    add_text(&buf, "b");
    add_tensor(&buf, "token_embd.weight", 64, 1000, 1);
    add_tensor(&buf, "blk.0.ffn_gate.weight", 64, 256, 2);
    add_tensor(&buf, "output.weight", 64, 1000, 14);
    return buf;
}

START_TEST(gguf_header)
{
    struct od_buf buf = gguf();
    struct model_file m = model_file_read(od_buf_view(&buf));
    const struct od_transformer *t = &m.model.transformer;
    ck_assert(m.emitted);
    ck_assert_uint_eq(m.model.parameters.n, 64000 + 16384 + 64000);
    ck_assert_uint_eq(m.model.weight_bytes.n, 128000 + 512 * 18 + 250 * 210);
    ck_assert(t->known && t->gated && t->rms_norm && !t->tied);
    ck_assert_uint_eq(t->vocab.n, 1000);
    od_diags_free(m.diags);
    for (size_t n = 24; n < buf.n; n++) {
        m = model_file_read(od_view_head(od_buf_view(&buf), n));
        ck_assert(m.bid && !m.emitted && od_diags_count(m.diags) > 0);
        od_diags_free(m.diags);
    }
    od_buf_done(&buf);
}
END_TEST

/* One more entry of the metadata, and the result of reading the file with it. */
static const struct {
    const char *architecture, *key;
    uint64_t type, values[3]; /* 4, 7 or an array of three of type 5 */
    bool known;               /* as a transformer */
    uint64_t window, full;
    bool causal;
} entries[] = {
    {"gemma3", "gemma3.attention.sliding_window", 4, {1024}, true, 1536, 2, true},
    {"gpt-oss", "gpt-oss.attention.sliding_window", 4, {128}, true, 640, 6, true},
    {"llama", "llama.attention.sliding_window", 4, {4096}, true, 0, 0, true}, /* not looked at */
    {"bert", "bert.attention.causal", 7, {0}, true, 0, 0, false},
    {"deci", "deci.attention.head_count_kv", 9, {8, 0, 4}, false, 0, 0, true},
    {"deci", "deci.attention.head_count_kv", 9, {8, 8, 8}, true, 0, 0, true},
    {"mamba", "mamba.ssm.state_size", 4, {16}, false, 0, 0, true},
    {"llama", "split.count", 4, {3}, false, 0, 0, true},
    {"llama", "split.count", 4, {1}, true, 0, 0, true},
};

START_TEST(gguf_entries)
{
    struct od_buf buf = {0};
    od_buf_add_str(&buf, "GGUF");
    add_little(&buf, 3, 4);
    add_little(&buf, 1, 8);
    add_little(&buf, 6, 8);
    add_text(&buf, "general.architecture");
    add_little(&buf, 8, 4);
    add_text(&buf, entries[_i].architecture);
    add_number(&buf, "x.embedding_length", 64);
    add_number(&buf, "x.block_count", 12);
    add_number(&buf, "x.feed_forward_length", 256);
    add_number(&buf, "x.attention.head_count", 4);
    add_text(&buf, entries[_i].key);
    add_little(&buf, entries[_i].type, 4);
    if (entries[_i].type == 9) {
        add_little(&buf, 5, 4);
        add_little(&buf, 3, 8);
    }
    for (size_t i = 0; i < (entries[_i].type == 9 ? 3 : 1); i++)
        add_little(&buf, entries[_i].values[i], entries[_i].type == 7 ? 1 : 4);
    add_tensor(&buf, "token_embd.weight", 64, 1000, 1);
    struct model_file m = model_file_read(od_buf_view(&buf));
    const struct od_transformer *t = &m.model.transformer;
    ck_assert(m.emitted && t->known == entries[_i].known);
    ck_assert_uint_eq(t->window.n, entries[_i].window);
    ck_assert_uint_eq(t->full_layers.n, entries[_i].full);
    ck_assert(((t->traits & OD_TR_CAUSAL) != 0) == entries[_i].causal);
    ck_assert(t->known == (od_diags_count(m.diags) == 0));
    od_diags_free(m.diags);
    od_buf_done(&buf);
}
END_TEST

/* A type that came later: what its tensors take is not known, and so nothing is said. */
START_TEST(gguf_of_a_new_type)
{
    struct od_buf buf = {0};
    od_buf_add_str(&buf, "GGUF");
    add_little(&buf, 3, 4);
    add_little(&buf, 1, 8);
    add_little(&buf, 0, 8);
    add_tensor(&buf, "token_embd.weight", 64, 1000, 200);
    struct model_file m = model_file_read(od_buf_view(&buf));
    ck_assert(m.bid && !m.emitted && said(m.diags, "type that is not known"));
    od_diags_free(m.diags);
    od_buf_done(&buf);
}
END_TEST

/* Every byte of a good file made its largest, one after the other: no crash, no invention. */
START_TEST(damaged)
{
    struct od_buf buf = _i == 0 ? gguf() : safetensors();
    for (size_t i = 0; i < buf.n; i++) {
        char was = buf.p[i];
        buf.p[i] = (char)0xff;
        struct model_file m = model_file_read(od_buf_view(&buf));
        buf.p[i] = was;
        od_diags_free(m.diags);
    }
    od_buf_done(&buf);
}
END_TEST

Suite *od_model_files_suite(void)
{
    Suite *suite = od_suite_loop("model files", configurations, (int)OD_COUNT_OF(configs));
    TCase *tcase = tcase_create("weights");
    tcase_add_test(tcase, a_tower_is_counted);
    tcase_add_test(tcase, safetensors_header);
    tcase_add_test(tcase, gguf_header);
    tcase_add_loop_test(tcase, gguf_entries, 0, OD_COUNT_OF(entries));
    tcase_add_test(tcase, gguf_of_a_new_type);
    tcase_add_loop_test(tcase, damaged, 0, 2);
    suite_add_tcase(suite, tcase);
    return suite;
}
