#include "plan/request.h"
#include "tests/unit/plan/suites.h"
#include "tests/unit/suite.h"

#include "base/num.h"

#include <string.h>

static const struct {
    const char *name, *value;
    enum od_knob_result result;
} settings[] = {
    {"batch", "32", OD_KNOB_SET},
    {"batch", "0", OD_KNOB_BAD},
    {"batch", "-4", OD_KNOB_BAD},
    {"batch", "", OD_KNOB_BAD},
    {"batch", NULL, OD_KNOB_BAD},
    {"batch", "1e30", OD_KNOB_BAD},
    {"batch", "99999999999999999999999", OD_KNOB_BAD},
    {"batch", "32 ", OD_KNOB_SET},
    {"batch", "thirty", OD_KNOB_BAD},
    {"Batch", "32", OD_KNOB_UNKNOWN},
    {"", "32", OD_KNOB_UNKNOWN},
    {"framework", "tensorflow", OD_KNOB_SET},
    {"framework", "caffe", OD_KNOB_BAD},
    {"precision", "amp_bf16", OD_KNOB_SET},
    {"precision", "fp4", OD_KNOB_BAD},
    {"optimizer", "muon", OD_KNOB_SET},
    {"optimizer", "adamw-fused", OD_KNOB_SET},
    {"optimizer", "fused", OD_KNOB_BAD},
    {"optimizer", "paged_adamw_8bit", OD_KNOB_SET},
    {"optimizer", "paged_adamw_32bit", OD_KNOB_SET},
    {"optimizer", "paged_", OD_KNOB_BAD},
    {"optimizer", "adamx", OD_KNOB_BAD},
    {"checkpointing", "every:4", OD_KNOB_SET},
    {"checkpointing", "every:0", OD_KNOB_BAD},
    {"checkpointing", "every:-1", OD_KNOB_BAD},
    {"image", "224x160", OD_KNOB_SET},
    {"image", "224", OD_KNOB_SET},
    {"image", "224x", OD_KNOB_BAD},
    {"image", "0x224", OD_KNOB_BAD},
    {"image", "224x224x3", OD_KNOB_BAD},
    {"zero", "3", OD_KNOB_SET},
    {"zero", "4", OD_KNOB_BAD},
    {"fsdp", NULL, OD_KNOB_SET},
    {"fsdp", "no", OD_KNOB_SET},
    {"fsdp", "perhaps", OD_KNOB_BAD},
    {"offload", "optimizer,params", OD_KNOB_SET},
    {"offload", "weights", OD_KNOB_BAD},
    {"lora", "16", OD_KNOB_SET},
    {"lora", "99999999", OD_KNOB_BAD},
    {"lora-targets", "q_proj,v_proj", OD_KNOB_SET},
    {"lora-targets", "q_proj,,v_proj", OD_KNOB_BAD},
    {"quantize", "4", OD_KNOB_SET},
    {"quantize", "3", OD_KNOB_BAD},
    {"kv-dtype", "q8_0", OD_KNOB_SET},
    {"kv-dtype", "q9", OD_KNOB_BAD},
    {"chunk", "512", OD_KNOB_SET},
    {"gpu-layers", "0", OD_KNOB_SET},
    {"params", "7B", OD_KNOB_SET},
    {"params", "1.5b", OD_KNOB_SET},
    {"params", "B", OD_KNOB_BAD},
    {"params", "7X", OD_KNOB_BAD},
    {"device", "2xA100", OD_KNOB_SET},
    {"device", "8 x h100", OD_KNOB_SET},
    {"device", "0xA100", OD_KNOB_BAD},
    {"device", "2x", OD_KNOB_BAD},
    {"running", "64", OD_KNOB_SET},
    {"running", "0", OD_KNOB_BAD},
    {"mean-seq", "900", OD_KNOB_SET},
    {"mean-seq", "some", OD_KNOB_BAD},
    {"prompt", "512", OD_KNOB_SET},
    {"prompt", "0", OD_KNOB_BAD},
    {"lengths", "packed", OD_KNOB_SET},
    {"objective", "dpo", OD_KNOB_SET},
    {"objective", "pretraining", OD_KNOB_BAD},
    {"engine", "0.3", OD_KNOB_SET},
    {"engine", "30", OD_KNOB_BAD},
    {"device", "4090", OD_KNOB_SET},
    {"lengths", "900:4096", OD_KNOB_SET},
    {"lengths", "5000:4096", OD_KNOB_BAD},
    {"lengths", "0:4096", OD_KNOB_BAD},
    {"lengths", "900:", OD_KNOB_BAD},
    {"lengths", "long", OD_KNOB_BAD},
    {"kv-block", "16", OD_KNOB_SET},
    {"kv-block", "0", OD_KNOB_BAD},
    {"utilization", "0.9", OD_KNOB_SET},
    {"utilization", "1", OD_KNOB_SET},
    {"utilization", "0", OD_KNOB_BAD},
    {"utilization", "90", OD_KNOB_BAD},
    {"utilization", "nan", OD_KNOB_BAD},
    {"device", "23.7GiB", OD_KNOB_SET},
    {"device", "24GB", OD_KNOB_SET},
    {"device", "0GB", OD_KNOB_BAD},
    {"device", "24", OD_KNOB_BAD},
    {"device", "24000000000", OD_KNOB_SET},
    {"device", "a toaster", OD_KNOB_BAD},
    {"metric", "device", OD_KNOB_SET},
    {"metric", "felt", OD_KNOB_BAD},
    {"params", "0", OD_KNOB_SET},
    {"params", "1000000000000000000000000000000", OD_KNOB_BAD},
    {"params", "9000000000000000000", OD_KNOB_BAD},
    {"sample", "3,224,224,float32", OD_KNOB_SET},
    {"sample", "float32", OD_KNOB_BAD},
    {"sample", "3,-1,224,float32", OD_KNOB_BAD},
    {"sample", "3,224,224", OD_KNOB_BAD},
    {"sample", "3,0,224,float32", OD_KNOB_BAD},
    {"sample", "4294967296,4294967296,float32", OD_KNOB_BAD},
    {"sample", ",", OD_KNOB_BAD},
    {"dataset", "16283,150,150,3,float32", OD_KNOB_SET},
    {"ram", "64GiB", OD_KNOB_SET},
    {"ram", "much", OD_KNOB_BAD},
    {"shm", "64MB", OD_KNOB_SET},
};

