/* Which public model a log names: one, and only where its configuration tells its bytes. */
#include "lib/models.h"
#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct {
    const char *said[3]; /* NULL-ended */
    const char *named;   /* NULL = none */
} rows[] = {
    {{"meta-llama/Llama-2-7b-chat-hf"}, "meta-llama/Llama-2-7b-hf"},
    {{"meta-llama/Llama-2-7b-hf", "/models/llama-2-7b"}, "meta-llama/Llama-2-7b-hf"},
    {{"./output/my-tune", "meta-llama/Llama-2-7b-hf"}, "meta-llama/Llama-2-7b-hf"},
    {{"meta-llama/Llama-2-7b-hf", "./output/my-tune"}, "meta-llama/Llama-2-7b-hf"},
    {{"meta-llama/Llama-2-7b-hf", "gpt2"}, NULL},
    {{"TheBloke/Llama-2-7B-GPTQ"}, NULL},
    {{"meta-llama/Llama-2-7b-hf", "llama-2-7b.Q4_K_M.gguf"}, NULL},
    {{"./output/my-tune"}, NULL},
    {{"convnext_tiny"}, "convnext_tiny"},
    {{"timm/convnext_tiny.fb_in1k", "ConvNeXt-Tiny"}, "convnext_tiny"},
    {{"convnext_tiny", "convnext_small"}, NULL},
    {{"convnext_tiny_of_ours"}, NULL},
    {{NULL}, NULL},
};

START_TEST(named)
{
    struct case_maker maker;
    struct od_diags *diags = od_diags_new();
    case_maker_init(&maker);
    case_maker_setting(&maker, "optimizer", "adamw");
    for (size_t i = 0; i < OD_COUNT_OF(rows[_i].said) && rows[_i].said[i]; i++)
        case_maker_setting(&maker, "model", rows[_i].said[i]);
    struct od_models *models = od_models_named(&maker.c, diags);
    ck_assert((models != NULL) == (rows[_i].named != NULL));
    if (models)
        ck_assert(od_view_eq_str(od_models_choose(models, diags)->name, rows[_i].named));
    ck_assert_uint_eq(od_diags_count(diags), 0);
    od_models_free(models);
    od_diags_free(diags);
    case_maker_done(&maker);
}
END_TEST

/* A folder's weights: 2 x 3 numbers of 16 bits, whatever its configuration says; where that is not
 * read, they are all there is. */
static const struct {
    const char *config;
    bool transformer;
} folders[] = {
    {"{\"model_type\":\"llama\",\"hidden_size\":64,\"num_hidden_layers\":2,"
     "\"num_attention_heads\":4,\"intermediate_size\":256,\"vocab_size\":100}",
     true},
    {"{\"model_type\":\"unheard_of\"}", false},
};

START_TEST(folder)
{
    static const char header[] = "{\"a\":{\"dtype\":\"BF16\",\"shape\":[2,3],"
                                 "\"data_offsets\":[0,12]}}";
    char root[] = "/tmp/oomdoctor-test-XXXXXX", config[64], weights[64];
    unsigned char size[8] = {sizeof header - 1}, numbers[12] = {0};
    ck_assert_ptr_nonnull(mkdtemp(root));
    snprintf(config, sizeof config, "%s/config.json", root);
    snprintf(weights, sizeof weights, "%s/model.safetensors", root);
    FILE *file = fopen(config, "w");
    ck_assert(file && fputs(folders[_i].config, file) >= 0 && fclose(file) == 0);
    file = fopen(weights, "w");
    ck_assert(file && fwrite(size, sizeof size, 1, file) == 1 && fputs(header, file) >= 0 &&
              fwrite(numbers, sizeof numbers, 1, file) == 1 && fclose(file) == 0);
    struct od_diags *diags = od_diags_new();
    struct od_models *models = od_models_read(root, diags);
    const struct od_model *m = od_models_choose(models, diags);
    ck_assert_ptr_nonnull(m);
    ck_assert(m->transformer.known == folders[_i].transformer);
    ck_assert(m->weight_bytes.known && m->dtype == OD_BFLOAT16);
    ck_assert_uint_eq(m->weight_bytes.n, 12);
    ck_assert_uint_eq(m->transformer.known ? m->transformer.counted.n : m->parameters.n, 6);
    od_models_free(models);
    od_diags_free(diags);
    unlink(config);
    unlink(weights);
    rmdir(root);
}
END_TEST

/* How weights are stored, by the name alone. */
static const struct {
    const char *name;
    uint64_t bits, group; /* bits 0: the bytes of the whole file */
    bool nf4;
} stored[] = {
    {"amd/Llama-3.1-8B-Instruct-MXFP4", 4, 80, false},
    {"nvidia/Llama-3.1-8B-Instruct-NVFP4", 4, 40, false},
    {"Meta-Llama-3.1-8B-Instruct-quantized.w8a8", 8, 0, false},
    {"Meta-Llama-3.1-8B-Instruct-quantized.w4a16", 4, 128, false},
    {"Llama-3.1-8B-W8A8-Dynamic", 8, 0, false},
    {"Llama-3.1-8B-FP8-dynamic", 8, 0, false},
    {"unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit", 4, 0, true},
    {"Llama-3.1-8B-GPTQ-Int8", 8, 128, false},
    {"Llama-3.1-8B-AWQ", 4, 128, false},
    {"gpt-oss-20b-MXFP4", 4, 32, false}, /* as its configuration says */
    {"Llama-3.1-8B-Q4_K_M.gguf", 0, 0, false},
};

START_TEST(storage)
{
    struct od_diags *diags = od_diags_new();
    struct od_models *models = od_models_read(stored[_i].name, diags);
    const struct od_model *m = od_models_choose(models, diags);
    ck_assert_ptr_nonnull(m);
    ck_assert_uint_eq(od_diags_count(diags), 0);
    ck_assert_uint_eq(m->transformer.stored_bits.n, stored[_i].bits);
    ck_assert_uint_eq(m->transformer.stored_group.n, stored[_i].group);
    ck_assert(m->transformer.stored_nf4 == stored[_i].nf4);
    ck_assert(m->weight_bytes.known == (stored[_i].bits == 0));
    od_models_free(models);
    od_diags_free(diags);
}
END_TEST

Suite *models_named_suite(void)
{
    Suite *suite = od_suite_loop("models named", named, (int)OD_COUNT_OF(rows));
    TCase *tcase = tcase_create("stored");
    tcase_add_loop_test(tcase, storage, 0, OD_COUNT_OF(stored));
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("folders");
    tcase_add_loop_test(tcase, folder, 0, OD_COUNT_OF(folders));
    suite_add_tcase(suite, tcase);
    return suite;
}
