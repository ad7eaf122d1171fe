/* Which public model a log names: one, and only where its configuration tells its bytes. */
#include "lib/models.h"
#include "tests/unit/diagnose/case_maker.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/suite.h"

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

Suite *models_named_suite(void)
{
    return od_suite_loop("models named", named, (int)OD_COUNT_OF(rows));
}