START_TEST(knobs_take_sense_only)
{
    struct od_arena *arena = od_arena_new();
    struct od_plan_request request = od_plan_request_start(), before = request;
    const char *why = NULL;
    enum od_knob_result result =
        od_knob_set(&request, settings[_i].name, settings[_i].value, arena, &why);
    ck_assert_msg(result == settings[_i].result, "%s=%s", settings[_i].name, settings[_i].value);
    if (result != OD_KNOB_SET)
        ck_assert(memcmp(&request, &before, sizeof request) == 0);
    else
        ck_assert_ptr_nonnull(od_knob_said(&request, settings[_i].name));
    ck_assert((result == OD_KNOB_BAD) == (why != NULL) || result == OD_KNOB_SET);
    od_arena_free(arena);
}
END_TEST

/* What large frameworks call them. */
static const struct {
    const char *name, *spelt, *ours;
} spellings[] = {
    {"precision", "bf16-mixed", "amp_bf16"},
    {"precision", "mixed_float16", "amp_fp16"},
    {"precision", "FP32", "float32"},
    {"precision", "half", "fp16"},
    {"optimizer", "AdamW", "adamw"},
    {"optimizer", "adamw_bnb_8bit", "adam8bit"},
    {"optimizer", "adamw_torch_fused", "adamw"},
    {"optimizer", "sgd_momentum", "momentum"},
};

START_TEST(spelt_as_frameworks_do)
{
    struct od_arena *arena = od_arena_new();
    struct od_plan_request r = od_plan_request_start();
    const char *why;
    bool precision = strcmp(spellings[_i].name, "precision") == 0;
    ck_assert_int_eq(od_knob_set(&r, spellings[_i].name, spellings[_i].spelt, arena, &why),
                     OD_KNOB_SET);
    ck_assert_str_eq(precision ? od_precision_name(r.workload.precision)
                               : od_optimizer_name(r.workload.optimizer),
                     spellings[_i].ours);
    od_arena_free(arena);
}
END_TEST

/* What may be reserved: 0.9 of the device where a server is asked for, else as it is. */
static const struct {
    const char *running, *utilization;
    uint64_t usable;
} reserved[] = {{NULL, NULL, 1000000},
                {"4", NULL, 900000},
                {"4", "0.5", 500000},
                {NULL, "0.8", 800000},
                {"4", "1", 1000000}};

START_TEST(a_share_is_reserved)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_model model = {.parameters = od_count_of(10)};
    struct od_plan_request r = od_plan_request_start();
    const char *why;
    ck_assert_int_eq(od_knob_set(&r, "device", "1000000", arena, &why), OD_KNOB_SET);
    ck_assert_int_eq(od_knob_set(&r, "inference", NULL, arena, &why), OD_KNOB_SET);
    if (reserved[_i].running)
        ck_assert_int_eq(od_knob_set(&r, "running", reserved[_i].running, arena, &why),
                         OD_KNOB_SET);
    if (reserved[_i].utilization)
        ck_assert_int_eq(od_knob_set(&r, "utilization", reserved[_i].utilization, arena, &why),
                         OD_KNOB_SET);
    ck_assert(od_plan_request_finish(&r, &model, arena, diags));
    ck_assert_uint_eq(r.device.usable_bytes, reserved[_i].usable);
    ck_assert_uint_eq(r.workload.kv_block, reserved[_i].running ? 16 : 0);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

