#include "plan/recipe.h"
#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

#include <stdio.h>
#include <string.h>

/* A text, and the options that it sets with their values; NULL: it is no text of settings. */
static const struct {
    const char *text, *programs, *model, *set[6];
} rows[] = {
    {"per_device_train_batch_size: 4\nbf16: true\n",
     "the Trainer of transformers",
     NULL,
     {"batch 4", "precision amp_bf16"}},
    {"{\"per_device_train_batch_size\": 4, \"bf16\": true, \"torch_dtype\": \"bfloat16\"}",
     "the Trainer of transformers",
     NULL,
     {"batch 4", "precision bf16_true"}},
    {"base_model: a/b\nadapter: qlora\nlora_r: 16\nbf16: auto\n",
     "axolotl",
     "a/b",
     {"lora 16", "quantize 4", "precision bf16_true"}},
    {"base_model: a/b\nadapter:\nlora_r: 16\nmicro_batch_size: 3\n",
     "axolotl",
     "a/b",
     {"lora 0", "batch 3"}},
    {"base_model: a/b\nadapter:\nfloat16: true\noptimizer: paged_adamw_8bit\n",
     "axolotl",
     "a/b",
     {"precision fp16_true", "optimizer paged_adamw_8bit"}},
    {"finetuning_type: full\nbf16: yes\ncutoff_len: 512\n",
     "LLaMA-Factory",
     NULL,
     {"precision amp_bf16", "seq 512", "checkpointing full"}},
    {"finetuning_type: full\nbf16: true\npure_bf16: True\n",
     "LLaMA-Factory",
     NULL,
     {"precision bf16_true"}},
    {"# torchtune\nmodel:\n  _component_: torchtune.models.x.qlora_x\n  lora_rank: 8\n"
     "  lora_attn_modules: ['q_proj', 'v_proj']\n  apply_lora_to_mlp: True\nbatch_size: 2\n",
     "torchtune",
     "x",
     {"quantize 4", "lora 8", "lora-targets q_proj,v_proj,gate_proj,up_proj,down_proj", "batch 2"}},
    {"{\n\t\"zero_optimization\": {\"stage\": 2, \"offload_optimizer\": {\"device\": \"cpu\"}},\n"
     "\t\"fp16\": {\"enabled\": \"auto\"}}",
     "DeepSpeed",
     NULL,
     {"zero 2", "offload optimizer"}},
    {"trainer:\n  precision: bf16\n  devices: 4\nmodel:\n  micro_batch_size: 1\n  megatron_amp_O2: "
     "True\n",
     "NeMo",
     NULL,
     {"precision bf16", "world-size 4", "batch 1"}},
    {"step_scheduler:\n  local_batch_size: 2\nmodel:\n  pretrained_model_name_or_path: a/b\n"
     "peft:\n  dim: 8\ndistributed:\n  _target_: a.b.FSDP2Manager\n",
     "NeMo",
     "a/b",
     {"batch 2", "lora 8", "fsdp yes"}},
    {"{\"base_model_name_or_path\": \"a/b\", \"r\": 4, \"target_modules\": [\"q_proj\"]}",
     "PEFT",
     "a/b",
     {"lora 4", "lora-targets q_proj"}},
    {"base_model: a/b\nbf16: true\ndeepspeed: configs/zero3_bf16.json\n",
     "axolotl",
     "a/b",
     {"zero 3", "precision bf16"}},
    {"docker run --rm --gpus all -p 8000:8000 vllm/vllm-openai:latest --model a/b",
     "vLLM",
     "a/b",
     {"inference yes"}},
    {"vllm serve a/b --max-model-len 4096 -tp 2 --gpu-memory-utilization=0.8",
     "vLLM",
     "a/b",
     {"seq 4096", "tp 2", "utilization 0.8", "inference yes"}},
    {"python3 -m sglang.launch_server --model-path a/b --context-length 100",
     "SGLang",
     "a/b",
     {"seq 100"}},
    {"export A=b\nCUDA_VISIBLE_DEVICES=1 ./bin/llama-cli -m 'my model.gguf' \\\n  -c 100 -ngl 5",
     "llama.cpp",
     "my model.gguf",
     {"seq 100", "gpu-layers 5"}},
    {"torchrun --nproc_per_node 2 t.py --per_device_train_batch_size 1 --lora_target_modules a b "
     "--fp16",
     "the Trainer of transformers, torchrun",
     NULL,
     {"world-size 2", "batch 1", "lora-targets a,b", "precision amp_fp16"}},
    {"INFO per_device_train_batch_size: 4", NULL, NULL, {0}},
    {"per_device: 4", NULL, NULL, {0}},
    {"we ran vllm serve a/b and it died", NULL, NULL, {0}},
    {"{\"model_type\": \"llama\", \"use_cache\": true}", NULL, NULL, {0}},
    {"", NULL, NULL, {0}},
};

