/* Public models by name: each entry counts what was published, each name finds its entry, and no
 * other name does. */
#include "suites.h"

#include "../suite.h"
#include "base/ascii.h"
#include "base/num.h"
#include "estimate/transformer_params.h"
#include "model_file.h"
#include "models/public_models.h"

#include <math.h>
#include <string.h>

enum { MODELS_LEAST = 80 };

/* "67.4B" is all that rounds to it; digits are exact. */
static bool agrees(const char *published, uint64_t counted)
{
    char *end = NULL;
    double value = strtod(published, &end), unit = *end == 'B' ? 1e9 : *end == 'M' ? 1e6 : 1;
    const char *point = strchr(published, '.');
    double half = *end == '\0' ? 0.1 : unit * (point ? pow(10, -(double)(end - point - 1)) : 1) / 2;
    return fabs((double)counted - value * unit) <= half;
}

START_TEST(counts)
{
    size_t n;
    const struct od_public_model *models = od_public_models(&n);
    ck_assert_uint_ge(n, MODELS_LEAST);
    for (size_t i = 0; i < n; i++) {
        struct model_file m = model_file_read(od_view_of(models[i].config));
        struct od_transformer_params params = {0};
        ck_assert_msg(m.emitted, "%s: no model", models[i].names);
        if (m.model.pipeline.known)
            params.total = m.model.parameters.n;
        else
            ck_assert_msg(od_transformer_count(&m.model.transformer, m.diags, &params), "%s",
                          models[i].names);
        for (size_t k = 0; k < m.model.ntowers && !m.model.transformer.counted.known; k++)
            ck_assert(od_transformer_count_tower(&m.model.towers[k], &m.model.transformer, m.diags,
                                                 &params));
        ck_assert_msg(agrees(models[i].published, params.total), "%s: %llu, not %s",
                      models[i].names, (unsigned long long)params.total, models[i].published);
        ck_assert_uint_eq(od_diags_count(m.diags), 0);
        od_diags_free(m.diags);
    }
}
END_TEST

START_TEST(own_names)
{
    size_t n;
    const struct od_public_model *models = od_public_models(&n);
    for (size_t i = 0; i < n; i++) {
        struct od_view left = od_view_of(models[i].names), name;
        while (od_view_cut(&left, ' ', &name)) {
            bool quantized = true;
            const struct od_public_model *found = od_public_model_find(name, &quantized);
            ck_assert_msg(found == &models[i], "%.*s is taken for %s", (int)name.n, name.p,
                          found ? found->names : "none");
            ck_assert(!quantized);
        }
    }
}
END_TEST

static const struct {
    const char *asked, *found; /* NULL = no known model has this name */
    bool quantized;
} names[] = {
    {"meta-llama/Llama-2-7b-chat-hf", "meta-llama/Llama-2-7b-hf", false},
    {"llama-2-7b", "meta-llama/Llama-2-7b-hf", false},
    {"Llama2-7B", "meta-llama/Llama-2-7b-hf", false},
    {"LLAMA 2 7B", "meta-llama/Llama-2-7b-hf", false},
    {"/srv/models/llama-2-7b-hf/", "meta-llama/Llama-2-7b-hf", false},
    {"/root/.cache/huggingface/hub/models--meta-llama--Llama-2-7b-hf/snapshots/01c7f73d771d",
     "meta-llama/Llama-2-7b-hf", false},
    {"TheBloke/Llama-2-7B-Chat-GPTQ", "meta-llama/Llama-2-7b-hf", true},
    {"llama-2-7b-chat.Q4_K_M.gguf", "meta-llama/Llama-2-7b-hf", true},
    {"llama3.1:8b-instruct-q8_0", "meta-llama/Llama-3.1-8B", true},
    {"meta-llama/Meta-Llama-3.1-8B-Instruct", "meta-llama/Llama-3.1-8B", false},
    {"unsloth/Meta-Llama-3.1-8B-Instruct-bnb-4bit", "meta-llama/Llama-3.1-8B", true},
    {"mistralai/Mistral-7B-Instruct-v0.2", "mistralai/Mistral-7B-v0.2", false},
    {"mistralai/Mistral-7B-Instruct-v0.3", "mistralai/Mistral-7B-v0.3", false},
    {"mixtral-8x7b-instruct-v0.1-fp16", "mistralai/Mixtral-8x7B-v0.1", false},
    {"Qwen/Qwen2.5-7B-Instruct-GPTQ-Int4", "Qwen/Qwen2.5-7B", true},
    {"Qwen/Qwen3-8B-FP8", "Qwen/Qwen3-8B", true},
    {"google/gemma-2-9b-it", "google/gemma-2-9b", false},
    {"gpt2", "openai-community/gpt2", false},
    {"bert-base-uncased", "google-bert/bert-base-uncased", false},
    {"phi-4-GGUF", "microsoft/phi-4", true},
    {"Qwen/Qwen3-VL-8B-Instruct", "Qwen/Qwen3-VL-8B", false},
    {"unsloth/gemma-3-27b-it-GGUF", "google/gemma-3-27b", true},
    {"MiniMaxAI/MiniMax-M2.5", "MiniMaxAI/MiniMax-M2", false},
    {"t5-base", "google-t5/t5-base", false},
    {"openai/whisper-tiny.en", "openai/whisper-tiny.en", false},
    {"llama-2-7b-my-tune", NULL, false},
    {"someone/llama-2-7b-sql", NULL, false},
    {"Mistral-7B", NULL, false},
    {"bert-base", NULL, false},
    {"t5", NULL, false},
    {"base", NULL, false},
    {"7b", NULL, false},
    {"config.json", NULL, false},
    {"gpt2/checkpoint-500", NULL, false},
    {"a description\nllama-2-7b", NULL, false},
    {"-q4", NULL, false},
    {"", NULL, false},
    {"/", NULL, false},
    {"models--", NULL, false},
};

START_TEST(asked)
{
    bool quantized = false;
    const struct od_public_model *found =
        od_public_model_find(od_view_of(names[_i].asked), &quantized);
    if (!names[_i].found) {
        ck_assert_msg(!found, "%s is taken for %s", names[_i].asked, found ? found->names : "");
        return;
    }
    ck_assert_msg(found, "%s is not found", names[_i].asked);
    ck_assert_msg(od_view_eq_str(od_public_model_name(found), names[_i].found),
                  "%s is taken for %s", names[_i].asked, found->names);
    ck_assert(quantized == names[_i].quantized);
}
END_TEST

START_TEST(suggestions)
{
    struct od_arena *arena = od_arena_new();
    ck_assert_str_eq(od_public_model_suggest(OD_VIEW("meta-lama/Lama-2-7b-hf"), arena),
                     "meta-llama/Llama-2-7b-hf");
    ck_assert_str_eq(od_public_model_suggest(OD_VIEW("bert-base-uncasd"), arena),
                     "google-bert/bert-base-uncased");
    ck_assert_ptr_null(od_public_model_suggest(OD_VIEW("nothing-like-any-of-them"), arena));
    ck_assert_ptr_null(od_public_model_suggest(OD_VIEW(""), arena));
    od_arena_free(arena);
}
END_TEST

Suite *od_public_models_suite(void)
{
    Suite *suite = od_suite_loop("public models", asked, (int)OD_COUNT_OF(names));
    TCase *tcase = tcase_create("entries");
    tcase_add_test(tcase, counts);
    tcase_add_test(tcase, own_names);
    tcase_add_test(tcase, suggestions);
    suite_add_tcase(suite, tcase);
    return suite;
}