static const struct {
    const char *words; /* name=value, between blanks */
    bool model, good;
} requests[] = {
    {"batch=4", true, true},
    {"batch=4", false, false},
    {"params=1000", false, true},
    {"params=1000", true, false},
    {"activations=5", true, false},
    {"lora-targets=q", true, false},
    {"lora-targets=q lora=4", true, true},
    {"quantize=4", true, false},
    {"quantize=4 inference=yes", true, true},
    {"world-size=2 tp=4", true, false},
    {"running=8", true, false},
    {"mean-seq=100", true, false},
    {"kv-block=16", true, false},
    {"running=8 inference=yes", true, true},
    {"running=8 batch=8 inference=yes", true, false},
    {"mean-seq=100 seq=99 inference=yes", true, false},
    {"mean-seq=100 seq=100 inference=yes", true, true},
    {"prompt=100", true, false},
    {"prompt=100 seq=99 inference=yes", true, false},
    {"prompt=99 seq=99 inference=yes", true, true},
    {"lengths=varied", true, true},
    {"lengths=varied inference=yes", true, false},
    {"tp=4", true, true},
};

START_TEST(requests_are_consistent)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_model model = {.parameters = od_count_of(10), .framework = OD_VIEW("tensorflow")};
    struct od_plan_request request = od_plan_request_start();
    struct od_view rest = od_view_of(requests[_i].words), word, name;
    while (od_view_cut(&rest, ' ', &word)) {
        const char *why = NULL;
        ck_assert(od_view_cut(&word, '=', &name));
        ck_assert_int_eq(od_knob_set(&request, od_arena_str(arena, name), od_arena_str(arena, word),
                                     arena, &why),
                         OD_KNOB_SET);
    }
    bool good = od_plan_request_finish(&request, requests[_i].model ? &model : NULL, arena, diags);
    ck_assert_int_eq(good, requests[_i].good);
    ck_assert_int_eq(od_diags_has_error(diags), !good);
    if (good && requests[_i].model)
        ck_assert_int_eq(request.workload.framework, OD_FW_TENSORFLOW);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

/* What a model is stored in is what it is served in, unless a knob says otherwise. */
static const struct {
    const char *knob, *value; /* NULL = none but the first two */
    const char *inference;    /* NULL = training */
    enum od_model_format format;
    enum od_dtype dtype;
    uint64_t stored; /* bits by bitsandbytes; 0 = not */
    enum od_precision precision;
    unsigned quantized;
} kept[] = {
    {NULL, NULL, "yes", OD_MODEL_HF_CONFIG, OD_BFLOAT16, 0, OD_PREC_BF16_TRUE, 0},
    {NULL, NULL, "yes", OD_MODEL_HF_CONFIG, OD_FLOAT16, 0, OD_PREC_FP16_TRUE, 0},
    {NULL, NULL, "yes", OD_MODEL_HF_CONFIG, OD_DTYPE_UNKNOWN, 0, OD_PREC_FLOAT32, 0},
    {NULL, NULL, "yes", OD_MODEL_GGUF, OD_INT4, 0, OD_PREC_FP16_TRUE, 0},
    {"precision", "float32", "yes", OD_MODEL_HF_CONFIG, OD_BFLOAT16, 0, OD_PREC_FLOAT32, 0},
    {NULL, NULL, NULL, OD_MODEL_HF_CONFIG, OD_BFLOAT16, 0, OD_PREC_FLOAT32, 0},
    {"lora", "8", NULL, OD_MODEL_HF_CONFIG, OD_BFLOAT16, 4, OD_PREC_FLOAT32, 4},
    {"lora", "8", NULL, OD_MODEL_HF_CONFIG, OD_BFLOAT16, 0, OD_PREC_FLOAT32, 0},
    {NULL, NULL, "yes", OD_MODEL_HF_CONFIG, OD_FLOAT32, 4, OD_PREC_BF16_TRUE, 0},
};