static bool is_set(const struct od_recipe *recipe, const char *wanted)
{
    char one[128];
    for (size_t i = 0; i < recipe->nsettings; i++) {
        const struct od_recipe_setting *s = &recipe->settings[i];
        (void)snprintf(one, sizeof one, "%s %s", s->knob, s->value);
        for (char *c = one; *c; c++)
            *c = strchr("[]' ", *c) && c > one + strlen(s->knob) ? '\r' : *c;
        if (strcmp(one, wanted) == 0)
            return true;
    }
    return false;
}

START_TEST(settings_mean_what_their_program_says)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_recipe recipe = {0};
    bool is = od_recipe_read(od_view_of(rows[_i].text), "x", arena, diags, &recipe);
    ck_assert_msg(is == (rows[_i].programs != NULL), "row %d", _i);
    ck_assert(!recipe.bad);
    if (is) {
        ck_assert_str_eq(recipe.programs, rows[_i].programs);
        ck_assert_msg(!rows[_i].model == !recipe.model, "row %d", _i);
        if (recipe.model)
            ck_assert_str_eq(recipe.model, rows[_i].model);
        for (size_t k = 0; k < OD_COUNT_OF(rows[_i].set) && rows[_i].set[k]; k++)
            ck_assert_msg(is_set(&recipe, rows[_i].set[k]), "row %d: no %s", _i, rows[_i].set[k]);
    }
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

/* Names of an optimizer, as PyTorch's and bitsandbytes' classes and the Trainer's option write it.
 */
static const struct {
    const char *name;
    enum od_optimizer optimizer;
    bool paged, fused;
} optimizers[] = {
    {"paged_adamw_8bit", OD_OPT_ADAM8BIT, true, false},
    {"bitsandbytes.optim.PagedAdamW8bit", OD_OPT_ADAM8BIT, true, false},
    {"paged_adamw_32bit", OD_OPT_ADAMW, true, false},
    {"adamw_torch_fused", OD_OPT_ADAMW, false, true},
    {"adamw_8bit", OD_OPT_ADAM8BIT, false, false},
};

START_TEST(optimizers_by_any_name)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_recipe recipe;
    struct od_plan_request given = {0}, request = {0};
    const char *text =
        od_arena_printf(arena, "base_model: a/b\nadapter:\noptimizer: %s\n", optimizers[_i].name);
    ck_assert(od_recipe_read(od_view_of(text), "x", arena, diags, &recipe));
    od_recipe_apply(&recipe, &given, &request, arena, diags);
    ck_assert_int_eq((int)request.workload.optimizer, (int)optimizers[_i].optimizer);
    ck_assert(request.workload.paged_states == optimizers[_i].paged);
    ck_assert(request.workload.fused_step == optimizers[_i].fused);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

/* For how many sequences a server draws tokens: its command says it, or its device does. */
static const struct {
    const char *command, *device;
    uint64_t tried;
} servers[] = {
    {"vllm serve a/b --max-num-seqs 64", "H100", 64},
    {"vllm serve a/b", "H100", 1024},
    {"vllm serve a/b", "A100-80GB", 256},
    {"vllm serve a/b", "24GB", 256},
    {"vllm serve a/b --max-num-seqs 64", NULL, 64},
    {"vllm serve a/b", NULL, 0},
};

START_TEST(sequences_of_a_server)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_recipe recipe;
    struct od_plan_request given = {0}, request = od_plan_request_start();
    const char *why;
    request.params = od_count_of(1000);
    ck_assert(od_recipe_read(od_view_of(servers[_i].command), "x", arena, diags, &recipe));
    od_recipe_apply(&recipe, &given, &request, arena, diags);
    if (servers[_i].device)
        ck_assert_int_eq(od_knob_set(&request, "device", servers[_i].device, arena, &why),
                         OD_KNOB_SET);
    ck_assert(od_plan_request_finish(&request, NULL, arena, diags));
    ck_assert_uint_eq(request.workload.tried, servers[_i].tried);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

Suite *od_recipe_suite(void)
{
    Suite *suite =
        od_suite_loop("recipes", settings_mean_what_their_program_says, OD_COUNT_OF(rows));
    TCase *tcase = tcase_create("optimizers");
    tcase_add_loop_test(tcase, optimizers_by_any_name, 0, OD_COUNT_OF(optimizers));
    tcase_add_loop_test(tcase, sequences_of_a_server, 0, OD_COUNT_OF(servers));
    suite_add_tcase(suite, tcase);
    return suite;
}
