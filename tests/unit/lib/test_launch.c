/* What launch commands and trainers' files say of a model that they only name. */
#include "base/num.h"
#include "lib/launch.h"
#include "tests/unit/lib/suites.h"
#include "tests/unit/suite.h"

static const struct {
    const char *text;
    const char *model, *options; /* NULL = nothing said */
} texts[] = {
    {"base_model: org/base-8B # other/one\nmicro_batch_size: 2\nlora_r: 16\nload_in_4bit: true\n"
     "load_in_8bit: false\nbf16: auto\ngradient_checkpointing: true\nsequence_len: 4096\n",
     "org/base-8B",
     "--batch 2 --lora 16 --quantize 4 --precision amp_bf16 --checkpointing full --seq 4096"},
    {"torchrun --nproc_per_node=8 train.py --model_name_or_path 'org/base' --fp16 "
     "--per-device-train-batch-size 4 --gradient-accumulation-steps=2",
     "org/base", "--world-size 8 --precision amp_fp16 --batch 4 --accumulate 2"},
    {"vllm serve org/base --max-model-len 8192 --gpu-memory-utilization 0.9 "
     "--tensor-parallel-size 2",
     "org/base", "--inference --seq 8192 --utilization 0.9 --tp 2"},
    {"{\"base_model_name_or_path\": \"org/base\", \"r\": 16}", "org/base", NULL},
    /* the first counts */
    {"model: org/a\nmodel: org/b\ncutoff_len: 1\nsequence_len: 2\n", "org/a", "--seq 1"},
    /* paths, files and what is no number */
    {"model: /data/base\nmodel: ./base/x\nmodel: src/train.py\nmodel: a/b/c\nmodel: base\n", NULL,
     NULL},
    {"micro_batch_size: auto\nlora_r: -3\nsequence_len: 0\ngpu_memory_utilization: 90\nbf16: "
     "false\n",
     NULL, NULL},
    {"# base_model: org/base\n", NULL, NULL},
    {"step 1 loss 2.1\n", NULL, NULL},
    {"", NULL, NULL},
};

START_TEST(what_is_named)
{
    struct od_arena *arena = od_arena_new();
    struct od_launch launch = od_launch_find(od_view_of(texts[_i].text), arena);
    ck_assert_pstr_eq(launch.model, texts[_i].model);
    ck_assert_pstr_eq(launch.options, texts[_i].options);
    ck_assert(!launch.index);
    od_arena_free(arena);
}
END_TEST

START_TEST(a_public_name_is_enough)
{
    struct od_arena *arena = od_arena_new();
    ck_assert(od_launch_find(OD_VIEW("model: meta-llama/Llama-2-7b-hf"), arena).known);
    ck_assert(!od_launch_find(OD_VIEW("model: org/Llama-2-7b-mine"), arena).known);
    ck_assert(!od_launch_find(OD_VIEW("lora_r: 8"), arena).known);
    od_arena_free(arena);
}
END_TEST

START_TEST(an_index_is_told)
{
    struct od_arena *arena = od_arena_new();
    ck_assert(
        od_launch_find(OD_VIEW("{\"weight_map\": {\"a\": \"m-1.safetensors\"}}"), arena).index);
    od_arena_free(arena);
}
END_TEST

Suite *launch_suite(void)
{
    Suite *suite = od_suite_loop("launch", what_is_named, (int)OD_COUNT_OF(texts));
    TCase *tcase = tcase_create("index");
    tcase_add_test(tcase, a_public_name_is_enough);
    tcase_add_test(tcase, an_index_is_told);
    suite_add_tcase(suite, tcase);
    return suite;
}