START_TEST(a_model_is_served_as_it_is_stored)
{
    struct od_arena *arena = od_arena_new();
    struct od_diags *diags = od_diags_new();
    struct od_model model = {.format = kept[_i].format,
                             .dtype = kept[_i].dtype,
                             .transformer = {.known = true, .stored_nf4 = kept[_i].stored > 0}};
    struct od_plan_request r = od_plan_request_start();
    const char *why;
    if (kept[_i].stored > 0)
        model.transformer.stored_bits = od_count_of(kept[_i].stored);
    if (kept[_i].inference)
        ck_assert_int_eq(od_knob_set(&r, "inference", NULL, arena, &why), OD_KNOB_SET);
    if (kept[_i].knob)
        ck_assert_int_eq(od_knob_set(&r, kept[_i].knob, kept[_i].value, arena, &why), OD_KNOB_SET);
    ck_assert(od_plan_request_finish(&r, &model, arena, diags));
    ck_assert_int_eq(r.workload.precision, kept[_i].precision);
    ck_assert_uint_eq(r.workload.quantize_bits, kept[_i].quantized);
    od_diags_free(diags);
    od_arena_free(arena);
}
END_TEST

static const struct {
    const char *text;
    const char *name; /* NULL = none */
} devices[] = {
    {"rtx3090", "rtx3090"},
    {"NVIDIA GeForce RTX 3090", "rtx3090"},
    {"RTX_3090", "rtx3090"},
    {"3090", "rtx3090"},
    {"a100", "a100-40gb"},
    {"A100-SXM4-80GB", "a100-80gb"},
    {"Tesla V100", "v100-16gb"},
    {"v100-32gb", "v100-32gb"},
    {"24GB", "24GB"},
    {"23.7GiB", "23.7GiB"},
    {"rtx30900", NULL},
    {"", NULL},
    {"gb", NULL},
    {"nvidia", NULL},
};

START_TEST(devices_have_many_names)
{
    struct od_arena *arena = od_arena_new();
    struct od_plan_device device;
    bool found = od_plan_device_find(devices[_i].text, arena, &device);
    ck_assert_int_eq(found, devices[_i].name != NULL);
    if (found) {
        ck_assert_uint_le(device.usable_bytes, device.bytes);
        if (device.is_size)
            ck_assert_str_eq(device.name, devices[_i].name);
        else
            ck_assert_msg(strstr(devices[_i].name, device.name) == devices[_i].name ||
                              strcmp(devices[_i].name, device.name) == 0,
                          "%s is %s", devices[_i].text, device.name);
    }
    od_arena_free(arena);
}
END_TEST

START_TEST(the_catalogue_is_in_order)
{
    struct od_plan_device device, again;
    struct od_arena *arena = od_arena_new();
    uint64_t last = 0;
    size_t n = 0;
    for (; od_plan_device_at(n, &device); n++) {
        ck_assert_uint_ge(device.usable_bytes, last);
        ck_assert_uint_le(device.usable_bytes, device.bytes);
        ck_assert(od_plan_device_find(device.name, arena, &again));
        ck_assert_str_eq(again.name, device.name);
        last = device.usable_bytes;
    }
    ck_assert_uint_ge(n, 60);
    od_arena_free(arena);
}
END_TEST

static const struct {
    const char *text, *words;
} lengths[] = {
    {"100\n300\n", "200:300"},    {"  7\r\n", "7:7"}, {"length\n10\n20\n60", "30:60"},
    {"no number\n", NULL},        {"", NULL},         {"0\n0\n", NULL},
    {"{\"tokens\": 12}\n", NULL},
};

START_TEST(lengths_of_samples)
{
    struct od_arena *arena = od_arena_new();
    const char *words = od_lengths_words(od_view_of(lengths[_i].text), arena);
    if (lengths[_i].words)
        ck_assert_str_eq(words, lengths[_i].words);
    else
        ck_assert_ptr_null(words);
    od_arena_free(arena);
}
END_TEST

Suite *od_knobs_suite(void)
{
    Suite *suite = od_suite_loop("knobs", knobs_take_sense_only, OD_COUNT_OF(settings));
    TCase *tcase = tcase_create("requests");
    tcase_add_loop_test(tcase, spelt_as_frameworks_do, 0, OD_COUNT_OF(spellings));
    tcase_add_loop_test(tcase, requests_are_consistent, 0, OD_COUNT_OF(requests));
    tcase_add_loop_test(tcase, a_share_is_reserved, 0, OD_COUNT_OF(reserved));
    tcase_add_loop_test(tcase, a_model_is_served_as_it_is_stored, 0, OD_COUNT_OF(kept));
    tcase_add_loop_test(tcase, devices_have_many_names, 0, OD_COUNT_OF(devices));
    tcase_add_loop_test(tcase, lengths_of_samples, 0, OD_COUNT_OF(lengths));
    tcase_add_test(tcase, the_catalogue_is_in_order);
    suite_add_tcase(suite, tcase);
    return suite;
}
